/**
 * Looks at a thousand zones minute by minute in a process of its own: as the bot does it, and with ring buffers written by
 * hand. Both get the same minutes and have to come to the same levels and phases, or this ends. Answers each message
 * `{ turn, minutes }` with the figures of a round.
 */
import { evaluateTraffic, type Evaluated } from '../../../src/alerts/evaluation.ts'
import { SEVERITIES } from '../../../src/alerts/reading.ts'
import type { Standing } from '../../../src/alerts/standing.ts'
import { ZoneMemory } from '../../../src/alerts/zone-memory.ts'
import { beginning, trustOf, type ZoneRecord } from '../../../src/alerts/zone-record.ts'
import type { AlertRule, SubjectView } from '../../../src/store/alert-records.ts'
import type { MinuteCounts } from '../../../src/store/minute-counts.ts'
import { AlertBook } from '../../alerts/simulation/alert-book.ts'
import { type Figures, inTurn } from '../bench.ts'
import { RULES } from './ring-alerts.ts'
import { RingRules } from './ring-rules.ts'
import { evidenceOf, type ZoneEvidence } from './zone-evidence.ts'
import { FIRST_MINUTE, linesAt, polledAt } from './zone-lines.ts'

export interface Round {
  readonly turn: number
  readonly minutes: number
}

const MINUTE_MS = 60_000
const LAG_MS = 120_000
const ZONES = 1_000
/** Enough for the engine to compile what it will. */
const WARM_UP_ZONES = 100
const WARM_UP_MINUTES = 90
const HISTORY_MINUTES = 400
const WEEK_MINUTES = 10_080

interface Zone {
  readonly number: number
  readonly subject: string
  readonly memory: ZoneMemory
  readonly book: AlertBook
  readonly rules: readonly AlertRule[]
  revision: number
  standing: Standing | undefined
  /** What its poller holds. */
  evidence: ZoneEvidence | undefined
}

/** What there is of a minute before any rule looks at it; by zone, where it is one's own. */
interface Minute {
  readonly at: number
  readonly now: Date
  readonly record: ZoneRecord
  readonly views: readonly SubjectView[]
  readonly polled: readonly (readonly MinuteCounts[])[]
}

/** Many zones, watched in both ways. */
class Watchers {
  readonly zones: readonly Zone[]
  readonly rings: RingRules
  #at = FIRST_MINUTE
  #weekUntil = FIRST_MINUTE
  #ids = 0

  constructor(amount: number) {
    this.zones = Array.from({ length: amount }, (_, number) => zoneOf(number))
    this.rings = new RingRules(amount)
    for (const { number } of this.zones)
      this.rings.take(number, minutesOf(number, FIRST_MINUTE - HISTORY_MINUTES, FIRST_MINUTE))
  }

  /** Both look at the same minutes, one way after the other; returns what each took. */
  async minute(turn: number): Promise<readonly [ours: number, theirs: number]> {
    const at = (this.#at += 1)
    const polled = this.zones.map(({ number }) => polledAt(number, at - 1))
    const weeks = at > this.#weekUntil ? this.#nextWeeks() : []
    const now = new Date(at * MINUTE_MS + LAG_MS)
    // What the store and the poll say of a zone: both ways get it for nothing.
    const views = this.zones.map((zone) => viewOf(zone, now))
    const record = { ...RECORD, readUntil: at, lookedUntil: at - 1 }
    // None of that is to be moved about while it is measured.
    globalThis.gc?.()
    let evaluated: readonly Evaluated[] = []
    const times = await inTurn(turn, [
      async () => {
        const startedAt = performance.now()
        storeMs = 0
        evaluated = await this.#look({ at, now, record, views, polled })
        return performance.now() - startedAt - storeMs
      },
      async () => {
        const startedAt = performance.now()
        for (const { number, week, minutes } of weeks) this.rings.loadWeek(number, week, minutes)
        for (let zone = 0; zone < this.zones.length; zone += 1) {
          this.rings.take(zone, polled[zone]!)
          this.rings.look(zone, at)
        }
        return performance.now() - startedAt
      },
    ])
    for (const [index, zone] of this.zones.entries()) {
      const { standing, incidents, posts } = evaluated[index]!
      zone.book.commit({ incidents, posts })
      zone.standing = standing ?? zone.standing
      this.#compare(zone, at)
    }
    return times as [number, number]
  }

  async #look({ at, now, record, views, polled }: Minute): Promise<readonly Evaluated[]> {
    const nowMs = now.getTime()
    const evaluated: Evaluated[] = []
    for (let index = 0; index < this.zones.length; index += 1) {
      const zone = this.zones[index]!
      const { memory, rules, revision } = zone
      const view = views[index]!
      const wanted = { rules, revision, looks: [at], fresh: polled[index]!, until: at + 2 }
      const { series, standing } = await memory.take(wanted)
      const trust = trustOf(record, series, nowMs)
      const look = { view, known: standing, series, at, trust, samples: [], now, newId: this.#newId, webhook: false }
      const result = evaluateTraffic(look)
      zone.revision += 1
      memory.settle(zone.revision, result.standing)
      evaluated.push(result)
    }
    return evaluated
  }

  /** What the store would be asked for of the weeks before, half an hour of each at a time, so that each is loaded once. */
  #nextWeeks(): readonly {
    readonly number: number
    readonly week: number
    readonly minutes: readonly MinuteCounts[]
  }[] {
    const from = this.#weekUntil === FIRST_MINUTE ? this.#weekUntil - 200 : this.#weekUntil - 15
    this.#weekUntil += 30
    const until = this.#weekUntil
    return this.zones.flatMap(({ number }) =>
      [1, 2].map((week) => {
        const back = week * WEEK_MINUTES - 60
        return { number, week, minutes: minutesOf(number, from - back, until - back) }
      }),
    )
  }

  #compare({ number, subject, standing }: Zone, at: number): void {
    if (standing?.states.length !== RULES.length) throw new Error(`${subject} is not known to stand anywhere`)
    for (const { ruleId, state } of standing.states) {
      const alert = number * RULES.length + RULES.findIndex((kind) => ruleId.startsWith(kind))
      const ours = state.phase === 'firing' ? SEVERITIES.indexOf(state.severity ?? 'info') + 2 : 0
      const theirs = this.rings.firing[alert]!
      if (ours !== theirs)
        throw new Error(
          `At ${at - FIRST_MINUTE} ${subject} ${ruleId} is ${ours} for us, and ${theirs} for the reference`,
        )
    }
  }

  readonly #newId = (): string => (this.#ids += 1).toString(16).padStart(32, '0')
}

const RECORD = beginning(FIRST_MINUTE * MINUTE_MS)
/** What making up the minutes of earlier weeks took: a store's work, and the reference gets them for nothing. */
let storeMs = 0

function zoneOf(number: number): Zone {
  const subject = `pull/${number}`
  const rules = RULES.toReversed().map((kind): AlertRule => ({
    id: `${kind}/${number}`,
    kind,
    subject,
    channelId: 'C0TEAM',
    parameters: {},
    createdBy: 'U0ANNA',
    createdAt: new Date(0),
  }))
  const stored = {
    read: async (_: string, from: number, until: number) => {
      const startedAt = performance.now()
      const minutes = minutesOf(number, from, until)
      storeMs += performance.now() - startedAt
      return minutes
    },
  }
  return {
    number,
    subject,
    memory: new ZoneMemory(stored, String(number)),
    book: new AlertBook([], []),
    rules,
    revision: 0,
    standing: undefined,
    evidence: undefined,
  }
}

function viewOf({ subject, book, rules }: Zone, now: Date): SubjectView {
  return { ...book.view(subject, now), rules }
}

function minutesOf(zone: number, from: number, until: number): readonly MinuteCounts[] {
  return Array.from({ length: Math.max(0, until - from) }, (_, index) => linesAt(zone, from + index))
}

function heldBytes(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const warmUp = new Watchers(WARM_UP_ZONES)
for (let minute = 0; minute < WARM_UP_MINUTES; minute += 1) await warmUp.minute(minute)
const watchers = new Watchers(ZONES)
/** Before anything of a zone is held. */
const emptyBytes = heldBytes()
for (const zone of watchers.zones) zone.evidence = evidenceOf(zone.number)
const evidenceBytes = heldBytes() - emptyBytes
await watchers.minute(0)

process.on('message', (round: Round) => void measured(round).then((figures) => process.send?.(figures)))
process.send?.('ready')

async function measured({ turn, minutes }: Round): Promise<Figures> {
  let [ours, theirs] = [0, 0]
  for (let minute = 0; minute < minutes; minute += 1) {
    const [our, their] = await watchers.minute(turn + minute)
    ours += our
    theirs += their
  }
  const bytes = heldBytes() - emptyBytes
  return { ours: ours / minutes, theirs: theirs / minutes, held: (bytes - evidenceBytes) / ZONES, watch: bytes / ZONES }
}
