import type { Actor, Quorum } from '../../operations/declaration/role.ts'

/** What of a person decides whether their approval counts. */
type Approver = Pick<Actor, 'role' | 'groups' | 'writesBarred'>

/**
 * Whether this person's approval counts for this quorum, by their role or a user group they are in. A role that rests on
 * a group of which Slack has not spoken for too long counts for nothing.
 */
export function countsFor({ roles, groups }: Quorum, actor: Approver): boolean {
  if (actor.writesBarred !== undefined) return false
  return roles.some((role) => role === actor.role) || actor.groups.some((group) => groups.includes(group))
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

/**
 * What is left open of each quorum, with how many it still takes. Each of `approvers`, who are different people as they are
 * now, counts for one quorum only: in such a way that fewest are left to ask, of those that most people count for.
 */
export function missing(quorums: readonly Quorum[], approvers: readonly Approver[]): readonly Quorum[] {
  const counting = new Map<Approver, Quorum>()
  /** Finds somebody for one place of this quorum, where need be by having others count for another one they are fit for. */
  const fill = (quorum: Quorum, asked = new Set<Approver>()): boolean =>
    approvers.some((each) => {
      if (asked.has(each) || !countsFor(quorum, each)) return false
      asked.add(each)
      const before = counting.get(each)
      if (before !== undefined && !fill(before, asked)) return false
      counting.set(each, quorum)
      return true
    })
  return quorums
    .toSorted((one, other) => breadth(one) - breadth(other))
    .map((quorum) => ({ ...quorum, count: Array.from({ length: quorum.count }).filter(() => !fill(quorum)).length }))
    .filter(({ count }) => count > 0)
}

function breadth({ roles, groups }: Quorum): number {
  return roles.length + groups.length
}
