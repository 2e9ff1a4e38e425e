import { writeSync } from 'node:fs'

/** A reader that takes nothing for so long is gone, or has better to do than to hear of this program. */
const MAX_WAIT_MS = 2_000
const NAP_MS = 5

/** Writes bytes to somewhere and says how many were taken. Throws with the code EAGAIN while there is no room. */
export type Write = (bytes: Uint8Array) => number

/**
 * Writes texts whole, and at once, to a descriptor that may have no room just now, as a pipe has whose reader is slow.
 * What a reader does not take within two seconds is dropped; until it takes something again, nothing is waited for.
 */
export class WholeWriter {
  readonly #write: Write
  readonly #nap: (ms: number) => void
  #stalled = false

  constructor(descriptor: number, write: Write = (bytes) => writeSync(descriptor, bytes), nap = sleepBlocking) {
    this.#write = write
    this.#nap = nap
  }

  write(text: string): void {
    let rest: Uint8Array = Buffer.from(text)
    let waitedMs = 0
    while (rest.length > 0) {
      const taken = this.#try(rest)
      if (taken === undefined) {
        if (this.#stalled || waitedMs >= MAX_WAIT_MS) {
          this.#stalled = true
          return
        }
        this.#nap(NAP_MS)
        waitedMs += NAP_MS
      } else {
        this.#stalled = false
        waitedMs = 0
        rest = rest.subarray(taken)
      }
    }
  }

  #try(bytes: Uint8Array): number | undefined {
    try {
      return this.#write(bytes)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined
      throw error
    }
  }
}

/** Nothing else can run meanwhile, as nothing can while a write blocks. */
function sleepBlocking(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, ms)
}
