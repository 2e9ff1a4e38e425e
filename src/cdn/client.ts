import * as z from 'zod'
import { type AnswerReading, readAnswer, readLogPage, readNothing } from './reading/response-reading.ts'
import type {
  CallOptions,
  Cdn,
  DayFileOptions,
  DayFileSummary,
  LogCallOptions,
  LogQueryOptions,
  LogResult,
} from './contract/cdn.ts'
import { type DayFileReader, type OnTallied, readDayFile, readEntries, tallyLines } from './reading/day-file.ts'
import type { Deadline } from './http/deadline.ts'
import { defaultDialect, type Dialect, LogQuery } from './contract/dialect.ts'
import {
  ENDPOINT_NAMES,
  type EndpointName,
  endpointNamed,
  endpoints,
  type ManagementCall,
} from './contract/endpoints.ts'
import { stringifyJson } from './contract/json.ts'
import type { LogEntry } from './contract/log-entry.ts'
import { checkDayFilter, checkLogFilter, type EntryFilter, type LogFilter } from './contract/log-filter.ts'
import type { SlotWish } from './http/log-limit.ts'
import {
  collectLogPages,
  type FetchedPage,
  MAX_LOG_ENTRIES,
  MAX_PAGE_SIZE,
  type PageRoom,
} from './reading/log-pages.ts'
import { fillPath } from './contract/path-template.ts'
import { issuesFrom, refuse, type RequestIssue } from './contract/request-rules.ts'
import type { Incoming } from './http/response-body.ts'
import { Transport, type TransportOptions } from './http/transport.ts'
import { idInPath } from './contract/wire-fields.ts'
import { UserError } from '../shared/errors.ts'

export interface CdnClientOptions extends TransportOptions {
  /** Calls to an interface without an address are refused. */
  readonly managementUrl?: string | undefined
  readonly loggingUrl?: string | undefined
  /** What the contract leaves open; the known behaviour unless given. */
  readonly dialect?: Dialect | undefined
  /** Told the names of fields that were dropped because the contract does not have them. */
  readonly onUnknownFields?: ((endpoint: EndpointName, names: readonly string[]) => void) | undefined
}

/** Zones of which it is known how long their lines are; beyond that, all are found out anew. */
const MAX_ROOMS = 1_000
/** Visible ASCII: a key read from a file must not bring its line feed along into a header. */
const HEADER_VALUE = /^[\x21-\x7e]+$/

export type CdnClient = Cdn & { close(): Promise<void> }

/** The platform over HTTP, with a method for each call of the endpoint table. */
export function createCdnClient(options: CdnClientOptions): CdnClient {
  const client = new HttpClient(options)
  const calls = ENDPOINT_NAMES.filter((name) => endpoints[name].base === 'management').map((name) => [
    name,
    async (request: CallValues, callOptions?: CallOptions) => client.call(name, request, callOptions),
  ])
  // A boundary: that a call has the request and answer of its name is known to the table, not to the type.
  return Object.assign(client, Object.fromEntries(calls) as Pick<Cdn, ManagementCall>)
}

/** Checks what goes out, sends it within limits and deadlines, and reads what comes back. */
class HttpClient implements Omit<Cdn, ManagementCall> {
  readonly #options: CdnClientOptions
  readonly #dialect: Dialect
  readonly #reading: AnswerReading
  readonly #transport: Transport
  readonly #rooms = new Map<bigint, PageRoom>()

  constructor(options: CdnClientOptions) {
    if (!HEADER_VALUE.test(options.credential.secret.reveal())) {
      throw new TypeError('The credential is empty or holds characters that no header may hold')
    }
    this.#options = options
    this.#dialect = options.dialect ?? defaultDialect
    this.#reading = { dialect: this.#dialect, onUnknownFields: options.onUnknownFields }
    this.#transport = new Transport(options)
  }

  /** Any call that the table says all about. */
  async call(name: EndpointName, request: CallValues, options: CallOptions = {}): Promise<unknown> {
    const { params, query, body, answer } = endpointNamed(name)
    const path = z.safeEncode(params, request)
    const values = z.safeEncode(query, request)
    const sent = body?.safeParse(request['body'])
    refuse([path, values, sent].flatMap((checked) => (checked?.error ? issuesFrom(checked.error) : [])))
    const parts = { path: path.data, query: values.data, body: sent && request['body'] }
    return this.#send(name, parts, options, async (incoming, deadline) =>
      typeof answer === 'string'
        ? readNothing(name, incoming)
        : readAnswer(name, answer, incoming, deadline, this.#reading),
    )
  }

  async queryLogs(pullZoneId: bigint, filter: LogFilter, options: LogQueryOptions): Promise<LogResult> {
    const now = this.#options.clock.now()
    refuse([...idIssues(pullZoneId), ...checkLogFilter(filter, now), ...countIssues(options.maxEntries)])
    const room = this.#rooms.get(pullZoneId) ?? { rows: MAX_PAGE_SIZE }
    if (this.#rooms.size >= MAX_ROOMS) this.#rooms.clear()
    this.#rooms.set(pullZoneId, room)
    const pages = { ...options, now, pageStep: this.#dialect.pageStep, room }
    return collectLogPages(filter, pages, async (query) => this.#logPage(pullZoneId, query, options))
  }

  async streamDayFile(
    pullZoneId: bigint,
    day: string,
    filter: EntryFilter,
    onEntry: (entry: LogEntry) => void,
    options: DayFileOptions = {},
  ): Promise<DayFileSummary> {
    return this.#dayFile(pullZoneId, day, options, filter, (logFields) => readEntries(filter, logFields, onEntry))
  }

  async tallyDayFile(
    pullZoneId: bigint,
    day: string,
    onLine: OnTallied,
    options: DayFileOptions = {},
  ): Promise<DayFileSummary> {
    return this.#dayFile(pullZoneId, day, options, {}, () => tallyLines(onLine))
  }

  async close(): Promise<void> {
    await this.#transport.close()
  }

  async #dayFile(
    pullZoneId: bigint,
    day: string,
    options: DayFileOptions,
    filter: EntryFilter,
    createReader: (logFields: Dialect['logFields']) => DayFileReader,
  ): Promise<DayFileSummary> {
    refuse([...idIssues(pullZoneId), ...checkDayFilter(day, filter, this.#options.clock.now())])
    const { dayFilePath, dayFileQuery, logFields } = this.#dialect
    const [YYYY = '', MM = '', DD = ''] = day.split('-')
    const path = fillPath(dayFilePath, { YYYY, YY: YYYY.slice(2), MM, DD, pullZoneId: String(pullZoneId) })
    const reader = createReader(logFields)
    return this.#transport.call({
      endpoint: 'streamDayFile',
      url: callUrl(this.#options.loggingUrl, path, dayFileQuery),
      body: undefined,
      acceptEncoding: 'gzip',
      signal: options.signal,
      slot: { pullZoneId, wish: wishOf(options) },
      mayRepeat: () => reader.progress().bytes === 0,
      read: async (incoming, deadline) =>
        readDayFile(incoming, deadline, reader, { clock: this.#options.clock, onProgress: options.onProgress }),
    })
  }

  async #logPage(pullZoneId: bigint, query: LogQuery, options: LogQueryOptions): Promise<FetchedPage> {
    const parts = {
      path: z.encode(endpoints.queryLogs.params, { pullZoneId }),
      query: z.encode(LogQuery, query),
      slot: { pullZoneId, wish: wishOf(options) },
    }
    return this.#send('queryLogs', parts, options, async (incoming, deadline) =>
      readLogPage(incoming, deadline, this.#reading),
    )
  }

  async #send<T>(
    endpoint: EndpointName,
    parts: Parts,
    options: CallOptions,
    read: (incoming: Incoming, deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const { base, path } = endpoints[endpoint]
    const address = base === 'management' ? this.#options.managementUrl : this.#options.loggingUrl
    return this.#transport.call({
      endpoint,
      url: callUrl(address, fillPath(path, parts.path ?? {}), parts.query ?? {}),
      body: parts.body === undefined ? undefined : stringifyJson(parts.body),
      acceptEncoding: 'identity',
      signal: options.signal,
      slot: parts.slot,
      read,
    })
  }
}

type CallValues = Readonly<Record<string, unknown>>

interface Parts {
  readonly path?: Readonly<Record<string, string | undefined>> | undefined
  readonly query?: Readonly<Record<string, string | undefined>> | undefined
  readonly body?: unknown
  readonly slot?: { readonly pullZoneId: bigint; readonly wish: ReturnType<typeof wishOf> }
}

function wishOf({ priority = 'person', onWaiting }: LogCallOptions): Pick<SlotWish, 'priority' | 'onWaiting'> {
  return { priority, onWaiting }
}

function idIssues(id: bigint): readonly RequestIssue[] {
  const encoded = z.safeEncode(idInPath, id)
  return encoded.success ? [] : issuesFrom(encoded.error)
}

function countIssues(maxEntries: number): readonly RequestIssue[] {
  if (Number.isInteger(maxEntries) && maxEntries >= 1 && maxEntries <= MAX_LOG_ENTRIES) return []
  return [{ field: 'limit', message: `Between 1 and ${MAX_LOG_ENTRIES} lines can be read at once.` }]
}

/**
 * The whole address of a call: base address (which may have a path of its own), path, and the query's given values.
 * Throws `UserError` when no base address is configured.
 */
function callUrl(base: string | undefined, path: string, query: Readonly<Record<string, string | undefined>>): URL {
  if (base === undefined) {
    throw new UserError(
      'not_configured',
      'The address of this part of the CDN is not configured. Nothing was sent.',
      'Ask whoever runs the bot to set it.',
    )
  }
  const url = new URL(base.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url
}
