import * as z from 'zod'
import { ApiKeyPage, SentApiKeyList } from './api-keys.ts'
import { defaultDialect, LogPage, LogQuery } from './dialect.ts'
import { DnsRecord, DnsRecordRequest } from './dns-record.ts'
import { StorageStatistics } from './storage-statistics.ts'
import { VideoLibrary, VideoLibraryRequest } from './video-library.ts'
import { idInPath, instantInQuery } from './wire-fields.ts'

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Which of the two base addresses the path is under. */
  readonly base: 'management' | 'logging'
  /** Placeholders in braces are the keys of `params`. */
  readonly path: string
  /** Text on the wire, typed inside: `z.encode` to send, `z.decode` to serve. */
  readonly params: z.ZodObject
  /** As `params`. Absent keys are not sent. */
  readonly query: z.ZodObject
  /** What is sent, checked before; undefined when there is no body. */
  readonly body: z.ZodType | undefined
  /** How an answer is read; undefined when it is lines of text (see `DAY_LINE_FIELDS`). */
  readonly answer: z.ZodType | undefined
  /** Whether sending twice has the effect of sending once. Never true of a write, whatever its method suggests. */
  readonly repeatable: boolean
  readonly deadline: 'read' | 'create' | 'dayFile'
}

const nothing = z.object({})

/** The interface as one table. The client sends these calls and an emulator serves them; there is no other list. */
export const endpoints = {
  getStorageStatistics: {
    method: 'GET',
    base: 'management',
    path: '/storagezone/{id}/statistics',
    params: z.object({ id: idInPath }),
    query: z.object({ dateFrom: instantInQuery.optional(), dateTo: instantInQuery.optional() }),
    body: undefined,
    answer: StorageStatistics,
    repeatable: true,
    deadline: 'read',
  },
  listApiKeys: {
    method: 'GET',
    base: 'management',
    path: '/apikey',
    params: nothing,
    query: ApiKeyPage,
    body: undefined,
    answer: SentApiKeyList,
    repeatable: true,
    deadline: 'read',
  },
  createVideoLibrary: {
    method: 'POST',
    base: 'management',
    path: '/videolibrary',
    params: nothing,
    query: nothing,
    body: VideoLibraryRequest,
    answer: VideoLibrary,
    repeatable: false,
    deadline: 'create',
  },
  addDnsRecord: {
    method: 'PUT',
    base: 'management',
    path: '/dnszone/{zoneId}/records',
    params: z.object({ zoneId: idInPath }),
    query: nothing,
    body: DnsRecordRequest,
    answer: DnsRecord,
    repeatable: false,
    deadline: 'create',
  },
  queryLogs: {
    method: 'GET',
    base: 'logging',
    path: '/v2/pullzones/{pullZoneId}/logs',
    params: z.object({ pullZoneId: idInPath }),
    query: LogQuery,
    body: undefined,
    answer: LogPage,
    repeatable: true,
    deadline: 'read',
  },
  streamDayFile: {
    method: 'GET',
    base: 'logging',
    path: defaultDialect.dayFilePath,
    params: z
      .object({ YYYY: z.string(), YY: z.string(), MM: z.string(), DD: z.string(), pullZoneId: idInPath })
      .partial({ YYYY: true, YY: true }),
    query: z.object({ sort: z.enum(['asc', 'desc']).optional() }),
    body: undefined,
    answer: undefined,
    repeatable: true,
    deadline: 'dayFile',
  },
} as const satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
