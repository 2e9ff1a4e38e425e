import type { Clock } from '../shared/clock.ts'
import { keepNewest } from '../shared/newest.ts'

const LIFE_MS = 29 * 60_000
const MAX_KEPT = 2_000

/**
 * Response addresses by the id of the change whose form they belong to. In memory only, since each lets its holder
 * speak as the app for half an hour; after a restart answers go by other ways.
 */
export class ResponseUrls {
  readonly #clock: Clock
  readonly #kept = new Map<string, { readonly url: string; readonly until: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  keep(changeId: string, url: string): void {
    this.#kept.set(changeId, { url, until: this.#clock.monotonicMs() + LIFE_MS })
    keepNewest(this.#kept, MAX_KEPT)
  }

  find(changeId: string): string | undefined {
    const kept = this.#kept.get(changeId)
    return kept !== undefined && kept.until > this.#clock.monotonicMs() ? kept.url : undefined
  }
}
