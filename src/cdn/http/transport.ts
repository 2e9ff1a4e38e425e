import { addAbortListener } from 'node:events'
import { Agent, Client, type Dispatcher, request } from 'undici'
import type { Clock } from '../../shared/clock.ts'
import { codeOf } from '../../shared/errors.ts'
import type { Secret } from '../../shared/secret.ts'
import { callKind, type EndpointName, endpoints } from '../contract/endpoints.ts'
import { CdnError, type CdnFailure, type Rejected, type UnreachableReason } from '../contract/errors.ts'
import { createDeadline, DEADLINES_MS, type Deadline, FIRST_BYTE_TIMEOUT_MS } from './deadline.ts'
import { parseRetryAfter, readErrorBody } from './error-body.ts'
import type { LogLimiter } from './log-limit.ts'
import type { LogCallOptions } from '../contract/cdn.ts'
import { bodyOf, type Incoming, MAX_ERROR_BODY_BYTES } from './response-body.ts'

/** Reads are attempted three times in all; writes once, whatever happens. */
const MAX_READ_ATTEMPTS = 3
const FIRST_BACKOFF_MS = 200
/** A number of 32 bits is enough chance for a pause. */
const CHANCE_DIGITS = 8
/** Connecting is the first thing that fails when the platform is gone; the rest of a deadline is for its work. */
const CONNECT_TIMEOUT_MS = 5_000
const MAX_CONNECTIONS_PER_ORIGIN = 64
/** Shorter than what servers commonly keep, so that a read seldom meets a socket that is closing. */
const KEEP_ALIVE_MS = 4_000

/** How the client shows who it is: the contract knows a key in a header of its own, and a bearer token. */
export interface Credential {
  readonly scheme: 'accessKey' | 'bearer'
  readonly secret: Secret
}

/** How one call went, for a metric. `ms` counts from its first slot to its end, repeats and pauses included. */
export interface CallReport {
  readonly endpoint: EndpointName
  readonly outcome: 'ok' | CdnFailure['kind']
  readonly ms: number
  readonly attempts: number
}

export interface TransportOptions {
  readonly credential: Credential
  readonly clock: Clock
  readonly limiter: LogLimiter
  /** Sends everything, instead of connections of our own. */
  readonly dispatcher?: Dispatcher | undefined
  readonly onCall?: ((report: CallReport) => void) | undefined
  /** Told the `Date` of each answer, and when it was asked for by the monotonic clock. */
  readonly onDate?: ((header: string | undefined, askedAtMs: number) => void) | undefined
}

export interface Call<T> {
  readonly endpoint: EndpointName
  readonly url: URL
  readonly body?: string | undefined
  readonly signal: AbortSignal | undefined
  /** For log calls: whose limit they count against, and who waits. */
  readonly slot?: { readonly pullZoneId: bigint; readonly wish: LogCallOptions }
  readonly read: (incoming: Incoming, deadline: Deadline) => Promise<T>
  readonly mayRepeat?: () => boolean
}

/**
 * Takes a call through slot, deadline and attempts. No redirect is followed. Uses undici's `request`, since `fetch`
 * carries the access key along to other hosts. Failures are `CdnError`s without the cause, which could quote it.
 */
export class Transport {
  readonly #options: TransportOptions
  readonly #shared: Dispatcher
  #exchanges = 0

  constructor(options: TransportOptions) {
    this.#options = options
    this.#shared =
      options.dispatcher ??
      new Agent({ ...CONNECTION, connections: MAX_CONNECTIONS_PER_ORIGIN, keepAliveTimeout: KEEP_ALIVE_MS })
  }

  async call<T>(call: Call<T>): Promise<T> {
    const { endpoint, mayRepeat } = call
    const { clock, onCall } = this.#options
    const kind = callKind(endpoint)
    const deadline = createDeadline(clock, DEADLINES_MS[kind], call.signal)
    const maxAttempts = kind === 'write' ? 1 : MAX_READ_ATTEMPTS
    let attempts = 0
    let startedAtMs = clock.monotonicMs()
    const report = (outcome: CallReport['outcome']): void =>
      onCall?.({ endpoint, outcome, ms: clock.monotonicMs() - startedAtMs, attempts })
    const onStart = (): void => {
      if (attempts === 0) startedAtMs = clock.monotonicMs()
      attempts += 1
    }
    let last: CdnError | undefined
    try {
      for (;;) {
        try {
          const answer = await this.#inSlot(call, deadline, last, onStart)
          report('ok')
          return answer
        } catch (error) {
          if (!(error instanceof CdnError) || attempts >= maxAttempts || mayRepeat?.() === false) throw error
          const pauseMs = this.#pauseBefore(error.failure, attempts)
          if (pauseMs === undefined || pauseMs >= deadline.remainingMs() || deadline.reason !== undefined) throw error
          await clock.sleep(pauseMs, deadline.signal).catch(() => {
            throw error
          })
          last = error
        }
      }
    } catch (error) {
      if (error instanceof CdnError) report(error.failure.kind)
      throw error
    } finally {
      deadline.stop()
    }
  }

  /** Closes idle connections and waits for those in use. One that is still being made is none: its call was given up. */
  async close(): Promise<void> {
    if (this.#options.dispatcher !== undefined) return
    await (this.#exchanges === 0 ? this.#shared.destroy() : this.#shared.close())
  }

  /** One attempt. Every attempt of a log call takes a slot of its own; a repeat waits for it only until the deadline. */
  async #inSlot<T>(call: Call<T>, deadline: Deadline, last: CdnError | undefined, onStart: () => void): Promise<T> {
    const { endpoint, slot } = call
    let started = false
    const exchange = (onAnswer?: () => void): Promise<T> => {
      started = true
      onStart()
      return this.#exchange(call, deadline, onAnswer)
    }
    if (slot === undefined) return exchange()
    try {
      return await this.#options.limiter.run(slot.pullZoneId, { ...slot.wish, signal: deadline.signal }, exchange)
    } catch (error) {
      if (started) throw error
      if (last !== undefined) throw last
      if (deadline.reason === undefined) throw error
      throw new CdnError(endpoint, { kind: 'unreachable', reason: deadline.reason, sent: 'no' })
    }
  }

  /**
   * Sends the request once and reads its answer. A write goes over a connection of its own, so that a pooled socket that
   * is just closing cannot make its fate unclear.
   */
  async #exchange<T>(call: Call<T>, deadline: Deadline, onAnswer?: () => void): Promise<T> {
    const { endpoint, url } = call
    const { clock, dispatcher, onDate } = this.#options
    const kind = callKind(endpoint)
    const askedAtMs = clock.monotonicMs()
    const own = kind === 'write' && dispatcher === undefined ? new Client(url.origin, CONNECTION) : undefined
    let connected = false
    own?.once('connect', () => void (connected = true))
    const nothingSent = (error: unknown): boolean =>
      own === undefined ? BEFORE_CONNECTING.has(codeOf(error)) : !connected
    this.#exchanges += 1
    deadline.start()
    if (kind === 'dayFile') deadline.expectWithin(FIRST_BYTE_TIMEOUT_MS)
    try {
      const incoming = await this.#send(call, deadline, own ?? this.#shared, nothingSent)
      try {
        onAnswer?.()
        onDate?.(incoming.headers['date'], askedAtMs)
        if (incoming.status < 200 || incoming.status > 299) {
          throw new CdnError(endpoint, await this.#rejection(incoming))
        }
        return await call.read(incoming, deadline)
      } finally {
        incoming.body.destroy()
      }
    } finally {
      deadline.expectNothing()
      this.#exchanges -= 1
      await own?.destroy()
    }
  }

  async #send(
    { endpoint, url, body }: Pick<Call<unknown>, 'endpoint' | 'url' | 'body'>,
    deadline: Deadline,
    dispatcher: Dispatcher,
    nothingSent: (error: unknown) => boolean,
  ): Promise<Incoming> {
    if (deadline.reason !== undefined) {
      throw new CdnError(endpoint, { kind: 'unreachable', reason: deadline.reason, sent: 'no' })
    }
    const { method } = endpoints[endpoint]
    const kind = callKind(endpoint)
    const { scheme, secret } = this.#options.credential
    const headers = {
      ...(scheme === 'accessKey' ? { AccessKey: secret.reveal() } : { Authorization: `Bearer ${secret.reveal()}` }),
      accept: kind === 'dayFile' ? 'text/plain, */*' : 'application/json',
      'accept-encoding': kind === 'dayFile' ? 'gzip' : 'identity',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const reset = kind === 'write'
    try {
      const { signal } = deadline
      const sending = request(url, { method, headers, body: body ?? null, signal, dispatcher, reset })
      const answer = await unlessAborted(sending, signal)
      // The body may fail before anybody reads it; without a listener that would end the process.
      answer.body.on('error', () => undefined)
      const single = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')] as const)
      return { status: answer.statusCode, headers: Object.fromEntries(single), body: answer.body }
    } catch (error) {
      const sent = nothingSent(error) ? 'no' : 'maybe'
      throw new CdnError(endpoint, { kind: 'unreachable', reason: reasonOf(error, deadline), sent })
    }
  }

  async #rejection(incoming: Incoming): Promise<Rejected> {
    const body = await bodyOf(incoming, MAX_ERROR_BODY_BYTES).catch(() => '')
    const said = readErrorBody(body.toString(), this.#options.credential.secret.reveal())
    const retryAfterMs = parseRetryAfter(incoming.headers['retry-after'], this.#options.clock.now())
    return { kind: 'rejected', status: incoming.status, ...said, retryAfterMs }
  }

  /** How long to pause before the next try; undefined when another try is pointless. */
  #pauseBefore(failure: CdnFailure, attempts: number): number | undefined {
    const chance = Number.parseInt(this.#options.clock.newId().slice(0, CHANCE_DIGITS), 16) / 16 ** CHANCE_DIGITS
    const backoffMs = FIRST_BACKOFF_MS * 2 ** (attempts - 1) * (0.5 + chance)
    if (failure.kind === 'unreachable') return failure.reason === 'aborted' ? undefined : backoffMs
    if (failure.kind === 'malformed') return undefined
    return failure.status === 429 || failure.status >= 500 ? (failure.retryAfterMs ?? backoffMs) : undefined
  }
}

/** What a body that could not be taken in means: for a write it was carried out, a read simply got no answer. */
export function cutOff(endpoint: EndpointName, status: number, error: unknown, deadline: Deadline): CdnError {
  if (callKind(endpoint) === 'write') {
    return new CdnError(endpoint, { kind: 'malformed', status, why: 'the answer was cut off' })
  }
  return new CdnError(endpoint, { kind: 'unreachable', reason: reasonOf(error, deadline), sent: 'maybe' })
}

/** undici looks at the signal of a request only once it is connected; nobody waits for that longer than they wanted. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  using _ = addAbortListener(signal, () => reject(signal.reason))
  return await Promise.race([work, aborted])
}

// Timeouts are the deadline's; HTTP/2 is off because its streams may be replayed on another connection.
const CONNECTION = {
  headersTimeout: 0,
  bodyTimeout: 0,
  pipelining: 1,
  allowH2: false,
  connect: { timeout: CONNECT_TIMEOUT_MS },
} as const

/** What went wrong on the way, told from the error's code alone: messages may quote what was sent. */
function reasonOf(error: unknown, deadline: Deadline): UnreachableReason {
  const code = codeOf(error)
  return deadline.reason ?? REASONS.get(code) ?? (TLS_CODE.test(code) ? 'tls' : 'network')
}

const REASONS: ReadonlyMap<string, UnreachableReason> = new Map([
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['EAI_FAIL', 'dns'],
  ['ECONNREFUSED', 'refused'],
  ['ECONNRESET', 'reset'],
  ['ECONNABORTED', 'reset'],
  ['EPIPE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'reset'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['EPROTO', 'tls'],
])
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA)/
/** Of failures that happen before a connection exists, so that nothing can have been sent over it. */
const BEFORE_CONNECTING = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'])
