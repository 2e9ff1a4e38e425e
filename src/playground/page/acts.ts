import * as z from 'zod'
import type { PersonOutcome } from '../slack/interactions.ts'
import type { Person, Target } from '../slack/person.ts'
import type { Sources } from './reader.ts'
import { type Lead, type Stories, STORY_KEYS } from './stories.ts'
import { SEAT_KEYS, SEATS } from './viewpoint.ts'

const MAX_TEXT_CHARACTERS = 12_000
const MAX_CHOICES = 100
const id = z.string().max(300)
const text = z.string().max(MAX_TEXT_CHARACTERS)
const entry = z.union([text, z.array(id).max(MAX_CHOICES)])
const target = z.union([z.strictObject({ channel: id, ts: id }), z.strictObject({ view: id })])
/** What is typed in the open form and not sent yet, by block id: a choice must not lose it. */
const texts = z.record(id, text).default({})
const element = { block: id, action: id }

const act = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('say'), channel: id, text, thread: id.optional() }),
  z.strictObject({ do: z.literal('click'), target, ...element, entry: entry.optional(), texts }),
  z.strictObject({ do: z.literal('choose'), block: id, entry, texts }),
  z.strictObject({ do: z.literal('type'), block: id, text, enter: z.boolean().default(false) }),
  z.strictObject({ do: z.literal('suggest'), ...element, query: text }),
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
  | { readonly ok: true; readonly options?: readonly OfferedOption[]; readonly lead?: Lead }
  | { readonly ok: false; readonly shown: string; readonly inForm?: boolean }

export interface OfferedOption {
  readonly value: string
  readonly text: string
  readonly description: string | undefined
}

/** Does what somebody did on the page. Never rejects: what cannot be done is answered in words. */
export async function perform({ who, act }: ActRequest, sources: Sources, stories: Stories): Promise<ActAnswer> {
  const person = sources.slack.person(SEATS[who].userId)
  try {
    if (act.do === 'control') {
      sources.controls.set(act.id, act.on)
      return { ok: true }
    }
    if (act.do === 'story') return { ok: true, lead: await stories.play(act.key) }
    if (act.do === 'suggest') return await suggested(act, person)
    return answered(await done(act, person))
  } catch (error) {
    return { ok: false, shown: error instanceof Error ? `${error.message}.` : 'That did not work.' }
  }
}

async function done(
  act: Exclude<Act, { do: 'control' | 'story' | 'suggest' }>,
  person: Person,
): Promise<PersonOutcome> {
  switch (act.do) {
    case 'say':
      return person.say(act.channel, act.text, act.thread === undefined ? {} : { threadTs: act.thread })
    case 'click':
      await typed(act.texts, person)
      return person.click(found(act.target, person), act.block, act.action, act.entry)
    case 'choose':
      await typed(act.texts, person)
      return person.choose(act.block, act.entry)
    case 'type':
      return person.choose(act.block, act.text, { enter: act.enter })
    case 'submit':
      return person.submit(act.texts)
    case 'close':
      return person.closeView()
    case 'shortcut':
      return person.shortcut(act.id)
    case 'openHome':
      return person.openHome()
    case 'reload':
      person.reload()
      return { ok: true }
    default:
      return act satisfies never
  }
}

function answered(outcome: PersonOutcome): ActAnswer {
  if (outcome.ok) return { ok: true }
  return { ok: false, shown: outcome.shown, inForm: outcome.errors !== undefined }
}

async function suggested(act: Extract<Act, { do: 'suggest' }>, person: Person): Promise<ActAnswer> {
  const offered = await person.suggest(act.block, act.action, act.query)
  if (!offered.ok) return { ok: false, shown: offered.shown }
  const options = offered.options.map((option) => ({
    value: option.value,
    text: option.text.text,
    description: option.description?.text,
  }))
  return { ok: true, options }
}

async function typed(texts: Readonly<Record<string, string>>, person: Person): Promise<void> {
  for (const [block, typedText] of Object.entries(texts)) await person.choose(block, typedText)
}

function found(given: z.output<typeof target>, person: Person): Target {
  if ('view' in given) {
    const view = [person.view(), person.home()].find((each) => each?.id === given.view)
    if (view === undefined) throw new Error('This form is not open any more')
    return { view }
  }
  const message = person.messages(given.channel).find(({ ts }) => ts === given.ts)
  if (message === undefined) throw new Error('This message is not there any more')
  return { message }
}
