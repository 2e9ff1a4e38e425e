import type { Switches } from './parts.ts'
import { ENTERPRISE } from './seed.ts'

type Payload = Readonly<Record<string, unknown>>

/**
 * A payload as an app gets it that is installed in a workspace of an organisation, or for all of the organisation: then
 * an interaction names no team, and only `user.team_id` says where somebody is from.
 */
export function asInstalled(payload: Payload, { grid, orgInstall }: Pick<Switches, 'grid' | 'orgInstall'>): Payload {
  if (!grid && !orgInstall) return payload
  const { id, name } = ENTERPRISE
  if ('command' in payload) {
    return { ...payload, enterprise_id: id, enterprise_name: name, is_enterprise_install: String(orgInstall) }
  }
  if ('authorizations' in payload)
    return { ...payload, enterprise_id: id, authorizations: [authorization(payload, orgInstall)] }
  return {
    ...payload,
    enterprise: { id, name },
    is_enterprise_install: orgInstall,
    ...(orgInstall ? { team: null } : {}),
  }
}

function authorization({ authorizations }: Payload, orgInstall: boolean): Payload {
  const first: unknown = Array.isArray(authorizations) ? authorizations[0] : undefined
  return {
    ...(typeof first === 'object' ? first : {}),
    enterprise_id: ENTERPRISE.id,
    is_enterprise_install: orgInstall,
    ...(orgInstall ? { team_id: null } : {}),
  }
}
