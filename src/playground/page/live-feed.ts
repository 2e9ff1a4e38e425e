import type { ServerResponse } from 'node:http'
import type { Timer } from '../../shared/clock.ts'
import { REGIONS, regionsOf } from './regions.ts'
import type { Sources } from './sources.ts'
import type { Viewpoint } from './viewpoint.ts'

/** Changes that come together are sent together. */
const THROTTLE_MS = 40
/** Not everything tells when it changes, and a connection that says nothing is closed by some programs. */
const PULSE_MS = 2_000
const RETRY_MS = 500
/** A browser that does not read is let go; it comes back by itself and gets everything anew. */
const MAX_UNREAD_BYTES = 8_000_000

/** Sends one open page the regions that have changed, as server-sent events, until it goes away. */
export class LiveFeed {
  readonly #viewpoint: Viewpoint
  readonly #sources: Sources
  readonly #response: ServerResponse
  readonly #sent = new Map<string, string>()
  readonly #unsubscribe: readonly (() => void)[]
  #timer: Timer | undefined
  #pulse: Timer | undefined
  #drawing = false
  #closed = false

  constructor(viewpoint: Viewpoint, sources: Sources, response: ServerResponse) {
    this.#viewpoint = viewpoint
    this.#sources = sources
    this.#response = response
    const soon = (): void => this.#soon()
    this.#unsubscribe = [sources.slack.subscribe(soon), sources.controls.subscribe(soon)]
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
    this.#timer ??= this.#sources.clock.after(THROTTLE_MS, () => {
      this.#timer = undefined
      void this.#send()
    })
  }

  #beat(): void {
    this.#pulse = this.#sources.clock.after(PULSE_MS, () => {
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
      const regions = await regionsOf(this.#viewpoint, this.#sources)
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
