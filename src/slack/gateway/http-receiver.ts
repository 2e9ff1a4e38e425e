import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { App, Receiver } from '@slack/bolt'
import type { Clock } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import { listen } from '../../shared/server.ts'
import type { Secret } from '../../shared/secret.ts'
import { TtlMap } from '../../shared/ttl-map.ts'
import type { Store } from '../../store/store.ts'
import type { Identity } from '../people/identity.ts'
import { type Envelope, isKnownType, type Origin, readEnvelope } from './http-body-parser.ts'
import { seenDeliveries, type SeenDeliveries } from './seen-deliveries.ts'

/** Where Slack sends to; the manifest says so. */
export const REQUEST_PATH = '/slack/events'
/** Slack's largest deliveries are views of a few hundred kilobytes. */
const MAX_BODY_BYTES = 1_000_000
/** Many times what Slack and a proxy have under way; all with the largest body take 100 MB. */
const MAX_CONNECTIONS = 100
/** Slack sends a request at once. */
const RECEIVE_TIMEOUT_MS = 5_000
const LIMITS = {
  headersTimeout: RECEIVE_TIMEOUT_MS,
  requestTimeout: RECEIVE_TIMEOUT_MS,
  connectionsCheckingInterval: 500,
  maxHeaderSize: 16_384,
}
const MAX_HEADERS = 60
/** Slack has hung up by then. */
const PATIENCE_MS = 3_000
/** The port is open to everybody: what strangers send must not fill the log, so each reason is named once a minute. */
const LOGGED = { lifeMs: 60_000, most: 20 }
const UNREADABLE = 'signed, in an unknown form'

type Recipient = Pick<Identity, 'appId' | 'teamId' | 'enterpriseId'>

export interface HttpReceiverOptions {
  readonly address: { readonly host: string; readonly port: number }
  readonly signingSecret: Secret
  readonly store: Pick<Store, 'isFirst'>
  readonly clock: Clock
  readonly log: Log
  /** Called for what Slack signed, and is for somebody else; `what` is a sentence. Must not throw. */
  readonly onForeign: (origin: Origin, what: string) => Promise<void>
  readonly onLinks: (open: number) => void
}

/**
 * Slack's HTTP requests as a Bolt receiver: Node's own server and limits, one request for each connection. In this order it looks
 * at address, content type, the form and time of the signature, the size, the signature, the envelope, whom it is for, and
 * whether it was here before: no body is parsed before it is known to be Slack's, and Bolt sees only what it can read.
 */
export class HttpReceiver implements Receiver {
  readonly #options: HttpReceiverOptions
  readonly #server: Server
  /** Requests by their signature: what Slack itself repeats it signs anew. */
  readonly #seen: SeenDeliveries
  readonly #logged: TtlMap<true>
  #app: App | undefined
  #recipient: Recipient | undefined
  #isOpen = false

  constructor(options: HttpReceiverOptions) {
    this.#options = options
    this.#seen = seenDeliveries(options.clock, 'request', options.store)
    this.#logged = new TtlMap(options.clock, LOGGED)
    const take = (request: IncomingMessage, response: ServerResponse): void => void this.#take(request, response)
    this.#server = createServer(LIMITS, take)
    // Node itself would answer these, and leave the connection open.
    this.#server.on('checkExpectation', take)
    this.#server.maxConnections = MAX_CONNECTIONS
    this.#server.maxHeadersCount = MAX_HEADERS
    this.#server.maxRequestsPerSocket = 1
  }

  get openLinks(): number {
    return this.#isOpen ? 1 : 0
  }

  /** Takes the port, and until `start` answers that it is too early. Resolves with the port; rejects when it is taken. */
  async listen(): Promise<number> {
    const { port, host } = this.#options.address
    return listen(this.#server, port, host)
  }

  init(app: App): void {
    this.#app = app
  }

  /** Who the bot is; to be said before `start`. */
  expect(recipient: Recipient): void {
    this.#recipient = recipient
  }

  async start(): Promise<void> {
    this.#setOpen(true)
  }

  /** Takes no more connections, and ends all once what came over them is acknowledged, or Slack has hung up. May be called again. */
  async stop(): Promise<void> {
    this.#setOpen(false)
    const closed = Promise.withResolvers<void>()
    this.#server.close(() => closed.resolve())
    const timer = this.#options.clock.after(PATIENCE_MS, () => this.#server.closeAllConnections())
    await closed.promise
    timer.cancel()
  }

  /** Never rejects. */
  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // What comes behind another request of its connection cannot be answered, so it is not carried out either.
    if (response.socket?.writable !== true) return
    try {
      const signed = this.#readHeaders(request, response)
      if (signed === undefined) return
      const envelope = await this.#readEnvelope(request, response, signed)
      if (envelope !== undefined) await this.#open(envelope, signed, response)
    } catch (error) {
      this.#options.log.error({ err: error }, 'a request of Slack could not be handled')
      answer(response, 500)
    }
  }

  #readHeaders({ method, url, headers }: IncomingMessage, response: ServerResponse): Signed | undefined {
    const refused = (status: number, reason: string): undefined => this.#refuse(response, status, reason)
    if (method !== 'POST' || url !== REQUEST_PATH) return refused(404, 'to another address')
    const { 'content-type': type, 'content-encoding': encoding = 'identity' } = headers
    if (!isKnownType(type) || encoding !== 'identity') return refused(415, 'of another content type')
    const signed = readSignature(headers, this.#options.clock.now())
    if (typeof signed === 'string') return refused(401, signed)
    return Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES ? refused(413, 'too large') : signed
  }

  /** The body goes with this: what is in the envelope is all that is kept while it is worked on. */
  async #readEnvelope(
    request: IncomingMessage,
    response: ServerResponse,
    signed: Signed,
  ): Promise<Envelope | undefined> {
    const body = await readBody(request)
    if (body === 'broken off') return undefined
    if (body === 'too large') return this.#refuse(response, 413, body)
    if (!isSignedBy(signed, body, this.#options.signingSecret)) return this.#refuse(response, 401, 'signed wrongly')
    return readEnvelope(request.headers['content-type'], body) ?? this.#refuse(response, 400, UNREADABLE)
  }

  async #open(envelope: Envelope, { signature }: Signed, response: ServerResponse): Promise<void> {
    if (envelope.kind === 'challenge') return answer(response, 200, { challenge: envelope.challenge })
    if (envelope.kind === 'check') return answer(response, 200)
    if (!this.#isOpen || this.#app === undefined || this.#recipient === undefined) return answer(response, 503)
    const foreign = foreignTo(this.#recipient, envelope.origin)
    if (foreign !== undefined) {
      this.#refuse(response, 403, 'signed, for somebody else')
      return this.#options.onForeign(envelope.origin, foreign)
    }
    // Whoever sends it again learns no more than that it arrived.
    if (!(await this.#seen.isNew(signature))) return answer(response, 200)
    await this.#process(this.#app, envelope.body, response)
  }

  /** Slack's library calls the listeners; the first of them that acknowledges has answered. */
  async #process(app: App, body: Readonly<Record<string, unknown>>, response: ServerResponse): Promise<void> {
    const late = this.#options.clock.after(PATIENCE_MS, () => answer(response, 503))
    try {
      await app.processEvent({ body, ack: async (value: unknown) => answer(response, 200, value) })
      answer(response, 404)
    } catch {
      // What goes wrong in a listener is caught and logged there: the library itself fails on fields of another form.
      this.#refuse(response, 400, UNREADABLE)
    } finally {
      late.cancel()
    }
  }

  #refuse(response: ServerResponse, status: number, reason: string): undefined {
    answer(response, status)
    const sentence = 'requests are refused that are not as Slack sends them; if all are, look at SLACK_SIGNING_SECRET'
    if (this.#logged.add(reason, true)) this.#options.log.warn({ reason }, sentence)
  }

  #setOpen(open: boolean): void {
    this.#isOpen = open
    this.#options.onLinks(this.openLinks)
  }
}

/**
 * The body, copied into one buffer: pieces of a few bytes would take many times their size. The connection ends with one that
 * is too large without having said so.
 */
async function readBody(request: IncomingMessage): Promise<Uint8Array | 'too large' | 'broken off'> {
  // The system gives memory as it is written to, so what does not say its length costs no more than it has.
  const body = Buffer.allocUnsafeSlow(Number(request.headers['content-length'] ?? MAX_BODY_BYTES))
  let length = 0
  try {
    for await (const piece of request) {
      const bytes = piece as Buffer // no encoding was set
      if (length + bytes.length > body.length) return 'too large'
      length += bytes.copy(body, length)
    }
    return body.subarray(0, length)
  } catch {
    return 'broken off'
  }
}

/** With nothing, with a text that is shown to whoever typed the command, or with an object. Only the first answer counts. */
function answer(response: ServerResponse, status: number, value?: unknown): void {
  if (response.headersSent || response.destroyed) return
  response.setHeader('connection', 'close')
  if (value === undefined || value === '') return void response.writeHead(status).end()
  const isText = typeof value === 'string'
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  response.writeHead(status, { 'content-type': type }).end(isText ? value : JSON.stringify(value))
}

/** Why this is not for the bot; undefined when it is. */
function foreignTo(own: Recipient, { appId, places }: Origin): string | undefined {
  if (own.appId !== undefined && appId !== own.appId) return 'it names another app'
  const ours = places.length === 0 || places.some((place) => place === own.teamId || place === own.enterpriseId)
  return ours ? undefined : 'it names another workspace'
}

/** Either way: Slack's clock and this machine's may differ, and a request signed for later is no less a forgery. */
const WINDOW_MS = 300_000
const TIMESTAMP = /^[1-9]\d{8,10}$/
const SIGNATURE = /^v0=[0-9a-f]{64}$/

/** The two headers that say who sent a request, in the one form that Slack writes. */
export interface Signed {
  /** Seconds since 1970, as it was written: the signature covers the digits. */
  readonly timestamp: string
  readonly signature: string
}

/**
 * Reads the headers of a signature, before any byte of the body is taken; why they cannot be Slack's, as the log names it. Node
 * joins one that is there twice to another form.
 */
export function readSignature(headers: IncomingHttpHeaders, now: Date): Signed | string {
  const { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature } = headers
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return 'not signed'
  if (!TIMESTAMP.test(timestamp) || !SIGNATURE.test(signature)) return 'signed in another form'
  if (Math.abs(now.getTime() - Number(timestamp) * 1_000) > WINDOW_MS) return 'signed at another time'
  return { timestamp, signature }
}

/** Whether whoever knows the secret signed just these bytes at that time. Takes as long for any wrong signature. */
export function isSignedBy({ timestamp, signature }: Signed, body: Uint8Array, secret: Secret): boolean {
  const own = createHmac('sha256', secret.reveal()).update(`v0:${timestamp}:`).update(body).digest('hex')
  return timingSafeEqual(Buffer.from(`v0=${own}`), Buffer.from(signature))
}
