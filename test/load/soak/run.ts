import { seededRandom } from '../../../src/playground/cdn/world/seeded-random.ts'
import { systemClock as clock } from '../../../src/shared/clock.ts'
import { auditOf, changesOf, isAtRest, undeliveredOf } from '../../safety/kill/facts.ts'
import { judge, type Violation } from '../../safety/kill/judge.ts'
import { type KillStage, openStage } from '../../safety/kill/stage.ts'
import { settingsFor } from '../../support/bot-process.ts'
import { type Course, courseOf } from './flatness.ts'
import { type Done, load, WRITERS } from './load.ts'
import { mayhem, type Struck } from './mayhem.ts'
import { type Size, type SoakedBot, startSoakedBot } from './soaked-bot.ts'

const LOOK_EVERY_MS = 1_000
/** Leases, deadlines and repetitions are over by then. */
const QUIET_WITHIN_MS = 180_000

/** How a soak went, in figures. */
export interface Soaked {
  readonly done: Done
  readonly struck: Struck
  readonly rss: Course
  readonly handles: Course
  readonly changes: number
  readonly requests: number
  readonly unhandled: number
  readonly violations: readonly Violation[]
  /** The end of what the bot wrote, where it ended by itself. */
  readonly lastWords: string | undefined
}

/** Mixed load and random faults on one real process for so long; then a quiet time, a proper stop, and the judge. */
export async function soak(minutes: number, seed: string): Promise<Soaked> {
  const stage = await openStage({ kind: 'sqlite' })
  const bot = startSoakedBot({ ...settingsFor(stage.slack, stage.cdn, ''), ...stage.store.settings, CHANGE_LEASE: '2' })
  try {
    await Promise.race([bot.linked, bot.ended])
    const over = AbortSignal.any([AbortSignal.timeout(minutes * 60_000), whenGone(bot)])
    const [sizes, done, struck] = await Promise.all([
      watching(bot, over),
      load(stage, bot, seededRandom(`${seed}/load`), over),
      mayhem(stage, seededRandom(`${seed}/mayhem`), over),
    ])
    return await judged(stage, bot, { done, struck, sizes })
  } finally {
    bot.kill('SIGKILL')
    await bot.ended
    await stage.close()
  }
}

function whenGone(bot: SoakedBot): AbortSignal {
  const gone = new AbortController()
  void bot.ended.then(() => gone.abort())
  return gone.signal
}

async function watching(bot: SoakedBot, over: AbortSignal): Promise<readonly Size[]> {
  const sizes: Size[] = []
  while (!over.aborted) {
    const size = await bot.size()
    if (size !== undefined) sizes.push(size)
    await clock.sleep(LOOK_EVERY_MS, over).catch(() => undefined)
  }
  return sizes
}

async function judged(
  stage: KillStage,
  bot: SoakedBot,
  { done, struck, sizes }: { readonly done: Done; readonly struck: Struck; readonly sizes: readonly Size[] },
): Promise<Soaked> {
  for (const id of WRITERS) stage.slack.person(id).reload()
  await quiet(stage, bot)
  const endedBefore = !bot.isAlive()
  bot.kill('SIGTERM')
  const { code, signal } = await bot.ended
  const { slack, cdn, store, requests, accepted } = stage
  const changes = await changesOf(store)
  const facts = {
    changes,
    requests,
    accepted,
    audit: await auditOf(store),
    created: stage.created(),
    messages: slack.messages
      .filter(({ visibleTo }) => visibleTo === undefined)
      .map(({ channel, ts, text, blocks }) => ({ channel, ts, text: `${text} ${JSON.stringify(blocks)}` })),
    undelivered: await undeliveredOf(store),
    chain: await store.verify(),
    // Nothing is killed; but of a post that Slack took and did not answer nobody knows, which explains a second one.
    kills: struck.get('a call to Slack fails') ?? 0,
    ownEnds: endedBefore || code !== 0 ? [`exit ${code ?? signal}${endedBefore ? ' before it was told to' : ''}`] : [],
  }
  const writes = cdn.count('addDnsRecord') + cdn.count('createVideoLibrary')
  if (writes > requests.length) throw new Error('The run is too long: the emulated platform forgot its first requests')
  return {
    done,
    struck,
    rss: courseOf(sizes, 'rssMb'),
    handles: courseOf(sizes, 'handles'),
    changes: changes.filter(({ wasAskedFor }) => wasAskedFor).length,
    requests: requests.length,
    unhandled: bot.unhandled(),
    violations: judge(facts),
    lastWords: facts.ownEnds.length > 0 ? bot.output().slice(-3_000) : undefined,
  }
}

async function quiet(stage: KillStage, bot: SoakedBot): Promise<void> {
  const giveUpMs = clock.monotonicMs() + QUIET_WITHIN_MS
  while (bot.isAlive() && clock.monotonicMs() < giveUpMs) {
    if ((await changesOf(stage.store)).every(isAtRest) && (await undeliveredOf(stage.store)) === 0) return
    await clock.sleep(LOOK_EVERY_MS)
  }
}
