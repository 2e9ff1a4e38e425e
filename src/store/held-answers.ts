import type { AnswersTable } from './tables.ts'

/** As much as waits in memory at most, in UTF-16 units of what the answers hold. */
export const MAX_HELD_CHARACTERS = 4 * 1_024 * 1_024

/** Answers that wait to be written, by id. While that fails, the oldest make room. */
export class HeldAnswers {
  readonly #rows = new Map<string, AnswersTable>()
  readonly #most: number
  #characters = 0

  /** `most` is how many there may be. */
  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#rows.size
  }

  put(row: AnswersTable): void {
    this.delete(row.id)
    this.#rows.set(row.id, row)
    this.#characters += charactersOf(row)
    while (this.#rows.size > this.#most || this.#characters > MAX_HELD_CHARACTERS) this.#forgetOldest()
  }

  get(id: string): AnswersTable | undefined {
    return this.#rows.get(id)
  }

  delete(id: string): void {
    const row = this.#rows.get(id)
    if (row === undefined) return
    this.#rows.delete(id)
    this.#characters -= charactersOf(row)
  }

  /** Forgets what has expired and returns how many that were. */
  prune(nowMs: number): number {
    const expired = [...this.#rows.values()].filter(({ expiresAt }) => expiresAt <= nowMs)
    for (const { id } of expired) this.delete(id)
    return expired.length
  }

  /** All there are, the oldest first. */
  all(): readonly AnswersTable[] {
    return [...this.#rows.values()]
  }

  #forgetOldest(): void {
    const [oldest] = this.#rows.keys()
    if (oldest !== undefined) this.delete(oldest)
  }
}

function charactersOf({ values, message }: AnswersTable): number {
  return values.length + (message?.length ?? 0)
}
