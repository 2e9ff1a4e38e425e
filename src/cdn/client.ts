import * as z from 'zod'
import { type AnswerReading, readAnswer, readLogPage } from './answer-reading.ts'
import { type ApiKeyList, ApiKeyPage, checkApiKeyPage, SentApiKeyList, toApiKeyList } from './api-keys.ts'
import { Caller, type CallerOptions } from './caller.ts'
import type {
  CallOptions,
  Cdn,
  DateRange,
  DayFileOptions,
  DayFileSummary,
  LogCallOptions,
  LogQueryOptions,
  LogResult,
} from './cdn.ts'
import { type DayFileReader, type OnTallied, readDayFile, readEntries, tallyLines } from './day-file.ts'
import type { Deadline } from './deadline.ts'
import { defaultDialect, type Dialect, LogQuery } from './dialect.ts'
import { checkDnsRecordRequest, DnsRecord, type DnsRecordRequest } from './dns-record.ts'
import { type EndpointName, endpoints } from './endpoints.ts'
import { stringifyJson } from './json.ts'
import type { LogEntry } from './log-entry.ts'
import { checkDayFilter, checkLogFilter, type DayFilter, type LogFilter, orderIssues } from './log-filter.ts'
import type { SlotWish } from './log-limit.ts'
import { collectLogPages, type FetchedPage, MAX_LOG_ENTRIES, MAX_PAGE_SIZE, type PageRoom } from './log-pages.ts'
import { fillPath } from './path-template.ts'
import { refuse, type RequestIssue } from './request-rules.ts'
import { StorageStatistics } from './storage-statistics.ts'
import type { Incoming } from './transport.ts'
import {
  checkVideoLibraryRequest,
  completeVideoLibraryRequest,
  VideoLibrary,
  type VideoLibraryRequest,
} from './video-library.ts'
import { INT64_MAX } from './wire-fields.ts'
import { UserError } from '../shared/errors.ts'

export interface CdnClientOptions extends CallerOptions {
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

/** The platform over HTTP. Checks what goes out, sends it within limits and deadlines, and reads what comes back. */
export class CdnClient implements Cdn {
  readonly #options: CdnClientOptions
  readonly #dialect: Dialect
  readonly #reading: AnswerReading
  readonly #caller: Caller
  readonly #rooms = new Map<bigint, PageRoom>()

  constructor(options: CdnClientOptions) {
    if (!HEADER_VALUE.test(options.credential.secret.reveal())) {
      throw new TypeError('The credential is empty or holds characters that no header may hold')
    }
    this.#options = options
    this.#dialect = options.dialect ?? defaultDialect
    this.#reading = { dialect: this.#dialect, onUnknownFields: options.onUnknownFields }
    this.#caller = new Caller(options)
  }

  async getStorageStatistics(
    zoneId: bigint,
    { from, to }: DateRange = {},
    options: CallOptions = {},
  ): Promise<StorageStatistics> {
    refuse([...idIssues(zoneId), ...orderIssues({ from, to }, 'dateFrom')])
    const { params, query } = endpoints.getStorageStatistics
    const path = z.encode(params, { id: zoneId })
    const range = z.encode(query, { dateFrom: from, dateTo: to })
    const answer = await this.#json('getStorageStatistics', StorageStatistics, { path, query: range }, options)
    if (answer.otherFields.length > 0) this.#options.onUnknownFields?.('getStorageStatistics', answer.otherFields)
    return answer
  }

  async listApiKeys(page: ApiKeyPage = {}, options: CallOptions = {}): Promise<ApiKeyList> {
    refuse(checkApiKeyPage(page))
    const query = z.encode(ApiKeyPage, page)
    return toApiKeyList(await this.#json('listApiKeys', SentApiKeyList, { query }, options))
  }

  async createVideoLibrary(request: VideoLibraryRequest, options: CallOptions = {}): Promise<VideoLibrary> {
    const complete = completeVideoLibraryRequest(request)
    refuse(checkVideoLibraryRequest(complete))
    return this.#json('createVideoLibrary', VideoLibrary, { body: complete }, options)
  }

  async addDnsRecord(zoneId: bigint, request: DnsRecordRequest, options: CallOptions = {}): Promise<DnsRecord> {
    refuse([...idIssues(zoneId), ...checkDnsRecordRequest(request)])
    const path = z.encode(endpoints.addDnsRecord.params, { zoneId })
    return this.#json('addDnsRecord', DnsRecord, { path, body: request }, options)
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
    filter: DayFilter,
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
    await this.#caller.close()
  }

  async #dayFile(
    pullZoneId: bigint,
    day: string,
    options: DayFileOptions,
    filter: DayFilter,
    createReader: (logFields: Dialect['logFields']) => DayFileReader,
  ): Promise<DayFileSummary> {
    refuse([...idIssues(pullZoneId), ...checkDayFilter(day, filter, this.#options.clock.now())])
    const { dayFilePath, dayFileQuery, logFields } = this.#dialect
    const [YYYY = '', MM = '', DD = ''] = day.split('-')
    const path = fillPath(dayFilePath, { YYYY, YY: YYYY.slice(2), MM, DD, pullZoneId: String(pullZoneId) })
    const reader = createReader(logFields)
    return this.#caller.call({
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

  async #json<Schema extends z.ZodType>(
    endpoint: EndpointName,
    schema: Schema,
    parts: Parts,
    options: CallOptions,
  ): Promise<z.output<Schema>> {
    return this.#send(endpoint, parts, options, async (incoming, deadline) =>
      readAnswer(endpoint, schema, incoming, deadline, this.#reading),
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
    return this.#caller.call({
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

interface Parts {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  readonly slot?: { readonly pullZoneId: bigint; readonly wish: ReturnType<typeof wishOf> }
}

function wishOf({ priority = 'person', onWaiting }: LogCallOptions): Pick<SlotWish, 'priority' | 'onWaiting'> {
  return { priority, onWaiting }
}

function idIssues(id: bigint): readonly RequestIssue[] {
  const inRange = id > 0n && id <= INT64_MAX
  return inRange ? [] : [{ field: '', message: 'An id is a whole number above 0 that fits into 64 bits.' }]
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
      'The address of this part of the platform is not configured. Nothing was sent.',
      'Ask whoever runs the bot to set it.',
    )
  }
  const url = new URL(base.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url
}
