import type { IncomingMessage, ServerResponse } from 'node:http'
import { endpoints, type EndpointName } from '../../cdn/endpoints.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Authentication } from './authentication.ts'
import { brokenAnswer } from './broken-answer.ts'
import { carriesOut, type Fault } from './fault.ts'
import { statusAnswer } from './fault-answer.ts'
import { askedFault, type Askable, type FaultPlan } from './fault-plan.ts'
import type { Call } from './handler.ts'
import { handlers } from './handlers.ts'
import type { LogRateLimit } from './log-rate-limit.ts'
import { invalidField, Refusal, refuseLogging } from './refusal.ts'
import { readRequestBody } from './request-body.ts'
import type { Progress, RequestLedger } from './request-ledger.ts'
import { findRoute, type Base, type Route } from './route.ts'
import { jsonAnswer, sendAnswer, type WireAnswer } from './wire-answer.ts'
import type { World } from './world/world.ts'

export interface CallServerParts {
  readonly clock: Clock
  readonly world: World
  readonly ledger: RequestLedger
  readonly faults: FaultPlan
  readonly authentication: Authentication
  readonly logLimit: LogRateLimit
}

/** One request as it goes through the stages of being served. */
interface Exchange {
  readonly base: Base
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Aborted when the client goes away. */
  readonly gone: AbortSignal
  readonly note: (more: Progress) => void
}

/**
 * Serves one request: routes it, notes it, lets it in, counts it against the limit of its log, has its handler make the
 * answer, and sends that, with whatever is meant to go wrong at its place in between.
 */
export class CallServer {
  readonly #parts: CallServerParts

  constructor(parts: CallServerParts) {
    this.#parts = parts
  }

  /** Never rejects: a client that goes away, or was meant to be cut off, ends the request. */
  async serve(base: Base, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    try {
      await this.#serve(base, request, response, gone.signal)
    } catch {
      response.destroy()
    }
  }

  async #serve(base: Base, request: IncomingMessage, response: ServerResponse, gone: AbortSignal): Promise<void> {
    const method = request.method ?? ''
    const url = new URL(request.url ?? '/', 'http://emulator.invalid')
    const route = findRoute(base, method, url.pathname)
    const endpoint = typeof route === 'object' ? route.endpoint : undefined
    const note = this.#parts.ledger.arrive({
      endpoint,
      method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      at: this.#parts.clock.now(),
    })
    const exchange: Exchange = { base, request, response, gone, note }
    if (typeof route !== 'object') {
      await send(exchange, jsonAnswer(route === 'none' ? 404 : 405, undefined))
      return
    }
    const planned = this.#parts.faults.take(route.endpoint)
    if (planned?.kind === 'reset' && !planned.carriedOut) {
      note({ fault: planned.kind })
      request.socket.resetAndDestroy()
      return
    }
    await this.#admit(exchange, route, url.searchParams, planned)
  }

  async #admit(exchange: Exchange, route: Route, query: URLSearchParams, planned: Fault | undefined): Promise<void> {
    const { base, request, note } = exchange
    let given: Askable
    try {
      given = { params: route.params, query, body: await readRequestBody(request) }
      note({ body: given.body })
      this.#letIn(base, route, request)
    } catch (error) {
      await send(exchange, refusalAnswer(error))
      return
    }
    const asked = askedFault(given)
    const fault = planned ?? asked.fault
    note({ fault: fault?.kind })
    if (!carriesOut(fault)) await this.#deny(exchange, fault)
    else await this.#carryOut(exchange, route.endpoint, asked.call, fault)
  }

  #letIn(base: Base, { endpoint, params }: Route, { headers }: IncomingMessage): void {
    const accessKey = Array.isArray(headers['accesskey']) ? headers['accesskey'][0] : headers['accesskey']
    const credentials = { accessKey, authorization: headers.authorization }
    if (base === 'management') {
      this.#parts.authentication.admitToManagement(endpoint, credentials)
      return
    }
    this.#parts.authentication.admitToLogging(credentials)
    if (!this.#parts.logLimit.admits(params['pullZoneId'] ?? '')) {
      throw refuseLogging(429, 'The rate limit of this pull zone is exceeded.')
    }
  }

  /** The faults under which nothing happens. */
  async #deny(exchange: Exchange, fault: Fault | undefined): Promise<void> {
    if (fault?.kind === 'reset') exchange.request.socket.resetAndDestroy()
    if (fault?.kind === 'redirect') {
      await send(exchange, { status: 307, headers: { location: fault.location }, chunks: [] })
    }
    if (fault?.kind === 'status') await send(exchange, statusAnswer(exchange.base, fault))
  }

  async #carryOut(exchange: Exchange, endpoint: EndpointName, call: Askable, fault: Fault | undefined): Promise<void> {
    const answer = this.#answer(endpoint, call)
    exchange.note({ carriedOut: answer.status < 300 })
    if (fault === undefined) {
      await send(exchange, answer)
      return
    }
    if (fault.kind === 'hang') return
    if (fault.kind === 'reset') {
      exchange.request.socket.resetAndDestroy()
      return
    }
    if (fault.kind === 'slow') await this.#parts.clock.sleep(fault.delayMs, exchange.gone)
    await send(exchange, brokenAnswer(answer, fault, this.#parts.clock, exchange.gone))
  }

  #answer(endpoint: EndpointName, { params, query, body }: Askable): WireAnswer {
    const { world, clock } = this.#parts
    try {
      const call = { params: readParams(endpoint, params), query, body, world, now: clock.now() }
      // A boundary: that a name, its parameters and its handler belong together is known to the table, not to the type.
      const handle = handlers[endpoint] as (call: Call<never>) => ReturnType<(typeof handlers)[EndpointName]>
      const answer = handle(call as Call<never>)
      if ('chunks' in answer) return answer
      return jsonAnswer(answer.status, answer.body)
    } catch (error) {
      return refusalAnswer(error)
    }
  }
}

function readParams(endpoint: EndpointName, given: Readonly<Record<string, string>>): unknown {
  const params = endpoints[endpoint].params.safeParse(given)
  if (params.success) return params.data
  const field = params.error.issues[0]?.path.join('.') ?? ''
  if (endpoints[endpoint].base === 'management') throw invalidField(field, 'The id is not valid.')
  throw refuseLogging(400, 'One or more parameters are not valid.', [`${field} is not valid.`])
}

async function send({ request, response, note }: Exchange, answer: WireAnswer): Promise<void> {
  note({ status: answer.status })
  await sendAnswer(request, response, answer)
}

function refusalAnswer(error: unknown): WireAnswer {
  if (error instanceof Refusal) return jsonAnswer(error.status, error.body)
  // A mistake in the emulator itself must be seen where the call was made, not pass for a fault of the platform.
  return jsonAnswer(500, { ErrorKey: 'emulator.mistake', Field: null, Message: String(error) })
}
