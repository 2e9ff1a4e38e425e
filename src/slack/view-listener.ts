import type { Actor } from '../operations/role.ts'
import { StoreError } from '../store/store-error.ts'
import { ACK_BUDGET_MS, withinBudget } from './ack-budget.ts'
import { onApproval, onDecline } from './approval-submission.ts'
import { APPROVE_VIEW, DECLINE_VIEW, FORM_VIEW, REVIEW_VIEW } from './form/form-place.ts'
import { noticeView, resultView } from './form/notice-views.ts'
import { onFormPage } from './form-submission.ts'
import type { ViewSubmission } from './payloads.ts'
import type { Reception } from './reception.ts'
import { refuseDelivery, UnfitDelivery } from './refused-delivery.ts'
import { onReview, takeBack } from './review-submission.ts'
import { type Outcome, showing, type ViewAck } from './view-outcome.ts'
import { assertOwn, placeOf } from './view-place.ts'

/**
 * A submitted view: a page of a form, a review, or an approver's prompt. Slack gets its answer within its three seconds,
 * whatever happens; a stop waits until what follows has been told.
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
  const { clock, log } = reception.options.executor.options
  const notAfterMs = clock.monotonicMs() + ACK_BUDGET_MS
  const work = submitted(payload, notAfterMs, reception).catch((error: unknown) => failed(error, payload, reception))
  const result = await withinBudget(clock, work, (late) => {
    unheard(late).catch((error: unknown) => log.error({ err: error }, 'what came too late for Slack went wrong'))
  })
  if (!result.inTime) return ack(tooSlow(payload, reception))
  const { ack: answer, afterwards } = result.value
  try {
    await ack(answer)
  } catch (error) {
    // Slack tells the person that it did not work.
    await unheard(result.value)
    throw error
  }
  if (afterwards !== undefined) await afterwards()
}

/** Slack did not hear of it in time: what can be taken back is, so that "it did not work" is true; the rest goes on. */
async function unheard({ undo, afterwards }: Outcome): Promise<void> {
  await (undo ?? afterwards)?.()
}

async function submitted({ view, user }: ViewSubmission, notAfterMs: number, reception: Reception): Promise<Outcome> {
  const submit = Object.hasOwn(SUBMITS, view.callback_id) ? SUBMITS[view.callback_id] : undefined
  if (submit === undefined) throw new UnfitDelivery('It is a view that nobody can submit.')
  const place = placeOf(view)
  const actor = await reception.actor(
    { userId: user.id, team: user.team_id ?? undefined },
    { fresh: view.callback_id !== FORM_VIEW },
  )
  return submit({ ...place, state: view.state?.values ?? {}, actor, notAfterMs }, reception)
}

interface SubmittedView {
  /** The id of the change. */
  readonly change: string
  readonly step: number
  readonly state: unknown
  readonly actor: Actor
  /** By the monotonic clock, when Slack's patience is over. */
  readonly notAfterMs: number
}

/** By the `callback_id` of a view, what submitting it does. */
const SUBMITS: Readonly<Record<string, (view: SubmittedView, reception: Reception) => Promise<Outcome>>> = {
  [FORM_VIEW]: async ({ change: id, step, state, actor }, reception) => {
    await assertOwn(id, actor, reception)
    const change = await reception.options.desk.draft(id, actor)
    return onFormPage({ change, step, state, actor }, reception)
  },
  [REVIEW_VIEW]: async (view, reception) => {
    await assertOwn(view.change, view.actor, reception)
    return onReview(view, reception)
  },
  [APPROVE_VIEW]: ({ change: id, state, actor }, reception) => onApproval(id, state, actor, reception),
  [DECLINE_VIEW]: ({ change: id, state, actor }, reception) => onDecline(id, state, actor, reception),
}

async function failed(error: unknown, { view, user }: ViewSubmission, reception: Reception): Promise<Outcome> {
  const { executor } = reception.options
  const by = { userId: user.id, team: user.team_id ?? undefined }
  const told =
    error instanceof UnfitDelivery ? await refuseDelivery(error, by, executor) : executor.explain(error, 'a form')
  const isKnown = !(error instanceof StoreError && error.kind === 'unanswered')
  if (isKnown) return { ack: showing(resultView('Nothing was done', told)) }
  const ack = showing(resultView('Not known', told))
  // It goes on if it was written down, unless the person was told that nothing was sent.
  return view.callback_id === REVIEW_VIEW
    ? { ack, undo: () => takeBack(placeOf(view).change, user.id, reception) }
    : { ack }
}

/** An approval cannot be taken back, so nothing is said of it that may turn out wrong. */
function tooSlow({ view }: ViewSubmission, reception: Reception): ViewAck {
  const { command } = reception.options.executor.options
  const decides = view.callback_id === APPROVE_VIEW || view.callback_id === DECLINE_VIEW
  return showing(
    decides
      ? noticeView(
          'Too slow',
          'This takes long to be written down. Whether it was will show in the message about the change.',
          'If that does not change in a minute, press the button again: it counts once.',
        )
      : noticeView(
          'Too slow',
          'This took too long to be written down, so nothing was sent: what is written down still is taken back.',
          `Look at ${command} changes list before you ask again.`,
        ),
  )
}
