import * as z from 'zod'
import { ApiKeyList, ApiKeyPage } from './api-keys.ts'
import { defaultDialect, LogPage, LogQuery } from './dialect.ts'
import { DnsRecord, DnsRecordRequest } from './dns-record.ts'
import { StatisticsRange, StorageStatistics } from './storage-statistics.ts'
import { VideoLibrary, VideoLibraryRequest } from './video-library.ts'
import { idInPath } from './wire-fields.ts'

export interface Endpoint {
  /** A GET is a read. Everything else is a write, which is sent once: a PUT only looks as if it could be repeated. */
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Which of the two base addresses the path is under. */
  readonly base: 'management' | 'logging'
  /** Placeholders in braces are the keys of `params`. */
  readonly path: string
  /**
   * What is not there when the answer is 404: `pull zone`. Undefined when the path names nothing, so that the address is wrong.
   * What is no zone has no name to check, and needs words of its own in `error-messages.ts`.
   */
  readonly subject: `${'' | 'pull ' | 'storage ' | 'DNS '}zone` | undefined
  /** Text on the wire, typed inside: `z.encode` to send, `z.decode` to serve. */
  readonly params: TextFields
  /** As `params`, with the rules about them. Absent keys are not sent. */
  readonly query: TextFields
  /** What is sent, with every rule about it; undefined when there is no body. */
  readonly body: z.ZodType | undefined
  /** How an answer is read. `lines` of text are read one by one (see `DAY_LINE_FIELDS`); `nothing` is read after a 204. */
  readonly answer: z.ZodType | 'lines' | 'nothing'
}

type TextFields = z.ZodObject<Readonly<Record<string, z.ZodType<unknown, string | undefined>>>>

const nothing = z.object({})

/** The interface as one table. The client sends these calls and an emulator serves them; there is no other list. */
export const endpoints = {
  getStorageStatistics: {
    method: 'GET',
    base: 'management',
    path: '/storagezone/{id}/statistics',
    subject: 'zone',
    params: z.object({ id: idInPath }),
    query: StatisticsRange,
    body: undefined,
    answer: StorageStatistics,
  },
  listApiKeys: {
    method: 'GET',
    base: 'management',
    path: '/apikey',
    subject: undefined,
    params: nothing,
    query: ApiKeyPage,
    body: undefined,
    answer: ApiKeyList,
  },
  createVideoLibrary: {
    method: 'POST',
    base: 'management',
    path: '/videolibrary',
    subject: undefined,
    params: nothing,
    query: nothing,
    body: VideoLibraryRequest,
    answer: VideoLibrary,
  },
  addDnsRecord: {
    method: 'PUT',
    base: 'management',
    path: '/dnszone/{zoneId}/records',
    subject: 'zone',
    params: z.object({ zoneId: idInPath }),
    query: nothing,
    body: DnsRecordRequest,
    answer: DnsRecord,
  },
  queryLogs: {
    method: 'GET',
    base: 'logging',
    path: '/v2/pullzones/{pullZoneId}/logs',
    subject: 'pull zone',
    params: z.object({ pullZoneId: idInPath }),
    query: LogQuery,
    body: undefined,
    answer: LogPage,
  },
  streamDayFile: {
    method: 'GET',
    base: 'logging',
    path: defaultDialect.dayFilePath,
    subject: 'pull zone',
    params: z
      .object({ YYYY: z.string(), YY: z.string(), MM: z.string(), DD: z.string(), pullZoneId: idInPath })
      .partial({ YYYY: true, YY: true }),
    query: z.object({ sort: z.enum(['asc', 'desc']).optional() }),
    body: undefined,
    answer: 'lines',
  },
} as const satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
// A boundary: Object.keys cannot say that the keys of a constant are its keys.
export const ENDPOINT_NAMES = Object.keys(endpoints) as readonly EndpointName[]

export function endpointNamed(name: EndpointName): Endpoint {
  return endpoints[name]
}

/** What a call may cost: a read is repeated when it fails, a write never, and a day file may take minutes. */
export function callKind(name: EndpointName): 'read' | 'write' | 'dayFile' {
  const { method, answer } = endpointNamed(name)
  if (method !== 'GET') return 'write'
  return answer === 'lines' ? 'dayFile' : 'read'
}

/** Calls that go by the table alone. Those for logs are paged, limited and streamed, so each has a method of its own. */
export type ManagementCall = {
  readonly [Name in EndpointName]: Endpoints[Name]['base'] extends 'management' ? Name : never
}[EndpointName]

/** The values of path and query by their names, and the body. */
export type RequestOf<Name extends EndpointName> = ValuesOf<Endpoints[Name]['params']> &
  ValuesOf<Endpoints[Name]['query']> &
  (Endpoints[Name]['body'] extends z.ZodType ? { readonly body: z.input<Endpoints[Name]['body']> } : unknown)

type ValuesOf<Fields extends z.ZodObject> = keyof Fields['shape'] extends never ? unknown : Readonly<z.output<Fields>>

export type AnswerOf<Name extends EndpointName> = Endpoints[Name]['answer'] extends z.ZodType
  ? Readonly<z.output<Endpoints[Name]['answer']>>
  : undefined
