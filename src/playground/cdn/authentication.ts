import type { EndpointName } from '../../cdn/endpoints.ts'
import { refuseLogging, refuseManagement } from './refusal.ts'
import type { World } from './world/world.ts'

/** The two headers that authenticate a request. */
export interface CredentialHeaders {
  readonly accessKey: string | undefined
  readonly authorization: string | undefined
}

/**
 * Roles that may use a management operation. The contract states those of the statistics; the others are known from
 * elsewhere. The logging interface asks for a valid key and no more.
 */
const ROLES: Readonly<Partial<Record<EndpointName, readonly string[]>>> = {
  getStorageStatistics: [
    'User',
    'UserApi',
    'SubuserAPIStatistics',
    'SubuserStatistics',
    'SubuserManage',
    'SubuserAPIManage',
  ],
  listApiKeys: ['User', 'UserApi'],
  createVideoLibrary: [
    'User',
    'UserApi',
    'SubuserAPIStream',
    'SubuserStream',
    'SubuserManage',
    'SubuserAPIManage',
    'ScopedApiKey',
  ],
  addDnsRecord: ['User', 'UserApi', 'SubuserDns', 'SubuserAPIDns', 'SubuserManage', 'SubuserAPIManage'],
}

/** Lets in any key of the account with that key's roles, and one bearer token with all. */
export class Authentication {
  readonly #world: Pick<World, 'apiKey'>
  readonly #bearerToken: string

  constructor(world: Pick<World, 'apiKey'>, bearerToken: string) {
    this.#world = world
    this.#bearerToken = bearerToken
  }

  /** Throws `Refusal`: 401 for a management call without a valid key, 403 for one whose key lacks the role. */
  admitToManagement(endpoint: EndpointName, headers: CredentialHeaders): void {
    const roles = this.#rolesOf(headers)
    if (roles === undefined) {
      throw refuseManagement(401, 'unauthorized', null, 'The request authorization header is not valid.')
    }
    if (ROLES[endpoint]?.some((role) => roles.includes(role)) === false) {
      throw refuseManagement(403, 'forbidden', null, 'The user has no rights to access the resource.')
    }
  }

  /** Throws `Refusal`: 401 for a logging call without any key, 403 for one with a wrong key. */
  admitToLogging(headers: CredentialHeaders): void {
    if (headers.accessKey === undefined && headers.authorization === undefined) {
      throw refuseLogging(401, 'No authentication credentials were provided.')
    }
    if (this.#rolesOf(headers) === undefined) throw refuseLogging(403, 'The credentials are not valid.')
  }

  #rolesOf({ accessKey, authorization }: CredentialHeaders): readonly string[] | undefined {
    if (accessKey !== undefined) {
      const key = this.#world.apiKey(accessKey)
      return key === undefined ? undefined : (key.roles ?? [])
    }
    return authorization === `Bearer ${this.#bearerToken}` ? ['User', 'UserApi'] : undefined
  }
}
