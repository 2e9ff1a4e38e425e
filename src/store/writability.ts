import type { Clock } from '../shared/clock.ts'
import type { StoreErrorKind } from './store-error.ts'

/** Whether the store takes writes, and what failed last when it does not. */
export type WritableState = { readonly writable: true } | { readonly writable: false; readonly why: StoreErrorKind }

/**
 * How long the store may refuse for reasons that concern one statement or pass by themselves, such as a lock of a
 * backup, before it counts as not writable.
 */
export const PASSING_MS = 10_000

const PASSING: ReadonlySet<StoreErrorKind> = new Set(['locked', 'busy', 'other'])

/**
 * Follows the writes of a process and tells when the store stops taking them, and when it takes them again: each once.
 * A full disk, a damaged file or a server out of reach count at once; what may pass counts when a second write fails
 * with it ten seconds after the first and none has succeeded in between.
 */
export class Writability {
  readonly #clock: Clock
  readonly #tell: (state: WritableState) => void
  #writable = true
  #failingSinceMs: number | undefined

  constructor(clock: Clock, tell: (state: WritableState) => void) {
    this.#clock = clock
    this.#tell = tell
  }

  get isWritable(): boolean {
    return this.#writable
  }

  /** A write was committed. */
  succeeded(): void {
    this.#failingSinceMs = undefined
    if (this.#writable) return
    this.#writable = true
    this.#tell({ writable: true })
  }

  /** The store did not take a write. */
  failed(why: StoreErrorKind): void {
    const now = this.#clock.monotonicMs()
    this.#failingSinceMs ??= now
    if (!this.#writable || (PASSING.has(why) && now - this.#failingSinceMs < PASSING_MS)) return
    this.#writable = false
    this.#tell({ writable: false, why })
  }
}
