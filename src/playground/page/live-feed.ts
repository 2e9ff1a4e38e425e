import type { ServerResponse } from 'node:http'
import type { Clock, Timer } from '../../shared/clock.ts'
import { REGIONS, type Regions } from './regions.ts'

/** Changes that come together are sent together. */
const THROTTLE_MS = 40
/** Not everything tells when it changes, and a connection that says nothing is closed by some programs. */
const PULSE_MS = 2_000
const RETRY_MS = 500
/** A browser that does not read is let go; it comes back by itself and gets everything anew. */
const MAX_UNREAD_BYTES = 8_000_000

/** The part of an answer that a feed writes to. */
export type Outlet = Pick<ServerResponse, 'write' | 'end' | 'destroy' | 'writableLength'> & {
  on(event: 'close', listener: () => void): unknown
}

/** What an open page shows and when it may have changed. */
export interface Watched {
  readonly clock: Clock
  readonly draw: () => Promise<Regions>
  /** Each calls its listener after changes until the returned function is called. */
  readonly subscriptions: readonly ((listener: () => void) => () => void)[]
}

/** Sends one open page the regions that have changed, as server-sent events, until it goes away. */
export class LiveFeed {
  readonly #watched: Watched
  readonly #response: Outlet
  readonly #sent = new Map<string, string>()
  readonly #unsubscribe: readonly (() => void)[]
  #timer: Timer | undefined
  #pulse: Timer | undefined
  #drawing = false
  #closed = false

  constructor(watched: Watched, response: Outlet) {
    this.#watched = watched
    this.#response = response
    this.#unsubscribe = watched.subscriptions.map((subscribe) => subscribe(() => this.#soon()))
    response.on('close', () => this.close())
    response.write(`retry: ${RETRY_MS}\n\n`)
    this.#beat()
    void this.#send()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#timer?.cancel()
    this.#pulse?.cancel()
    this.#response.end()
  }

  #soon(): void {
    this.#timer ??= this.#watched.clock.after(THROTTLE_MS, () => {
      this.#timer = undefined
      void this.#send()
    })
  }

  #beat(): void {
    this.#pulse = this.#watched.clock.after(PULSE_MS, () => {
      if (this.#closed) return
      this.#response.write(': still here\n\n')
      this.#soon()
      this.#beat()
    })
  }

  async #send(): Promise<void> {
    if (this.#closed) return
    if (this.#drawing) return this.#soon()
    this.#drawing = true
    try {
      const regions = await this.#watched.draw()
      const changed = REGIONS.map((name) => [name, regions[name].toString()] as const).filter(
        ([name, markup]) => this.#sent.get(name) !== markup,
      )
      for (const [name, markup] of changed) this.#sent.set(name, markup)
      if (changed.length > 0) this.#write(JSON.stringify(Object.fromEntries(changed)))
    } finally {
      this.#drawing = false
    }
  }

  #write(json: string): void {
    if (this.#closed) return
    this.#response.write(`event: regions\ndata: ${json}\n\n`)
    if (this.#response.writableLength > MAX_UNREAD_BYTES) this.#response.destroy()
  }
}
