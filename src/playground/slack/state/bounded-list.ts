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

  replace(entry: T, by: T): void {
    this.#entries = this.#entries.map((each) => (each === entry ? by : each))
  }

  remove(matches: (entry: T) => boolean): void {
    this.#entries = this.#entries.filter((entry) => !matches(entry))
  }
}
