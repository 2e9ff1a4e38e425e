import type { Clicked } from '../execution/approval-desk.ts'
import type { Actor } from '../operations/role.ts'
import { DECLINE_BLOCK } from './form/approval-view.ts'
import { enteredText } from './form/entered-text.ts'
import { workingView } from './form/notice-views.ts'
import { MAX_REASON_CHARACTERS } from './form/review-view.ts'
import { stateView } from './form/state-view.ts'
import type { Reception } from './reception.ts'
import { UnfitDelivery } from './refused-delivery.ts'
import { sendAndShow, waitingViewId } from './result-view.ts'
import { type Outcome, showing } from './view-outcome.ts'

const NOT_ASKED = 'It has a value that this view does not ask for.'

/** Said to somebody who approves a second time. */
export const COUNTS_ONCE = 'You have approved this before; it counts once.'

/** Somebody approves what they have read. With the last approval it takes, the change is sent. */
export async function onApproval(
  changeId: string,
  state: unknown,
  actor: Actor,
  reception: Reception,
): Promise<Outcome> {
  if (!enteredText(state, '', 0).fits) throw new UnfitDelivery(NOT_ASKED, { changeId })
  const clicked = await reception.options.approvals.approve(changeId, actor)
  const { change } = clicked
  if (clicked.kind === 'found' || !clicked.ready) {
    return { ack: showing(stateView(change, reception.options.executor.options.command, approvedWords(clicked))) }
  }
  const externalId = waitingViewId(change.id, actor.id)
  return {
    ack: showing(workingView(`${change.sentence ?? change.operation}: approved, being sent …`, externalId)),
    afterwards: async () => void (await sendAndShow(change, externalId, reception)),
  }
}

function approvedWords(clicked: Clicked): string | undefined {
  if (clicked.kind === 'taken')
    return `Your approval is on record.${clicked.change.state === 'waiting' ? ' It goes on once it has all approvals it takes.' : ''}`
  return clicked.repeated ? COUNTS_ONCE : undefined
}

/** Somebody says no, which ends the change. */
export async function onDecline(
  changeId: string,
  state: unknown,
  actor: Actor,
  reception: Reception,
): Promise<Outcome> {
  const { approvals, executor } = reception.options
  const reason = enteredText(state, DECLINE_BLOCK, MAX_REASON_CHARACTERS)
  if (!reason.fits) throw new UnfitDelivery(NOT_ASKED, { changeId })
  const clicked = await approvals.decline(changeId, actor, reason.text)
  const { change } = clicked
  // Found again, it may be this very submission that Slack delivers a second time.
  const isTheirs = clicked.kind === 'taken' || (change.state === 'denied' && change.endedBy === actor.id)
  const said = isTheirs ? 'You have declined it.' : undefined
  return { ack: showing(stateView(change, executor.options.command, said)) }
}
