import type { Submitted } from '../execution/review-prompt.ts'
import type { Actor } from '../operations/role.ts'
import { enteredText } from './form/entered-text.ts'
import { waitingView, workingView } from './form/notice-views.ts'
import { ALONE_BLOCK, MAX_REASON_CHARACTERS } from './form/review-view.ts'
import { stateView } from './form/state-view.ts'
import type { Reception } from './reception.ts'
import { UnfitDelivery } from './refused-delivery.ts'
import { sendForAsker, showLater, waitingViewId } from './result-view.ts'
import { type Outcome, showing } from './view-outcome.ts'

export interface SubmittedReview {
  /** The id of the change. */
  readonly change: string
  readonly state: unknown
  readonly actor: Actor
  /** By the monotonic clock: from then on the person is told that nothing was sent. */
  readonly notAfterMs: number
}

/**
 * The click that confirms, or asks others. What it does is on record before Slack hears of it; sending comes after. Of a
 * change that was answered before, it shows the state.
 */
export async function onReview(
  { change: changeId, state, actor, notAfterMs }: SubmittedReview,
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
export async function takeBack(changeId: string, userId: string, { options: { desk } }: Reception): Promise<void> {
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
