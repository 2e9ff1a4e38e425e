import type { MessagePlace } from '../../delivery/notifier.ts'
import type { ModalView } from '../../block-kit/view.ts'
import { CARD_ACTIONS, type CardAction } from '../../execution/messages/change-card.ts'
import type { Actor } from '../../operations/declaration/role.ts'
import { approvalView, declineView } from '../form/review-view.ts'
import { stateMessage, stateView } from '../form/notice-views.ts'
import type { BlockActions } from '../gateway/payloads.ts'
import { InvalidDelivery } from '../gateway/invalid-delivery.ts'
import type { Delivery, ListenerOptions } from './delivery.ts'
import { openView } from './show-result.ts'
import { Responder } from './responder.ts'

export const CHANGE_ACTION = 'change:'
export const COUNTS_ONCE = 'You have approved this before; it counts once.'

/**
 * A click under the message about a change. Approve and Decline open what has to be read first; the others have been
 * asked back by Slack and act at once, so Slack hears of them when it is on record.
 */
export async function onChangeButton(
  payload: BlockActions,
  delivery: Delivery,
  options: ListenerOptions,
): Promise<void> {
  const { people, approvals, command } = options
  const { channel, container } = payload
  const [action] = payload.actions
  const kind = CARD_KINDS.find((each) => CARD_ACTIONS[each] === action.action_id)
  const actsAtOnce = kind === 'cancel' || kind === 'exists' || kind === 'absent'
  if (!actsAtOnce && !(await delivery.accept())) return
  if (kind === undefined) throw new InvalidDelivery('It is a button that no message about a change has.')
  const id = action.value
  if (id === undefined || id === null) throw new InvalidDelivery('It is a button without the id of its change.')
  // The message of the click, as Slack says it. One that Slack does not name is none of ours.
  const place = { channel: channel?.id ?? '', ts: container?.message_ts ?? '' }
  const actor = await people.actor(delivery.userId, { ...delivery, fresh: actsAtOnce })
  if (kind === 'approve' || kind === 'decline')
    return openView(delivery, options, () => drawPrompt(kind, id, actor, place, options))
  const clicked = await (kind === 'cancel'
    ? approvals.cancel(id, actor, place)
    : approvals.settle(id, actor, kind === 'exists', place))
  // What was done shows in the message itself.
  if (clicked.kind === 'taken') return
  await new Responder(delivery, options).reply(stateMessage(clicked.change, command), 'caller')
}

const CARD_KINDS = ['approve', 'decline', 'cancel', 'exists', 'absent'] as const satisfies readonly CardAction[]

/** What is read before the decision, from the store; how the change stands when there is nothing to decide any more. */
export async function drawPrompt(
  kind: 'approve' | 'decline',
  id: string,
  actor: Actor,
  place: MessagePlace | undefined,
  { approvals, command }: Pick<ListenerOptions, 'approvals' | 'command'>,
  onHome = false,
): Promise<ModalView> {
  const { change, prompt } = await approvals.prompt(id, actor, place)
  if (prompt === undefined) return stateView(change, command)
  if (kind === 'decline') return declineView(prompt)
  const hasApproved = prompt.approvals.some(({ person }) => person === actor.id)
  return hasApproved ? stateView(change, command, COUNTS_ONCE) : approvalView(prompt, command, onHome)
}
