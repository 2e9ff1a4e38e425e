import type { Actor } from '../operations/role.ts'
import type { Change } from '../store/change.ts'
import { HOME_ACTION, HOME_REFRESH, homeView } from './home-view.ts'
import { waitingFor } from './home-waiting.ts'
import type { Reception, Visitor } from './reception.ts'
import { openFormOf } from './shortcut-listener.ts'

const MAX_CHANGES = 50

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
