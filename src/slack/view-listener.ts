import type { Submitted } from '../execution/change-desk.ts'
import type { Actor } from '../operations/role.ts'
import { waitAtMost } from '../shared/clock.ts'
import { StoreError } from '../store/store-error.ts'
import { onApproval, onDecline } from './approval-listener.ts'
import { onFormPage } from './form-submission.ts'
import { APPROVE_VIEW, DECLINE_VIEW, FORM_VIEW, REVIEW_VIEW } from './form/form-place.ts'
import { enteredText } from './form/form-values.ts'
import { noticeView, resultView, stateView, waitingView, workingView } from './form/notice-views.ts'
import { ALONE_BLOCK, MAX_REASON_CHARACTERS } from './form/review-view.ts'
import type { ViewSubmission } from './payloads.ts'
import { ACK_BUDGET_MS, assertOwn, placeOf, type Reception } from './reception.ts'
import { UnfitDelivery } from './refused-delivery.ts'
import { type Outcome, sendForAsker, showing, showLater, type ViewAck, waitingViewId } from './result-view.ts'

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
  const inTime = await waitAtMost(clock, ACK_BUDGET_MS, work)
  if (inTime === undefined) {
    work.then(unheard).catch((error: unknown) => log.error({ err: error }, 'what came too late for Slack went wrong'))
    return ack(tooSlow(payload, reception))
  }
  const { ack: answer, afterwards } = inTime.value
  try {
    await ack(answer)
  } catch (error) {
    // Slack tells the person that it did not work.
    await unheard(inTime.value)
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
  readonly change: string
  readonly step: number
  readonly state: unknown
  readonly actor: Actor
  /** By the monotonic clock, when Slack's patience is over. */
  readonly notAfterMs: number
}

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

/**
 * The click that confirms, or asks others. What it does is on record before Slack hears of it; sending comes after. Of a
 * change that was answered before, it shows the state.
 */
async function onReview(
  { change: changeId, state, actor, notAfterMs }: SubmittedView,
  reception: Reception,
): Promise<Outcome> {
  const { desk, executor } = reception.options
  const reason = enteredText(state, ALONE_BLOCK, MAX_REASON_CHARACTERS)
  if (!reason.fits) throw new UnfitDelivery('It has a value that a review does not ask for.', { changeId })
  const submitted = await desk.submit(changeId, actor, reason.text, notAfterMs)
  if (submitted.kind === 'answered') return { ack: showing(stateView(submitted.change, executor.options.command)) }
  return {
    ...forward(submitted, actor, reception),
    undo: () => takeBack(changeId, actor.id, reception),
  }
}

/** Ends what the person could not be told of in time, or was told did not work. */
async function takeBack(changeId: string, userId: string, { options: { desk } }: Reception): Promise<void> {
  await desk.takeBack(changeId, userId, 'Slack gave up waiting before it was written down')
}

function forward(submitted: Exclude<Submitted, { kind: 'answered' }>, actor: Actor, reception: Reception): Outcome {
  const { change, invocation } = submitted
  const { announcer, executor } = reception.options
  const { command } = executor.options
  const externalId = waitingViewId(change.id, actor.id)
  if (submitted.kind === 'confirmed') {
    return {
      ack: showing(workingView(`${invocation.sentence}: being sent …`, externalId)),
      afterwards: () => sendForAsker(change, externalId, reception),
    }
  }
  return {
    ack: showing(waitingView(change, false, command, externalId)),
    afterwards: async () => {
      const place = await announcer.announce(change.id)
      if (place !== undefined) await showLater(externalId, waitingView(change, true, command), reception)
    },
  }
}

async function failed(error: unknown, { view, user }: ViewSubmission, reception: Reception): Promise<Outcome> {
  const told = await reception.told(error, { userId: user.id, team: user.team_id ?? undefined }, 'a form')
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
