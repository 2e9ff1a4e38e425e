import * as z from 'zod'
import type { Readable } from 'node:stream'
import { Agent, Client, type Dispatcher, request } from 'undici'
import type { Deadline } from './deadline.ts'
import { type EndpointName, endpoints } from './endpoints.ts'
import { CdnError, type UnreachableReason } from './errors.ts'

/** Connecting is the first thing that fails when the platform is gone; the rest of a deadline is for its work. */
const CONNECT_TIMEOUT_MS = 5_000
const MAX_CONNECTIONS_PER_ORIGIN = 64
/** Shorter than what servers commonly keep, so that a read seldom meets a socket that is closing. */
const KEEP_ALIVE_MS = 4_000

export interface Outgoing {
  readonly endpoint: EndpointName
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Sent over a connection of its own, so that a pooled socket that is just closing cannot make its fate unclear. */
  readonly alone: boolean
}

/** An answer whose body has not been read yet. It must be read or destroyed. */
export interface Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
}

/**
 * Sends a request once: no redirect is followed, nothing is repeated. Uses undici's `request`, since `fetch` carries
 * the access key along to other hosts. Failures are `CdnError` (unreachable) without the cause, which could quote it.
 */
export class Transport {
  readonly #shared: Dispatcher
  readonly #given: boolean
  #exchanges = 0

  constructor(dispatcher: Dispatcher | undefined) {
    this.#given = dispatcher !== undefined
    this.#shared =
      dispatcher ??
      new Agent({ ...CONNECTION, connections: MAX_CONNECTIONS_PER_ORIGIN, keepAliveTimeout: KEEP_ALIVE_MS })
  }

  async exchange<T>(outgoing: Outgoing, deadline: Deadline, read: (incoming: Incoming) => Promise<T>): Promise<T> {
    const own = outgoing.alone && !this.#given ? new Client(outgoing.url.origin, CONNECTION) : undefined
    let connected = false
    this.#exchanges += 1
    own?.once('connect', () => void (connected = true))
    const nothingSent = (error: unknown): boolean => (own === undefined ? failedBeforeConnecting(error) : !connected)
    try {
      const incoming = await this.#send(outgoing, deadline, own ?? this.#shared, nothingSent)
      try {
        return await read(incoming)
      } finally {
        incoming.body.destroy()
      }
    } finally {
      this.#exchanges -= 1
      await own?.destroy()
    }
  }

  /** Closes idle connections and waits for those in use. One that is still being made is none: its call was given up. */
  async close(): Promise<void> {
    if (this.#given) return
    await (this.#exchanges === 0 ? this.#shared.destroy() : this.#shared.close())
  }

  async #send(
    { endpoint, method, url, headers, body, alone: reset }: Outgoing,
    deadline: Deadline,
    dispatcher: Dispatcher,
    nothingSent: (error: unknown) => boolean,
  ): Promise<Incoming> {
    if (deadline.reason !== undefined) {
      throw new CdnError(endpoint, { kind: 'unreachable', reason: deadline.reason, sent: 'no' })
    }
    try {
      const { signal } = deadline
      const sending = request(url, { method, headers, body: body ?? null, signal, dispatcher, reset })
      const answer = await unlessAborted(sending, signal)
      // The body may fail before anybody reads it; without a listener that would end the process.
      answer.body.on('error', () => undefined)
      return { status: answer.statusCode, headers: singleValues(answer.headers), body: answer.body }
    } catch (error) {
      const sent = nothingSent(error) ? 'no' : 'maybe'
      throw new CdnError(endpoint, { kind: 'unreachable', reason: reasonOf(error, deadline), sent })
    }
  }
}

/** What a body that could not be taken in means: for a write it was carried out, a read simply got no answer. */
export function cutOff(endpoint: EndpointName, status: number, error: unknown, deadline: Deadline): CdnError {
  if (!endpoints[endpoint].repeatable) {
    return new CdnError(endpoint, { kind: 'malformed', status, why: 'the answer was cut off' })
  }
  return new CdnError(endpoint, { kind: 'unreachable', reason: reasonOf(error, deadline), sent: 'maybe' })
}

/** undici looks at the signal of a request only once it is connected; nobody waits for that longer than they wanted. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

function reasonOf(error: unknown, deadline: Deadline): UnreachableReason {
  return deadline.reason ?? networkReason(error)
}

// Timeouts are the deadline's; HTTP/2 is off because its streams may be replayed on another connection.
const CONNECTION = {
  headersTimeout: 0,
  bodyTimeout: 0,
  pipelining: 1,
  allowH2: false,
  connect: { timeout: CONNECT_TIMEOUT_MS },
} as const

function singleValues(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const single: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) single[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return single
}

/** What went wrong on the way, told from the error's code alone: messages may quote what was sent. */
function networkReason(error: unknown): UnreachableReason {
  const code = codeOf(error)
  const known = REASONS.get(code)
  if (known !== undefined) return known
  return TLS_CODE.test(code) ? 'tls' : 'network'
}

/** Failures that happen before a connection exists, so that nothing can have been sent over it. */
function failedBeforeConnecting(error: unknown): boolean {
  return BEFORE_CONNECTING.has(codeOf(error))
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
const BEFORE_CONNECTING = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'])

const WithCode = z.looseObject({ code: z.string() })

function codeOf(error: unknown): string {
  const read = WithCode.safeParse(error)
  return read.success ? read.data.code : ''
}
