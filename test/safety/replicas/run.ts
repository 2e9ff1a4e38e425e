import { seededRandom } from '../../../src/playground/cdn/world/seeded-random.ts'
import { ADA, OLGA, OPS, OTTO } from '../../../src/playground/slack/state/seed.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { type Facts, factsOf, quiet } from '../kill/facts.ts'
import { judge } from '../kill/judge.ts'
import { Play, pressAgain } from '../kill/play.ts'
import { playStory, type StoryName } from '../kill/stories.ts'
import { Trio, worstWindow } from './trio.ts'

/** What people do in each round, one after the other, as all have the same few people in them. */
const STORIES: readonly StoryName[] = [
  'record',
  'approval',
  'library',
  'zones',
  'keys',
  'declined',
  'cancelled',
  'denied',
]
const STORIES_A_ROUND = 3
const LOG_COMMANDS = 3
/** The pull zone whose log everybody wants, and whose origin fails now and then. */
const ZONE = 301n
const OUTAGE_MS = 6 * 60_000
/** From the beginning of one outage to that of the next: the incident of the first is over by then. */
const OUTAGE_EVERY_MS = 30 * 60_000
/** An incident is dated by whole minutes, of which the first may be too short to show it; a change of the holder adds nothing. */
const LATEST_START_MS = 3 * 60_000
/** When an incident began, as its card shows it: Slack's date in seconds. */
const BEGAN = /<!date\^(\d+)\^/
const LONGEST_PAUSE_MS = 3_000
/** A frozen one is woken so long after somebody else has taken its work at the most. */
const LONGEST_SLEEP_MS = 3_000
const ALLOWED = 30
const NEVER = new Promise<never>(() => undefined)

export interface ReplicasResult {
  /** Stories that came to their end. */
  readonly told: number
  /** The longest that nobody worked in the background after a kill, and after a stop that was asked for. */
  readonly takeOverMs: { readonly killed: number; readonly stopped: number }
  readonly wrong: readonly string[]
}

/** In each round people ask while the bot that works in the background is killed, stopped or frozen; the last bots are judged. */
export async function playTrio(rounds: number, seed: string, beside?: string): Promise<ReplicasResult> {
  const random = seededRandom(`${seed}/replicas`)
  const trio = await Trio.start({ beside })
  const { stage } = trio
  const takeOverMs = { killed: 0, stopped: 0 }
  let told = 0
  const outages: number[] = []
  try {
    await stage.slack.person(OLGA).command(OPS, `/cdn alerts watch ${ZONE}`)
    for (let round = 0; round < rounds; round += 1) {
      if (systemClock.now().getTime() >= (outages.at(-1) ?? 0) + OUTAGE_EVERY_MS) outages.push(addOutage(trio))
      const names = Array.from({ length: STORIES_A_ROUND }, () => random.pick(STORIES))
      const people = tellAll(trio, round * STORIES_A_ROUND, names)
      const readers = Array.from({ length: LOG_COMMANDS }, () =>
        stage.slack.person(OTTO).command(OPS, `/cdn logs ${ZONE} --since 2h`),
      )
      await systemClock.sleep(random.integer(0, LONGEST_PAUSE_MS))
      const way = random.pick(['killed', 'stopped', 'frozen'] as const)
      if (way === 'frozen') await trio.freeze(random.integer(0, LONGEST_SLEEP_MS))
      else takeOverMs[way] = Math.max(takeOverMs[way], await trio.end(way === 'killed' ? 'SIGKILL' : 'SIGTERM'))
      told += (await people).filter(Boolean).length
      await Promise.allSettled(readers)
      trio.logRequests()
    }
    const facts = await settledFacts(trio, rounds)
    const logRequests = trio.logRequests()
    const busiest = worstWindow(logRequests)
    const wrong = [
      ...judge(facts),
      ...(await incidentProblems(trio, outages)),
      ...(busiest > ALLOWED ? [`${busiest} requests for a log in ten seconds`] : []),
      ...logRequests.filter(({ isRefused }) => isRefused).map(({ zone }) => `429 for ${zone}`),
    ]
    return { told, takeOverMs, wrong }
  } finally {
    await trio.close()
  }
}

export async function tellAll(trio: Trio, from: number, stories: readonly StoryName[]): Promise<readonly boolean[]> {
  const ends: boolean[] = []
  for (const [index, story] of stories.entries()) {
    // Whoever waited in vain for a bot that died has closed the form.
    for (const person of [OLGA, OTTO, ADA]) trio.stage.slack.person(person).reload()
    ends.push(await tell(trio, `k${from + index}x`, story))
  }
  return ends
}

/** Whether it was told to its end. Whoever reaches a bot that dies loses patience. */
export async function tell({ stage }: Trio, name: string, story: StoryName): Promise<boolean> {
  const play = new Play(stage, { ended: NEVER }, name)
  return playStory(story, play).then(
    () => true,
    () => false,
  )
}

function addOutage({ stage }: Trio): number {
  const fromMs = systemClock.now().getTime()
  stage.cdn.world.addIncident({ pullZoneId: ZONE, kind: 'origin outage', fromMs, untilMs: fromMs + OUTAGE_MS })
  return fromMs
}

/** Each incident has one message, which dates it by an outage. */
async function incidentProblems({ stage }: Trio, outages: readonly number[]): Promise<readonly string[]> {
  const rows = await stage.store.rows('select id, message_ts from incidents')
  return rows.flatMap(({ id, message_ts: ts }) => {
    const short = String(id).slice(0, 8)
    const cards = stage.slack.messages.filter(
      ({ text, blocks, threadTs }) => threadTs === undefined && `${text} ${JSON.stringify(blocks)}`.includes(short),
    )
    const beganMs = Number(BEGAN.exec(JSON.stringify(cards[0]?.blocks))?.[1]) * 1_000
    const lateMs = beganMs - (outages.findLast((outageMs) => outageMs <= beganMs) ?? Number.NaN)
    return [
      ...(lateMs <= LATEST_START_MS ? [] : [`incident ${short} is dated ${lateMs} ms after an outage`]),
      ...(cards.some((card) => card.ts === ts) ? [] : [`incident ${short} has no message`]),
      ...(cards.length > 1 ? [`incident ${short} has ${cards.length} messages`] : []),
    ]
  })
}

export async function settledFacts(trio: Trio, kills: number): Promise<Facts> {
  const { stage } = trio
  await pressAgain(new Play(stage, { ended: NEVER }, 'k0x')).catch(() => undefined)
  await quiet(stage)
  return factsOf(stage, { kills, ownEnds: await trio.stop() })
}
