import type { IncomingMessage } from 'node:http'

/** Slack's largest deliveries are views of a few hundred kilobytes. */
const MAX_BODY_BYTES = 1_000_000
const PAGE_BYTES = 16_384
/** 4 MB for all bodies together that are not yet known to be Slack's. */
const MAX_PAGES = 256

/** Why there is no body: the first two are answered, of the third nobody is left to hear. */
export type NoBody = 'too large' | 'gave way' | 'broken off'

interface Held {
  readonly pages: Buffer[]
  length: number
  readonly giveWay: () => void
}

/**
 * Takes the bodies of requests that nobody has vouched for yet, in bounded memory: where all together become too much,
 * the largest gives way. Bytes are copied into pages that are used again, because a body in tiny pieces would take many
 * times its size, and one that grows would leave as much behind for the garbage collector.
 */
export class Bodies {
  readonly #held = new Set<Held>()
  readonly #free: Buffer[] = []
  #pages = 0

  /** Memory that bodies take now, in bytes. */
  get heldBytes(): number {
    return (this.#pages - this.#free.length) * PAGE_BYTES
  }

  /** Never rejects. */
  async read(request: IncomingMessage): Promise<Buffer | NoBody> {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return 'too large'
    const { promise, resolve } = Promise.withResolvers<Buffer | NoBody>()
    const stop = (outcome: Buffer | NoBody): void => {
      if (!this.#held.delete(held)) return
      request.off('data', take)
      request.pause()
      this.#free.push(...held.pages)
      resolve(outcome)
    }
    const held: Held = { pages: [], length: 0, giveWay: () => stop('gave way') }
    const take = (chunk: Buffer): void => {
      if (held.length + chunk.length > MAX_BODY_BYTES) return stop('too large')
      for (let from = 0; from < chunk.length && this.#held.has(held);) from += this.#keep(held, chunk.subarray(from))
    }
    this.#held.add(held)
    request.on('data', take)
    request.once('end', () => stop(Buffer.concat(held.pages, held.length)))
    request.once('error', () => stop('broken off'))
    request.once('close', () => stop('broken off'))
    return promise
  }

  /** Copies as much as the last page has room for; how much that was. */
  #keep(held: Held, chunk: Buffer): number {
    const used = held.length % PAGE_BYTES
    const page = used === 0 ? this.#newPage() : held.pages.at(-1)
    // To have room, this very body may have given way.
    if (page === undefined || !this.#held.has(held)) {
      if (used === 0 && page !== undefined) this.#free.push(page)
      return chunk.length
    }
    if (used === 0) held.pages.push(page)
    const copied = chunk.copy(page, used)
    held.length += copied
    return copied
  }

  #newPage(): Buffer | undefined {
    if (this.#free.length === 0 && this.#pages === MAX_PAGES) this.#largest()?.giveWay()
    const free = this.#free.pop()
    if (free !== undefined || this.#pages === MAX_PAGES) return free
    this.#pages += 1
    return Buffer.allocUnsafeSlow(PAGE_BYTES)
  }

  #largest(): Held | undefined {
    let largest: Held | undefined
    for (const held of this.#held) if (held.pages.length > (largest?.pages.length ?? 0)) largest = held
    return largest
  }
}
