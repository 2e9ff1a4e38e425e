import * as z from 'zod'
import type { PersonOutcome } from '../slack/interactions.ts'
import type { Option } from '../slack/blocks/blocks.ts'
import type { Person } from '../slack/person.ts'
import type { Stage } from '../stage/stage.ts'
import { type Lead, type Stories, STORY_KEYS } from './stories.ts'
import { SEAT_KEYS, SEATS } from './viewpoint.ts'

const MAX_TEXT_CHARACTERS = 12_000
const MAX_CHOICES = 100
const id = z.string().max(300)
const text = z.string().max(MAX_TEXT_CHARACTERS)
const entry = z.union([text, z.array(id).max(MAX_CHOICES)])
const target = z.union([
  z.strictObject({ message: z.strictObject({ channel: id, ts: id }) }),
  z.strictObject({ view: z.strictObject({ id }) }),
])
/** What is typed in the open form and not sent yet, by block id: a choice must not lose it. */
const texts = z.record(id, text).default({})
const element = { block: id, action: id }

const act = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('say'), channel: id, text, thread: id.optional() }),
  z.strictObject({ do: z.literal('click'), target, ...element, entry: entry.optional(), texts }),
  z.strictObject({ do: z.literal('choose'), block: id, entry, enter: z.boolean().default(false), texts }),
  z.strictObject({ do: z.literal('suggest'), ...element, query: text }),
  z.strictObject({ do: z.literal('search'), ...element, query: text, texts }),
  z.strictObject({ do: z.literal('submit'), texts }),
  z.strictObject({ do: z.literal('close') }),
  z.strictObject({ do: z.literal('shortcut'), id }),
  z.strictObject({ do: z.literal('openHome') }),
  z.strictObject({ do: z.literal('reload') }),
  z.strictObject({ do: z.literal('control'), id, on: z.boolean() }),
  z.strictObject({ do: z.literal('story'), key: z.enum(STORY_KEYS) }),
])

export const request = z.strictObject({ who: z.enum(SEAT_KEYS), act })
export type ActRequest = z.output<typeof request>
type Act = ActRequest['act']

/** What comes of it: nothing to say, Slack's words for what went wrong, or what was asked for. */
export type ActAnswer =
  | {
      readonly ok: true
      readonly options?: readonly Option[]
      readonly taken?: string | undefined
      readonly lead?: Lead
    }
  | { readonly ok: false; readonly shown: string; readonly inForm?: boolean }

/** Does what somebody did on the page. Never rejects: what cannot be done is answered in words. */
export async function perform({ who, act }: ActRequest, stage: Stage, stories: Stories): Promise<ActAnswer> {
  try {
    return await done(act, stage.slack.person(SEATS[who].userId), stage, stories)
  } catch (error) {
    return { ok: false, shown: error instanceof Error ? `${error.message}.` : 'That did not work.' }
  }
}

async function done(act: Act, person: Person, { controls }: Stage, stories: Stories): Promise<ActAnswer> {
  if ('texts' in act && act.do !== 'submit') {
    for (const [block, typed] of Object.entries(act.texts)) await person.choose(block, typed)
  }
  switch (act.do) {
    case 'say':
      return answered(await person.say(act.channel, act.text, act.thread === undefined ? {} : { threadTs: act.thread }))
    case 'click':
      return answered(await person.click(act.target, act.block, act.action, act.entry))
    case 'choose':
      return answered(await person.choose(act.block, act.entry, { enter: act.enter }))
    case 'suggest':
      return person.suggest(act.block, act.action, act.query)
    case 'search':
      return searched(act, person)
    case 'submit':
      return answered(await person.submit(act.texts))
    case 'close':
      return answered(await person.closeView())
    case 'shortcut':
      return answered(await person.shortcut(act.id))
    case 'openHome':
      return answered(await person.openHome())
    case 'reload':
      person.reload()
      return { ok: true }
    case 'control':
      controls.set(act.id, act.on)
      return { ok: true }
    case 'story':
      return { ok: true, lead: await stories.play(act.key) }
    default:
      return act satisfies never
  }
}

function answered(outcome: PersonOutcome): ActAnswer {
  return outcome.ok ? outcome : { ok: false, shown: outcome.shown, inForm: outcome.errors !== undefined }
}

/** Chooses what is called so, or else the first of what the app has for it; nothing where nothing was typed. */
async function searched({ block, action, query }: Extract<Act, { do: 'search' }>, person: Person): Promise<ActAnswer> {
  const offered = query === '' ? undefined : await person.suggest(block, action, query)
  if (offered?.ok === false) return offered
  const taken = offered?.options.find(({ text: { text } }) => text === query) ?? offered?.options[0]
  const answer = answered(await person.choose(block, taken?.value ?? query))
  return answer.ok ? { ok: true, taken: taken?.text.text } : answer
}
