import { actions, button } from '../block-kit/buttons.ts'
import { type Message, withBlocks } from '../block-kit/message.ts'
import type { Answer, AnswerButton } from '../operations/answer.ts'
import type { Invocation } from '../operations/operation.ts'
import type { Actor } from '../operations/role.ts'
import type { Clock } from '../shared/clock.ts'
import type { Answers, NewAnswer } from '../store/answers.ts'

/** Ids of the buttons under an answer; the listeners take clicks by these. */
export const ANSWER_ACTIONS = {
  page: 'answer:page',
  more: 'answer:more',
  form: 'answer:form',
  share: 'answer:share',
} as const

const BLOCK_ID = 'answer'
/** Slack shows more in a row, but nobody reads them. */
const MAX_BUTTONS = 6
/** The details of a write are kept longer than those of a read: they cannot be asked for again. */
const WRITE_RETENTION_MS = 7 * 86_400_000

export interface AnswerPlace {
  readonly invocation: Invocation
  readonly actor: Actor
  readonly channelId: string | undefined
}

/**
 * The message of an answer with its buttons, each of which carries only an id; what it does is kept in the store.
 * When the store cannot keep it, the answer is shown without buttons: reading goes on.
 */
export async function withButtons(
  answer: Answer,
  place: AnswerPlace,
  answers: Answers,
  clock: Clock,
): Promise<Message> {
  const wanted: NewAnswer[] = []
  const elements = (answer.buttons ?? []).slice(0, MAX_BUTTONS - 1).map((each, index) => {
    const kept = keep(each, place, clock)
    wanted.push(kept)
    return button({ actionId: `${ANSWER_ACTIONS[each.kind]}:${index}`, text: each.label, value: kept.id })
  })
  if (place.invocation.operation.shareable) {
    const share = shareable(answer.message, place, clock)
    wanted.push(share)
    elements.push(button({ actionId: ANSWER_ACTIONS.share, text: 'Share in channel', value: share.id }))
  }
  if (elements.length === 0) return answer.message
  try {
    for (const each of wanted) await answers.put(each)
  } catch {
    return answer.message
  }
  return withBlocks(answer.message, actions(BLOCK_ID, elements))
}

function keep(each: AnswerButton, { invocation, actor, channelId }: AnswerPlace, clock: Clock): NewAnswer {
  const common = { id: clock.newId(), actorId: actor.id, team: actor.team, channelId }
  const { name } = invocation.operation
  switch (each.kind) {
    case 'page':
      return { ...common, kind: 'page', operation: each.operation ?? name, values: each.values }
    case 'form':
      return { ...common, kind: 'form', operation: each.operation, values: each.values }
    case 'more': {
      const expiresAt = new Date(clock.now().getTime() + WRITE_RETENTION_MS)
      return { ...common, kind: 'more', operation: name, values: {}, message: each.message, expiresAt }
    }
  }
}

function shareable(message: Message, { invocation, actor, channelId }: AnswerPlace, clock: Clock): NewAnswer {
  const { operation, values } = invocation
  return {
    id: clock.newId(),
    kind: 'share',
    operation: operation.name,
    values,
    actorId: actor.id,
    team: actor.team,
    channelId,
    message,
  }
}
