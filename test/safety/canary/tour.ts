import { readdir, readFile, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { FastClock } from '../../../src/playground/stage/fast-clock.ts'
import { ADA, OLGA, OTTO, VERA } from '../../../src/playground/slack/state/seed.ts'
import { playTour, type Step, stepsOfTour, types } from '../../../src/playground/tour/tour.ts'
import { DONE } from '../../../src/playground/slack/interactions.ts'
import { systemClock, type Clock } from '../../../src/shared/clock.ts'
import type { Canary } from './spellings.ts'
import { startCdnEmulator } from '../../../src/playground/cdn/emulator.ts'
import { startSlackEmulator } from '../../../src/playground/slack/emulator.ts'
import { PLAYGROUND_CONFIG, type Stage } from '../../../src/playground/stage/stage.ts'
import { closedPort, settingsFor, startBotHere } from '../../support/bot.ts'

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

/** What the planted keys are used for: all that a company would trust the bot and the platform with. */
export interface PlantedKeys {
  readonly botToken: string
  readonly appToken: string
  readonly accessKey: string
  readonly auditKey: string
  /** Parts of two addresses of the settings. */
  readonly webhook: string
  readonly heartbeat: string
  readonly apiKeys: readonly string[]
  readonly libraryKeys: readonly [string, string, string]
  readonly authorization: string
  readonly urlSecret: string
}

export interface TourStage extends Stage {
  /** Where everything of the bot's lies. */
  readonly folder: string
  readonly store: string
  readonly log: () => string
  /** What came to the webhook and the heartbeat, without the addresses themselves. */
  readonly told: () => string
  /** Address of the health pages. */
  readonly health: string
}

/** The stage of the tour, with these keys in place of made-up ones and the log at its most talkative. */
async function startTourStage(clock: Clock, keys: PlantedKeys): Promise<TourStage> {
  const { botToken, appToken, accessKey, apiKeys, libraryKeys, authorization, urlSecret } = keys
  const folder = await mkdtemp(join(tmpdir(), 'cdn-ops-canary-'))
  const store = join(folder, 'store.sqlite')
  const slack = await startSlackEmulator({ clock, botToken, appToken })
  const cdn = await startCdnEmulator({
    clock,
    accessKey,
    canaries: { apiKeys, libraryKeys, authorization, urlSecret },
  })
  const bodies: string[] = []
  const listener = await startListener(bodies)
  const port = await closedPort()
  const { ADMINS: _, OPERATORS: _operators, VIEWERS: _viewers, ...usual } = settingsFor(slack, cdn, store)
  const variables = {
    ...usual,
    CDN_PANEL_URL: 'https://panel.example.com/{place}/{id}',
    AUDIT_KEY: keys.auditKey,
    ALERT_WEBHOOK_URL: `${listener.url}/${keys.webhook}`,
    HEARTBEAT_URL: `${listener.url}/${keys.heartbeat}`,
    HEALTH_PORT: String(port),
    LOG_LEVEL: 'debug',
  }
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  const { app: bot } = await startBotHere({ variables, config: PLAYGROUND_CONFIG, clock, log })
  await bot.linked
  return {
    slack,
    cdn,
    bot,
    clock,
    folder,
    store,
    log: () => lines.join(''),
    told: () => bodies.join('\n'),
    health: `http://127.0.0.1:${port}`,
    async close() {
      await bot.stop()
      listener.server.closeAllConnections()
      listener.server.close()
      await Promise.all([slack.close(), cdn.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Takes whatever it is sent, and keeps all but the address. */
async function startListener(bodies: string[]): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    bodies.push(JSON.stringify(request.headers))
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString())).on('end', () => response.end('ok'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has this form of address
  return { url: `http://127.0.0.1:${port}`, server }
}
