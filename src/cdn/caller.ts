import type { Dispatcher } from 'undici'
import type { Clock } from '../shared/clock.ts'
import type { Secret } from '../shared/secret.ts'
import { bodyOf, MAX_ERROR_BODY_BYTES } from './answer-body.ts'
import { DEADLINES_MS, Deadline, FIRST_BYTE_TIMEOUT_MS } from './deadline.ts'
import { type EndpointName, endpoints } from './endpoints.ts'
import { parseRetryAfter, readErrorBody } from './error-body.ts'
import { CdnError, type CdnFailure, type Rejected } from './errors.ts'
import type { LogLimiter, SlotWish } from './log-limit.ts'
import { type Incoming, type Outgoing, Transport } from './transport.ts'

/** Reads are tried three times in all; writes once, whatever happens. */
const MAX_REPEATS = 2
const FIRST_BACKOFF_MS = 200
/** A number of 32 bits is enough chance for a pause. */
const CHANCE_DIGITS = 8

/** How the client shows who it is: the contract knows a key in a header of its own, and a bearer token. */
export interface Credential {
  readonly scheme: 'accessKey' | 'bearer'
  readonly secret: Secret
}

/** How one call went, for a metric. `ms` counts from its first slot to its end, repeats and pauses included. */
export interface CallReport {
  readonly endpoint: EndpointName
  readonly outcome: 'ok' | CdnFailure['kind']
  readonly status: number | undefined
  readonly ms: number
  readonly attempts: number
}

export interface CallerOptions {
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
  readonly body: string | undefined
  readonly acceptEncoding: 'identity' | 'gzip'
  readonly signal: AbortSignal | undefined
  /** For log calls: whose limit they count against, and who waits. */
  readonly slot: { readonly pullZoneId: bigint; readonly wish: SlotWish } | undefined
  readonly read: (incoming: Incoming, deadline: Deadline) => Promise<T>
  readonly mayRepeat?: () => boolean
}

export class Caller {
  readonly #options: CallerOptions
  readonly #transport: Transport

  constructor(options: CallerOptions) {
    this.#options = options
    this.#transport = new Transport(options.dispatcher)
  }

  async call<T>(call: Call<T>): Promise<T> {
    const { clock } = this.#options
    const deadline = new Deadline(clock, DEADLINES_MS[endpoints[call.endpoint].deadline], call.signal)
    const report = { attempts: 0, startedAtMs: clock.monotonicMs() }
    try {
      const answer = await this.#repeat(call, deadline, report)
      this.#report(call.endpoint, 'ok', undefined, report)
      return answer
    } catch (error) {
      if (error instanceof CdnError) {
        const { failure } = error
        const status = failure.kind === 'unreachable' ? undefined : failure.status
        this.#report(call.endpoint, failure.kind, status, report)
      }
      throw error
    } finally {
      deadline.stop()
    }
  }

  async close(): Promise<void> {
    await this.#transport.close()
  }

  async #repeat<T>(call: Call<T>, deadline: Deadline, report: { attempts: number; startedAtMs: number }): Promise<T> {
    const repeats = endpoints[call.endpoint].repeatable ? MAX_REPEATS : 0
    let last: CdnError | undefined
    for (;;) {
      try {
        return await this.#inSlot(call, deadline, last, () => {
          if (report.attempts === 0) report.startedAtMs = this.#options.clock.monotonicMs()
          report.attempts += 1
        })
      } catch (error) {
        if (!(error instanceof CdnError) || report.attempts > repeats || call.mayRepeat?.() === false) throw error
        const pauseMs = this.#pauseBefore(error.failure, report.attempts)
        if (pauseMs === undefined || pauseMs >= deadline.remainingMs() || deadline.reason !== undefined) throw error
        await this.#options.clock.sleep(pauseMs, deadline.signal).catch(() => {
          throw error
        })
        last = error
      }
    }
  }

  /** One attempt. Every attempt of a log call takes a slot of its own; a repeat waits for it only until the deadline. */
  async #inSlot<T>(call: Call<T>, deadline: Deadline, last: CdnError | undefined, onStart: () => void): Promise<T> {
    let started = false
    const attempt = async (answered: () => void): Promise<T> => {
      started = true
      onStart()
      deadline.start()
      if (call.endpoint === 'streamDayFile') deadline.expectWithin(FIRST_BYTE_TIMEOUT_MS)
      try {
        return await this.#attempt(call, deadline, answered)
      } finally {
        deadline.expectNothing()
      }
    }
    if (call.slot === undefined) return attempt(() => undefined)
    try {
      return await this.#options.limiter.run(
        call.slot.pullZoneId,
        { ...call.slot.wish, signal: deadline.signal },
        attempt,
      )
    } catch (error) {
      if (started) throw error
      if (last !== undefined) throw last
      if (deadline.reason === undefined) throw error
      throw new CdnError(call.endpoint, { kind: 'unreachable', reason: deadline.reason, sent: 'no' })
    }
  }

  async #attempt<T>(call: Call<T>, deadline: Deadline, answered: () => void): Promise<T> {
    const askedAtMs = this.#options.clock.monotonicMs()
    return this.#transport.exchange(this.#outgoing(call), deadline, async (incoming) => {
      answered()
      this.#options.onDate?.(incoming.headers['date'], askedAtMs)
      if (incoming.status < 200 || incoming.status > 299) {
        throw new CdnError(call.endpoint, await this.#rejection(incoming))
      }
      return call.read(incoming, deadline)
    })
  }

  #outgoing<T>({ endpoint, url, body, acceptEncoding }: Call<T>): Outgoing {
    const { method, repeatable } = endpoints[endpoint]
    const { scheme, secret } = this.#options.credential
    const headers = {
      ...(scheme === 'accessKey' ? { AccessKey: secret.reveal() } : { Authorization: `Bearer ${secret.reveal()}` }),
      accept: endpoint === 'streamDayFile' ? 'text/plain, */*' : 'application/json',
      'accept-encoding': acceptEncoding,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    return { endpoint, method, url, headers, body, alone: !repeatable }
  }

  async #rejection(incoming: Incoming): Promise<Rejected> {
    const body = await bodyOf(incoming, MAX_ERROR_BODY_BYTES).catch(() => '')
    const safe = body.toString().replaceAll(this.#options.credential.secret.reveal(), '[secret]')
    const retryAfterMs = parseRetryAfter(incoming.headers['retry-after'], this.#options.clock.now())
    return {
      kind: 'rejected',
      status: incoming.status,
      ...readErrorBody(safe),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    }
  }

  /** How long to pause before the next try; undefined when another try is pointless. */
  #pauseBefore(failure: CdnFailure, attempts: number): number | undefined {
    const backoffMs = FIRST_BACKOFF_MS * 2 ** (attempts - 1) * (0.5 + this.#chance())
    if (failure.kind === 'unreachable') return failure.reason === 'aborted' ? undefined : backoffMs
    if (failure.kind === 'malformed') return undefined
    return failure.status === 429 || failure.status >= 500 ? (failure.retryAfterMs ?? backoffMs) : undefined
  }

  #chance(): number {
    return Number.parseInt(this.#options.clock.newId().slice(0, CHANCE_DIGITS), 16) / 16 ** CHANCE_DIGITS
  }

  #report(
    endpoint: EndpointName,
    outcome: CallReport['outcome'],
    status: number | undefined,
    { attempts, startedAtMs }: { readonly attempts: number; readonly startedAtMs: number },
  ): void {
    const ms = this.#options.clock.monotonicMs() - startedAtMs
    this.#options.onCall?.({ endpoint, outcome, status, ms, attempts })
  }
}
