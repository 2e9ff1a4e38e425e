import type { Actor, Quorum } from '../operations/role.ts'

/** What of a person decides whether their approval counts. */
type Approver = Pick<Actor, 'role' | 'groups' | 'writesBarred'>

/**
 * Whether this person's approval counts for this quorum, by their role or a user group they are in. A role that rests on
 * a group of which Slack has not spoken for too long counts for nothing.
 */
export function countsFor({ roles, groups }: Quorum, actor: Approver): boolean {
  if (actor.writesBarred !== undefined) return false
  return roles.includes(actor.role) || actor.groups.some((group) => groups.includes(group))
}

/** Ids of those whose approval counts no longer. Those of whom Slack is silent may count yet: they are not among them. */
export function lapsed(
  quorums: readonly Quorum[],
  approvers: readonly (Approver & Pick<Actor, 'id' | 'unsure'>)[],
): readonly string[] {
  return approvers
    .filter((each) => each.unsure === undefined && !quorums.some((quorum) => countsFor(quorum, each)))
    .map(({ id }) => id)
}

/** How many more are needed for each quorum that is not met yet. `approvers` are different people, as they are now. */
export function missing(
  quorums: readonly Quorum[],
  approvers: readonly Approver[],
): readonly { readonly quorum: Quorum; readonly more: number }[] {
  return quorums
    .map((quorum) => ({ quorum, more: quorum.count - approvers.filter((each) => countsFor(quorum, each)).length }))
    .filter(({ more }) => more > 0)
}
