import type { Operation } from '../operations/operation.ts'
import { UserError } from '../shared/errors.ts'
import { BACK_ACTION, FORM_VIEW, readPlace } from './form/form-place.ts'
import { formValues } from './form/form-values.ts'
import { expiredView, resultView } from './form/notice-views.ts'
import type { BlockActions, ViewPayload } from './payloads.ts'
import type { Reception } from './reception.ts'
import { SlackError } from './web-api.ts'

/** A click or choice inside an open form or review: Back, or a choice that changes which fields there are. */
export async function onFormAction(payload: BlockActions, view: ViewPayload, reception: Reception): Promise<void> {
  const { executor, outbound } = reception.options
  const [action] = payload.actions
  const place = readPlace(view.private_metadata)
  if (place === undefined || action === undefined) return
  const back = action.action_id === BACK_ACTION
  // A review has no other button; going on from one is its submission.
  if (!back && view.callback_id !== FORM_VIEW) return
  const where = { viewId: view.id, hash: view.hash }
  try {
    const actor = await reception.actor(payload.user.id)
    const change = await reception.options.desk.draft(place.change, actor)
    const operation = find(change.operation, reception)
    const values =
      view.callback_id === FORM_VIEW ? formValues(operation, view.state?.values ?? {}, change.values) : change.values
    await reception.options.desk.save(change, values)
    const step = Math.max(0, back ? place.step - 1 : place.step)
    const shown = reception.formOf(operation, step, values, [], change.id, await reception.zones())
    await outbound.updateView(where, shown)
  } catch (error) {
    if (error instanceof SlackError && error.code === 'hash_conflict') return // a newer choice has redrawn it already
    const failed =
      error instanceof UserError && error.code === 'expired'
        ? expiredView(executor.options.command)
        : resultView('Nothing was done', executor.explain(error, 'a form'))
    await outbound.updateView({ viewId: view.id }, failed).catch(() => undefined)
  }
}

function find(name: string, reception: Reception): Operation {
  const operation = reception.options.executor.options.operations.find((candidate) => candidate.name === name)
  if (operation === undefined)
    throw new UserError('expired', 'This form belongs to an operation that no longer exists.', 'Ask again.')
  return operation
}

/** A form or review closed without being sent: its draft ends, and secret values in it are erased. */
export async function onViewClosed(userId: string, view: ViewPayload, reception: Reception): Promise<void> {
  const place = readPlace(view.private_metadata)
  if (place === undefined) return
  const { executor, desk } = reception.options
  try {
    await desk.close(place.change, userId)
  } catch (error) {
    executor.options.log.warn({ err: error }, 'a closed form could not be ended')
  }
}
