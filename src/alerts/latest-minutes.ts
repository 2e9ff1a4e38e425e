import { COUNTS, type MinuteCounts } from '../store/minute-counts.ts'

/** As many as a quiet zone's log is read anew for with each poll. */
const MINUTES = 16
/** Of each minute: which one, the time that was read of it, and its counts. */
const CELLS = 2 + COUNTS.length

/** The newest minutes in full, as they are kept: what is read anew is held against them. */
export class LatestMinutes {
  readonly #cells = new Uint32Array(MINUTES * CELLS)
  /** Minutes from this one on are known here, those that are not kept too. */
  #from: number

  /** What is kept of the minutes from one on; ascending. */
  constructor(from: number, kept: readonly MinuteCounts[]) {
    this.#from = from
    for (const counts of kept) if (counts.minute >= from) this.put(counts)
  }

  /** Whether it is known here what is kept of a minute. */
  covers(minute: number): boolean {
    return minute >= this.#from
  }

  put(counts: MinuteCounts): void {
    this.#from = Math.max(this.#from, counts.minute - MINUTES + 1)
    if (counts.minute < this.#from) return
    const start = (counts.minute % MINUTES) * CELLS
    this.#cells[start] = counts.minute
    this.#cells[start + 1] = counts.coveredMs
    for (let index = 0; index < COUNTS.length; index += 1) {
      const name = COUNTS[index]
      if (name !== undefined) this.#cells[start + 2 + index] = counts[name]
    }
  }

  /** Whether a minute, read anew, says more than what is kept of it. */
  isNews(counts: MinuteCounts): boolean {
    const start = (counts.minute % MINUTES) * CELLS
    if (this.#cells[start] !== counts.minute) return true
    const coveredMs = this.#cells[start + 1] ?? 0
    if (counts.coveredMs !== coveredMs) return counts.coveredMs > coveredMs
    for (let index = 0; index < COUNTS.length; index += 1) {
      const name = COUNTS[index]
      if (name !== undefined && counts[name] !== this.#cells[start + 2 + index]) return true
    }
    return false
  }
}

/** A minute that is known better is not replaced; one that is known as well is, since later readings see late lines. */
export function saysMore(counts: MinuteCounts, kept: MinuteCounts | undefined): boolean {
  if (kept === undefined || counts.coveredMs > kept.coveredMs) return true
  return counts.coveredMs === kept.coveredMs && COUNTS.some((name) => counts[name] !== kept[name])
}
