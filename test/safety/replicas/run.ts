import { seededRandom } from '../../../src/playground/cdn/world/seeded-random.ts'
import { ADA, OLGA, OPS, OTTO } from '../../../src/playground/slack/state/seed.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { auditOf, changesOf, type Facts, isAtRest, messagesOf, notesOf, undeliveredOf } from '../kill/facts.ts'
import { duplicateCards, judge } from '../kill/judge.ts'
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
const QUIET_WITHIN_MS = 120_000
const LOOK_EVERY_MS = 200
/** A frozen one is woken so long after somebody else has taken its work at the most. */
const LONGEST_SLEEP_MS = 3_000
const ALLOWED = 30

export interface ReplicasResult {
  readonly rounds: number
  readonly stories: number
  readonly told: number
  readonly changes: number
  readonly requests: number
  readonly auditEntries: number
  /** The longest that nobody worked in the background after a kill, and after a stop that was asked for. */
  readonly takeOverMs: { readonly killed: number; readonly stopped: number }
  readonly outages: number
  readonly incidents: number
  /** The most between the beginning of an outage and that of its incident, as its card dates it. */
  readonly latestStartMs: number
  readonly logRequests: number
  readonly worstWindow: number
  readonly duplicateCards: number
  readonly wrong: readonly string[]
  readonly seconds: number
}

/** In each round people ask while the bot that works in the background is killed, stopped or frozen; the last bots are judged. */
export async function playTrio(rounds: number, seed: string, beside?: string): Promise<ReplicasResult> {
  const startedMs = systemClock.monotonicMs()
  const random = seededRandom(`${seed}/replicas`)
  const trio = await Trio.start({ beside })
  const { stage } = trio
  const takeOverMs = { killed: 0, stopped: 0 }
  let [stories, told] = [0, 0]
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
      const ends = await people
      await Promise.allSettled(readers)
      stories += ends.length
      told += ends.filter(Boolean).length
      trio.logRequests()
    }
    const facts = await settledFacts(trio, rounds)
    const logRequests = trio.logRequests()
    const incidents = await incidentsOf(trio, outages)
    return {
      rounds,
      stories,
      told,
      changes: facts.changes.filter(({ wasAskedFor }) => wasAskedFor).length,
      requests: facts.requests.length,
      auditEntries: facts.audit.length,
      takeOverMs,
      outages: outages.length,
      incidents: incidents.length,
      latestStartMs: Math.max(0, ...incidents.map(({ lateMs }) => lateMs)),
      logRequests: logRequests.length,
      worstWindow: worstWindow(logRequests),
      duplicateCards: duplicateCards(facts),
      wrong: [
        ...judge(facts).map(({ rule, about }) => `${rule}: ${about}`),
        ...incidents.flatMap(({ wrong }) => wrong),
        ...(worstWindow(logRequests) > ALLOWED
          ? [`${worstWindow(logRequests)} requests for a log in ten seconds`]
          : []),
        ...logRequests.filter(({ isRefused }) => isRefused).map(({ zone }) => `429 for ${zone}`),
      ],
      seconds: (systemClock.monotonicMs() - startedMs) / 1_000,
    }
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
  const never = new Promise<never>(() => undefined)
  const play = new Play(stage, { ended: never }, name)
  return playStory(story, play).then(
    () => true,
    () => false,
  )
}

function addOutage({ stage }: Trio): number {
  const fromMs = systemClock.now().getTime()
  stage.cdn.world.incidents.add({ pullZoneId: ZONE, kind: 'origin outage', fromMs, untilMs: fromMs + OUTAGE_MS })
  return fromMs
}

interface PlayedIncident {
  readonly lateMs: number
  readonly wrong: readonly string[]
}

/** Each incident has one message, which dates it by an outage. */
async function incidentsOf({ stage }: Trio, outages: readonly number[]): Promise<readonly PlayedIncident[]> {
  const rows = await stage.store.rows('select id, message_ts from incidents')
  return rows.map(({ id, message_ts: ts }) => {
    const short = String(id).slice(0, 8)
    const cards = stage.slack.messages.filter(
      ({ text, blocks, threadTs }) => threadTs === undefined && `${text} ${JSON.stringify(blocks)}`.includes(short),
    )
    const beganMs = Number(BEGAN.exec(JSON.stringify(cards[0]?.blocks))?.[1]) * 1_000
    const lateMs = beganMs - (outages.findLast((outageMs) => outageMs <= beganMs) ?? Number.NaN)
    return {
      lateMs,
      wrong: [
        ...(lateMs <= LATEST_START_MS ? [] : [`incident ${short} is dated ${lateMs} ms after an outage`]),
        ...(cards.some((card) => card.ts === ts) ? [] : [`incident ${short} has no message`]),
        ...(cards.length > 1 ? [`incident ${short} has ${cards.length} messages`] : []),
      ],
    }
  })
}

export async function settledFacts(trio: Trio, kills: number): Promise<Facts> {
  const { stage } = trio
  const { slack, store } = stage
  await pressAgain(new Play(stage, { ended: new Promise<never>(() => undefined) }, 'k0x')).catch(() => undefined)
  const giveUpMs = systemClock.monotonicMs() + QUIET_WITHIN_MS
  while (systemClock.monotonicMs() < giveUpMs) {
    const changes = await changesOf(store)
    if (changes.every(isAtRest) && (await undeliveredOf(store)) === 0) break
    await systemClock.sleep(LOOK_EVERY_MS)
  }
  const undelivered = await undeliveredOf(store)
  const ownEnds = await trio.stop()
  return {
    changes: await changesOf(store),
    audit: await auditOf(store),
    requests: stage.requests,
    created: stage.created(),
    accepted: stage.accepted,
    messages: messagesOf(slack),
    notes: await notesOf(store),
    digestsDue: 0,
    undelivered,
    chain: await store.verify(),
    kills,
    ownEnds,
  }
}
