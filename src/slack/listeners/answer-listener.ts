import * as z from 'zod'
import { type Message, withBlocks } from '../../block-kit/message.ts'
import { md, mention } from '../../block-kit/mrkdwn.ts'
import { context } from '../../block-kit/sections.ts'
import { decideOperation, wordLostRole } from '../../execution/policy/policy.ts'
import { askForAccess, refuse } from '../../execution/requests/refusals.ts'
import { ANSWER_ACTIONS, BESIDE } from '../../execution/requests/answer-buttons.ts'
import { findOperation } from '../../operations/declaration/operation-names.ts'
import { type Actor, atLeast } from '../../operations/declaration/role.ts'
import { UserError } from '../../shared/errors.ts'
import type { Answer } from '../../store/answers.ts'
import { PROGRAM } from '../../store/schema/audit-entry.ts'
import type { BlockActions } from '../gateway/payloads.ts'
import { resultView } from '../form/notice-views.ts'
import { InvalidDelivery } from '../gateway/invalid-delivery.ts'
import { ACK_BUDGET_MS, type Delivery, type ListenerOptions, requestBy } from './delivery.ts'
import { operationOf } from './form-listener.ts'
import { showResult } from './show-result.ts'
import { Responder } from './responder.ts'

/** A click on a button under an answer. The button holds only an id; what it does is read from the store. */
export async function onAnswerButton(
  { actions: [action] }: BlockActions,
  delivery: Delivery,
  options: ListenerOptions,
): Promise<void> {
  // A button that is one of many of its kind has more behind a second colon.
  const kind = ANSWER_KINDS.find((each) => `${action.action_id}:`.startsWith(`${ANSWER_ACTIONS[each]}:`))
  // Undo is a button to a page: what it changes is committed before Slack hears of the click.
  if (kind !== 'page' && !(await delivery.accept())) return
  const actor = await options.people.actor(delivery.userId, delivery)
  const answer = await findAnswer(kind, action.value, actor, delivery, options)
  switch (answer.kind) {
    case 'page':
    case 'form':
      return request(answer, action.action_id.endsWith(BESIDE), actor, delivery, options)
    case 'more':
      return more(answer, actor, delivery, options)
    case 'share':
      return share(answer, actor, delivery, options)
  }
}

/** [Ask for access] under a refusal: on record, and to be told, before Slack hears of the click. In a modal it answers there. */
export async function onAccessButton(
  { actions: [action], view }: BlockActions,
  delivery: Delivery,
  options: ListenerOptions,
): Promise<void> {
  const { operations, people, policy } = options
  const operation = findOperation(operations, action.value ?? '')
  if (operation === undefined) throw new InvalidDelivery('It asks for access to no operation.')
  const actor = await people.actor(delivery.userId, { ...delivery, fresh: true })
  const decision = decideOperation(policy(), actor, operation, delivery.channelId)
  const notAfterMs = delivery.arrivedMs + ACK_BUDGET_MS
  const message = await askForAccess(options, { actor, operation, decision, notAfterMs })
  if (!(await delivery.accept())) return
  const say = () => new Responder(delivery, options).reply(message, 'caller')
  if (view === undefined) return say()
  await options.messageSender.updateView({ viewId: view.id }, resultView('Access', message)).catch(say)
}

const ANSWER_KINDS = ['page', 'more', 'form', 'share'] as const satisfies readonly Answer['kind'][]

/** The answer a button belongs to, if it is this person's, was shown here, and still works. */
async function findAnswer(
  kind: Answer['kind'] | undefined,
  id: string | null | undefined,
  actor: Actor,
  delivery: Delivery,
  options: ListenerOptions,
): Promise<Answer> {
  const { store, clock } = options
  if (kind === undefined) throw new InvalidDelivery('It is a button that CDN Ops does not have.')
  if (id === undefined || id === null) throw new InvalidDelivery('It is a button without the id it carries.')
  const answer = await store.answers.get(id, clock.now())
  if (answer === undefined) {
    throw new UserError('expired', 'This button has expired. Nothing was done.', 'Ask again to get a fresh answer.')
  }
  const { operation } = answer
  if (answer.kind !== kind) throw new InvalidDelivery('It is a button of another kind than was shown.', { operation })
  // An answer goes to direct messages where it was asked for outside of any channel, or its channel did not take it.
  const isDirect = answer.actorId === actor.id && delivery.channelId?.startsWith('D') === true
  // Details go to whoever has a role wherever the message was delivered; the rest works only where it was shown.
  const here = answer.kind === 'more' || answer.channelId === delivery.channelId || isDirect
  if (!here) throw new InvalidDelivery('It is a button in another channel than it was shown in.', { operation })
  // What CDN Ops says by itself is for everybody there, and opens a form as whoever clicks.
  const isTheirs = answer.actorId === actor.id || answer.actorId === PROGRAM
  if (!isTheirs && answer.kind !== 'more') {
    const reason = 'This button belongs to the person who asked.'
    const asked = { operation: operationOf(answer, options), sentence: `The answer of ${answer.operation}` }
    await refuse(options, asked, { kind: 'deny', reason }, actor)
    throw new UserError('not_permitted', `${reason} Nothing was done.`, 'Type the command to get one of your own.')
  }
  return answer
}

/**
 * The operation with other values, in place of what is shown; or its form, filled in with them. May they still is asked
 * again.
 */
async function request(
  answer: Answer,
  isBeside: boolean,
  actor: Actor,
  delivery: Delivery,
  options: ListenerOptions,
): Promise<void> {
  const operation = operationOf(answer, options)
  const wantsForm = answer.kind === 'form'
  // What is for the channel comes beside what was clicked, which a word of progress would have taken away for good.
  const isReplacing = !wantsForm && !isBeside && operation.audience === 'caller'
  const responder = new Responder(delivery, options, isReplacing ? 'in place' : 'alone')
  const { values } = answer
  const { progress } = responder
  const by = requestBy(delivery, `click:${answer.id}`)
  const result = await options.requests.handle({ ...by, operation, values, wantsForm, actor, progress })
  if (!wantsForm && (result.kind === 'form' || result.kind === 'invalid'))
    throw new UserError('expired', 'What this button asks for is no longer valid. Nothing was done.', 'Ask again.')
  if (result.kind === 'invalid')
    throw new UserError('expired', `${operation.name} has no form. Nothing was done.`, 'Type it instead.')
  await showResult(result, operation, delivery, responder, options)
}

/** Details of what stands in a channel are for whoever may read there. */
async function more(answer: Answer, actor: Actor, delivery: Delivery, options: ListenerOptions): Promise<void> {
  if (!atLeast(actor.role, 'viewer')) {
    const reason = `The details are for people with a role${wordLostRole(actor)}.`
    const asked = { operation: operationOf(answer, options), sentence: `Details of ${answer.operation}` }
    await refuse(options, asked, { kind: 'deny', reason }, actor)
    const access = actor.barred === true ? undefined : answer.operation
    throw new UserError('not_permitted', `${reason} Nothing was shown.`, 'An admin can help.', access)
  }
  await new Responder(delivery, options).reply(MessageInStore.parse(answer.message), 'caller')
}

/** Posts what was shown, as it was shown, with the name of who shared it; once, and if they still may see it. */
async function share(answer: Answer, actor: Actor, delivery: Delivery, options: ListenerOptions): Promise<void> {
  const { store, clock, policy } = options
  const responder = new Responder(delivery, options)
  const operation = operationOf(answer, options)
  const decision = decideOperation(policy(), actor, operation, delivery.channelId)
  if (decision.kind === 'deny') {
    const asked = { operation, sentence: `Share ${operation.name}` }
    return responder.reply(await refuse(options, asked, decision, actor), 'caller')
  }
  const taken = await store.answers.take(answer.id, clock.now())
  const shared = 'This has been shared already. Nothing was done.'
  if (taken === undefined) throw new UserError('expired', shared, 'Ask again to share a fresh answer.')
  const signed = withBlocks(MessageInStore.parse(taken.message), context(md`Shared by ${mention(actor.id)}`))
  await responder.reply(signed, 'channel')
}

/** Written by this program, and checked against Slack's limits again on its way out. */
const MessageInStore: z.ZodType<Message> = z.custom<Message>(
  (value) => z.object({ text: z.string(), blocks: z.array(z.object({ type: z.string() })) }).safeParse(value).success,
)
