import { actions, button } from '../../block-kit/buttons.ts'
import { ACTIONS_ELEMENTS } from '../../block-kit/limits.ts'
import { type Message, withBlocks } from '../../block-kit/message.ts'
import type { Answer, AnswerButton } from '../../operations/declaration/answer.ts'
import type { Invocation } from '../../operations/declaration/operation.ts'
import type { Actor } from '../../operations/declaration/role.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { Answers, NewAnswer } from '../../store/answers.ts'
import { MAX_ANSWER_MESSAGE_BYTES } from '../../store/schema/tables.ts'
import { accessButton } from '../messages/error-messages.ts'

export const ANSWER_ACTIONS = {
  page: 'answer:page',
  more: 'answer:more',
  form: 'answer:form',
  share: 'answer:share',
} as const

/** How the action of a button ends whose answer leaves in place what is shown. */
export const BESIDE = ':beside'
/** Slack shows more in a row, but nobody reads them. */
const MAX_BUTTONS = 6
/** The details of a write are kept longer than those of a read: they cannot be asked for again. */
const WRITE_RETENTION_MS = 7 * 86_400_000

export interface AnswerPlace {
  readonly invocation: Pick<Invocation, 'operation' | 'values'>
  readonly actor: Actor
  readonly channelId: string | undefined
  /** Until when buttons to forms work, if longer than usual. */
  readonly expiresAt?: Date | undefined
}

export interface ButtonTools {
  readonly store: { readonly answers: Pick<Answers, 'put'> }
  readonly clock: Clock
  readonly log: Log
}

/**
 * The message of an answer with its buttons, each of which carries only an id; what it does is kept in the store.
 * A button whose message is too large to be kept is left out, and all are when the store fails. Never throws: reading
 * goes on.
 */
export async function withButtons(
  answer: Answer,
  place: AnswerPlace,
  tools: ButtonTools,
  most = MAX_BUTTONS - 1,
): Promise<Message> {
  const { access } = answer
  const message = access === undefined ? answer.message : withBlocks(answer.message, accessButton(access))
  const { actor, channelId, invocation } = place
  const common = () => ({ id: tools.clock.newId(), actorId: actor.id, team: actor.team, channelId })
  const offered = await Promise.all((answer.buttons ?? []).slice(0, most).map((each) => complete(each, place, tools)))
  const wanted = offered.map((each, index) => ({
    actionId: `${ANSWER_ACTIONS[each.kind]}:${index}${each.kind === 'page' && each.beside === true ? BESIDE : ''}`,
    text: each.label,
    kept: { ...common(), ...keep(each, place, tools.clock) },
  }))
  if (invocation.operation.shareable) {
    const { operation, values } = invocation
    const kept = { ...common(), kind: 'share', operation: operation.name, values, message: answer.message } as const
    wanted.push({ actionId: ANSWER_ACTIONS.share, text: 'Share in channel', kept })
  }
  const fitting = wanted.filter(({ kept: { operation, kind, message = '' } }) => {
    const bytes = Buffer.byteLength(JSON.stringify(message))
    if (bytes <= MAX_ANSWER_MESSAGE_BYTES) return true
    tools.log.warn({ operation, button: kind, bytes }, 'a button is left out: its message is too large')
    return false
  })
  if (fitting.length === 0) return message
  try {
    await tools.store.answers.put(...fitting.map(({ kept }) => kept))
  } catch (error) {
    tools.log.warn({ err: error, operation: invocation.operation.name }, 'the buttons of an answer are left out')
    return message
  }
  const elements = fitting.map(({ actionId, text, kept }) => button({ actionId, text, value: kept.id }))
  return withBlocks(message, actions('answer', elements))
}

/** What shows more may have buttons of its own, as many as Slack takes. */
async function complete(each: AnswerButton, place: AnswerPlace, tools: ButtonTools): Promise<AnswerButton> {
  if (each.kind !== 'more' || each.buttons === undefined) return each
  const { operation, values } = place.invocation
  const invocation = { operation: { ...operation, shareable: false }, values }
  return { ...each, message: await withButtons(each, { ...place, invocation }, tools, ACTIONS_ELEMENTS) }
}

function keep(
  each: AnswerButton,
  { invocation, expiresAt: until }: AnswerPlace,
  clock: Clock,
): Omit<NewAnswer, 'id' | 'actorId' | 'team' | 'channelId'> {
  const { name } = invocation.operation
  switch (each.kind) {
    case 'page':
      return { kind: 'page', operation: each.operation ?? name, values: each.values }
    case 'form':
      return { kind: 'form', operation: each.operation, values: each.values, expiresAt: until }
    case 'more': {
      const expiresAt = new Date(clock.now().getTime() + WRITE_RETENTION_MS)
      return { kind: 'more', operation: name, values: {}, message: each.message, expiresAt }
    }
  }
}
