import type { IncomingHttpHeaders } from 'node:http'
import { endpoints, type EndpointName } from '../../cdn/endpoints.ts'
import { refuseLogging, refuseManagement } from './refusal.ts'
import type { World } from './world/world.ts'

const OWNER = ['User', 'UserApi']
const MANAGER = [...OWNER, 'SubuserManage', 'SubuserAPIManage']

/**
 * Roles that may use a management operation. The contract states those of the statistics; the others are known from
 * elsewhere. The logging interface asks for a valid key and no more.
 */
const ROLES: Readonly<Partial<Record<EndpointName, readonly string[]>>> = {
  getStorageStatistics: [...MANAGER, 'SubuserAPIStatistics', 'SubuserStatistics'],
  listApiKeys: OWNER,
  createVideoLibrary: [...MANAGER, 'SubuserAPIStream', 'SubuserStream', 'ScopedApiKey'],
  addDnsRecord: [...MANAGER, 'SubuserDns', 'SubuserAPIDns'],
}

/** Lets in any key of the account with that key's roles, and one bearer token with all. Throws `Refusal`. */
export function admit(endpoint: EndpointName, headers: IncomingHttpHeaders, world: World, bearerToken: string): void {
  const { accesskey, authorization } = headers
  const key = typeof accesskey === 'string' ? world.apiKey(accesskey) : undefined
  const isBearer = accesskey === undefined && authorization === `Bearer ${bearerToken}`
  const roles = isBearer ? OWNER : key && (key.roles ?? [])
  if (endpoints[endpoint].base === 'logging') {
    if (roles !== undefined) return
    if ((accesskey ?? authorization) === undefined)
      throw refuseLogging(401, 'No authentication credentials were provided.')
    throw refuseLogging(403, 'The credentials are not valid.')
  }
  if (roles === undefined) {
    throw refuseManagement(401, 'unauthorized', null, 'The request authorization header is not valid.')
  }
  if (ROLES[endpoint]?.some((role) => roles.includes(role)) === false) {
    throw refuseManagement(403, 'forbidden', null, 'The user has no rights to access the resource.')
  }
}
