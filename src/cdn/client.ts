import * as z from 'zod'
import { type AnswerReading, readAnswer, readLogPage, readNothing } from './reading/response-reading.ts'
import type { CallOptions, Cdn, DayFileOptions, DayFileSummary } from './contract/cdn.ts'
import { type DayFileReader, readDayFile, readEntries, tallyLines } from './reading/day-file.ts'
import { defaultDialect, type Dialect, LogQuery } from './contract/dialect.ts'
import {
  ENDPOINT_NAMES,
  type EndpointName,
  endpointNamed,
  endpoints,
  type ManagementCall,
} from './contract/endpoints.ts'
import { stringifyJson } from '../shared/json.ts'
import { checkDayFilter, checkLogFilter, type EntryFilter } from './contract/log-filter.ts'
import { collectLogPages, MAX_PAGE_SIZE, type PageRoom } from './reading/log-pages.ts'
import { fillPath } from './contract/path-template.ts'
import { issuesFrom, issuesOf, refuse } from './contract/request-rules.ts'
import { Transport, type TransportOptions } from './http/transport.ts'
import { Int64Id } from './contract/wire-fields.ts'

export interface CdnClientOptions extends TransportOptions {
  readonly managementUrl: string
  readonly loggingUrl: string
  /** What the contract leaves open; the known behaviour unless given. */
  readonly dialect?: Dialect | undefined
  /** Told how many fields of an answer were dropped because the contract does not have them. */
  readonly onUnknownFields?: AnswerReading['onUnknownFields']
}

/** Zones of which it is known how long their lines are; beyond that, all are found out anew. */
const MAX_ROOMS = 1_000

export type CdnClient = Cdn & { close(): Promise<void> }

/**
 * The platform over HTTP, with a method for each call of the endpoint table: checks what goes out, sends it within limits and
 * deadlines, and reads what comes back.
 */
export function createCdnClient(options: CdnClientOptions): CdnClient {
  const { clock, managementUrl, loggingUrl, dialect = defaultDialect, onUnknownFields } = options
  const reading: AnswerReading = { dialect, onUnknownFields }
  const transport = new Transport(options)
  const rooms = new Map<bigint, PageRoom>()

  /** Any call that the table says all about. */
  const call = async (endpoint: EndpointName, request: CallValues, { signal }: CallOptions = {}): Promise<unknown> => {
    const { path, params, query, body, answer } = endpointNamed(endpoint)
    const ids = z.safeEncode(params, request)
    const values = z.safeEncode(query, request)
    const sent = body?.safeParse(request['body'])
    refuse([ids, values, sent].flatMap((checked) => (checked?.error ? issuesFrom(checked.error) : [])))
    return transport.call({
      endpoint,
      url: callUrl(managementUrl, fillPath(path, ids.data ?? {}), values.data ?? {}),
      body: sent && stringifyJson(request['body']),
      signal,
      read: async (incoming, deadline) =>
        typeof answer === 'string'
          ? readNothing(endpoint, incoming)
          : readAnswer(endpoint, answer, incoming, deadline, reading),
    })
  }

  const readDay = async (
    pullZoneId: bigint,
    day: string,
    { onProgress, ...wish }: DayFileOptions,
    filter: EntryFilter,
    reader: DayFileReader,
  ): Promise<DayFileSummary> => {
    refuse([...issuesOf(Int64Id, pullZoneId), ...checkDayFilter(day, filter, clock.now())])
    const [YYYY = '', MM = '', DD = ''] = day.split('-')
    const path = fillPath(dialect.dayFilePath, { YYYY, YY: YYYY.slice(2), MM, DD, pullZoneId: String(pullZoneId) })
    return transport.call({
      endpoint: 'streamDayFile',
      url: callUrl(loggingUrl, path, dialect.dayFileQuery),
      signal: wish.signal,
      slot: { pullZoneId, wish },
      mayRepeat: () => reader.progress().bytes === 0,
      read: async (incoming, deadline) => readDayFile(incoming, deadline, reader, { clock, onProgress }),
    })
  }

  const own: Omit<CdnClient, ManagementCall> = {
    async queryLogs(pullZoneId, filter, asked) {
      const now = clock.now()
      refuse([...issuesOf(Int64Id, pullZoneId), ...checkLogFilter(filter, now)])
      const room = rooms.get(pullZoneId) ?? { rows: MAX_PAGE_SIZE }
      if (rooms.size >= MAX_ROOMS) rooms.clear()
      rooms.set(pullZoneId, room)
      const path = fillPath(endpoints.queryLogs.path, { pullZoneId: String(pullZoneId) })
      return collectLogPages(filter, { ...asked, now, pageStep: dialect.pageStep, room }, async (query) =>
        transport.call({
          endpoint: 'queryLogs',
          url: callUrl(loggingUrl, path, z.encode(LogQuery, query)),
          signal: asked.signal,
          slot: { pullZoneId, wish: asked },
          read: async (incoming, deadline) => readLogPage(incoming, deadline, reading),
        }),
      )
    },
    streamDayFile: async (pullZoneId, day, filter, onEntry, asked = {}) =>
      readDay(pullZoneId, day, asked, filter, readEntries(filter, dialect.logFields, onEntry)),
    tallyDayFile: async (pullZoneId, day, onLine, asked = {}) =>
      readDay(pullZoneId, day, asked, {}, tallyLines(onLine)),
    close: () => transport.close(),
  }
  const calls = ENDPOINT_NAMES.filter((name) => endpoints[name].base === 'management').map((name) => [
    name,
    async (request: CallValues, callOptions?: CallOptions) => call(name, request, callOptions),
  ])
  // A boundary: that a call has the request and answer of its name is known to the table, not to the type.
  return { ...own, ...(Object.fromEntries(calls) as Pick<Cdn, ManagementCall>) }
}

type CallValues = Readonly<Record<string, unknown>>

/**
 * The whole address of a call: base address (which may have a path of its own), path, and the query's given values. A list
 * that is empty is the same as not given.
 */
function callUrl(base: string, path: string, query: Readonly<Record<string, string | undefined>>): URL {
  const url = new URL(base.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, value)
  }
  return url
}
