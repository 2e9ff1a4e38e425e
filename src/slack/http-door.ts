import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App, Receiver } from '@slack/bolt'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Secret } from '../shared/secret.ts'
import type { Store } from '../store/store.ts'
import { answer, refuse } from './http-answers.ts'
import { Bodies } from './http-bodies.ts'
import { isKnownType, type Origin, readEnvelope } from './http-envelope.ts'
import { Refusals } from './http-refusals.ts'
import { Replays } from './http-replays.ts'
import { type Address, HttpServer } from './http-server.ts'
import { isSignedBy, readSignature, type Signed } from './http-signature.ts'

/** Where Slack sends to; the manifest says so. */
export const REQUEST_PATH = '/slack/events'
/** Slack has hung up by then. */
const PATIENCE_MS = 3_000

/** The app and the workspace that deliveries have to be for. */
export interface Recipient {
  /** Undefined when Slack does not say it. */
  readonly appId: string | undefined
  readonly teamId: string
  readonly enterpriseId: string | undefined
}

export interface HttpDoorOptions {
  readonly address: Address
  readonly signingSecret: Secret
  readonly store: Pick<Store, 'isFirst'>
  readonly clock: Clock
  readonly log: Log
  /** Told of what Slack signed, and is for somebody else; `what` is a sentence. Must not throw. */
  readonly onForeign: (origin: Origin, what: string) => Promise<void>
  /** Told when requests begin or cease to be taken. */
  readonly onOpen: (open: boolean) => void
}

/**
 * Slack's HTTP requests as a Bolt receiver. In this order it looks at address, content type, the form and time of the
 * signature, the size, the signature, the envelope, whom it is for, and whether it was here before: no body is
 * made sense of before it is known to be Slack's, and Slack's library sees only what it can read.
 */
export class HttpDoor implements Receiver {
  readonly #options: HttpDoorOptions
  readonly #server: HttpServer
  readonly #bodies = new Bodies()
  readonly #replays: Replays
  readonly #refusals: Refusals
  #app: App | undefined
  #recipient: Recipient | undefined
  #isOpen = false

  constructor(options: HttpDoorOptions) {
    const { clock, log, store } = options
    this.#options = options
    this.#replays = new Replays(store, clock)
    this.#refusals = new Refusals(clock, log)
    this.#server = new HttpServer(clock, (request, response) => void this.#take(request, response))
  }

  /** One while requests are taken. */
  get openLinks(): number {
    return this.#isOpen ? 1 : 0
  }

  /** Takes the port, and until `start` answers that it is too early. Rejects when the port is taken. */
  listen(): Promise<number> {
    return this.#server.listen(this.#options.address)
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

  /** What is under way has to have ended before: answers are only let out. */
  async stop(): Promise<void> {
    this.#setOpen(false)
    await this.#server.close()
  }

  /** Never rejects. */
  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const signed = this.#announced(request, response)
      if (signed === undefined) return
      const body = await this.#bodies.read(request)
      if (body === 'broken off') return void response.destroy()
      if (typeof body === 'string') return this.#refuse(response, body === 'too large' ? 413 : 503, body)
      if (!isSignedBy(signed, body, this.#options.signingSecret)) return this.#refuse(response, 401, 'signed wrongly')
      this.#server.prove(request)
      await this.#open(request, response, { signed, body })
    } catch (error) {
      this.#options.log.error({ err: error }, 'a request of Slack could not be handled')
      answer(response, 500)
    }
  }

  /** What can be told from the headers alone. */
  #announced({ method, url, headers, rawHeaders }: IncomingMessage, response: ServerResponse): Signed | undefined {
    const refused = (status: number, reason: string): undefined => this.#refuse(response, status, reason)
    if (method !== 'POST' || url !== REQUEST_PATH) return refused(404, 'to another address')
    const { 'content-type': type, 'content-encoding': encoding = 'identity' } = headers
    if (!isKnownType(type) || encoding !== 'identity') return refused(415, 'of another content type')
    const signed = readSignature(rawHeaders, this.#options.clock.now())
    return typeof signed === 'string' ? refused(401, signed) : signed
  }

  /** Reads what Slack has signed. */
  async #open(
    { headers }: IncomingMessage,
    response: ServerResponse,
    { signed, body }: { readonly signed: Signed; readonly body: Buffer },
  ): Promise<void> {
    const envelope = readEnvelope(headers['content-type'], body)
    if (envelope === undefined) return this.#refuse(response, 400, 'signed, in an unknown form')
    if (envelope.kind === 'challenge') return answer(response, 200, { challenge: envelope.challenge })
    if (envelope.kind === 'check') return answer(response, 200)
    if (!this.#isOpen || this.#app === undefined || this.#recipient === undefined) return answer(response, 503)
    const foreign = foreignTo(this.#recipient, envelope.origin)
    if (foreign !== undefined) {
      this.#refuse(response, 403, 'signed, for somebody else')
      return this.#options.onForeign(envelope.origin, foreign)
    }
    // Whoever sends it again learns no more than that it arrived.
    if (!(await this.#replays.isFirst(signed.signature))) return answer(response, 200)
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
      this.#refuse(response, 400, 'signed, in an unknown form')
    } finally {
      late.cancel()
    }
  }

  #refuse(response: ServerResponse, status: number, reason: string): undefined {
    this.#refusals.count(reason)
    refuse(response, status)
  }

  #setOpen(open: boolean): void {
    this.#isOpen = open
    this.#options.onOpen(open)
  }
}

/** Why this is not for the bot; undefined when it is. */
function foreignTo(own: Recipient, { appId, places }: Origin): string | undefined {
  if (own.appId !== undefined && appId !== own.appId) return 'it names another app'
  const ours = places.length === 0 || places.some((place) => place === own.teamId || place === own.enterpriseId)
  return ours ? undefined : 'it names another workspace'
}
