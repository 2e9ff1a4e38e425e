import { DAY_MS } from '../../shared/durations.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { endpoints, type EndpointName } from '../../cdn/endpoints.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Authentication } from './authentication.ts'
import { brokenAnswer } from './broken-answer.ts'
import { carriesOut, type Fault } from './fault.ts'
import { askedFault, type Askable, type FaultPlan } from './fault-plan.ts'
import type { Call, Answer } from './handler.ts'
import type { LogRateLimit } from './log-rate-limit.ts'
import { invalidField, Refusal, refuseLogging, isLoggingStatus, refuseManagement } from './refusal.ts'
import type { Progress, RequestLedger } from './request-ledger.ts'
import { findRoute, type Base, type Route } from './route.ts'
import { jsonAnswer, sendAnswer, type WireAnswer } from './wire-answer.ts'
import type { World } from './world/world.ts'
import { fromJson } from './wire-json.ts'
import { streamDayFile } from './day-file-handler.ts'
import { addDnsRecord } from './dns-record-handler.ts'
import { queryLogs } from './log-page-handler.ts'
import { createVideoLibrary } from './video-library-handler.ts'
import { QueryReader } from './query-reader.ts'
import { dayOf } from './world/storage-zone.ts'

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

/** The answer of a status fault, with the body the interface would give it or the one the fault asks for. */
function statusAnswer(
  base: Base,
  { status, body = 'error', retryAfter }: Extract<Fault, { kind: 'status' }>,
): WireAnswer {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  if (body === 'empty' || status === 204 || status === 304) return { status, headers, chunks: [] }
  if (body === 'error') {
    const { headers: type, chunks } = jsonAnswer(status, errorBody(base, status))
    return { status, headers: { ...type, ...headers }, chunks }
  }
  const text = body === 'text' ? `upstream says ${status}\n` : `<html><body><h1>${status}</h1></body></html>`
  return {
    status,
    headers: { ...headers, 'content-type': body === 'text' ? 'text/plain' : 'text/html' },
    chunks: [text],
  }
}

function errorBody(base: Base, status: number): object | undefined {
  const message = 'Refused on purpose.'
  if (base === 'logging' && isLoggingStatus(status)) return refuseLogging(status, message).body
  return refuseManagement(status, `fault.${status}`, null, message).body
}

const MAX_BODY_BYTES = 1_048_576

/** Reads a request's JSON body, undefined when it has none. Throws `Refusal`: 413, 415 for another type, 400 for no JSON. */
async function readRequestBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    const chunk = Buffer.from(part)
    bytes += chunk.length
    // Read to its end but not kept: breaking off would close the connection before the refusal is out.
    if (bytes <= MAX_BODY_BYTES) parts.push(chunk)
  }
  if (bytes > MAX_BODY_BYTES) throw refuseManagement(413, 'request.too_large', null, 'The request is too large.')
  if (bytes === 0) return undefined
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    throw refuseManagement(415, 'request.media_type', null, 'The body must be application/json.')
  }
  try {
    return fromJson(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)))
  } catch {
    throw refuseManagement(400, 'validation_error', null, 'The body is no JSON.')
  }
}

/** One handler for every endpoint the client can call: leaving one out does not compile. Handlers throw `Refusal`. */
type Handlers = { readonly [Name in EndpointName]: (call: Call<Name>) => Answer<Name> }

/** The emulator's answers, endpoint by endpoint. */
const handlers: Handlers = {
  getStorageStatistics,
  listApiKeys,
  createVideoLibrary,
  addDnsRecord,
  queryLogs,
  streamDayFile,
}

const DEFAULT_DAYS = 30

/**
 * Serves a storage zone's charts: one key a UTC day, `2026-11-20T00:00:00Z`. Without dates the last 30 days, with one of
 * them 30 days from or to it, today at the latest. Days before the zone's first are left out.
 */
function getStorageStatistics({
  params,
  query,
  world,
  now,
}: Call<'getStorageStatistics'>): Answer<'getStorageStatistics'> {
  const reader = new QueryReader(query, ['dateFrom', 'dateTo'])
  const to = reader.instant('dateTo') ?? now
  const from = reader.instant('dateFrom') ?? new Date(to.getTime() - (DEFAULT_DAYS - 1) * DAY_MS)
  if (from > to) reader.problem('dateFrom', 'The start must lie before the end.')
  const [problem] = reader.problems
  if (problem !== undefined) throw invalidField(problem.field, problem.message)

  const zone = world.storageZone(params.id)
  if (zone === undefined) throw refuseManagement(404, 'storageZone.not_found', 'Id', 'The storage zone was not found.')
  if (zone.charts === 'empty') return { status: 200, body: { StorageUsedChart: {}, FileCountChart: {} } }

  const storage: Record<string, bigint> = {}
  const files: Record<string, bigint> = {}
  const lastDay = Math.min(dayOf(to.getTime()), dayOf(now.getTime()))
  for (let day = Math.max(dayOf(from.getTime()), zone.firstDay); day <= lastDay; day += 1) {
    const held = world.storageOn(zone, day)
    if (held === undefined) continue
    const key = new Date(day * DAY_MS).toISOString().replace('.000Z', 'Z')
    storage[key] = held.bytes
    files[key] = held.files
  }
  return {
    status: 200,
    body: { StorageUsedChart: storage, FileCountChart: zone.charts === 'both' ? files : null },
  }
}

const MAX_PAGE = 2_147_483_647
const MAX_PER_PAGE = 1_000

/** Serves the account's keys, values in clear as the platform does. A page past the last is empty. */
export function listApiKeys({ query, world }: Call<'listApiKeys'>): Answer<'listApiKeys'> {
  const reader = new QueryReader(query, ['page', 'perPage'])
  const page = reader.whole('page', { standard: 1, min: 1, max: MAX_PAGE })
  const perPage = reader.whole('perPage', { standard: MAX_PER_PAGE, min: 5, max: MAX_PER_PAGE })
  const [problem] = reader.problems
  if (problem !== undefined) throw invalidField(problem.field, problem.message)

  const keys = world.apiKeys
  const items = keys.slice((page - 1) * perPage, page * perPage).map(({ id, value, roles }) => ({
    Id: id,
    Key: value,
    Roles: roles === null ? null : [...roles],
  }))
  return {
    status: 200,
    body: { Items: items, CurrentPage: page, TotalItems: keys.length, HasMoreItems: page * perPage < keys.length },
  }
}
