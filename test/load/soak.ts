import { readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { seededRandom, type Random } from '../../src/playground/cdn/world/seeded-random.ts'
import { systemClock as clock } from '../../src/shared/clock.ts'
import { changesOf, type Facts, factsOf, isAtRest, quiet } from '../safety/kill/facts.ts'
import { judge } from '../safety/kill/judge.ts'
import { type KillStage, openStage } from '../safety/kill/stage.ts'
import { type BotProcess, residentBytes } from '../support/bot.ts'
import { quantile } from './bench/bench.ts'
import type { Fault as PlatformFault } from '../../src/playground/cdn/faults.ts'
import { BROKEN } from '../support/broken-answers.ts'
import { failNext, type Fault as SlackFault } from '../support/failing-slack.ts'
import { CARD_ACTIONS } from '../../src/execution/messages/change-card.ts'
import { ADA, OLGA, OPS, OTTO, VERA } from '../../src/playground/slack/state/seed.ts'
import { BotGone, Play, pressAgain } from '../safety/kill/play.ts'
import { approveIfOpen, playStory, type StoryName } from '../safety/kill/stories.ts'

const LOOK_EVERY_MS = 1_000
/** Of what the bot writes only the end is kept. */
const TAIL_CHARACTERS = 20_000
const UNHANDLED = /nothing handled|unhandled/i
const EXIT_FAILED = 1
const EXIT_USAGE = 2
const MAX_GROWTH_PERCENT = 15
/** Links and connections come and go: so many more are no leak. */
const MAX_MORE_HANDLES = 5

/** What was done, what went wrong on purpose, and how the process and the changes went. */
interface Soaked {
  readonly done: Done
  readonly struck: Struck
  readonly rss: Course
  readonly handles: Course
  readonly changes: number
  readonly requests: number
  readonly problems: readonly string[]
}

/**
 * The real bot under mixed load over loopback while faults of the platform, of Slack
 * and of the store strike at random. `--seed S` draws the same load and faults again, though not at the same moments.
 * The exit code is 1 when it crashed, lost or doubled a change, or grew.
 */
export async function playSoak(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '20' },
      seed: { type: 'string', default: clock.newId().slice(0, 8) },
    },
  })
  const minutes = Number(values.minutes)
  if (!(minutes > 0 && minutes <= 120)) {
    process.stderr.write('--minutes takes a number up to 120.\n')
    return EXIT_USAGE
  }
  const soaked = await soak(minutes, values.seed)
  process.stdout.write(`${reportOf(soaked)}\nSeed: ${values.seed}\n`)
  return soaked.problems.length === 0 ? 0 : EXIT_FAILED
}

/** Mixed load and random faults on one real process for so long; then a quiet time, a proper stop, and the judge. */
async function soak(minutes: number, seed: string): Promise<Soaked> {
  const stage = await openStage('sqlite')
  let unhandled = 0
  const onText = (text: string): void =>
    void (unhandled += text.split('\n').filter((line) => UNHANDLED.test(line)).length)
  const bot = stage.start(undefined, {}, { keptCharacters: TAIL_CHARACTERS, onText })
  try {
    await Promise.race([bot.linked, bot.ended])
    const gone = new AbortController()
    void bot.ended.then(() => gone.abort())
    const over = AbortSignal.any([AbortSignal.timeout(minutes * 60_000), gone.signal])
    const [sizes, done, struck] = await Promise.all([
      watching(bot, over),
      load(stage, bot, seededRandom(`${seed}/load`), over),
      mayhem(stage, seededRandom(`${seed}/mayhem`), over),
    ])
    const { changes, requests, ownEnds, ...facts } = await settledFacts(stage, bot, struck)
    const [rss, handles] = [courseOf(sizes.map(({ rssMb }) => rssMb)), courseOf(sizes.map((size) => size.handles))]
    const problems = [
      ...judge({ changes, requests, ownEnds, ...facts }),
      ...(rss.growth <= MAX_GROWTH_PERCENT ? [] : [`memory grew by ${rss.growth.toFixed(1)} %`]),
      ...(handles.last - handles.first <= MAX_MORE_HANDLES ? [] : ['file handles grew']),
      ...(unhandled === 0 ? [] : [`${unhandled} errors that nothing handled`]),
      ...(ownEnds.length === 0 ? [] : [`it wrote last:\n${(bot.output() + bot.errors()).slice(-3_000)}`]),
    ]
    const asked = changes.filter(({ wasAskedFor }) => wasAskedFor).length
    return { done, struck, rss, handles, changes: asked, requests: requests.length, problems }
  } finally {
    bot.kill('SIGKILL')
    await bot.ended
    await stage.close()
  }
}

async function settledFacts(stage: KillStage, bot: BotProcess, struck: Struck): Promise<Facts> {
  for (const id of WRITERS) stage.slack.person(id).reload()
  await quiet(stage, bot.isAlive)
  const endedBefore = !bot.isAlive()
  bot.kill('SIGTERM')
  const { code, signal } = await bot.ended
  const { cdn, requests } = stage
  const writes = cdn.count('addDnsRecord') + cdn.count('createVideoLibrary')
  if (writes > requests.length) throw new Error('The run is too long: the emulated platform forgot its first requests')
  return factsOf(stage, {
    // Nothing is killed; but of a post that Slack took and did not answer nobody knows, which explains a second one.
    kills: struck.get('a call to Slack fails') ?? 0,
    ownEnds: endedBefore || code !== 0 ? [`exit ${code ?? signal}${endedBefore ? ' before it was told to' : ''}`] : [],
  })
}

function reportOf({ done, struck, rss, handles, changes, requests, problems }: Soaked): string {
  return [
    `stories played to the end ${done.stories}, given up ${done.givenUp}; reads ${done.reads}`,
    `changes asked for ${changes}; writes at the platform ${requests}`,
    `faults: ${[...struck].map(([name, times]) => `${name} ${times}`).join(', ')}`,
    `memory in MB: ${courseWords(rss)}`,
    `file handles: ${courseWords(handles)}`,
    `problems: ${problems.length}`,
    ...problems.map((problem) => `  ${problem}`),
  ].join('\n')
}

/** How a quantity went: its median soon after the start and at the end, and by how many percent that grew. */
interface Course {
  readonly first: number
  readonly last: number
  readonly most: number
  readonly growth: number
}

/** Without the first quarter, in which caches fill up: the next quarter against the last one. */
function courseOf(values: readonly number[]): Course {
  const part = Math.max(1, Math.ceil(values.length / 4))
  const warm = values.slice(Math.floor(values.length / 4))
  const first = quantile(warm.slice(0, part), 0.5)
  const last = quantile(warm.slice(-part), 0.5)
  return { first, last, most: Math.max(0, ...values), growth: (last / first - 1) * 100 }
}

function courseWords({ first, last, most, growth }: Course): string {
  return `${first.toFixed(1)} at first, ${last.toFixed(1)} at last (${growth.toFixed(1)} %), ${most.toFixed(1)} at most`
}

async function watching(bot: BotProcess, over: AbortSignal) {
  const sizes: { readonly rssMb: number; readonly handles: number }[] = []
  while (!over.aborted) {
    const handles = () => readdirSync(`/proc/${bot.pid}/fd`).length
    if (bot.isAlive()) sizes.push({ rssMb: residentBytes(bot.pid, 'VmRSS') / MIB, handles: handles() })
    await nap(LOOK_EVERY_MS, over)
  }
  return sizes
}

const LEAST_MS = 500
const MOST_MS = 6_000
const MIB = 1_048_576

const PLATFORM: readonly PlatformFault[] = [
  ...[400, 401, 403, 404, 408, 429, 500, 502, 503, 504].map((status) => ({ kind: 'status', status }) as const),
  { kind: 'status', status: 429, retryAfter: '2' },
  { kind: 'reset', carriedOut: false },
  { kind: 'reset', carriedOut: true },
  { kind: 'hang', carriedOut: false },
  { kind: 'hang', carriedOut: true },
  { kind: 'slow', delayMs: 3_000 },
  ...Object.values(BROKEN),
]
const SLACK: readonly SlackFault[] = [
  { status: 503 },
  { status: 429, retryAfterS: 2 },
  { error: 'internal_error' },
  { hang: true },
  { hang: true, carriedOut: true },
  { reset: true },
  { reset: true, carriedOut: true },
  { delayMs: 2_000 },
]
const METHODS = ['chat.postMessage', 'chat.update', 'views.open', 'views.update', 'users.info', 'response_url'] as const

/** What went wrong on purpose, how often, by name. */
type Struck = Map<string, number>

type Blow = (stage: KillStage, random: Random, url: string) => Promise<void> | void

const BLOWS: Readonly<Record<string, Blow>> = {
  'platform fails': ({ cdn }, random) => cdn.faults.set('all', random.pick(PLATFORM), { times: random.integer(1, 3) }),
  'a call to Slack fails': ({ slack }, random) => failNext(slack, random.pick(METHODS), random.pick(SLACK)),
  'Slack is down': async ({ slack }, random) => {
    slack.switches.down = true
    await clock.sleep(random.integer(500, 4_000))
    slack.switches.down = false
  },
  'no new messages': async ({ slack }, random) => {
    slack.switches.refusePosts = true
    await clock.sleep(random.integer(500, 4_000))
    slack.switches.refusePosts = false
  },
  'links drop': ({ slack }) => slack.dropAll(),
  'links cannot be had': async ({ slack }, random) => {
    slack.switches.refuseConnections = true
    slack.dropAll()
    await clock.sleep(random.integer(500, 5_000))
    slack.switches.refuseConnections = false
  },
  'a link is renewed': ({ slack }) => slack.disconnectOldest(),
  'an acknowledgement is lost': ({ slack }) => slack.parts.deliveries.loseNextAck(),
  'the store is locked': async (_, random, url) => {
    const database = new DatabaseSync(url, { timeout: 1_000 })
    try {
      database.exec('BEGIN IMMEDIATE')
      await clock.sleep(random.integer(100, 3_000))
      database.exec('ROLLBACK')
    } finally {
      database.close()
    }
  },
}

/** Lets something go wrong every few seconds until `over`, and puts everything right at the end. */
async function mayhem(stage: KillStage, random: Random, over: AbortSignal): Promise<Struck> {
  const struck: Struck = new Map()
  const { STORE_URL: url } = stage.store.settings
  while (!over.aborted) {
    const name = random.pick(Object.keys(BLOWS))
    struck.set(name, (struck.get(name) ?? 0) + 1)
    await BLOWS[name]?.(stage, random, url)
    await clock.sleep(random.integer(LEAST_MS, MOST_MS), over).catch(() => undefined)
  }
  stage.cdn.faults.clear()
  // A plan of failures is replaced by one that has run out.
  for (const method of METHODS) failNext(stage.slack, method, { status: 503, times: 0 })
  return struck
}

const READS = [
  'help',
  'whoami',
  'status',
  'zones list',
  'changes list',
  'audit',
  'logs 301',
  'storage stats 101',
  'dns add',
] as const
const STORIES: readonly StoryName[] = [
  'record',
  'library',
  'approval',
  'declined',
  'cancelled',
  'form',
  'zones',
  'keys',
  'denied',
]
const BETWEEN_STORIES_MS = 1_500
const LEAST_BETWEEN_READS_MS = 200
const MOST_BETWEEN_READS_MS = 3_000

/** What people did, and how often it came to nothing that they see, which faults explain. */
interface Done {
  stories: number
  givenUp: number
  reads: number
}

/** Two loads at once until `over`: people who change things, and people who look. */
async function load(stage: KillStage, bot: BotProcess, random: Random, over: AbortSignal): Promise<Done> {
  const done: Done = { stories: 0, givenUp: 0, reads: 0 }
  await Promise.all([writing(stage, bot, random, over, done), reading(stage, random, over, done)])
  return done
}

async function writing(
  stage: KillStage,
  bot: BotProcess,
  random: Random,
  over: AbortSignal,
  done: Done,
): Promise<void> {
  for (let number = 0; !over.aborted && bot.isAlive(); number += 1) {
    const play = new Play(stage, bot, `k${number}x${random.hex(6)}`)
    try {
      await pressAgain(play)
      await takeUpOne(stage, bot)
      await playStory(random.pick(STORIES), play)
      done.stories += 1
    } catch (error) {
      if (error instanceof BotGone) return
      done.givenUp += 1
    }
    await nap(BETWEEN_STORIES_MS, over)
  }
}

/** Somebody approves what was left waiting, or looks what became of a change and says it truthfully. */
async function takeUpOne(stage: KillStage, bot: BotProcess): Promise<void> {
  const left = (await changesOf(stage.store)).find(
    ({ state, message, isShown }) => isShown && message !== undefined && (state === 'waiting' || state === 'unknown'),
  )
  if (left === undefined) return
  const play = new Play(stage, bot, left.name)
  if (left.state === 'waiting') return approveIfOpen(play)
  if (!isAtRest(left)) return
  const isThere = stage.created().includes(left.name)
  await play.click(OTTO, isThere ? CARD_ACTIONS.exists : CARD_ACTIONS.absent)
}

async function reading({ slack }: KillStage, random: Random, over: AbortSignal, done: Done): Promise<void> {
  while (!over.aborted) {
    const person = slack.person(random.pick([VERA, OTTO, ADA]))
    await person.command(OPS, `/cdn ${random.pick(READS)}`).catch(() => undefined)
    if (random.next() < 0.2) await person.openHome().catch(() => undefined)
    done.reads += 1
    await nap(random.integer(LEAST_BETWEEN_READS_MS, MOST_BETWEEN_READS_MS), over)
  }
}

async function nap(ms: number, over: AbortSignal): Promise<void> {
  await clock.sleep(ms, over).catch(() => undefined)
}

/** Who writes: their forms are closed at the end. */
const WRITERS = [OLGA, OTTO, ADA] as const
