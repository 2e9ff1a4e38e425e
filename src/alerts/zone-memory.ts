import { turnOfTheLoop } from '../shared/clock.ts'
import { DAY_MINUTES } from '../shared/durations.ts'
import { COUNTS, type MinuteCounts } from '../store/minute-counts.ts'
import type { Minutes } from '../store/minutes.ts'
import { HELD_MINUTES, MinuteSeries } from './minute-series.ts'
import { UsualOfWeek } from './usual.ts'

/** Read at once: what lies between two reads is somebody else's turn. */
const CHUNK_MINUTES = DAY_MINUTES
/** The newest minutes as they are kept: a quiet zone's are read anew with each poll. */
const LATEST_MINUTES = 16

interface MinutesWanted {
  /** The revision of the zone's watch that was read together with the rules. */
  readonly revision: number
  /** The first minute that is looked at: what it looks back on has to be there. */
  readonly first: number
  readonly fresh: readonly MinuteCounts[]
  /** The first minute of which nothing can be kept: it is not over, and was not read. */
  readonly until: number
}

interface Held {
  readonly series: MinuteSeries
  readonly usual: UsualOfWeek
  /** The newest minutes in full, by minute. */
  readonly latest: Map<number, MinuteCounts>
}

export interface KnownMinutes extends Omit<Held, 'latest'> {
  /** Of what was just read, only what says more than what is kept. */
  readonly news: readonly MinuteCounts[]
}

/**
 * The minutes of one zone, held in memory between looks. They are as good as the store as long as nobody else has
 * committed: the revision of the watch tells. Otherwise they are loaded anew.
 */
export class ZoneMemory {
  readonly #minutes: Pick<Minutes, 'read'>
  readonly #pullZoneId: string
  #held: Held | undefined
  /** Of the watch, when all this was as the store has it. */
  #revision = Number.NaN

  constructor(minutes: Pick<Minutes, 'read'>, pullZoneId: string) {
    this.#minutes = minutes
    this.#pullZoneId = pullZoneId
  }

  /** Takes in what was just read. Until it is said to be settled it is ahead of the store. Throws `StoreError`. */
  async take({ revision, first, fresh, until }: MinutesWanted): Promise<KnownMinutes> {
    const isCurrent = this.#revision === revision
    const oldest = Math.min(first, fresh[0]?.minute ?? first)
    const known =
      isCurrent && this.#held !== undefined && oldest >= this.#held.series.exactFrom ? this.#held : undefined
    this.forget()
    const news = await this.#newsIn(fresh, known?.latest ?? new Map())
    const held = known ?? (await this.#load(oldest, until, news))
    for (const counts of news) {
      held.series.put(counts)
      held.latest.set(counts.minute, counts)
    }
    shorten(held.latest)
    this.#held = held
    return { ...held, news }
  }

  /** All of it is in the store now, at this revision of the watch. */
  settle(revision: number): void {
    this.#revision = revision
  }

  /** Somebody else has committed, or nobody knows what was: the next look loads all of it. */
  forget(): void {
    this.#held = undefined
    this.#revision = Number.NaN
  }

  /** News go in where they belong: what is far back cannot be replaced later. */
  async #load(first: number, until: number, news: readonly MinuteCounts[]): Promise<Held> {
    const from = first - HELD_MINUTES
    const series = new MinuteSeries(from)
    const latest = new Map<number, MinuteCounts>()
    for (let begin = from; begin < until; begin += CHUNK_MINUTES) {
      const end = Math.min(begin + CHUNK_MINUTES, until)
      const kept = await this.#minutes.read(this.#pullZoneId, begin, end)
      const own = news.filter(({ minute }) => minute >= begin && minute < end)
      for (const counts of [...kept, ...own].toSorted((a, b) => a.minute - b.minute)) series.put(counts)
      for (const counts of kept.slice(-LATEST_MINUTES)) latest.set(counts.minute, counts)
      await turnOfTheLoop()
    }
    shorten(latest)
    return { series, usual: new UsualOfWeek(series), latest }
  }

  /** Minutes older than the newest ones are held against the store. */
  async #newsIn(
    fresh: readonly MinuteCounts[],
    latest: ReadonlyMap<number, MinuteCounts>,
  ): Promise<readonly MinuteCounts[]> {
    const [oldest] = latest.keys()
    const older = fresh.filter(({ minute }) => oldest === undefined || minute < oldest)
    const [from, last] = [older[0], older.at(-1)]
    const kept =
      from === undefined || last === undefined
        ? []
        : await this.#minutes.read(this.#pullZoneId, from.minute, last.minute + 1)
    const known = new Map([...kept.map((counts) => [counts.minute, counts] as const), ...latest])
    return fresh.filter((counts) => saysMore(counts, known.get(counts.minute)))
  }
}

function shorten(latest: Map<number, MinuteCounts>): void {
  const newest = [...latest.values()].toSorted((a, b) => a.minute - b.minute).slice(-LATEST_MINUTES)
  latest.clear()
  for (const counts of newest) latest.set(counts.minute, counts)
}

/** A minute that is known better is not replaced; one that is known as well is, since later readings see late lines. */
function saysMore(counts: MinuteCounts, kept: MinuteCounts | undefined): boolean {
  if (kept === undefined || counts.coveredMs > kept.coveredMs) return true
  return counts.coveredMs === kept.coveredMs && COUNTS.some((name) => counts[name] !== kept[name])
}
