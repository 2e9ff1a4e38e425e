import type { ModalView } from '../block-kit/blocks.ts'
import { INPUT_ACTION } from '../block-kit/inputs.ts'
import type { Operation } from '../operations/operation.ts'
import { UserError } from '../shared/errors.ts'
import type { Change } from '../store/change.ts'
import { fieldOfBlock } from './form/field-input.ts'
import { misfitOf } from './form/fitting-state.ts'
import { BACK_ACTION, FORM_VIEW, readPlace, REVIEW_VIEW } from './form/form-place.ts'
import { formValues } from './form/form-values.ts'
import { expiredView, resultView } from './form/notice-views.ts'
import type { BlockActions, ViewPayload } from './payloads.ts'
import { assertOwn, operationOfChange, placeOf, type Reception } from './reception.ts'
import { UnfitDelivery } from './refused-delivery.ts'
import { refuseKeys } from './typed-keys.ts'
import { SlackError } from './web-api.ts'

/** A click or choice inside an open form or review: Back, or a choice that changes which fields there are. */
export async function onFormAction(payload: BlockActions, view: ViewPayload, reception: Reception): Promise<void> {
  const { outbound } = reception.options
  try {
    await outbound.updateView({ viewId: view.id, hash: view.hash }, await redrawn(payload, view, reception))
  } catch (error) {
    if (error instanceof SlackError && error.code === 'hash_conflict') return // a newer choice has redrawn it already
    await outbound.updateView({ viewId: view.id }, await failedView(error, payload, reception)).catch(() => undefined)
  }
}

async function redrawn(payload: BlockActions, view: ViewPayload, reception: Reception): Promise<ModalView> {
  const { desk, executor } = reception.options
  if (view.callback_id !== FORM_VIEW && view.callback_id !== REVIEW_VIEW)
    throw new UnfitDelivery('It is a click in a view that has nothing to click.')
  const place = placeOf(view)
  const actor = await reception.actor({ userId: payload.user.id, team: payload.user.team_id ?? undefined })
  await assertOwn(place.change, actor, reception)
  const change = await desk.draft(place.change, actor)
  const operation = operationOfChange(change, reception)
  const concerned = { operation: operation.name, changeId: change.id }
  const back = isBack(payload, view, operation, place.step)
  if (back === undefined) throw new UnfitDelivery('It is a click on nothing that this page has.', concerned)
  const values = view.callback_id === FORM_VIEW ? entered(view, change, operation, place.step) : change.values
  refuseKeys(operation, values, executor.holdsSecret, concerned)
  await desk.save(change, values)
  const from = view.callback_id === FORM_VIEW ? place.step : (operation.form?.length ?? 0)
  const step = Math.max(0, back ? from - 1 : from)
  return reception.formOf(operation, step, values, [], change.id, await executor.zones())
}

/** Whether it is the Back button; undefined for what neither goes back nor changes which fields there are. */
function isBack(
  { actions: [action] }: BlockActions,
  { callback_id: callbackId }: ViewPayload,
  { form }: Operation,
  step: number,
): boolean | undefined {
  if (action?.action_id === BACK_ACTION) return true
  // A review has no other button; going on from one is its submission.
  const redraws = callbackId === FORM_VIEW && action?.action_id === INPUT_ACTION ? form?.[step]?.redrawOn : undefined
  return redraws?.includes(fieldOfBlock(action?.block_id ?? '')) === true ? false : undefined
}

function entered(view: ViewPayload, change: Change, operation: Operation, step: number): Change['values'] {
  const state = view.state?.values ?? {}
  const misfit = misfitOf(operation, step, change.values, state)
  if (misfit !== undefined) throw new UnfitDelivery(misfit, { operation: operation.name, changeId: change.id })
  return formValues(operation, state, change.values)
}

async function failedView(error: unknown, { user }: BlockActions, reception: Reception): Promise<ModalView> {
  const { executor } = reception.options
  if (error instanceof UserError && error.code === 'expired') return expiredView(executor.options.command)
  const by = { userId: user.id, team: user.team_id ?? undefined }
  return resultView('Nothing was done', await reception.told(error, by, 'a form'))
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
