import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { ENDPOINT_NAMES, type EndpointName, endpoints } from '../../cdn/contract/endpoints.ts'
import { matchPath } from '../../cdn/contract/path-template.ts'
import type { Clock } from '../../shared/clock.ts'
import { readWholeBody } from '../../shared/server.ts'
import { TtlMap } from '../../shared/ttl-map.ts'
import { handlers } from './handlers.ts'
import type { Call } from './call.ts'
import { carriesOut, type FaultPlan } from './faults.ts'
import { invalidField, Refusal, refusedOnPurpose, refuseLogging, refuseManagement } from './refusal.ts'
import { fromJson, jsonAnswer, sendAnswer, type WireAnswer } from './wire.ts'
import type { World } from './world/world.ts'

export type Base = 'management' | 'logging'

interface CallServerParts {
  readonly clock: Clock
  readonly world: World
  readonly ledger: RequestLedger
  readonly faults: FaultPlan
  readonly bearerToken: string
  readonly admitsLog: (pullZoneId: string) => boolean
}

interface Route {
  readonly endpoint: EndpointName
  readonly params: Readonly<Record<string, string>>
}

const MAX_BODY_BYTES = 1_048_576

export async function serveCall(
  parts: CallServerParts,
  base: Base,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { world, ledger, faults, clock, bearerToken, admitsLog } = parts
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const method = request.method ?? ''
  const url = new URL(request.url ?? '/', 'http://emulator.invalid')
  const fitting = routesFor(base, url.pathname)
  const route = fitting.find(({ endpoint }) => endpoints[endpoint].method === method)
  const note = ledger.arrive({
    endpoint: route?.endpoint,
    method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    at: clock.now(),
  })
  const send = async (answer: WireAnswer): Promise<void> => {
    note({ status: answer.status })
    await sendAnswer(request, response, answer)
  }
  if (route === undefined) return send(jsonAnswer(fitting.length === 0 ? 404 : 405, undefined))
  const { endpoint, params } = route
  const fault = faults.take(endpoint)
  note({ fault: fault?.kind === 'spoiled' ? fault.name : fault?.kind })
  if (fault?.kind === 'reset' && !fault.carriedOut) return void request.socket.resetAndDestroy()
  let right = jsonAnswer(500, undefined)
  try {
    const body = await readRequestBody(request)
    note({ body })
    admit(endpoint, request.headers, world, bearerToken)
    if (base === 'logging' && !admitsLog(params['pullZoneId'] ?? '')) {
      throw refuseLogging(429, 'The rate limit of this pull zone is exceeded.')
    }
    if (carriesOut(fault)) {
      right = carryOut(route, url.searchParams, body, parts)
      note({ carriedOut: right.status < 300 })
    }
  } catch (error) {
    return send(refusalAnswer(error))
  }
  switch (fault?.kind) {
    case 'hang':
      return
    case 'reset':
      return void request.socket.resetAndDestroy()
    case 'slow':
      await clock.sleep(fault.delayMs, gone.signal)
      return send(right)
    case 'status': {
      const { headers, ...answer } = jsonAnswer(fault.status, refusedOnPurpose(base, fault.status).body)
      const { retryAfter } = fault
      return send({ ...answer, headers: { ...headers, ...(retryAfter && { 'retry-after': retryAfter }) } })
    }
    case 'spoiled':
      return send(fault.spoil(right, clock, gone.signal))
    default:
      return send(right)
  }
}

function carryOut(
  { endpoint, params }: Route,
  query: URLSearchParams,
  body: unknown,
  { world, clock }: CallServerParts,
): WireAnswer {
  try {
    const call = { params: readParams(endpoint, params), query, body, world, now: clock.now() }
    // A boundary: that a name, its parameters and its handler belong together is known to the table, not to the type.
    const handle = handlers[endpoint] as (call: Call<never>) => ReturnType<(typeof handlers)[EndpointName]>
    const answer = handle(call as Call<never>)
    return 'chunks' in answer ? answer : jsonAnswer(answer.status, answer.body)
  } catch (error) {
    return refusalAnswer(error)
  }
}

/** The endpoints of this path under one of the two base addresses, whatever their method. */
function routesFor(base: Base, path: string): readonly Route[] {
  return ENDPOINT_NAMES.flatMap((endpoint) => {
    const params = endpoints[endpoint].base === base ? matchPath(endpoints[endpoint].path, path) : undefined
    return params === undefined ? [] : [{ endpoint, params }]
  })
}

function readParams(endpoint: EndpointName, given: Readonly<Record<string, string>>): unknown {
  const params = endpoints[endpoint].params.safeParse(given)
  if (params.success) return params.data
  const field = params.error.issues[0]?.path.join('.') ?? ''
  if (endpoints[endpoint].base === 'management') throw invalidField(field, 'The id is not valid.')
  throw refuseLogging(400, 'One or more parameters are not valid.', [`${field} is not valid.`])
}

function refusalAnswer(error: unknown): WireAnswer {
  if (error instanceof Refusal) return jsonAnswer(error.status, error.body)
  // A mistake in the emulator itself must be seen where the call was made, not pass for a fault of the platform.
  return jsonAnswer(500, { ErrorKey: 'emulator.mistake', Field: null, Message: String(error) })
}

/** Reads a request's JSON body, undefined when it has none. Throws `Refusal`: 413, 415 for another type, 400 for no JSON. */
async function readRequestBody(request: IncomingMessage): Promise<unknown> {
  const body = await readWholeBody(request, MAX_BODY_BYTES)
  if (body === undefined) throw refuseManagement(413, 'request.too_large', null, 'The request is too large.')
  if (body.length === 0) return undefined
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    throw refuseManagement(415, 'request.media_type', null, 'The body must be application/json.')
  }
  try {
    return fromJson(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw refuseManagement(400, 'validation_error', null, 'The body is no JSON.')
  }
}

const OWNER = ['User', 'UserApi']
const MANAGER = [...OWNER, 'SubuserManage', 'SubuserAPIManage']

/**
 * Roles that may use a management operation. The contract states those of the statistics; the others are known from
 * elsewhere. The logging interface asks for a valid key and no more.
 */
const ROLES: Readonly<Partial<Record<EndpointName, readonly string[]>>> = {
  getStorageStatistics: [...MANAGER, 'SubuserAPIStatistics', 'SubuserStatistics'],
  listApiKeys: OWNER,
  createVideoLibrary: [...MANAGER, 'SubuserAPIStream', 'SubuserStream', 'ScopedApiKey'],
  addDnsRecord: [...MANAGER, 'SubuserDns', 'SubuserAPIDns'],
}

/** Lets in any key of the account with that key's roles, and one bearer token with all. Throws `Refusal`. */
function admit(endpoint: EndpointName, headers: IncomingHttpHeaders, world: World, bearerToken: string): void {
  const { accesskey, authorization } = headers
  const key = accesskey === undefined ? undefined : world.apiKeys.find(({ value }) => value === accesskey)
  const isBearer = accesskey === undefined && authorization === `Bearer ${bearerToken}`
  const roles = isBearer ? OWNER : key && (key.roles ?? [])
  if (endpoints[endpoint].base === 'logging') {
    if (roles !== undefined) return
    if ((accesskey ?? authorization) === undefined)
      throw refuseLogging(401, 'No authentication credentials were provided.')
    throw refuseLogging(403, 'The credentials are not valid.')
  }
  if (roles === undefined) {
    throw refuseManagement(401, 'unauthorized', null, 'The request authorization header is not valid.')
  }
  if (ROLES[endpoint]?.some((role) => roles.includes(role)) === false) {
    throw refuseManagement(403, 'forbidden', null, 'The user has no rights to access the resource.')
  }
}

/** What the contract states: this many requests to one pull zone's log in any such stretch of time, both versions together. */
const LOG_REQUESTS_MAX = 30
const LOG_WINDOW_MS = 10_000

/** Ids are the caller's choice, so the number of those remembered needs a bound. */
const MAX_ZONES = 1_000

/** Whether a pull zone's log may be asked now: a sliding window for each. A refused request does not count. */
export function logRateLimit(clock: Clock): (pullZoneId: string) => boolean {
  /** When the admitted requests of the last window came, by pull zone. */
  const admitted = new TtlMap<readonly number[]>(clock, { lifeMs: LOG_WINDOW_MS, most: MAX_ZONES })
  return (pullZoneId) => {
    const now = clock.monotonicMs()
    const recent = (admitted.get(pullZoneId) ?? []).filter((at) => at > now - LOG_WINDOW_MS)
    if (recent.length >= LOG_REQUESTS_MAX) return false
    admitted.set(pullZoneId, [...recent, now])
    return true
  }
}

/** A request that reached the emulator. No header is kept, so no key is. */
export interface LedgerEntry {
  /** Undefined when no endpoint of the table fits. */
  readonly endpoint: EndpointName | undefined
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** What the JSON said, whole numbers beyond 2^53 as bigint; undefined without a body or before it was read. */
  readonly body: unknown
  readonly at: Date
  /** The status answered; undefined while there is no answer, and for good when none was given. */
  readonly status: number | undefined
  /** Whether a handler ran and, for a write, something was added. */
  readonly carriedOut: boolean
  /** What went wrong on purpose, in a word or two. */
  readonly fault: string | undefined
}

const MAX_ENTRIES = 10_000

/** The newest requests, each kept from the moment it arrives and completed as it is served. */
export class RequestLedger {
  readonly #entries: LedgerEntry[] = []
  readonly #listeners = new Set<() => void>()
  readonly #counts = new Map<EndpointName | undefined, number>()

  /** Notes an arrival; the returned function adds to the note later. */
  arrive(entry: Pick<LedgerEntry, 'endpoint' | 'method' | 'path' | 'query' | 'at'>) {
    const kept: LedgerEntry = { ...entry, body: undefined, status: undefined, carriedOut: false, fault: undefined }
    this.#entries.push(kept)
    if (this.#entries.length > MAX_ENTRIES) this.#entries.shift()
    this.#counts.set(entry.endpoint, this.count(entry.endpoint) + 1)
    const tell = () => this.#listeners.forEach((listener) => listener())
    tell()
    return (more: Partial<LedgerEntry>): void => {
      Object.assign(kept, more)
      tell()
    }
  }

  get entries(): readonly LedgerEntry[] {
    return this.#entries.map((entry) => ({ ...entry }))
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  count(endpoint: EndpointName | undefined): number {
    return this.#counts.get(endpoint) ?? 0
  }
}
