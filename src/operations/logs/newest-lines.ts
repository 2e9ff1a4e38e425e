import type { LogEntry } from '../../cdn/log-entry.ts'

/** Sorting once in every quarter of `max` lines costs little, and no more than a quarter too many are kept. */
const SLACK = 1.25

/** Keeps the newest lines of a stream of any length and order, newest first. Lines without a time count as oldest. */
export class NewestLines {
  readonly #max: number
  #kept: LogEntry[] = []
  /** Once `max` lines are kept, one that is no newer than the oldest of them has no place. */
  #oldest = Number.NEGATIVE_INFINITY

  constructor(max: number) {
    this.#max = max
  }

  add(entry: LogEntry): void {
    if (timeOf(entry) <= this.#oldest) return
    this.#kept.push(entry)
    if (this.#kept.length <= this.#max * SLACK) return
    this.#kept = this.#newest()
    this.#oldest = timeOf(this.#kept.at(-1))
  }

  list(): readonly LogEntry[] {
    return this.#newest()
  }

  #newest(): LogEntry[] {
    return this.#kept.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, this.#max)
  }
}

function timeOf(entry: LogEntry | undefined): number {
  return entry?.timestamp?.getTime() ?? 0
}
