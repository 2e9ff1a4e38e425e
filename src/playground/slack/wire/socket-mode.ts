import { WebSocket } from 'ws'
import * as z from 'zod'
import type { Clock, Timer } from '../../../shared/clock.ts'
import { jsonOrUndefined } from '../../../shared/json.ts'
import type { ChangeFeed } from '../state/change-feed.ts'
import type { Deliveries, DeliveryType, Transport } from './deliveries.ts'
import { APP_ID } from '../state/seed.ts'

/** Clients drop a link whose server fell silent for 30 s after its first ping. */
const PING_EVERY_MS = 10_000
const LEAVE_WITHIN_MS = 10_000
const HOST = 'applink-emulator'
const CONNECTION_TIME_S = 3_600

interface Link {
  readonly socket: WebSocket
  ping: Timer | undefined
  leaving: boolean
}

const acknowledgement = z.object({
  envelope_id: z.string(),
  payload: z.record(z.string(), z.unknown()).optional(),
})

/**
 * Slack's Socket Mode: an app opens links with single-use tickets, gets every envelope on exactly one of them and
 * answers on the same link. Links take turns.
 */
export class SocketMode implements Transport {
  readonly #clock: Clock
  readonly #feed: ChangeFeed
  readonly #deliveries: Deliveries
  readonly #tickets = new Set<string>()
  #links: Link[] = []
  #turn = 0

  constructor(clock: Clock, feed: ChangeFeed, deliveries: Deliveries) {
    this.#clock = clock
    this.#feed = feed
    this.#deliveries = deliveries
  }

  get linkCount(): number {
    return this.#links.filter((link) => !link.leaving).length
  }

  issueTicket(): string {
    const ticket = this.#clock.newId()
    this.#tickets.add(ticket)
    return ticket
  }

  redeem(ticket: string | null): boolean {
    return ticket !== null && this.#tickets.delete(ticket)
  }

  accept(socket: WebSocket): void {
    const link: Link = { socket, ping: undefined, leaving: false }
    // A broken socket also closes, and the close handler below does what there is to do.
    socket.on('error', () => socket.terminate())
    this.#links.push(link)
    // Anything a client writes but acknowledgements is ignored, as Slack ignores it.
    socket.on('message', (data: Buffer) => {
      const parsed = acknowledgement.safeParse(jsonOrUndefined(data.toString()))
      if (parsed.success) this.#deliveries.acknowledge(parsed.data.envelope_id, parsed.data.payload)
    })
    socket.on('close', () => this.#forget(link))
    this.#keepAlive(link)
    this.#write(link, {
      type: 'hello',
      num_connections: this.#links.length,
      connection_info: { app_id: APP_ID },
      debug_info: { host: HOST, build_number: 1, approximate_connection_time: CONNECTION_TIME_S },
    })
    this.#feed.changed()
  }

  send(id: string, type: DeliveryType, payload: object, extra: object): boolean {
    const open = this.#links.filter((link) => !link.leaving && link.socket.readyState === WebSocket.OPEN)
    const link = open[this.#turn % Math.max(open.length, 1)]
    if (link === undefined) return false
    this.#turn += 1
    this.#write(link, {
      envelope_id: id,
      type,
      accepts_response_payload: type !== 'events_api',
      payload,
      ...extra,
    })
    return true
  }

  /** Tells the link that has been open longest to go, as Slack does every few hours. */
  disconnectOldest(): void {
    const oldest = this.#links.find((link) => !link.leaving)
    if (oldest === undefined) return
    this.#write(oldest, { type: 'disconnect', reason: 'refresh_requested', debug_info: { host: HOST } })
    oldest.leaving = true
    const timer = this.#clock.after(LEAVE_WITHIN_MS, () => oldest.socket.terminate())
    oldest.socket.on('close', () => timer.cancel())
    this.#feed.changed()
  }

  dropAll(): void {
    for (const { socket } of this.#links) socket.terminate()
  }

  #keepAlive(link: Link): void {
    link.ping = this.#clock.after(PING_EVERY_MS, () => {
      link.socket.ping('emulator')
      this.#keepAlive(link)
    })
  }

  #forget(link: Link): void {
    link.ping?.cancel()
    this.#links = this.#links.filter((other) => other !== link)
    this.#feed.changed()
  }

  #write(link: Link, message: object): void {
    link.socket.send(JSON.stringify(message))
  }
}
