import type { AlertRule } from '../store/alert-records.ts'
import type { MinuteCounts } from '../store/minute-counts.ts'
import type { Minutes } from '../store/minutes.ts'
import { type BoundRule, boundRule } from './bound-rule.ts'
import { LatestMinutes, saysMore } from './latest-minutes.ts'
import type { KnownState } from './watched-alert.ts'
import { CHUNK_MINUTES, TrafficShape, wholeReach, ZoneTraffic } from './zone-traffic.ts'

export interface MinutesWanted {
  readonly rules: readonly AlertRule[]
  /** The revision of the zone's watch that was read together with the rules. */
  readonly revision: number
  /** The looks, each by the first minute it does not see; in order. */
  readonly looks: readonly number[]
  /** Just read, oldest first. */
  readonly fresh: readonly MinuteCounts[]
  /** The first minute of which nothing can be kept: it is not over, and was not read. */
  readonly until: number
}

/** What a look needs of the past. */
export interface KnownMinutes {
  readonly series: ZoneTraffic
  /** Of what was just read, only what says more than what is kept. */
  readonly news: readonly MinuteCounts[]
  /** Where alerts stand, where that is known without asking the store. */
  readonly states: readonly KnownState[] | undefined
}

interface Held {
  readonly traffic: ZoneTraffic
  readonly latest: LatestMinutes
  readonly rules: readonly (BoundRule | undefined)[]
  /** Of the watch, when all this was as the store has it. */
  revision: number
  states: readonly KnownState[] | undefined
}

/**
 * What is held in memory of one zone between looks: its minutes as far as its rules look back on them, and where its alerts
 * stand. It is as good as the store as long as nobody else has committed: the revision of the watch tells. Otherwise, and
 * after a gap or with other rules, it is loaded anew.
 */
export class ZoneMemory {
  readonly #minutes: Pick<Minutes, 'read'>
  readonly #pullZoneId: string
  #held: Held | undefined

  constructor(minutes: Pick<Minutes, 'read'>, pullZoneId: string) {
    this.#minutes = minutes
    this.#pullZoneId = pullZoneId
  }

  /** Whether states of this revision need not be read. */
  knows(revision: number): boolean {
    return this.#held?.revision === revision && this.#held.states !== undefined
  }

  /** Takes in what was just read, and loads what is missing. Until it is said to be settled it is ahead of the store. Throws `StoreError`. */
  async take(wanted: MinutesWanted): Promise<KnownMinutes> {
    const { looks, fresh, until, revision } = wanted
    const first = looks[0] ?? until
    const last = looks.at(-1) ?? first
    const newest = Math.max(last, (fresh.at(-1)?.minute ?? 0) + 1)
    const states = this.knows(revision) ? this.#held?.states : undefined
    const known = this.#usable(revision, wanted.rules)
    const held = known?.traffic.reaches(first, last, newest) === true ? known : undefined
    this.#held = undefined
    const rules = held?.rules ?? wanted.rules.map(boundRule)
    const { traffic, latest } = held ?? (await this.#load(rules, first, newest, until))
    for (const { place, from, until: end } of traffic.missing(last))
      traffic.load(place, end, await this.#minutes.read(this.#pullZoneId, from, end))
    const [oldest] = fresh
    const isCovered = oldest === undefined || latest.covers(oldest.minute)
    const news = isCovered ? newsIn(fresh, latest) : await this.#newsOf(oldest, fresh, latest)
    putAll(news, traffic, latest)
    this.#held = { traffic, latest, rules, revision: Number.NaN, states }
    return { series: traffic, news, states }
  }

  /** All of it is in the store now, at this revision of the watch. */
  settle(revision: number, states?: readonly KnownState[]): void {
    if (this.#held === undefined) return
    this.#held.revision = revision
    this.#held.states = states ?? this.#held.states
  }

  /** Somebody else has committed, or nobody knows what was: the next look loads all of it. */
  forget(): void {
    this.#held = undefined
  }

  #usable(revision: number, rules: readonly AlertRule[]): Held | undefined {
    const held = this.#held
    if (held === undefined || held.revision !== revision || held.rules.length !== rules.length) return undefined
    return rules.every((rule, index) => boundRule(rule) === held.rules[index]) ? held : undefined
  }

  async #load(
    rules: readonly (BoundRule | undefined)[],
    first: number,
    newest: number,
    until: number,
  ): Promise<Pick<Held, 'traffic' | 'latest'>> {
    // What is kept goes as far as minutes are over, which may be farther than what is looked at or was just read.
    const shape = shapeOf(rules, Math.max(newest, until) - first)
    const { far } = shape.reach
    const linked = far.filter(({ isLinked }) => isLinked).map(({ from }) => from)
    const from = first - Math.max(shape.minutes, ...linked)
    const kept = await this.#minutes.read(this.#pullZoneId, Math.floor(from), until)
    const apart: (readonly MinuteCounts[])[] = []
    for (const place of far) {
      if (place.isLinked) continue
      const end = first - place.until + CHUNK_MINUTES
      apart.push(await this.#minutes.read(this.#pullZoneId, first - place.from, end))
    }
    return {
      traffic: new ZoneTraffic(shape, first, until, kept, apart),
      latest: new LatestMinutes(Math.floor(from), kept),
    }
  }

  /** The same where some minutes are older than those that are known in full. */
  async #newsOf(
    { minute: oldest }: MinuteCounts,
    fresh: readonly MinuteCounts[],
    latest: LatestMinutes,
  ): Promise<readonly MinuteCounts[]> {
    const unsure = fresh.filter(({ minute }) => !latest.covers(minute))
    const last = unsure.at(-1)
    const kept = last === undefined ? [] : await this.#minutes.read(this.#pullZoneId, oldest, last.minute + 1)
    const byMinute = new Map(kept.map((counts) => [counts.minute, counts]))
    return fresh.filter((counts) =>
      latest.covers(counts.minute) ? latest.isNews(counts) : saysMore(counts, byMinute.get(counts.minute)),
    )
  }
}

function putAll(news: readonly MinuteCounts[], traffic: ZoneTraffic, latest: LatestMinutes): void {
  for (const counts of news) {
    traffic.put(counts)
    latest.put(counts)
  }
}

function newsIn(fresh: readonly MinuteCounts[], latest: LatestMinutes): readonly MinuteCounts[] {
  const news: MinuteCounts[] = []
  for (const counts of fresh) if (latest.isNews(counts)) news.push(counts)
  return news
}

const MAX_SHAPES = 256
const shapes = new Map<string, TrafficShape>()

/** Shared by zones whose rules look back on the same. Beyond some hundreds, which no installation has, all are made anew. */
function shapeOf(rules: readonly (BoundRule | undefined)[], ahead: number): TrafficShape {
  const reaches = rules.flatMap((rule) => (rule?.kind.subject === 'pull' ? [rule.kind.reach(rule.parameters)] : []))
  const reach = wholeReach(reaches)
  const key = JSON.stringify([ahead, [...reach.near], reach.far])
  const known = shapes.get(key)
  if (known !== undefined) return known
  if (shapes.size >= MAX_SHAPES) shapes.clear()
  const shape = new TrafficShape(reach, ahead)
  shapes.set(key, shape)
  return shape
}
