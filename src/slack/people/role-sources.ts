import { DEFAULT_POLICY, type Policy } from '../../execution/policy/policy.ts'
import { A_GROUP, atLeast, type GivenRole, type Role } from '../../operations/declaration/role.ts'

/** Highest first: the first that names somebody is theirs. */
export const GIVEN_ROLES = ['admin', 'operator', 'viewer'] as const satisfies readonly GivenRole[]

/** Who has a role: by user id, by user group, or as everybody who is a full member. */
export interface RoleGrant {
  readonly users: ReadonlySet<string>
  readonly groups: ReadonlySet<string>
  /** Only the role viewer is ever given to everybody; in a demonstration operator, too. */
  readonly everybody: boolean
}
export type RoleGrants = Readonly<Record<GivenRole, RoleGrant>>

const NOBODY: RoleGrant = { users: new Set(), groups: new Set(), everybody: false }
export const NO_GRANTS: RoleGrants = { admin: NOBODY, operator: NOBODY, viewer: NOBODY }

export interface RoleLists {
  readonly admins: ReadonlySet<string>
  readonly operators: ReadonlySet<string> | 'everybody'
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

/** The settings' lists and what the configuration file says, side by side: none takes from the other. */
export function roleSources(
  { admins, operators, viewers }: RoleLists,
  file: {
    readonly roles: RoleGrants
    readonly policy: Pick<Policy, 'rules' | 'quorum' | 'breakGlassGroups'>
  } = { roles: NO_GRANTS, policy: DEFAULT_POLICY },
): RoleSources {
  const { rules, quorum, breakGlassGroups } = file.policy
  const quorums = [quorum, ...rules.flatMap((rule) => rule.quorum ?? [])]
  return {
    settings: {
      admin: { ...NOBODY, users: admins },
      operator: grantOf(operators),
      viewer: grantOf(viewers),
    },
    file: file.roles,
    approvingGroups: new Set(quorums.flatMap(({ groups }) => groups)),
    breakGlassGroups: new Set(breakGlassGroups),
  }
}

function grantOf(people: ReadonlySet<string> | 'everybody'): RoleGrant {
  return people === 'everybody' ? { ...NOBODY, everybody: true } : { ...NOBODY, users: people }
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

const SETTING: Readonly<Record<GivenRole, string>> = { admin: 'ADMINS', operator: 'OPERATORS', viewer: 'VIEWERS' }

/**
 * The highest role that lists and user groups give somebody who is in `groups`, and where it comes from as a sentence part. A
 * list counts before a group; `byGroup` is the group without which it would be a lesser one.
 */
export function roleIn(sources: RoleSources, userId: string, groups: ReadonlySet<string>) {
  for (const role of GIVEN_ROLES) {
    const listed = describeListing(sources, role, userId)
    if (listed !== undefined) return { role, source: listed, byGroup: undefined }
    const group = groups.size === 0 ? undefined : [...groupsGiving(sources, role)].find((id) => groups.has(id))
    if (group !== undefined) return { role, source: `through ${A_GROUP}`, byGroup: group }
  }
  return { role: 'none', source: 'nothing gives this id a role', byGroup: undefined } as const
}

function describeListing({ settings, file }: RoleSources, role: GivenRole, userId: string): string | undefined {
  if (settings[role].users.has(userId)) return `listed in ${SETTING[role]}`
  if (file[role].users.has(userId)) return `listed as ${role} in the configuration file`
  if (settings[role].everybody)
    return `as every full member is, ${role === 'viewer' ? `by ${SETTING[role]}` : 'in a demonstration'}`
  return file[role].everybody ? 'as every full member is, by the configuration file' : undefined
}

export function groupCouldRaise(sources: RoleSources, role: Role): boolean {
  return GIVEN_ROLES.some((given) => !atLeast(role, given) && groupsGiving(sources, given).size > 0)
}
