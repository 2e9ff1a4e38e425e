import type { Change } from '../store/change.ts'
import { HOME_ACTION, HOME_REFRESH, homeView } from './home-view.ts'
import type { Reception, Visitor } from './reception.ts'
import { openFormOf } from './shortcut-listener.ts'

const MAX_CHANGES = 50

/** Somebody opened the app's Home page: it is drawn anew for them. */
export async function onHomeOpened(userId: string, reception: Reception): Promise<void> {
  const { executor, outbound } = reception.options
  const { clock, command, log } = executor.options
  try {
    const actor = await reception.actor(userId)
    const openChanges = await unsettled(reception)
    const view = homeView({ actor, catalog: executor.catalog(actor), openChanges, command, now: clock.now() })
    await outbound.publishHome(userId, view)
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
