import type { Incident } from './traffic-mix.ts'

const MAX_INCIDENTS = 1_000
/** Longer than any log is kept. */
const FORGOTTEN_AFTER_MS = 7 * 86_400_000

/** What went and goes wrong with the pull zones, in the order in which it was let go wrong. */
export class Incidents {
  #all: readonly Incident[] = []

  get all(): readonly Incident[] {
    return this.#all
  }

  /**
   * Lets something go wrong. The returned function ends it at a moment in milliseconds since 1970; what the log showed
   * before that moment stays as it was. Throws RangeError when there are 1,000 that some log still shows.
   */
  add(incident: Incident): (untilMs: number) => void {
    const oldestMs = incident.fromMs - FORGOTTEN_AFTER_MS
    this.#all = this.#all.filter(({ untilMs = Number.POSITIVE_INFINITY }) => untilMs >= oldestMs)
    if (this.#all.length >= MAX_INCIDENTS) throw new RangeError(`More than ${MAX_INCIDENTS} incidents`)
    let current = incident
    this.#all = [...this.#all, incident]
    return (untilMs) => {
      const ended = { ...current, untilMs }
      this.#all = this.#all.map((each) => (each === current ? ended : each))
      current = ended
    }
  }
}
