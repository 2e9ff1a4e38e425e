import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../shared/clock.ts'
import { createServer } from '../shared/node-http.ts'
import { Connections } from './http-connections.ts'

/** Slack sends what it has at once; whoever needs longer is kept for nobody. */
const RECEIVE_TIMEOUT_MS = 5_000
const CHECK_EVERY_MS = 500
const HEADER_BYTES = 16_384
const HEADER_COUNT = 60
/** Longer than the minute for which proxies keep a connection, so that it is not closed as they use it again. */
const KEEP_ALIVE_MS = 65_000
const CLOSE_TIMEOUT_MS = 2_000

/** Where to listen. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** Node's server with a bound on whatever a stranger could make it keep: connections, headers, time. */
export class HttpServer {
  readonly #clock: Clock
  readonly #connections = new Connections()
  readonly #server: Server

  /** `answer` must not throw. */
  constructor(clock: Clock, answer: (request: IncomingMessage, response: ServerResponse) => void) {
    this.#clock = clock
    this.#server = createServer({
      headersTimeout: RECEIVE_TIMEOUT_MS,
      requestTimeout: RECEIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: HEADER_BYTES,
    })
    this.#server.maxHeadersCount = HEADER_COUNT
    this.#server.on('connection', (socket) => this.#connections.admit(socket))
    this.#server.on('request', answer)
  }

  /** Resolves with the port. Rejects when it is taken. */
  async listen({ host, port }: Address): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
    return (this.#server.address() as AddressInfo).port // a TCP server has this form of address
  }

  /** A request of this connection was Slack's. */
  prove({ socket }: IncomingMessage): void {
    this.#connections.prove(socket)
  }

  /** Takes no more connections, lets answers that are under way leave for a moment, and ends all. */
  async close(): Promise<void> {
    const closed = Promise.withResolvers<void>()
    this.#server.close(() => closed.resolve())
    const timer = this.#clock.after(CLOSE_TIMEOUT_MS, () => this.#server.closeAllConnections())
    await closed.promise
    timer.cancel()
  }
}
