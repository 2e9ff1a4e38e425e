import { DatabaseSync } from 'node:sqlite'
import type { Fault as PlatformFault } from '../../../src/playground/cdn/faults.ts'
import type { Random } from '../../../src/playground/cdn/world/seeded-random.ts'
import { systemClock as clock } from '../../../src/shared/clock.ts'
import type { KillStage } from '../../safety/kill/stage.ts'
import { faultOf, type Broken } from '../../support/broken-answers.ts'
import { failNext, type Fault as SlackFault } from '../../support/failing-slack.ts'

const LEAST_MS = 500
const MOST_MS = 6_000
const MIB = 1_048_576

const PLATFORM: readonly (PlatformFault | Broken)[] = [
  ...[400, 401, 403, 404, 408, 429, 500, 502, 503, 504].map((status) => ({ kind: 'status', status }) as const),
  { kind: 'status', status: 429, retryAfter: '2' },
  { kind: 'status', status: 503, body: 'html', retryAfter: 'soon' },
  { kind: 'reset', carriedOut: false },
  { kind: 'reset', carriedOut: true },
  { kind: 'hang', carriedOut: false },
  { kind: 'hang', carriedOut: true },
  { kind: 'slow', delayMs: 3_000 },
  { kind: 'drip', bytes: 64, everyMs: 20 },
  { kind: 'cut' },
  { kind: 'empty' },
  { kind: 'html' },
  { kind: 'wrong types' },
  { kind: 'extra fields' },
  { kind: 'bad JSON' },
  { kind: 'bad UTF-8' },
  { kind: 'deep' },
  { kind: 'huge', bytes: 16 * MIB, gzip: false },
  { kind: 'huge', bytes: 64 * MIB, gzip: true },
  { kind: 'redirect', location: 'http://elsewhere.example/' },
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
export type Struck = Map<string, number>

type Blow = (stage: KillStage, random: Random, url: string) => Promise<void> | void

const BLOWS: Readonly<Record<string, Blow>> = {
  'platform fails': ({ cdn }, random) =>
    cdn.faults.set('all', faultOf(random.pick(PLATFORM)), { times: random.integer(1, 3) }),
  'platform fails again': ({ cdn }, random) => cdn.faults.set('all', faultOf(random.pick(PLATFORM)), { times: 1 }),
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
  'a link is renewed': ({ slack }) => void slack.disconnectOldest('refresh_requested'),
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
export async function mayhem(stage: KillStage, random: Random, over: AbortSignal): Promise<Struck> {
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
