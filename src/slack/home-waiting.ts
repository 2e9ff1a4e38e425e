import type { Executor } from '../execution/executor.ts'
import { countsFor } from '../execution/quorum.ts'
import type { Actor } from '../operations/role.ts'
import type { Change } from '../store/change.ts'

/** Of each, Slack may have to be asked who wanted it; more than these nobody decides in one go. */
const MAX_LOOKED_AT = 10

/**
 * The changes among these that wait for this person's word: others asked for them, it counts, and it was not given yet.
 * To be shown and not relied on; whether they may is asked again when they decide. Throws UserError and StoreError.
 */
export async function waitingFor(
  actor: Actor,
  changes: readonly Change[],
  executor: Executor,
): Promise<readonly Change[]> {
  if (actor.writesBarred !== undefined) return []
  const others = changes.filter(({ state, requestedBy }) => state === 'waiting' && requestedBy !== actor.id)
  const looked = others.slice(0, MAX_LOOKED_AT)
  const theirs = await Promise.all(looked.map((change) => isFor(actor, change, executor)))
  return looked.filter((_, index) => theirs[index])
}

async function isFor(actor: Actor, change: Change, executor: Executor): Promise<boolean> {
  const { operations, people, store } = executor.options
  const check = await executor.check({ timeZone: 'UTC', changeId: change.id })
  const parsed = operations.find(({ name }) => name === change.operation)?.parse(change.values, check)
  if (parsed?.ok !== true) return false
  const requester = await people.actor(change.requestedBy)
  const { quorums = [] } = executor.decide(requester, parsed.invocation, change.channelId)
  if (!quorums.some((quorum) => countsFor(quorum, actor))) return false
  const approvals = await store.approvals.of(change.id)
  return approvals.every(({ person }) => person !== actor.id)
}
