import type { Policy } from '../execution/policy.ts'
import { atLeast, type Role } from '../operations/role.ts'

export type GivenRole = Exclude<Role, 'none'>
/** Highest first: the first that names somebody is theirs. */
export const GIVEN_ROLES = ['admin', 'operator', 'viewer'] as const satisfies readonly GivenRole[]

/** Who has a role: by user id, by user group, or as everybody who is a full member. */
export interface RoleGrant {
  readonly users: ReadonlySet<string>
  readonly groups: ReadonlySet<string>
  /** Only the role viewer is ever given to everybody. */
  readonly everybody: boolean
}
export type RoleGrants = Readonly<Record<GivenRole, RoleGrant>>

const NOBODY: RoleGrant = { users: new Set(), groups: new Set(), everybody: false }
export const NO_GRANTS: RoleGrants = { admin: NOBODY, operator: NOBODY, viewer: NOBODY }

export interface RoleLists {
  readonly admins: ReadonlySet<string>
  readonly operators: ReadonlySet<string>
  readonly viewers: ReadonlySet<string> | 'everybody'
}

/** All that gives roles, and the user groups that matter besides. */
export interface RoleSources {
  readonly settings: RoleGrants
  readonly file: RoleGrants
  /** User groups whose members approve somewhere. */
  readonly approvingGroups: ReadonlySet<string>
  /** User groups whose members may go without approval. */
  readonly breakGlassGroups: ReadonlySet<string>
}

/** The settings' lists and what the configuration file says, if there is one, side by side: none takes from the other. */
export function roleSources(
  lists: RoleLists,
  file?: { readonly roles: RoleGrants; readonly policy: Pick<Policy, 'rules' | 'quorum' | 'breakGlassGroups'> },
): RoleSources {
  const { admins, operators, viewers } = lists
  const settings: RoleGrants = {
    admin: { ...NOBODY, users: admins },
    operator: { ...NOBODY, users: operators },
    viewer: viewers === 'everybody' ? { ...NOBODY, everybody: true } : { ...NOBODY, users: viewers },
  }
  if (file === undefined) return { settings, file: NO_GRANTS, approvingGroups: new Set(), breakGlassGroups: new Set() }
  const { rules, quorum, breakGlassGroups } = file.policy
  const quorums = [quorum, ...rules.flatMap((rule) => rule.quorum ?? [])]
  const approvingGroups = new Set(quorums.flatMap(({ groups }) => groups))
  return { settings, file: file.roles, approvingGroups, breakGlassGroups: new Set(breakGlassGroups) }
}

/** Every user group that is named anywhere. None means that Slack is not asked for groups at all. */
export function namedGroups(sources: RoleSources): ReadonlySet<string> {
  const { settings, file, approvingGroups, breakGlassGroups } = sources
  const grants = [settings, file].flatMap((each) => GIVEN_ROLES.map((role) => each[role]))
  return new Set([...grants.flatMap(({ groups }) => [...groups]), ...approvingGroups, ...breakGlassGroups])
}

export function listedUsers({ settings, file }: RoleSources, role: GivenRole): ReadonlySet<string> {
  return new Set([...settings[role].users, ...file[role].users])
}

export function groupsGiving({ settings, file }: RoleSources, role: GivenRole): ReadonlySet<string> {
  return new Set([...settings[role].groups, ...file[role].groups])
}

/** The role somebody has, and where it comes from as a sentence part. */
export interface FoundRole {
  readonly role: Role
  readonly source: string
  /** True when no list gives as much: without the user group it would be a lesser one. */
  readonly byGroup: boolean
}

const SETTING: Readonly<Record<GivenRole, string>> = { admin: 'ADMINS', operator: 'OPERATORS', viewer: 'VIEWERS' }

/** The highest role that lists and user groups give somebody who is in `groups`. A list counts before a group. */
export function roleIn(sources: RoleSources, userId: string, groups: ReadonlySet<string>): FoundRole {
  for (const role of GIVEN_ROLES) {
    const listed = listing(sources, role, userId)
    if (listed !== undefined) return { role, source: listed, byGroup: false }
    const group = groups.size === 0 ? undefined : [...groupsGiving(sources, role)].find((id) => groups.has(id))
    if (group !== undefined) return { role, source: `in the user group ${group}, which gives it`, byGroup: true }
  }
  return { role: 'none', source: 'nothing gives this id a role', byGroup: false }
}

function listing({ settings, file }: RoleSources, role: GivenRole, userId: string): string | undefined {
  if (settings[role].users.has(userId)) return `listed in ${SETTING[role]}`
  if (file[role].users.has(userId)) return `listed as ${role} in the configuration file`
  if (settings[role].everybody) return `${SETTING[role]} is every full member`
  return file[role].everybody ? `the configuration file makes every full member ${role}` : undefined
}

export function groupCouldRaise(sources: RoleSources, role: Role): boolean {
  return GIVEN_ROLES.some((given) => !atLeast(role, given) && groupsGiving(sources, given).size > 0)
}
