import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FastClock } from '../../../src/playground/fast-clock.ts'
import { ADA, OLGA, OTTO, VERA } from '../../../src/playground/slack/seed.ts'
import { stepsOfTour } from '../../../src/playground/tour/steps.ts'
import { playTour, type Step } from '../../../src/playground/tour/tour.ts'
import { types } from '../../../src/playground/tour/doing.ts'
import { DONE } from '../../../src/playground/slack/interactions.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import type { Canary } from './spellings.ts'
import { type PlantedKeys, startTourStage, type TourStage } from './tour-stage.ts'

/** How many are put into answers of the platform as keys of the account, and how many into values meant to be secret. */
const LISTED = 12
const VARIABLES = 4

/** All that left the bot, or that it left behind, by name. */
export type Sinks = Readonly<Record<string, string>>

export interface Toured {
  readonly sinks: Sinks
  /** Steps that did not go as they should. */
  readonly missed: number
}

/** Which key is planted where. All that have no other place are typed by people who do not know better. */
function placed(planted: readonly Canary[]): { keys: PlantedKeys; variables: string[]; typed: string[] } {
  const rest = planted.map(({ kind, value }) => ({ kind, value }))
  const take = (kind?: string): string => {
    const at = kind === undefined ? 0 : rest.findIndex((each) => each.kind === kind)
    const [taken] = rest.splice(at, 1)
    if (at < 0 || taken === undefined) throw new Error(`There is no key left to be planted as ${kind ?? 'one of many'}`)
    return taken.value
  }
  const keys: PlantedKeys = {
    botToken: take('Slack bot'),
    appToken: take('Slack app'),
    accessKey: take('content network'),
    auditKey: take('vault'),
    webhook: take('payment'),
    heartbeat: take('dashboards'),
    authorization: `Bearer ${take('token that says what it is')}`,
    urlSecret: take('webhook signature'),
    libraryKeys: [take('storage of a content network'), take('data'), take('infrastructure')],
    apiKeys: Array.from({ length: LISTED }, () => take()),
  }
  const variables = Array.from({ length: VARIABLES }, () =>
    take('random' === rest[0]?.kind ? rest[1]?.kind : undefined),
  )
  return { keys, variables, typed: rest.map(({ value }) => value) }
}

/** Plays the whole tour with keys planted wherever there is one, and more people who mistake the bot for a vault. */
export async function tour(planted: readonly Canary[], print: (line: string) => void): Promise<Toured> {
  const clock = new FastClock(systemClock)
  const { keys, variables, typed } = placed(planted)
  const stage = await startTourStage(clock, keys)
  try {
    const steps = [...stepsOfTour(clock), ...mistakes(variables, typed)]
    const printed: string[] = []
    const good = await playTour(stage, steps, (line) => printed.push(line))
    for (const line of printed.filter((each) => each.includes('✗'))) print(line)
    return { sinks: await sinksOf(stage, printed), missed: steps.length - good }
  } finally {
    await stage.close()
  }
}

/** What is typed but once, by people in a hurry. */
function mistakes(variables: readonly string[], typed: readonly string[]): readonly Step[] {
  return [
    ...variables.flatMap((value, index): Step[] => [
      {
        who: 'Olga',
        ...types(`/cdn dns add 201 Script canary${index} 77 --variables TOKEN=${value}`),
        expect: [/═══ Review ═══/],
      },
      // Every other one is left as it is.
      index % 2 === 0
        ? { who: 'Olga', does: 'confirms', act: (person) => person.submit(), expect: [/═══ (Done|Review) ═══|Done/] }
        : { who: 'Olga', does: 'closes it', act: async (person) => person.closeView(), expect: [] },
    ]),
    ...typed.map((value, index): Step => ({
      who: index % 2 === 0 ? 'Vera' : 'Olga',
      ...types(TYPED[index % TYPED.length]?.(value) ?? value),
      expect: [/looks like a key or a password/, /make a new one/],
    })),
    {
      who: 'Ada',
      ...types('/cdn audit --csv'),
      expect: [/audit|record|entries/i],
    },
    { who: 'Olga', does: 'looks around', act: async () => DONE, expect: [] },
  ]
}

const TYPED: readonly ((value: string) => string)[] = [
  (value) => `/cdn ${value}`,
  (value) => `/cdn rotate ${value}`,
  (value) => `/cdn keys list ${/^[0-9a-zA-Z]{40}$/.test(value) ? `${value} ${value}` : value}`,
]

async function sinksOf(stage: TourStage, printed: readonly string[]): Promise<Sinks> {
  const { slack, bot, folder, health } = stage
  const people = [ADA, OLGA, OTTO, VERA].map((id) => slack.person(id))
  const running = await contentOf(folder)
  const record = JSON.stringify(await bot.record.list({ limit: 1_000 }))
  const page = async (path: string): Promise<string> => (await fetch(`${health}${path}`)).text()
  const metrics = (await bot.metrics.registry.metrics()) + (await page('/metrics'))
  const pages = (await page('/healthz')) + (await page('/readyz'))
  await bot.stop()
  return {
    log: stage.log(),
    'calls to Slack': slack.calls.map(({ method, args }) => JSON.stringify([method, args])).join('\n'),
    'what people see': printed.join('\n'),
    'files for people': people.flatMap((person) => person.files().map(({ content }) => content)).join('\n'),
    'names of files': people
      .flatMap((person) => person.files().map((file) => JSON.stringify({ ...file, content: '' })))
      .join('\n'),
    'store while it runs': running,
    'store afterwards': await contentOf(folder),
    record,
    metrics,
    'health pages': pages,
    'webhook and heartbeat': stage.told(),
  }
}

/** Names and bytes of everything in a folder. */
async function contentOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true })
  const texts = await Promise.all(
    names.map(async (name) => name + (await readFile(join(folder, name), 'latin1').catch(() => ''))),
  )
  return texts.join('\n')
}
