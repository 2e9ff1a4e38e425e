import * as z from 'zod'
import { cut } from '../../block-kit/plain-text.ts'
import { GIVEN_ROLES, groupsGiving, listedUsers, namedGroups, type RoleSources } from './role-sources.ts'

/** A sentence goes into one entry of the audit log. */
const MAX_SENTENCE = 2_000
/** Room for what stands around a list of people. */
const MAX_LIST = 900
const VERSION_DIGITS = 12

/** Who has which right at one moment, as the store remembers it. Everything sorted, so that equal ones look equal. */
export const Roster = z.object({
  /** Ids by what they are listed or grouped for, such as “User group S1 (operator and approvals)”. */
  members: z.record(z.string(), z.array(z.string())),
  everybodyIsViewer: z.boolean(),
  policy: z.string(),
})
export type Roster = Readonly<z.output<typeof Roster>>

export function buildRoster(
  sources: RoleSources,
  groupMembers: ReadonlyMap<string, ReadonlySet<string>>,
  policy: string,
): Roster {
  const lists = GIVEN_ROLES.map((role) => [`Listed as ${role}`, listedUsers(sources, role)] as const)
  const groups = [...namedGroups(sources)].map(
    (id) => [`User group ${id} (${describeRights(id, sources)})`, groupMembers.get(id) ?? new Set<string>()] as const,
  )
  return {
    members: Object.fromEntries([...lists, ...groups].map(([name, ids]) => [name, [...ids].toSorted()])),
    everybodyIsViewer: sources.settings.viewer.everybody || sources.file.viewer.everybody,
    policy,
  }
}

function describeRights(group: string, sources: RoleSources): string {
  const rights = [
    ...GIVEN_ROLES.filter((role) => groupsGiving(sources, role).has(group)),
    ...(sources.approvingGroups.has(group) ? ['approvals'] : []),
    ...(sources.breakGlassGroups.has(group) ? ['going without approval'] : []),
  ]
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(rights)
}

/** What changed from one roster to the next, a sentence for each entry of the audit log; none when nothing did. */
export function rosterChanges(before: Roster, after: Roster): readonly string[] {
  const names = [...new Set([...Object.keys(before.members), ...Object.keys(after.members)])].toSorted()
  const { everybodyIsViewer } = after
  return [
    ...names.flatMap((name) => describeChange(name, before.members[name] ?? [], after.members[name] ?? [])),
    ...(before.everybodyIsViewer === everybodyIsViewer
      ? []
      : [`Every full member is ${everybodyIsViewer ? '' : 'no longer '}viewer`]),
    ...(before.policy === after.policy
      ? []
      : [`The policy changed from version ${shorten(before.policy)} to ${shorten(after.policy)}`]),
  ].map((sentence) => cut(sentence, MAX_SENTENCE))
}

/** Who has which right when it is first recorded, as one text: later changes build on it. */
export function rosterText(roster: Roster): string {
  const nobody: Roster = { members: {}, everybodyIsViewer: false, policy: roster.policy }
  return cut(rosterChanges(nobody, roster).join('. ') || 'Nobody is named', MAX_SENTENCE)
}

function describeChange(name: string, before: readonly string[], after: readonly string[]): readonly string[] {
  const [old, current] = [new Set(before), new Set(after)]
  const changes = [
    { ids: after.filter((id) => !old.has(id)), word: 'added' },
    { ids: before.filter((id) => !current.has(id)), word: 'removed' },
  ].filter(({ ids }) => ids.length > 0)
  return changes.length === 0
    ? []
    : [`${name}: ${changes.map(({ ids, word }) => `${listIds(ids)} ${word}`).join(', ')}`]
}

function listIds(ids: readonly string[]): string {
  let [text = '', ...rest] = ids
  while (rest.length > 0 && text.length < MAX_LIST) text += `, ${rest.shift()}`
  return rest.length === 0 ? text : `${text} and ${rest.length} more`
}

function shorten(version: string): string {
  return version.slice(0, VERSION_DIGITS)
}
