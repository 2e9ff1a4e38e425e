import type { ModalView } from '../block-kit/blocks.ts'
import type { Confirmed } from '../execution/change-desk.ts'
import type { Invocation, Operation } from '../operations/operation.ts'
import type { Actor } from '../operations/role.ts'
import { UserError } from '../shared/errors.ts'
import type { RawValues } from '../shared/raw-values.ts'
import type { Change } from '../store/change.ts'
import { withinBudget } from './ack-budget.ts'
import { formErrors, stepIssues } from './form/form-issues.ts'
import { FORM_VIEW, readPlace, REVIEW_VIEW } from './form/form-place.ts'
import { formValues } from './form/form-values.ts'
import { mendableValues } from './form/mendable-values.ts'
import { isLast } from './form/form-view.ts'
import { expiredView, noticeView, resultView, workingView } from './form/notice-views.ts'
import type { ViewSubmission } from './payloads.ts'
import type { Reception, Visitor } from './reception.ts'
import { SlackError } from './web-api.ts'

/** What a submission is answered with; `undefined` closes the view. */
export type ViewAck =
  | { readonly response_action: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly response_action: 'update'; readonly view: ModalView }
  | undefined

interface Outcome {
  readonly ack: ViewAck
  /** What follows once Slack has its answer. */
  readonly afterwards?: () => Promise<void>
  /** What undoes it when Slack's patience was over before it was ready. */
  readonly undo?: () => Promise<void>
}

/**
 * A submitted view: a page of a form, or a review. Slack gets its answer within its three seconds, whatever happens; a
 * stop waits until what follows has been told.
 */
export async function onViewSubmission(
  payload: ViewSubmission,
  ack: (answer: ViewAck) => Promise<void>,
  reception: Reception,
): Promise<void> {
  await reception.options.executor.options.inFlight.owed(() => answerSubmission(payload, ack, reception))
}

async function answerSubmission(
  payload: ViewSubmission,
  ack: (answer: ViewAck) => Promise<void>,
  reception: Reception,
): Promise<void> {
  const { executor } = reception.options
  const { clock, log, command } = executor.options
  const work = submitted(payload, reception).catch((error: unknown): Outcome => ({ ack: asNotice(error, reception) }))
  const result = await withinBudget(clock, work, (late) => {
    late.undo?.().catch((error: unknown) => log.error({ err: error }, 'a late confirmation could not be taken back'))
  })
  if (!result.inTime) {
    await ack({
      response_action: 'update',
      view: noticeView(
        'Too slow',
        'This took too long to be written down, so nothing was sent.',
        `Ask again with ${command}.`,
      ),
    })
    return
  }
  const { ack: answer, afterwards, undo } = result.value
  try {
    await ack(answer)
  } catch (error) {
    // Slack tells the person that it did not work, so it must not have worked.
    await undo?.()
    throw error
  }
  if (afterwards !== undefined) await afterwards()
}

async function submitted(payload: ViewSubmission, reception: Reception): Promise<Outcome> {
  const { view, user } = payload
  const { command } = reception.options.executor.options
  const place = readPlace(view.private_metadata)
  if (place === undefined || (view.callback_id !== FORM_VIEW && view.callback_id !== REVIEW_VIEW)) {
    return { ack: { response_action: 'update', view: expiredView(command) } }
  }
  const actor = await reception.actor(user.id, { fresh: view.callback_id === REVIEW_VIEW })
  const change = await reception.options.desk.draft(place.change, actor)
  if (view.callback_id === REVIEW_VIEW) return confirmed(change, actor, reception)
  return formPage(change, place.step, view.state?.values ?? {}, actor, reception)
}

/** One page of a form: its own mistakes first, then the next page, and after the last one the review or the answer. */
async function formPage(
  change: Change,
  step: number,
  state: unknown,
  actor: Actor,
  reception: Reception,
): Promise<Outcome> {
  const { desk } = reception.options
  const operation = operationOf(change, reception)
  const entered = formValues(operation, state, change.values)
  const check = await reception.checkContext(actor)
  const first = operation.parse(entered, check)
  const values = first.ok ? entered : mendableValues(operation, entered, first.issues)
  const parsed = first.ok ? first : operation.parse(values, check)
  const issues = parsed.ok ? [] : stepIssues(operation, step, values, parsed.issues)
  if (issues.length > 0) {
    const { errors, elsewhere } = formErrors(state, issues)
    if (elsewhere.length === 0) return { ack: { response_action: 'errors', errors } }
    await desk.save(change, values)
    return {
      ack: {
        response_action: 'update',
        view: reception.formOf(operation, step, values, issues, change.id, check.zones),
      },
    }
  }
  if (parsed.ok && isLast(operation, step)) return finished(parsed.invocation, change, values, actor, reception)
  await desk.save(change, values)
  return {
    ack: { response_action: 'update', view: reception.formOf(operation, step + 1, values, [], change.id, check.zones) },
  }
}

async function finished(
  invocation: Invocation,
  change: Change,
  values: RawValues,
  actor: Actor,
  reception: Reception,
): Promise<Outcome> {
  const { executor, desk } = reception.options
  const visitor = visitorOf(change, reception)
  const decision = executor.decide(actor, invocation)
  if (decision.kind === 'confirm') {
    await desk.save(change, values, invocation)
    return { ack: { response_action: 'update', view: reception.reviewOf(invocation, change.id) } }
  }
  const proceed = (): Promise<void> => reception.proceed(invocation, actor, visitor)
  return { ack: undefined, afterwards: () => reception.serve(visitor, invocation.operation.name, proceed) }
}

/** The click that sends. What it does is on record before Slack hears of it; sending comes after. */
async function confirmed(change: Change, actor: Actor, reception: Reception): Promise<Outcome> {
  const { desk } = reception.options
  const ready = await desk.confirm(change.id, actor, await reception.checkContext(actor))
  const externalId = `change-${change.id}`
  return {
    ack: { response_action: 'update', view: workingView(`${ready.invocation.sentence}: being sent …`, externalId) },
    afterwards: () => send(ready, externalId, reception),
    undo: () => desk.takeBack(ready.change.id, actor.id, 'Slack gave up waiting before it was written down'),
  }
}

async function send(ready: Confirmed, externalId: string, reception: Reception): Promise<void> {
  const { sender, executor } = reception.options
  const ended = await sender.send(ready)
  const title = TITLES[ended.outcome]
  await Promise.all([
    reception
      .conversation(visitorOf(ready.change, reception))
      .reply(ended.message, ready.invocation.operation.audience),
    showResult(externalId, resultView(title, ended.viewed), reception).catch((error: unknown) => {
      // The person may have closed the view; the message in the channel says the same.
      executor.options.log.info(
        { reason: error instanceof Error ? error.message : 'unknown' },
        'a result view was not updated',
      )
    }),
  ])
}

/** A fast answer can overtake Slack, which knows the view only once it has taken in the acknowledgement. */
async function showResult(externalId: string, view: ModalView, { options }: Reception): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await options.outbound.updateView({ externalId }, view)
      return
    } catch (error) {
      if (!(error instanceof SlackError && error.code === 'not_found') || tries >= MAX_RESULT_TRIES) throw error
      await options.executor.options.clock.sleep(BETWEEN_RESULT_TRIES_MS)
    }
  }
}

const MAX_RESULT_TRIES = 4
const BETWEEN_RESULT_TRIES_MS = 400

const TITLES = { done: 'Done', rejected: 'Refused', not_sent: 'Not sent', unknown: 'Unknown' } as const

function operationOf(change: Change, reception: Reception): Operation {
  const operation = reception.options.executor.options.operations.find(({ name }) => name === change.operation)
  if (operation === undefined)
    throw new UserError('expired', 'This form belongs to an operation that no longer exists.', 'Ask again.')
  return operation
}

function visitorOf(change: Change, reception: Reception): Visitor {
  return {
    userId: change.requestedBy,
    channelId: change.channelId,
    responseUrl: reception.options.urls.find(change.id),
    triggerId: undefined,
  }
}

function asNotice(error: unknown, reception: Reception): ViewAck {
  const { executor } = reception.options
  return { response_action: 'update', view: resultView('Nothing was done', executor.explain(error, 'a form')) }
}
