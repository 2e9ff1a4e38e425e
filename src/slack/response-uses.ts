import { keepNewest } from '../shared/newest.ts'

/** Slack takes five posts to a response address, and says no more than an error to the sixth. */
export const USES_PER_ADDRESS = 5
const MAX_COUNTED = 2_000

/** How often each response address has been used, so that no more is tried than Slack takes. */
export class ResponseUses {
  readonly #uses = new Map<string, number>()

  /** Counts one use; false when there is none left. The oldest addresses, long expired, are forgotten. */
  spend(url: string): boolean {
    const used = this.#uses.get(url) ?? 0
    if (used >= USES_PER_ADDRESS) return false
    this.#uses.set(url, used + 1)
    keepNewest(this.#uses, MAX_COUNTED)
    return true
  }
}
