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
    const cells = this.#cells
    const start = (counts.minute % MINUTES) * CELLS
    cells[start] = counts.minute
    cells[start + 1] = counts.coveredMs
    let cell = start + 2
    for (const name of COUNTS) {
      cells[cell] = counts[name]
      cell += 1
    }
  }

  /** Whether a minute, read anew, says more than what is kept of it. Written out: a quiet zone's minutes are read anew each minute. */
  isNews(counts: MinuteCounts): boolean {
    const cells = this.#cells
    const start = (counts.minute % MINUTES) * CELLS
    if (cells[start] !== counts.minute) return true
    const coveredMs = cells[start + 1] ?? 0
    if (counts.coveredMs !== coveredMs) return counts.coveredMs > coveredMs
    return (
      counts.hit !== cells[start + 2] ||
      counts.miss !== cells[start + 3] ||
      counts.stale !== cells[start + 4] ||
      counts.updating !== cells[start + 5] ||
      counts.revalidated !== cells[start + 6] ||
      counts.bypass !== cells[start + 7] ||
      counts.uncached !== cells[start + 8] ||
      counts.other !== cells[start + 9] ||
      counts.c1xx !== cells[start + 10] ||
      counts.c2xx !== cells[start + 11] ||
      counts.c3xx !== cells[start + 12] ||
      counts.c4xx !== cells[start + 13] ||
      counts.c5xx !== cells[start + 14] ||
      counts.uncoded !== cells[start + 15]
    )
  }
}

/** A minute that is known better is not replaced; one that is known as well is, since later readings see late lines. */
export function saysMore(counts: MinuteCounts, kept: MinuteCounts | undefined): boolean {
  if (kept === undefined || counts.coveredMs > kept.coveredMs) return true
  return counts.coveredMs === kept.coveredMs && COUNTS.some((name) => counts[name] !== kept[name])
}
