/** A list that forgets its oldest entries once it holds `limit` of them. */
export class BoundedList<T> {
  readonly #limit: number
  #entries: T[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  get entries(): readonly T[] {
    return this.#entries
  }

  add(entry: T): T {
    if (this.#entries.length >= this.#limit) this.#entries.shift()
    this.#entries.push(entry)
    return entry
  }

  replace(matches: (entry: T) => boolean, change: (entry: T) => T): void {
    this.#entries = this.#entries.map((entry) => (matches(entry) ? change(entry) : entry))
  }

  remove(matches: (entry: T) => boolean): void {
    this.#entries = this.#entries.filter((entry) => !matches(entry))
  }
}
