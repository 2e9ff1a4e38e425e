import type { MinuteCounts } from '../store/minute-counts.ts'
import type { Reach } from './alert-kind.ts'
import { RunningSums, SumsShape } from './running-sums.ts'
import { amountOf, COLUMN, type Column, COLUMNS, type Traffic } from './traffic.ts'
import { TRUST_MINUTES } from './zone-record.ts'

/** Of what lies farther back, so many minutes are loaded at once. */
export const CHUNK_MINUTES = 30

/** A place farther back that is held as well, `from` and `until` in minutes back from the one that is looked at. */
export interface FarReach {
  readonly columns: readonly Column[]
  readonly from: number
  readonly until: number
  /** Whether sums go on from there to the newest minutes. */
  readonly isLinked: boolean
}

/** All that some rules look back on, together. */
export interface WholeReach {
  /** Minutes back, by column. */
  readonly near: ReadonlyMap<Column, number>
  /** Farthest first. */
  readonly far: readonly FarReach[]
}

/** What several kinds look back on, and how much of that was read. */
export function wholeReach(reaches: readonly Reach[]): WholeReach {
  const near = new Map<Column, number>([[COLUMN.coveredMs, TRUST_MINUTES + 1]])
  for (const { columns, minutes } of reaches) {
    for (const column of [COLUMN.coveredMs, ...columns])
      near.set(column, Math.max(Math.ceil(minutes), near.get(column) ?? 0))
  }
  const far = new Map<string, FarReach>()
  for (const { columns, edges = [], apart = [] } of reaches) {
    for (const edge of edges.map(Math.ceil)) add(far, { columns, from: edge, until: edge, isLinked: true })
    for (const { from, until } of apart) {
      add(far, { columns, from: Math.ceil(from), until: Math.floor(until), isLinked: false })
    }
  }
  return { near, far: [...far.values()].toSorted((a, b) => b.from - a.from) }
}

function add(far: Map<string, FarReach>, each: FarReach): void {
  const key = `${each.from} ${each.until}`
  const known = far.get(key)
  const columns = COLUMNS.filter((column) => each.columns.includes(column) || known?.columns.includes(column) === true)
  far.set(key, { ...each, columns })
}

/** How sums are laid out for a reach. Zones with the same rules share it. */
export class TrafficShape {
  readonly reach: WholeReach
  readonly near: SumsShape
  readonly far: readonly SumsShape[]
  /** How many minutes back the newest ones begin. */
  readonly minutes: number

  /** `ahead`: how far the newest minute is ahead of the first one that is looked at. */
  constructor(reach: WholeReach, ahead: number) {
    this.reach = reach
    this.minutes = Math.max(...reach.near.values())
    this.near = new SumsShape(reach.near, ahead)
    this.far = reach.far.map(
      ({ columns, from, until }) =>
        new SumsShape(new Map(columns.map((column) => [column, from - until])), CHUNK_MINUTES + ahead),
    )
  }
}

/** A stretch of the zone's minutes that a far place lacks. */
interface Missing {
  readonly place: number
  readonly from: number
  readonly until: number
}
const NOTHING_MISSING: readonly Missing[] = []

/** The minutes of one zone as far as its rules look back on them, held in memory and moved along with time. */
export class ZoneTraffic implements Traffic {
  readonly #shape: TrafficShape
  readonly #near: RunningSums
  readonly #far: readonly RunningSums[]
  /** Of these, those whose sums go on to the newest minutes. */
  readonly #linked: readonly RunningSums[]
  /** The first minute that it was made to be looked at. */
  readonly #first: number
  #isOutdated = false

  /**
   * From what is kept. `kept` holds the minutes from the farthest linked place on, or from `shape.minutes` before `at` on, up
   * to `until`, ascending; `apart` those of each far place that is not linked, in the order of the reach.
   */
  constructor(
    shape: TrafficShape,
    at: number,
    until: number,
    kept: readonly MinuteCounts[],
    apart: readonly (readonly MinuteCounts[])[],
  ) {
    this.#shape = shape
    this.#first = at
    // Linked places and the newest minutes count on from each other, though what lies between them is not held.
    const begin = (pieceShape: SumsShape, from: number, end: number): RunningSums => {
      const first = kept.findIndex(({ minute }) => minute >= from)
      const before = first === -1 ? kept : kept.slice(0, first)
      return filled(pieceShape, from, end, first === -1 ? [] : kept.slice(first), before)
    }
    const others = apart.values()
    this.#far = shape.reach.far.map(({ from, until: end, isLinked }, index) => {
      const pieceShape = shape.far[index] ?? shape.near
      const stretch = [at - from, at - end + CHUNK_MINUTES] as const
      return isLinked ? begin(pieceShape, ...stretch) : filled(pieceShape, ...stretch, others.next().value ?? [])
    })
    this.#linked = this.#far.filter((_, index) => shape.reach.far[index]?.isLinked)
    this.#near = begin(shape.near, at - shape.minutes, until)
  }

  total(column: Column, from: number, until: number): number {
    const first = Math.floor(from)
    const last = Math.floor(until)
    const near = this.#near
    if (near.has(column, first)) return near.total(column, first, last)
    const whole = this.#far.find((far) => far.has(column, first) && far.has(column, last))
    if (whole !== undefined) return whole.total(column, first, last)
    const begin = this.#linked.find((far) => far.has(column, first))
    const isNear = near.has(column, last) || last > near.newest
    const end = isNear ? near : this.#linked.find((far) => far.has(column, last))
    if (begin === undefined || end === undefined) return near.total(column, first, last)
    return (end.before(column, last) - begin.before(column, first)) >>> 0
  }

  /** Whether looks from a minute to another find all that they reach for, with minutes known up to `newest`. */
  reaches(first: number, last: number, newest: number): boolean {
    if (this.#isOutdated || first < this.#first || !this.#near.reaches(first, newest)) return false
    for (let place = 0; place < this.#far.length; place += 1) {
      const sums = this.#far[place]
      const back = this.#shape.reach.far[place]?.until ?? 0
      const end = last - back
      const isReached = sums?.reaches(first - back, sums.newest < end ? end + CHUNK_MINUTES : sums.newest)
      if (isReached !== true) return false
    }
    return true
  }

  /** What of the far places has to be loaded before a minute can be looked at: stretches of the zone's minutes. */
  missing(at: number): readonly Missing[] {
    let missing = NOTHING_MISSING
    for (let place = 0; place < this.#far.length; place += 1) {
      const sums = this.#far[place]
      const end = at - (this.#shape.reach.far[place]?.until ?? 0)
      if (sums !== undefined && sums.newest < end)
        missing = [...missing, { place, from: sums.newest, until: end + CHUNK_MINUTES }]
    }
    return missing
  }

  /** Adds minutes to a far place, up to one. */
  load(place: number, until: number, minutes: readonly MinuteCounts[]): void {
    const sums = this.#far[place]
    for (const counts of minutes) sums?.put(counts)
    sums?.extend(until)
  }

  /** Replaces what is known of a minute. */
  put(counts: MinuteCounts): void {
    const { minute } = counts
    this.#near.put(counts)
    if (this.#linked.length === 0) return
    // Sums from there to the newest minutes would not have it: it lies there itself, or on the way, where nothing is held.
    this.#isOutdated ||= this.#linked.some(
      (far) => minute < far.newest || far.shape.columns.some((column) => !this.#near.has(column, minute)),
    )
  }
}

function filled(
  shape: SumsShape,
  from: number,
  until: number,
  minutes: readonly MinuteCounts[],
  before: readonly MinuteCounts[] = [],
): RunningSums {
  const filled = new RunningSums(shape, from)
  for (const column of shape.columns) {
    filled.beginWith(
      column,
      before.reduce((sum, counts) => sum + amountOf(column, counts), 0),
    )
  }
  for (const counts of minutes) {
    if (counts.minute >= until) break
    if (counts.minute >= from) filled.put(counts)
  }
  filled.extend(until)
  return filled
}
