import type { ServerResponse } from 'node:http'
import type { Clock, Timer } from '../../shared/clock.ts'
import type { Regions } from './regions.ts'

/** Changes that come together are sent together. */
const THROTTLE_MS = 40
/** Not everything tells when it changes, and a connection that says nothing is closed by some programs. */
const PULSE_MS = 2_000
const RETRY_MS = 500
/** A browser that does not read is let go; it comes back by itself and gets everything anew. */
const MAX_UNREAD_BYTES = 8_000_000

export type Outlet = Pick<ServerResponse, 'write' | 'end' | 'destroy' | 'writableLength'> & {
  on(event: 'close', listener: () => void): unknown
}

export interface Watched {
  readonly clock: Clock
  readonly draw: () => Promise<Regions>
  /** Each calls its listener after changes until the returned function is called. */
  readonly subscriptions: readonly ((listener: () => void) => () => void)[]
}

/** Sends one open page the regions that have changed, as server-sent events, until it goes away or is closed. */
export function startFeed({ clock, draw, subscriptions }: Watched, response: Outlet): () => void {
  const sent = new Map<string, string>()
  let timer: Timer | undefined
  let pulse: Timer | undefined
  let drawing = false
  let closed = false
  const soon = (): void => {
    timer ??= clock.after(THROTTLE_MS, () => {
      timer = undefined
      void send()
    })
  }
  const send = async (): Promise<void> => {
    if (closed) return
    if (drawing) return soon()
    drawing = true
    try {
      const regions = Object.entries(await draw()).map(([name, markup]) => [name, markup.toString()] as const)
      const changed = regions.filter(([name, markup]) => sent.get(name) !== markup)
      for (const [name, markup] of changed) sent.set(name, markup)
      if (changed.length === 0 || closed) return
      response.write(`event: regions\ndata: ${JSON.stringify(Object.fromEntries(changed))}\n\n`)
      if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
    } finally {
      drawing = false
    }
  }
  const beat = (): void => {
    pulse = clock.after(PULSE_MS, () => {
      response.write(': still here\n\n')
      soon()
      beat()
    })
  }
  const unsubscribe = subscriptions.map((subscribe) => subscribe(soon))
  const close = (): void => {
    if (closed) return
    closed = true
    for (const each of unsubscribe) each()
    timer?.cancel()
    pulse?.cancel()
    response.end()
  }
  response.on('close', close)
  response.write(`retry: ${RETRY_MS}\n\n`)
  beat()
  void send()
  return close
}
