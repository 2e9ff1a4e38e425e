import type { Executor } from '../execution/executor.ts'
import { countsFor } from '../execution/quorum.ts'
import { findOperation } from '../operations/find-operation.ts'
import type { Actor } from '../operations/role.ts'
import type { Change } from '../store/change.ts'
import { HOME_ACTION, HOME_REFRESH, homeView } from './home-view.ts'
import type { Reception, Visitor } from './reception.ts'
import { openFormOf } from './shortcut-listener.ts'

const MAX_CHANGES = 50
/** Of each, Slack may have to be asked who wanted it; more than these nobody decides in one go. */
const MAX_LOOKED_AT = 10

/** Somebody opened the app's Home page: it is drawn anew for them. */
export async function onHomeOpened(userId: string, reception: Reception): Promise<void> {
  const { executor, outbound } = reception.options
  const { clock, command, log } = executor.options
  try {
    const actor = await reception.actor({ userId })
    const openChanges = await unsettled(reception)
    const waiting = await waitingForThem(actor, openChanges ?? [], reception)
    const catalog = executor.catalog(actor, undefined)
    await outbound.publishHome(userId, homeView({ actor, catalog, openChanges, waiting, command, now: clock.now() }))
  } catch (error) {
    log.warn({ err: error }, 'a Home page could not be drawn')
  }
}

/** A button on Home: the form of an operation, or Refresh. */
export async function onHomeAction(actionId: string, visitor: Visitor, reception: Reception): Promise<void> {
  if (actionId === HOME_REFRESH) return onHomeOpened(visitor.userId, reception)
  await openFormOf(actionId.slice(HOME_ACTION.length), visitor, reception)
}

async function unsettled(reception: Reception): Promise<readonly Change[] | undefined> {
  const { store, log } = reception.options.executor.options
  try {
    return await store.changes.list({ states: ['waiting', 'approved', 'sending', 'unknown'], limit: MAX_CHANGES })
  } catch (error) {
    log.warn({ err: error }, 'open changes could not be read')
    return undefined
  }
}

/** Nothing where it cannot be found out: the list of open changes says that they wait. */
async function waitingForThem(
  actor: Actor,
  changes: readonly Change[],
  { options: { executor } }: Reception,
): Promise<readonly Change[]> {
  try {
    return await waitingFor(actor, changes, executor)
  } catch (error) {
    executor.options.log.warn({ err: error }, 'what waits for somebody could not be found out')
    return []
  }
}

/**
 * The changes among these that wait for this person's word: others asked for them, it counts, and it was not given yet.
 * To be shown and not relied on; whether they may is asked again when they decide. Throws UserError and StoreError.
 */
async function waitingFor(actor: Actor, changes: readonly Change[], executor: Executor): Promise<readonly Change[]> {
  if (actor.writesBarred !== undefined) return []
  const others = changes.filter(({ state, requestedBy }) => state === 'waiting' && requestedBy !== actor.id)
  const looked = others.slice(0, MAX_LOOKED_AT)
  const theirs = await Promise.all(looked.map((change) => isFor(actor, change, executor)))
  return looked.filter((_, index) => theirs[index])
}

async function isFor(actor: Actor, change: Change, executor: Executor): Promise<boolean> {
  const { operations, people, store } = executor.options
  const check = await executor.check({ timeZone: 'UTC', changeId: change.id })
  const parsed = findOperation(operations, change.operation)?.parse(change.values, check)
  if (parsed?.ok !== true) return false
  const requester = await people.actor(change.requestedBy)
  const { quorums = [] } = executor.decide(requester, parsed.invocation, change.channelId)
  if (!quorums.some((quorum) => countsFor(quorum, actor))) return false
  const approvals = await store.approvals.of(change.id)
  return approvals.every(({ person }) => person !== actor.id)
}
