import type { LogEntry } from '../../cdn/log-entry.ts'

/** Keeps the newest lines of a stream of any length and order, newest first. Lines without a time count as oldest. */
export class NewestLines {
  readonly #max: number
  #kept: LogEntry[] = []

  constructor(max: number) {
    this.#max = max
  }

  add(entry: LogEntry): void {
    this.#kept.push(entry)
    // Sorting once in every `max` lines costs little and keeps at most twice as many.
    if (this.#kept.length >= this.#max * 2) this.#kept = this.#newest()
  }

  list(): readonly LogEntry[] {
    return this.#newest()
  }

  #newest(): LogEntry[] {
    return this.#kept.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, this.#max)
  }
}

function timeOf({ timestamp }: LogEntry): number {
  return timestamp?.getTime() ?? 0
}
