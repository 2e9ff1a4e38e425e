import { findOperation } from '../operations/find-operation.ts'
import type { Operation } from '../operations/operation.ts'
import type { Actor } from '../operations/role.ts'
import { UserError } from '../shared/errors.ts'
import type { Change } from '../store/change.ts'
import { type FormPlace, readPlace } from './form/form-place.ts'
import type { ViewPayload } from './payloads.ts'
import type { Reception, Visitor } from './reception.ts'
import { UnfitDelivery } from './refused-delivery.ts'

/** The place that a view of ours remembers. Throws UnfitDelivery for what this program has not written. */
export function placeOf({ private_metadata: metadata }: ViewPayload): FormPlace {
  const place = readPlace(metadata)
  if (place === undefined) throw new UnfitDelivery('The view does not say which change it belongs to.')
  return place
}

/** Throws UnfitDelivery when a view names a change of somebody else: it was never shown to this person. */
export async function assertOwn(changeId: string, actor: Actor, reception: Reception): Promise<void> {
  const change = await reception.options.executor.options.store.changes.get(changeId)
  if (change === undefined || change.requestedBy === actor.id) return
  throw new UnfitDelivery('The view names a change of somebody else.', { operation: change.operation, changeId })
}

/** Throws UserError for a form that is older than this program. */
export function operationOfChange(change: Change, reception: Reception): Operation {
  const operation = findOperation(reception.options.executor.options.operations, change.operation)
  if (operation === undefined)
    throw new UserError('expired', 'This form belongs to an operation that no longer exists.', 'Ask again.')
  return operation
}

/** Whoever asked for a change, where they did. */
export function requesterOf(change: Change, reception: Reception): Visitor {
  return {
    userId: change.requestedBy,
    team: change.team,
    channelId: change.channelId,
    responseUrl: reception.responseUrls.get(change.id),
    triggerId: undefined,
  }
}
