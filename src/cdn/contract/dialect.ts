import * as z from 'zod'
import { LOG_FIELDS, type LogField } from './log-entry.ts'
import {
  flagInQuery,
  int32InQuery,
  int64,
  int64InQuery,
  instant,
  instantInQuery,
  listInQuery,
  maybe,
} from './wire-fields.ts'

/**
 * Everything about the platform that its contract does not show, in this one file. None of it is promised by the
 * contract; all of it is how the platform is publicly known to behave. Success codes, for one: the contract describes
 * some answers only as successful, so any 2xx counts as success everywhere.
 */
export interface Dialect {
  /** Path of version 1's day file: `{YYYY}`, `{YY}`, `{MM}`, `{DD}` of the UTC day, and `{pullZoneId}`. */
  readonly dayFilePath: string
  readonly dayFileQuery: Readonly<Record<string, string>>
  /** Next page of version 2 starts this much further: by what was asked for, or by what the page says it returned. */
  readonly pageStep: 'limit' | 'returned'
  /** Log fields that may leave the client; others are dropped while reading. */
  readonly logFields: readonly LogField[]
  /** Names some platforms give to fields that the contract names neutrally: name on the wire → name in the contract. */
  readonly fieldAliases: Readonly<Record<string, string>>
}

/** Cache statuses that occur in the log beside those of the contract. */
export const UNSTATED_CACHE_STATUSES: readonly string[] = ['EXPIRED']

/** The contract shows neither version 1's path nor version 2's paging; these are the known ones. */
export const defaultDialect: Dialect = {
  dayFilePath: '/{MM}-{DD}-{YY}/{pullZoneId}.log',
  dayFileQuery: { sort: 'desc' },
  pageStep: 'limit',
  logFields: LOG_FIELDS,
  fieldAliases: {},
}

/** The contract gives the tiers' numbers and says that premium is the paid one; which number is which it does not. */
export const ENCODING_TIERS = { Free: 0, Premium: 1 } as const

/** The contract calls DRM basic or enterprise and gives three numbers without names. */
export const DRM_VERSIONS = { Basic: 0, Enterprise: 1, BasicV2: 2 } as const

/** The contract names these codecs, but not their spelling in the list beyond the names themselves. */
export const OUTPUT_CODECS = ['x264', 'vp9', 'hevc', 'av1'] as const

/** The region that always holds a copy and so is not a replica; the contract does not say which. */
export const MAIN_REGION = 'DE'
/** Where replicas can be. The contract does not list region codes. */
export const REPLICATION_REGIONS: readonly string[] = ['UK', 'SE', 'NY', 'LA', 'SG', 'SYD', 'BR', 'JH']

/** The contract does not list caption languages; ISO 639-1 codes. */
export const TRANSCRIBING_LANGUAGES: readonly string[] = (
  'ar hy az be bs bg ca zh hr cs da nl en et fi fr gl de el he hi hu is id it ja kn kk ' +
  'ko lv lt mk ms mi mr ne no fa pl pt ro ru sr sk sl es sw sv tl ta th tr uk ur vi cy'
).split(' ')

/** The contract does not say what an entry of the versions' filters looks like; page size and order are known bounds. */
const MAX_LOG_PAGE_SIZE = 10_000
/** How many words a search may have. Not in the contract either. */
export const MAX_SEARCH_WORDS = 16
/** In characters; the same holds. */
export const MAX_SEARCH_WORD_LENGTH = 128

/** Version 2's query parameters, none of which the contract shows. Lists travel as one comma-joined value. */
export const LogQuery = z.object({
  from: instantInQuery.optional(),
  to: instantInQuery.optional(),
  status: listInQuery.optional(),
  cacheStatus: listInQuery.optional(),
  country: listInQuery.optional(),
  edgeLocation: z.string().optional(),
  remoteIp: z.string().optional(),
  urlContains: z.string().optional(),
  userAgentContains: z.string().optional(),
  refererContains: z.string().optional(),
  search: z.string().optional(),
  requestId: z.string().optional(),
  includeOriginShield: flagInQuery.optional(),
  limit: int32InQuery(1, MAX_LOG_PAGE_SIZE).optional(),
  offset: int64InQuery.optional(),
  order: z.enum(['asc', 'desc']).optional(),
})
export type LogQuery = Readonly<z.output<typeof LogQuery>>

/** The filters the platform applies after it has cut the page, so that pages come short, or empty, with more behind. */
export const FILTERS_AFTER_PAGING = ['country', 'search'] as const

/** One page of version 2, which the contract does not show. Rows are read one by one, past the allow-list. */
export const LogPage = z.object({
  data: maybe(z.array(z.unknown()).max(MAX_LOG_PAGE_SIZE).readonly()),
  pagination: z.object({
    offset: maybe(int64),
    limit: maybe(int64),
    returned: maybe(int64),
    hasMore: maybe(z.boolean()),
  }),
  query: maybe(
    z.object({ pullZoneId: maybe(int64), from: maybe(instant), to: maybe(instant), order: maybe(z.string()) }),
  ),
})
export type LogPage = Readonly<z.output<typeof LogPage>>

/**
 * The fields of a line of version 1, in order, separated by `|`, `-` when empty; the contract shows only the cache
 * status. Timestamps are milliseconds since 1970. A line may have three more fields: the bytes of the body, the range,
 * and the end user's authorization header, which is left out.
 */
export const DAY_LINE_FIELDS = [
  'cacheStatus',
  'statusCode',
  'timestamp',
  'bytesSent',
  'pullZoneId',
  'remoteIp',
  'referer',
  'url',
  'edgeLocation',
  'userAgent',
  'requestId',
  'countryCode',
  'bodyBytesSent',
  'contentRange',
] as const satisfies readonly LogField[]

/** What every line of version 1 has; the rest comes with extended logging only. */
export const DAY_LINE_MIN_FIELDS = 12
