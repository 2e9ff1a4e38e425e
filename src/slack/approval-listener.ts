import type { MessagePlace } from '../alerts/notifier.ts'
import type { ModalView } from '../block-kit/blocks.ts'
import type { Clicked } from '../execution/approval-desk.ts'
import { CARD_ACTIONS, type CardAction } from '../execution/change-card.ts'
import { ALIKE_MS } from '../execution/change-desk.ts'
import type { Actor } from '../operations/role.ts'
import type { Change } from '../store/change.ts'
import { clickerOf, isNewClick } from './button-listener.ts'
import { approvalView, DECLINE_BLOCK, declineView } from './form/approval-view.ts'
import { enteredText } from './form/form-values.ts'
import { stateMessage, stateView, workingView } from './form/notice-views.ts'
import { MAX_REASON_CHARACTERS } from './form/review-view.ts'
import type { BlockActions } from './payloads.ts'
import type { Acknowledge, Reception, Visitor } from './reception.ts'
import { UnfitDelivery } from './refused-delivery.ts'
import { type Outcome, sendAndShow, showing, waitingViewId } from './result-view.ts'

export const CHANGE_ACTION = 'change:'

/**
 * A click under the message about a change. Approve and Decline open what has to be read first; the others have been
 * asked back by Slack and act at once, so Slack hears of them when it is on record.
 */
export async function onChangeButton(
  payload: BlockActions,
  acknowledge: Acknowledge,
  reception: Reception,
): Promise<void> {
  const [action] = payload.actions
  const kind = CARD_KINDS.find((each) => CARD_ACTIONS[each] === action?.action_id)
  const visitor = clickerOf(payload, reception)
  if (kind !== 'cancel' && kind !== 'exists' && kind !== 'absent') {
    await acknowledge()
    if (!isNewClick(payload.trigger_id, reception)) return
  }
  await reception.serve(visitor, 'a button', async () => {
    if (kind === undefined) throw new UnfitDelivery('It is a button that no message about a change has.')
    const id = action?.value
    if (id === undefined || id === null) throw new UnfitDelivery('It is a button without the id of its change.')
    if (kind === 'approve' || kind === 'decline') {
      const actor = await reception.actor(visitor)
      return reception.open(visitor, () => prompt(kind, id, actor, placeIn(payload), reception))
    }
    const actor = await reception.actor(visitor, { fresh: true })
    const change = await reception.options.approvals.clicked(id, actor, placeIn(payload))
    const { approvals } = reception.options
    const clicked = await (kind === 'cancel'
      ? approvals.cancel(change.id, actor)
      : approvals.settle(change.id, actor, kind === 'exists'))
    await tell(clicked, saidOf(kind, clicked.change, actor), visitor, reception)
  })
}

const CARD_KINDS = ['approve', 'decline', 'cancel', 'exists', 'absent'] as const satisfies readonly CardAction[]

/** The message a click came from, as Slack says it. One that Slack does not name is none of ours. */
function placeIn({ channel, container }: BlockActions): MessagePlace {
  return { channel: channel?.id ?? '', ts: container?.message_ts ?? '' }
}

/** What is read before the decision, from the store; how the change stands when there is nothing to decide any more. */
async function prompt(
  kind: 'approve' | 'decline',
  id: string,
  actor: Actor,
  place: MessagePlace,
  reception: Reception,
): Promise<ModalView> {
  const { approvals, executor } = reception.options
  const { command } = executor.options
  const change = await approvals.clicked(id, actor, place)
  const open = await approvals.open(change, actor)
  if (open === undefined) return stateView(await asItIs(change, reception), command)
  if (kind === 'approve' && open.approvals.some(({ person }) => person === actor.id))
    return stateView(open.change, command, COUNTS_ONCE)
  return kind === 'approve' ? approvalView(open, await alikeTo(change, reception), command) : declineView(open)
}

async function asItIs(change: Change, reception: Reception): Promise<Change> {
  return (await reception.options.executor.options.store.changes.get(change.id)) ?? change
}

async function alikeTo(change: Change, { options }: Reception): Promise<readonly Change[]> {
  const { store, clock } = options.executor.options
  if (change.requestHash === undefined) return []
  const since = new Date(clock.now().getTime() - ALIKE_MS)
  return (await store.changes.alike(change.requestHash, since)).filter(({ id }) => id !== change.id)
}

/** A click that Slack delivers again finds done what it asked for. */
function saidOf(kind: 'cancel' | 'exists' | 'absent', { state, endedBy }: Change, actor: Actor): string | undefined {
  return endedBy === actor.id && state === ENDS[kind] ? 'It is done as you asked.' : undefined
}

const ENDS = { cancel: 'cancelled', exists: 'done', absent: 'not_done' } as const

/** What was done shows in the message itself; what was not, is told to the one who clicked. */
async function tell(clicked: Clicked, said: string | undefined, visitor: Visitor, reception: Reception): Promise<void> {
  if (clicked.kind === 'taken') return
  const { command } = reception.options.executor.options
  await reception.conversation(visitor).reply(stateMessage(clicked.change, command, said), 'caller')
}

const NOT_ASKED = 'It has a value that this view does not ask for.'

const COUNTS_ONCE = 'You have approved this before; it counts once.'

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
