import * as z from 'zod'
import type { Clock } from '../../shared/clock.ts'
import { CHANNELS, MEMBERS, OLGA } from '../slack/state/seed.ts'
import { FastClock } from '../stage/fast-clock.ts'
import { type Stage, startStage } from '../stage/stage.ts'
import { playTour, stepsOfTour } from '../tour/tour.ts'

const MAX_KINDS = 24

const Message = z.object({ text: z.string(), blocks: z.array(z.record(z.string(), z.unknown())).min(1) })
const View = z.looseObject({
  type: z.enum(['modal', 'home']),
  title: z.looseObject({ text: z.string() }).optional(),
  blocks: z.array(z.unknown()),
})

/** A message or a view as the bot sends it, with what it is made of. */
export interface Sample<Content> {
  readonly name: string
  readonly types: ReadonlySet<string>
  readonly content: Content
}

export type Samples = ReturnType<typeof samplesOf>

/** Plays the tour and takes one message and one view of each make that the bot sent, at most 24 of both. */
export async function collectSamples(real: Clock): Promise<Samples> {
  const stage = await startStage({ clock: new FastClock(real) })
  try {
    await playTour(stage, stepsOfTour(), () => undefined)
    await stage.slack.person(OLGA).openHome()
    await stage.slack.until(() => stage.slack.calls.some(({ method }) => method === 'views.publish'))
    return samplesOf(stage)
  } finally {
    await stage.close()
  }
}

function samplesOf({ slack }: Stage) {
  const answers = slack.deliveries.flatMap(({ answer }) => (answer === undefined ? [] : [answer]))
  const sent: readonly Readonly<Record<string, unknown>>[] = [...slack.calls.map(({ args }) => args), ...answers]
  const messages = sent.flatMap((args) => Message.safeParse(args).data ?? [])
  const views = sent.flatMap(({ view }) => View.safeParse(view).data ?? [])
  const nameOf = ({ title }: z.output<typeof View>) => title?.text ?? 'Home'
  return {
    messages: oneOfEach(messages, ({ text }) => text.split('\n', 1)[0]?.slice(0, 60) ?? ''),
    // The id is the workspace's, and may be in use there.
    views: oneOfEach(views, nameOf).map((sample) => ({
      ...sample,
      content: { ...sample.content, external_id: undefined },
    })),
  }
}

function oneOfEach<Content extends { readonly blocks: readonly unknown[] }>(
  all: readonly Content[],
  nameOf: (content: Content) => string,
): readonly Sample<Content>[] {
  const found = new Map<string, Sample<Content>>()
  for (const content of all) {
    const types = typesIn(content.blocks)
    const name = nameOf(content)
    const make = [...types].toSorted().join(' ')
    // Of messages what differs is what they are made of; views of the same make may be another step.
    const key = 'type' in content ? `${name} ${make}` : make
    // The last is the one that went through all changes.
    if (found.size < MAX_KINDS || found.has(key)) found.set(key, { name, types, content })
  }
  return [...found.values()]
}

function typesIn(part: unknown): ReadonlySet<string> {
  if (typeof part !== 'object' || part === null) return new Set()
  const own = 'type' in part && typeof part.type === 'string' ? [part.type] : []
  return new Set([...own, ...Object.values(part).flatMap((inner) => [...typesIn(inner)])])
}

/** The content with the people and channels of the playground replaced by those who are there. */
export function addressed<Content>(
  content: Content,
  { person, channel }: { readonly person: string; readonly channel: string },
): Content {
  const people = MEMBERS.map(({ id }) => id)
  const ids = new RegExp([...people, ...CHANNELS.map(({ id }) => id)].join('|'), 'g')
  const text = JSON.stringify(content).replaceAll(ids, (id) => (people.includes(id) ? person : channel))
  return JSON.parse(text) as Content // The same shape: only ids changed.
}
