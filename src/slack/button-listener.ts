import * as z from 'zod'
import { context } from '../block-kit/sections.ts'
import { md, mention } from '../block-kit/mrkdwn.ts'
import { type Message, withBlocks } from '../block-kit/message.ts'
import { ANSWER_ACTIONS } from '../execution/answer-buttons.ts'
import type { Operation } from '../operations/operation.ts'
import { type Actor, atLeast } from '../operations/role.ts'
import { UserError } from '../shared/errors.ts'
import type { Answer } from '../store/answers.ts'
import type { BlockActions } from './payloads.ts'
import type { Reception, Visitor } from './reception.ts'

/** A click on a button under an answer. The button holds only an id; what it does is read from the store. */
export async function onButton(payload: BlockActions, reception: Reception): Promise<void> {
  const [action] = payload.actions
  const visitor: Visitor = {
    userId: payload.user.id,
    channelId: payload.channel?.id,
    responseUrl: payload.response_url,
    triggerId: payload.trigger_id,
    arrivedMs: reception.options.executor.options.clock.monotonicMs(),
  }
  await reception.serve(visitor, 'a button', async () => {
    const actor = await reception.actor(visitor.userId)
    const answer = await kept(action?.action_id ?? '', action?.value, actor, visitor, reception)
    switch (answer.kind) {
      case 'page':
        return page(answer, actor, visitor, reception)
      case 'more':
        return more(answer, actor, visitor, reception)
      case 'form':
        return form(answer, actor, visitor, reception)
      case 'share':
        return share(answer, actor, visitor, reception)
    }
  })
}

/** The answer a button belongs to, if it is this person's, was shown here, and still works. */
async function kept(
  actionId: string,
  id: string | null | undefined,
  actor: Actor,
  visitor: Visitor,
  reception: Reception,
): Promise<Answer> {
  const { store, clock } = reception.options.executor.options
  const answer = id === undefined || id === null ? undefined : await store.answers.get(id, clock.now())
  const expected = Object.entries(ANSWER_ACTIONS).find(
    ([, prefix]) => actionId === prefix || actionId.startsWith(`${prefix}:`),
  )
  // Details go to whoever has a role wherever the message was delivered; the rest works only where it was shown.
  const here = answer?.kind === 'more' || answer?.channelId === visitor.channelId
  if (answer === undefined || answer.kind !== expected?.[0] || !here) {
    throw new UserError('expired', 'This button has expired. Nothing was done.', 'Ask again to get a fresh answer.')
  }
  if (answer.actorId !== actor.id && answer.kind !== 'more') {
    throw new UserError(
      'not_permitted',
      'This button belongs to the person who asked. Nothing was done.',
      'Ask yourself to get your own.',
    )
  }
  return answer
}

/** The same operation with other values, in place of what is shown; may they still is asked again. */
async function page(answer: Answer, actor: Actor, visitor: Visitor, reception: Reception): Promise<void> {
  const parsed = operationOf(answer, reception).parse(answer.values, await reception.checkContext(actor))
  if (!parsed.ok)
    throw new UserError('expired', 'What this button asks for is no longer valid. Nothing was done.', 'Ask again.')
  const { executor } = reception.options
  await executor.answer(parsed.invocation, actor, reception.conversation(visitor, true), visitor.channelId)
}

/** Details of what stands in a channel are for whoever may read there. */
async function more(answer: Answer, actor: Actor, visitor: Visitor, reception: Reception): Promise<void> {
  if (!atLeast(actor.role, 'viewer')) {
    throw new UserError('not_permitted', 'The details are for people with a role. Nothing was shown.', 'Ask an admin.')
  }
  await reception.conversation(visitor).reply(MessageInStore.parse(answer.message), 'caller')
}

async function form(answer: Answer, actor: Actor, visitor: Visitor, reception: Reception): Promise<void> {
  const operation = operationOf(answer, reception)
  const { executor } = reception.options
  const decision = executor.decide(actor, { operation, effect: operation.baseEffect })
  if (decision.kind === 'deny') {
    const refused = await executor.refuse({ operation, sentence: `${operation.name}, not filled in` }, decision, actor)
    return reception.conversation(visitor).reply(refused, 'caller')
  }
  const parsed = operation.parse(answer.values, await reception.checkContext(actor))
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
  const decision = executor.decide(actor, { operation, effect: operation.baseEffect })
  if (decision.kind === 'deny') {
    const refused = await executor.refuse({ operation, sentence: `Share ${operation.name}` }, decision, actor)
    return reception.conversation(visitor).reply(refused, 'caller')
  }
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
  const operation = reception.options.executor.options.operations.find(({ name }) => name === answer.operation)
  if (operation === undefined)
    throw new UserError('expired', 'This button belongs to an operation that no longer exists.', 'See the help.')
  return operation
}

/** Written by this program, and checked against Slack's limits again on its way out. */
const MessageInStore: z.ZodType<Message> = z.custom<Message>(
  (value) => z.object({ text: z.string(), blocks: z.array(z.object({ type: z.string() })) }).safeParse(value).success,
)
