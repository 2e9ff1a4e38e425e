import type { ModalView } from '../../block-kit/view.ts'
import { INPUT_ACTION } from '../../block-kit/inputs.ts'
import { decideInvocation } from '../../execution/policy/policy.ts'
import { findOperation } from '../../operations/declaration/operation-names.ts'
import type { Invocation, Issue, Operation } from '../../operations/declaration/operation.ts'
import { type Actor, writesToBot } from '../../operations/declaration/role.ts'
import { waitAtMost } from '../../shared/clock.ts'
import { UserError } from '../../shared/errors.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { Change } from '../../store/schema/change.ts'
import { fieldOfBlock } from '../form/field-input.ts'
import { BACK_ACTION, FORM_VIEW, type FormPlace, readPlace, REVIEW_ACTION, REVIEW_VIEW } from '../form/form-place.ts'
import { fieldsInState, fitsForm, formValues } from '../form/form-values.ts'
import { fieldsOf, formView, hasShortcut, isLast } from '../form/form-view.ts'
import { expiredView, resultView } from '../form/notice-views.ts'
import { reviewView } from '../form/review-view.ts'
import { InvalidDelivery } from '../gateway/invalid-delivery.ts'
import type { BlockActions, ViewPayload } from '../gateway/payloads.ts'
import { SlackError } from '../out/web-api.ts'
import { type Delivery, explainFailure, type ListenerOptions, replyFailure } from './delivery.ts'
import { openView, showResult, updateOpenView } from './show-result.ts'
import { Responder } from './responder.ts'
import { refuseKeys } from './typed-keys.ts'

/** Leaves time to tell Slack, once it is known whether something was written down. */
const TOLD_WITHIN_MS = 200

/** Why a form is not redrawn and stays: a newer choice has done it, it was closed, or Slack is slow and may have done it. */
const FORM_LEFT: ReadonlySet<string> = new Set(['hash_conflict', 'not_found', 'no_answer', 'http_error', 'ratelimited'])

/** A click or choice inside an open form or review: Back, on to the review, or a choice that changes which fields there are. */
export async function onFormAction(payload: BlockActions, view: ViewPayload, options: ListenerOptions): Promise<void> {
  const { messageSender } = options
  try {
    await messageSender.updateView({ viewId: view.id, hash: view.hash }, await redraw(payload, view, options))
  } catch (error) {
    if (error instanceof SlackError && FORM_LEFT.has(error.code)) return
    await messageSender
      .updateView({ viewId: view.id }, await drawFailure(error, payload, options))
      .catch(() => undefined)
  }
}

async function redraw(payload: BlockActions, view: ViewPayload, options: ListenerOptions): Promise<ModalView> {
  const { people, changes, inputs } = options
  if (view.callback_id !== FORM_VIEW && view.callback_id !== REVIEW_VIEW)
    throw new InvalidDelivery('It is a click in a view that has nothing to click.')
  const place = placeOf(view)
  const actor = await people.actor(payload.user.id, { team: payload.user.team_id })
  await assertOwn(place.change, actor, options)
  const change = await changes.draft(place.change, actor)
  const operation = operationOf(change, options)
  const concerned = { operation: operation.name, changeId: change.id }
  const wanted = readClick(payload, view, operation, place.step)
  if (wanted === undefined) throw new InvalidDelivery('It is a click on nothing that this page has.', concerned)
  const isForm = view.callback_id === FORM_VIEW
  const values = isForm ? readPage(view.state?.values ?? {}, change, operation, place.step, options) : change.values
  await changes.save(change, values)
  const page = { operation, values, change, zones: await inputs.zones() }
  if (wanted !== 'review') return formView({ ...page, step: wanted })
  const parsed = operation.parse(values, await inputs.check({ ...actor, changeId: change.id }, { operation, values }))
  if (parsed.ok) return reviewView(await changes.review(change, values, actor), options.command)
  // What is missing is said on top: under an input only Slack says it, when the page is sent.
  const issues = parsed.issues.map(({ problem }) => ({ field: undefined, problem }))
  return formView({ ...page, step: place.step, issues })
}

/** To which step a click leads, or to the review; undefined for one on nothing that is there. */
function readClick(
  { actions: [action] }: BlockActions,
  { callback_id: callbackId }: ViewPayload,
  operation: Operation,
  step: number,
): number | 'review' | undefined {
  // A review has no other button, and leads to the beginning: all pages lie behind it.
  if (callbackId === REVIEW_VIEW) return action.action_id === BACK_ACTION ? 0 : undefined
  if (action.action_id === BACK_ACTION) return Math.max(0, step - 1)
  if (action.action_id === REVIEW_ACTION) return hasShortcut(operation, step) ? 'review' : undefined
  const redraws = action.action_id === INPUT_ACTION ? operation.form?.[step]?.redrawOn : undefined
  return redraws?.includes(fieldOfBlock(action.block_id ?? '')) === true ? step : undefined
}

/** What a page of a form holds, with what was given before. Throws InvalidDelivery for what it cannot hold, and for keys. */
function readPage(
  state: unknown,
  change: Change,
  operation: Operation,
  step: number,
  { holdsSecret }: ListenerOptions,
): RawValues {
  const concerned = { operation: operation.name, changeId: change.id }
  if (!fitsForm(operation, step, state))
    throw new InvalidDelivery('It has values that this page of the form does not have.', concerned)
  const values = formValues(operation, state, change.values)
  refuseKeys(operation, values, holdsSecret, concerned)
  return values
}

async function drawFailure(error: unknown, { user, view }: BlockActions, options: ListenerOptions): Promise<ModalView> {
  if (error instanceof UserError && error.code === 'expired')
    return expiredView(options.command, view && readPlace(view.private_metadata)?.change)
  const by = { userId: user.id, team: user.team_id ?? undefined }
  return resultView('Nothing was done', await explainFailure(error, by, 'a form', options))
}

/** A click on what leads back to a form that has come to nothing: it is opened anew, filled in as it was. */
export async function onFormAgain(payload: BlockActions, delivery: Delivery, options: ListenerOptions): Promise<void> {
  const { view, actions } = payload
  if (!(await delivery.accept())) return
  const id = actions[0].value ?? ''
  const make = (): Promise<ModalView> => drawAgain(id, delivery, options)
  if (view === undefined) return openView(delivery, options, make)
  const drawn = await make().catch((error: unknown) => drawFailure(error, { ...payload, view: undefined }, options))
  await updateOpenView(view.id, drawn, options)
}

/** In a draft of its own. What was secret has been erased with the end of the change, and is asked for again. */
async function drawAgain(id: string, delivery: Delivery, options: ListenerOptions): Promise<ModalView> {
  const { people, store, requests, changes } = options
  const actor = await people.actor(delivery.userId, delivery)
  const change = await store.changes.get(id)
  const isOwn = change?.requestedBy === actor.id
  if (change === undefined || (change.state === 'draft' && !isOwn))
    throw new UserError('expired', 'This form is not known any more. Nothing was done.', 'Type the command again.')
  const operation = operationOf(change, options)
  const isErased = ([name]: readonly [string, unknown]): boolean =>
    change.state !== 'draft' && operation.fields[name]?.secret === true
  const values = Object.fromEntries(Object.entries(change.values).filter((entry) => !isErased(entry)))
  const channelId = isOwn ? change.channelId : delivery.channelId
  const request = { operation, values, wantsForm: true, actor, channelId, progress: () => undefined }
  const result = await requests.handle(request)
  if (result.kind === 'denied') return resultView('Nothing was done', result.message)
  if (result.kind !== 'form') throw new UserError('expired', `${operation.name} has no form.`, 'Type it instead.')
  const { change: draft, zones } = await result.begin()
  if (change.state === 'draft') await changes.close(id, actor.id)
  return formView({ operation, step: 0, values: draft.values, change: draft, zones })
}

/** Keeps what was entered in a form that has waited too long, so that the way back to it has it. */
export async function keepEntered(
  { change: id, step, state }: FormPlace & Pick<SubmittedPage, 'state'>,
  options: ListenerOptions,
): Promise<void> {
  const { store } = options
  const change = await store.changes.get(id)
  if (change?.state !== 'draft') return
  await store.changes.saveDraft(id, readPage(state, change, operationOf(change, options), step, options))
}

/** A form or review closed without being sent: its draft ends, and secret values in it are erased. */
export async function onViewClosed(
  userId: string,
  view: ViewPayload,
  { changes, log }: Pick<ListenerOptions, 'changes' | 'log'>,
): Promise<void> {
  const place = readPlace(view.private_metadata)
  if (place === undefined) return
  try {
    await changes.close(place.change, userId)
  } catch (error) {
    log.warn({ err: error }, 'a closed form could not be ended')
  }
}

export interface SubmittedPage {
  readonly change: Change
  readonly step: number
  /** `view.state.values` as Slack sent it. */
  readonly state: unknown
  readonly actor: Actor
  /** When Slack's patience is over, by the monotonic clock. */
  readonly notAfterMs: number
}

/** What a submission is answered with; `undefined` closes the view. */
export type ViewAck =
  | { readonly response_action: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly response_action: 'update'; readonly view: ModalView }
  | undefined

export interface Submission {
  readonly ack: ViewAck
  /** What follows once Slack has its answer. */
  readonly afterwards?: () => Promise<unknown>
  /**
   * What undoes it when Slack's patience was over before it was ready. Without this it stays done, and what follows is
   * done all the same.
   */
  readonly undo?: () => Promise<void>
}

export function showView(view: ModalView): ViewAck {
  return { response_action: 'update', view }
}

/** One page of a form: its own mistakes first, then the next page, and after the last one the review or the answer. */
export async function onFormPage(
  { change, step, state, actor, notAfterMs }: SubmittedPage,
  options: ListenerOptions,
): Promise<Submission> {
  const { changes, inputs } = options
  const operation = operationOf(change, options)
  const entered = readPage(state, change, operation, step, options)
  const check = await inputs.check({ ...actor, changeId: change.id }, { operation, values: entered })
  const first = operation.parse(entered, check)
  const values = first.ok ? entered : mendableValues(operation, entered, first.issues)
  const parsed = first.ok ? first : operation.parse(values, check)
  const issues = parsed.ok ? [] : stepIssues(operation, step, values, parsed.issues)
  const errors = formErrors(state, issues)
  if (issues.length > 0 && errors !== undefined) return { ack: { response_action: 'errors', errors } }
  if (parsed.ok && isLast(operation, step))
    return finish(parsed.invocation, { change, actor, notAfterMs }, values, options)
  await changes.save(change, values)
  const next = issues.length > 0 ? step : step + 1
  return { ack: showView(formView({ operation, step: next, values, issues, change, zones: check.zones })) }
}

async function finish(
  invocation: Invocation,
  { change, actor, notAfterMs }: Pick<SubmittedPage, 'change' | 'actor' | 'notAfterMs'>,
  values: RawValues,
  options: ListenerOptions,
): Promise<Submission> {
  const { changes, policy, clock, command, requests, responseAddresses, seen } = options
  const { operation } = invocation
  const { channelId } = change
  if (decideInvocation(policy(), actor, invocation, channelId).kind !== 'run')
    return { ack: showView(reviewView(await changes.review(change, values, actor), command)) }
  const arrivedMs = clock.monotonicMs()
  const key = `form:${change.id}`
  const once = { key, notAfterMs: notAfterMs - TOLD_WITHIN_MS }
  const answer = async (): Promise<void> => {
    const responseUrl = await responseAddresses.find(change.id)
    const origin = { userId: actor.id, team: change.team, channelId, responseUrl, arrivedMs }
    try {
      const responder = new Responder(origin, options)
      const { progress } = responder
      const result = await requests.handle({ operation, values, actor, channelId, once, progress })
      await showResult(result, operation, origin, responder, options)
    } catch (error) {
      await replyFailure(error, origin, operation.name, options)
    }
  }
  if (!writesToBot(invocation.effect))
    return { ack: undefined, afterwards: async () => ((await seen.isNew(key)) ? answer() : undefined) }
  // Slack hears of it once it is written down, or can be no more: what comes later is taken back by the store.
  const written = answer()
  await waitAtMost(clock, Math.max(0, once.notAfterMs - arrivedMs), written)
  return { ack: undefined, afterwards: () => written }
}

/** The place that a view of ours remembers. Throws InvalidDelivery for what this program has not written. */
export function placeOf({ private_metadata: metadata }: ViewPayload): FormPlace {
  const place = readPlace(metadata)
  if (place === undefined) throw new InvalidDelivery('The view does not say which change it belongs to.')
  return place
}

/** Throws InvalidDelivery when a view names a change of somebody else: it was never shown to this person. */
export async function assertOwn(changeId: string, actor: Actor, { store }: ListenerOptions): Promise<void> {
  const change = await store.changes.get(changeId)
  if (change === undefined || change.requestedBy === actor.id) return
  throw new InvalidDelivery('The view names a change of somebody else.', { operation: change.operation, changeId })
}

/** What a form or an answer is of. Throws UserError for one that is older than this program. */
export function operationOf(
  { operation: name }: Pick<Change, 'operation'>,
  { operations }: ListenerOptions,
): Operation {
  const operation = findOperation(operations, name)
  if (operation === undefined)
    throw new UserError('expired', 'This belongs to an operation that no longer exists.', 'See the help.')
  return operation
}

/**
 * The values without those that are wrong and that no page of the form shows, such as the weight of a type that has
 * none: nobody could mend them, so they must not hold the form up.
 */
function mendableValues(operation: Operation, values: RawValues, issues: readonly Issue[]): RawValues {
  const shown = new Set((operation.form ?? []).flatMap((page) => fieldsOf(page, operation, values)))
  const stuck = new Set(issues.flatMap(({ field }) => (field === undefined || shown.has(field) ? [] : [field])))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !stuck.has(name)))
}

/**
 * The issues a page of a form must settle before the next is shown: those of its own fields and of the pages before
 * it. What later pages will ask for can wait; what concerns no field waits for the last page.
 */
export function stepIssues(
  operation: Operation,
  step: number,
  values: RawValues,
  issues: readonly Issue[],
): readonly Issue[] {
  if (isLast(operation, step)) return issues
  const pages = (operation.form ?? []).slice(0, step + 1)
  const asked = new Set(pages.flatMap((page) => fieldsOf(page, operation, values)))
  return issues.filter(({ field }) => field !== undefined && asked.has(field))
}

/**
 * Issues as Slack takes them in answer to a submission: `block_id` to sentence. Undefined where one of them is about
 * no input of the view, which its own state tells: Slack would refuse the whole answer, so the view is drawn again.
 */
export function formErrors(state: unknown, issues: readonly Issue[]): Readonly<Record<string, string>> | undefined {
  const blocks = fieldsInState(state)
  const byBlock = Map.groupBy(issues, ({ field = '' }) => blocks.get(field) ?? '')
  if (byBlock.has('')) return undefined
  return Object.fromEntries([...byBlock].map(([id, said]) => [id, said.map(({ problem }) => problem).join(' ')]))
}
