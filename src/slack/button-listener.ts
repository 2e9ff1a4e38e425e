import * as z from 'zod'
import { type Message, withBlocks } from '../block-kit/message.ts'
import { md, mention } from '../block-kit/mrkdwn.ts'
import { context } from '../block-kit/sections.ts'
import { ANSWER_ACTIONS } from '../execution/answer-buttons.ts'
import { findOperation } from '../operations/find-operation.ts'
import type { Operation } from '../operations/operation.ts'
import { type Actor, atLeast, writesToBot } from '../operations/role.ts'
import { UserError } from '../shared/errors.ts'
import type { Answer } from '../store/answers.ts'
import type { BlockActions } from './payloads.ts'
import { ACK_BUDGET_MS, type Acknowledge, type Reception, type Visitor } from './reception.ts'
import { UnfitDelivery } from './refused-delivery.ts'

/** A click on a button under an answer. The button holds only an id; what it does is read from the store. */
export async function onButton(payload: BlockActions, acknowledge: Acknowledge, reception: Reception): Promise<void> {
  const [action] = payload.actions
  const visitor = clickerOf(payload, reception)
  const kind = kindOf(action?.action_id ?? '')
  // Undo is such a button: what it changes is committed before Slack hears of the click.
  const mayWrite = kind === 'page'
  const taken = async (): Promise<boolean> => {
    await acknowledge()
    return isNewClick(payload.trigger_id, reception)
  }
  if (!mayWrite && !(await taken())) return
  await reception.serve(visitor, 'a button', async () => {
    const actor = await reception.actor(visitor)
    const answer = await kept(kind, action?.value, actor, visitor, reception)
    switch (answer.kind) {
      case 'page':
        return page(answer, actor, visitor, reception, taken)
      case 'more':
        return more(answer, actor, visitor, reception)
      case 'form':
        return form(answer, actor, visitor, reception)
      case 'share':
        return share(answer, actor, visitor, reception)
    }
  })
}

/** Whether a click comes for the first time; Slack gives a repeated one the same trigger. */
export function isNewClick(triggerId: string | undefined, reception: Reception): boolean {
  return reception.isNew(triggerId === undefined ? undefined : `click:${triggerId}`)
}

export function clickerOf(payload: BlockActions, reception: Reception): Visitor {
  return {
    userId: payload.user.id,
    team: payload.user.team_id ?? undefined,
    channelId: payload.channel?.id,
    responseUrl: payload.response_url,
    triggerId: payload.trigger_id,
    arrivedMs: reception.options.executor.options.clock.monotonicMs(),
  }
}

function kindOf(actionId: string): Answer['kind'] | undefined {
  return ANSWER_KINDS.find((kind) => {
    const prefix = ANSWER_ACTIONS[kind]
    return actionId === prefix || actionId.startsWith(`${prefix}:`)
  })
}

const ANSWER_KINDS = ['page', 'more', 'form', 'share'] as const satisfies readonly Answer['kind'][]

/** The answer a button belongs to, if it is this person's, was shown here, and still works. */
async function kept(
  kind: Answer['kind'] | undefined,
  id: string | null | undefined,
  actor: Actor,
  visitor: Visitor,
  reception: Reception,
): Promise<Answer> {
  const { store, clock } = reception.options.executor.options
  if (kind === undefined) throw new UnfitDelivery('It is a button that CDN Ops does not have.')
  if (id === undefined || id === null) throw new UnfitDelivery('It is a button without the id it carries.')
  const answer = await store.answers.get(id, clock.now())
  if (answer === undefined) {
    throw new UserError('expired', 'This button has expired. Nothing was done.', 'Ask again to get a fresh answer.')
  }
  const { operation } = answer
  if (answer.kind !== kind) throw new UnfitDelivery('It is a button of another kind than was shown.', { operation })
  // Details go to whoever has a role wherever the message was delivered; the rest works only where it was shown.
  const here = answer.kind === 'more' || answer.channelId === visitor.channelId
  if (!here) throw new UnfitDelivery('It is a button in another channel than it was shown in.', { operation })
  if (answer.actorId !== actor.id && answer.kind !== 'more') {
    const reason = 'The button belongs to the person who asked.'
    const asked = { operation: operationOf(answer, reception), sentence: `The answer of ${answer.operation}` }
    await reception.options.executor.refuse(asked, { kind: 'deny', reason }, actor)
    throw new UserError(
      'not_permitted',
      'This button belongs to the person who asked. Nothing was done.',
      'Ask yourself to get your own.',
    )
  }
  return answer
}

/** The same operation with other values, in place of what is shown; may they still is asked again. */
async function page(
  answer: Answer,
  actor: Actor,
  visitor: Visitor,
  reception: Reception,
  taken: () => Promise<boolean>,
): Promise<void> {
  const { executor } = reception.options
  const parsed = operationOf(answer, reception).parse(answer.values, await executor.check(actor))
  if (!parsed.ok)
    throw new UserError('expired', 'What this button asks for is no longer valid. Nothing was done.', 'Ask again.')
  const { channelId, arrivedMs = executor.options.clock.monotonicMs() } = visitor
  const writes = writesToBot(parsed.invocation.effect)
  if (!writes && !(await taken())) return
  const once = writes ? { key: `click:${answer.id}`, notAfterMs: arrivedMs + ACK_BUDGET_MS } : undefined
  await executor.answer(parsed.invocation, actor, reception.conversation(visitor, true), { channelId, once })
}

/** Details of what stands in a channel are for whoever may read there. */
async function more(answer: Answer, actor: Actor, visitor: Visitor, reception: Reception): Promise<void> {
  if (!atLeast(actor.role, 'viewer')) {
    const reason = 'The details are for people with a role.'
    const asked = { operation: operationOf(answer, reception), sentence: `Details of ${answer.operation}` }
    await reception.options.executor.refuse(asked, { kind: 'deny', reason }, actor)
    throw new UserError('not_permitted', `${reason} Nothing was shown.`, 'Ask an admin.')
  }
  await reception.conversation(visitor).reply(MessageInStore.parse(answer.message), 'caller')
}

async function form(answer: Answer, actor: Actor, visitor: Visitor, reception: Reception): Promise<void> {
  const operation = operationOf(answer, reception)
  const { executor } = reception.options
  if (await reception.refuseBare(operation, actor, visitor)) return
  const parsed = operation.parse(answer.values, await executor.check(actor))
  if (operation.form !== undefined) {
    return reception.openForm(operation, answer.values, parsed.ok ? [] : parsed.issues, actor, visitor)
  }
  if (!parsed.ok) throw new UserError('expired', `${operation.name} has no form. Nothing was done.`, 'Type it instead.')
  await reception.proceed(parsed.invocation, actor, visitor)
}

/** Posts what was shown, as it was shown, with the name of who shared it; once, and if they still may see it. */
async function share(answer: Answer, actor: Actor, visitor: Visitor, reception: Reception): Promise<void> {
  const { executor } = reception.options
  const { store, clock } = executor.options
  const operation = operationOf(answer, reception)
  const decision = executor.decideBare(actor, operation, visitor.channelId)
  if (decision.kind === 'deny')
    return reception.refuse({ operation, sentence: `Share ${operation.name}` }, decision, actor, visitor)
  const taken = await store.answers.take(answer.id, clock.now())
  if (taken === undefined)
    throw new UserError(
      'expired',
      'This has been shared already. Nothing was done.',
      'Ask again to share a fresh answer.',
    )
  const shared = withBlocks(MessageInStore.parse(taken.message), context(md`Shared by ${mention(actor.id)}`))
  await reception.conversation(visitor).reply(shared, 'channel')
}

function operationOf(answer: Answer, reception: Reception): Operation {
  const operation = findOperation(reception.options.executor.options.operations, answer.operation)
  if (operation === undefined)
    throw new UserError('expired', 'This button belongs to an operation that no longer exists.', 'See the help.')
  return operation
}

/** Written by this program, and checked against Slack's limits again on its way out. */
const MessageInStore: z.ZodType<Message> = z.custom<Message>(
  (value) => z.object({ text: z.string(), blocks: z.array(z.object({ type: z.string() })) }).safeParse(value).success,
)
