import { seededRandom } from '../../../src/playground/cdn/world/seeded-random.ts'
import type { TrafficTrust } from '../../../src/alerts/traffic-trust.ts'
import type { MinuteCounts } from '../../../src/store/minute-counts.ts'
import type { Scripted } from './script.ts'
import type { Site } from './sites.ts'
import { linesIn, linesOf, thinned } from './traffic.ts'

const MINUTE_MS = 60_000
/** Lines that can be read of a minute within the share of the limit that alerts have. */
const READABLE_LINES = 24 * 2_000
/** Busier minutes are read by whole stretches of this length. */
const STRETCH_MS = 5_000
/** Lines that are not there yet when a minute is read first. */
const LATE_SHARE = 0.003
/** Quiet minutes are read once more after so many, when nothing is late any more. */
const READ_AGAIN_AFTER = 10
const COVERAGE_MINUTES = 30
/** What is read back when a zone is first watched. */
export const READ_BACK_MINUTES = 3 * 1_440

/** What one poll of a zone brought. */
export interface Poll {
  /** The newest minute that is due. */
  readonly minute: number
  /** Minutes to be replaced, oldest first. */
  readonly minutes: readonly MinuteCounts[]
  readonly trust: TrafficTrust
  /** Wall time at which the answer is there. */
  readonly atMs: number
}

/** Reads the log of a simulated site minute by minute, as late, sampled and refused as a real one may be. */
export class LogReader {
  readonly #seed: string
  readonly #site: Site
  readonly #script: readonly Scripted[]
  readonly #covered: number[] = []
  readonly #unread: number[] = []
  #refusedSinceMs: number | undefined

  constructor(seed: string, site: Site, script: readonly Scripted[]) {
    this.#seed = seed
    this.#site = site
    this.#script = script
  }

  /** The days before the first poll, as day files have them: whole. */
  back(until: number): readonly MinuteCounts[] {
    return Array.from({ length: READ_BACK_MINUTES }, (_, at) =>
      linesIn(this.#seed, this.#site, until - READ_BACK_MINUTES + at, this.#script),
    )
  }

  /** The poll in which a minute is due. Asked for one minute after the other. */
  poll(minute: number): Poll {
    const random = seededRandom(`${this.#seed}/poll/${this.#site.zoneId}/${minute}`)
    const atMs = (minute + 1) * MINUTE_MS + this.#site.lagMs + random.integer(1_000, 8_000)
    this.#unread.push(minute)
    const refused = this.#script.some(
      ({ what, site, fromMs, untilMs }) =>
        what === 'logging refused' && site === this.#site && fromMs <= atMs && untilMs > atMs,
    )
    if (refused) {
      this.#refusedSinceMs ??= atMs
      this.#note(0)
      return { minute, minutes: [], trust: this.#trust(), atMs }
    }
    this.#refusedSinceMs = undefined
    const due = this.#unread.splice(0)
    const again = due.length === 1 && this.#site.perMinute < READABLE_LINES / 8 ? [minute - READ_AGAIN_AFTER] : []
    const minutes = [...again.map((each) => this.#whole(each)), ...due.map((each) => this.#first(each))]
    this.#note(minutes.at(-1)?.coveredMs ?? 0)
    return { minute, minutes, trust: this.#trust(), atMs }
  }

  #whole(minute: number): MinuteCounts {
    return linesIn(this.#seed, this.#site, minute, this.#script)
  }

  #first(minute: number): MinuteCounts {
    const random = seededRandom(`${this.#seed}/read/${this.#site.zoneId}/${minute}`)
    const all = this.#whole(minute)
    const stretches = MINUTE_MS / STRETCH_MS
    const read = Math.min(stretches, Math.floor((READABLE_LINES / Math.max(1, linesOf(all))) * stretches))
    return thinned(random, all, (read / stretches) * (1 - LATE_SHARE), read * STRETCH_MS)
  }

  #note(coveredMs: number): void {
    this.#covered.push(coveredMs / MINUTE_MS)
    if (this.#covered.length > COVERAGE_MINUTES) this.#covered.shift()
  }

  #trust(): TrafficTrust {
    const sinceMs = this.#refusedSinceMs
    return {
      failure: sinceMs === undefined ? undefined : { cause: 'key refused or zone suspended', sinceMs },
      lagMs: this.#site.lagMs,
      behindMinutes: this.#unread.length,
      covered: this.#covered.reduce((sum, share) => sum + share, 0) / Math.max(1, this.#covered.length),
      limited: 0,
    }
  }
}
