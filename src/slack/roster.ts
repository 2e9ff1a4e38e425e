import * as z from 'zod'
import { counted } from '../block-kit/amounts.ts'
import { GIVEN_ROLES, groupsGiving, listedUsers, namedGroups, type RoleSources } from './role-sources.ts'

/** A sentence goes into one entry of the audit log. */
const MAX_SENTENCE = 2_000
/** Room for what stands around a list of people. */
const MAX_LIST = 900
const VERSION_DIGITS = 12

const APPROVING = 'approvals'
const BREAK_GLASS = 'going without approval'
const PURPOSES = [...GIVEN_ROLES, APPROVING, BREAK_GLASS] as const

const Ids = z.array(z.string())
/** Who is named for what at one moment, as the store remembers it. Everything sorted, so that equal ones look equal. */
export const Roster = z.object({
  users: z.object({ admin: Ids, operator: Ids, viewer: Ids }),
  everybody: z.boolean(),
  /** By id of the user group: the roles it gives, and what its members may do besides. */
  groups: z.record(z.string(), z.object({ namedFor: z.array(z.enum(PURPOSES)), members: Ids })),
  policy: z.string(),
})
export type Roster = Readonly<z.output<typeof Roster>>

type Members = ReadonlyMap<string, ReadonlySet<string>>

export function rosterOf(sources: RoleSources, members: Members, policyVersion: string): Roster {
  const users = (role: (typeof GIVEN_ROLES)[number]) => [...listedUsers(sources, role)].toSorted()
  const groups = [...namedGroups(sources)].toSorted().map((id) => {
    const namedFor = PURPOSES.filter((purpose) => groupsFor(sources, purpose).has(id))
    return [id, { namedFor, members: [...(members.get(id) ?? [])].toSorted() }] as const
  })
  return {
    users: { admin: users('admin'), operator: users('operator'), viewer: users('viewer') },
    everybody: sources.settings.viewer.everybody || sources.file.viewer.everybody,
    groups: Object.fromEntries(groups),
    policy: policyVersion,
  }
}

function groupsFor(sources: RoleSources, purpose: (typeof PURPOSES)[number]): ReadonlySet<string> {
  switch (purpose) {
    case APPROVING:
      return sources.approvingGroups
    case BREAK_GLASS:
      return sources.breakGlassGroups
    case 'admin':
    case 'operator':
    case 'viewer':
      return groupsGiving(sources, purpose)
  }
}

/** What changed from one moment to the next, a sentence for each entry of the audit log; none when nothing did. */
export function rosterChanges(before: Roster, after: Roster): readonly string[] {
  const groups = [...new Set([...Object.keys(before.groups), ...Object.keys(after.groups)])].toSorted()
  return [
    ...GIVEN_ROLES.flatMap((role) => listChange(`Listed as ${role}`, before.users[role], after.users[role], LISTED)),
    ...(before.everybody === after.everybody
      ? []
      : [`Every full member is ${after.everybody ? '' : 'no longer '}viewer`]),
    ...groups.flatMap((id) => groupChange(id, before.groups[id], after.groups[id])),
    ...(before.policy === after.policy
      ? []
      : [`The policy changed from version ${short(before.policy)} to ${short(after.policy)}`]),
  ].map((sentence) => (sentence.length <= MAX_SENTENCE ? sentence : `${sentence.slice(0, MAX_SENTENCE - 1)}…`))
}

/** Who is named for what when it is noted for the first time, as one text: what changes later builds on it. */
export function rosterText(roster: Roster): string {
  const nobody: Roster = {
    users: { admin: [], operator: [], viewer: [] },
    everybody: false,
    groups: {},
    policy: roster.policy,
  }
  const text = rosterChanges(nobody, roster).join('. ') || 'Nobody is named'
  return text.length <= MAX_SENTENCE ? text : `${text.slice(0, MAX_SENTENCE - 1)}…`
}

type Group = Roster['groups'][string]

function groupChange(id: string, before: Group | undefined, after: Group | undefined): readonly string[] {
  const name = `User group ${id}`
  if (after === undefined)
    return before === undefined ? [] : [`${name} is no longer named; it was for ${purposes(before)}`]
  if (before === undefined) return [`${name} is named for ${purposes(after)} and has ${people(after.members)}`]
  const moved =
    purposes(before) === purposes(after)
      ? []
      : [`${name} is named for ${purposes(after)}, before for ${purposes(before)}`]
  return [...moved, ...listChange(`${name} (${purposes(after)})`, before.members, after.members, JOINED)]
}

function purposes({ namedFor }: Group): string {
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(namedFor)
}

const LISTED = { came: 'added', went: 'removed' }
const JOINED = { came: 'joined', went: 'left' }

function listChange(
  what: string,
  before: readonly string[],
  after: readonly string[],
  words: { readonly came: string; readonly went: string },
): readonly string[] {
  const [old, now] = [new Set(before), new Set(after)]
  const parts = [
    { ids: after.filter((id) => !old.has(id)), word: words.came },
    { ids: before.filter((id) => !now.has(id)), word: words.went },
  ].filter(({ ids }) => ids.length > 0)
  return parts.length === 0 ? [] : [`${what}: ${parts.map(({ ids, word }) => `${shortList(ids)} ${word}`).join(', ')}`]
}

function people(ids: readonly string[]): string {
  return ids.length === 0 ? 'no members' : `${counted(ids.length, 'member')}: ${shortList(ids)}`
}

function shortList(ids: readonly string[]): string {
  let [text = '', ...rest] = ids
  while (rest.length > 0 && text.length < MAX_LIST) text += `, ${rest.shift()}`
  return rest.length === 0 ? text : `${text} and ${rest.length} more`
}

function short(version: string): string {
  return version.slice(0, VERSION_DIGITS)
}
