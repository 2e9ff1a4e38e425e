import { isIP } from 'node:net'
import { QueryReader } from './query-reader.ts'
import { refuseLogging } from './refusal.ts'
import { LOG_RETENTION_MS } from './log-access.ts'

/** What version 2 was asked for, with the defaults filled in. Lists are alternatives; undefined matches everything. */
export interface LogSearch {
  /** Inclusive. */
  readonly from: Date
  /** Exclusive. */
  readonly to: Date
  readonly status: readonly string[] | undefined
  readonly cacheStatus: readonly string[] | undefined
  readonly country: readonly string[] | undefined
  readonly edgeLocation: string | undefined
  readonly remoteIp: string | undefined
  readonly urlContains: string | undefined
  readonly userAgentContains: string | undefined
  readonly refererContains: string | undefined
  readonly words: readonly string[]
  readonly requestId: string | undefined
  readonly includeOriginShield: boolean
  readonly limit: number
  readonly offset: number
  readonly order: 'asc' | 'desc'
}

const DEFAULT_RANGE_MS = 86_400_000
const DEFAULT_LIMIT = 100
const MAX_LIMIT = 10_000
const MAX_WORDS = 16
const MAX_WORD_CHARACTERS = 128
/** Time passes between asking and answering, so a range that just fitted still fits. */
const RETENTION_LEEWAY_MS = 60_000

const PARAMETERS = [
  'from',
  'to',
  'status',
  'cacheStatus',
  'country',
  'edgeLocation',
  'remoteIp',
  'urlContains',
  'userAgentContains',
  'refererContains',
  'search',
  'requestId',
  'includeOriginShield',
  'limit',
  'offset',
  'order',
]

/** Reads version 2's parameters. Throws `Refusal` 400 with one detail for each thing wrong. */
export function readLogSearch(query: URLSearchParams, now: Date): LogSearch {
  const reader = new QueryReader(query, PARAMETERS)
  const to = reader.instant('to') ?? now
  const from = reader.instant('from') ?? new Date(to.getTime() - DEFAULT_RANGE_MS)
  checkRange(reader, from, to, now)
  const search: LogSearch = {
    from,
    to,
    status: reader.list('status', /^[1-5](?:\d\d|xx)$/i),
    cacheStatus: reader.list('cacheStatus', /^(?:[A-Z]+|-)$/),
    country: reader.list('country', /^[A-Z]{2}$/),
    edgeLocation: reader.text('edgeLocation'),
    remoteIp: readAddress(reader),
    urlContains: reader.text('urlContains')?.toLowerCase(),
    userAgentContains: reader.text('userAgentContains')?.toLowerCase(),
    refererContains: reader.text('refererContains')?.toLowerCase(),
    words: readWords(reader),
    requestId: readRequestId(reader),
    includeOriginShield: reader.choice('includeOriginShield', ['true', 'false'], 'false') === 'true',
    limit: reader.whole('limit', { standard: DEFAULT_LIMIT, min: 1, max: MAX_LIMIT }),
    offset: reader.whole('offset', { standard: 0, min: 0, max: Number.MAX_SAFE_INTEGER }),
    order: reader.choice('order', ['asc', 'desc'], 'desc'),
  }
  if (reader.problems.length > 0) {
    const details = reader.problems.map(({ message }) => message)
    throw refuseLogging(400, 'One or more query parameters are not valid.', details)
  }
  return search
}

function checkRange(reader: QueryReader, from: Date, to: Date, now: Date): void {
  const oldestMs = now.getTime() - LOG_RETENTION_MS - RETENTION_LEEWAY_MS
  if (from >= to) reader.problem('from', 'from must lie before to.')
  if (to.getTime() - from.getTime() > LOG_RETENTION_MS) {
    reader.problem('to', 'The time range cannot exceed 3 days, for which logs are kept.')
  }
  if (from.getTime() < oldestMs)
    reader.problem('from', 'from must lie within the last 3 days, for which logs are kept.')
}

function readAddress(reader: QueryReader): string | undefined {
  const address = reader.text('remoteIp')
  if (address !== undefined && isIP(address) === 0) reader.problem('remoteIp', 'remoteIp must be an IP address.')
  return address
}

function readWords(reader: QueryReader): readonly string[] {
  const words = (reader.text('search') ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length > MAX_WORDS) reader.problem('search', `search may hold ${MAX_WORDS} words.`)
  if (words.some((word) => word.length > MAX_WORD_CHARACTERS)) {
    reader.problem('search', `A word of search may have ${MAX_WORD_CHARACTERS} characters.`)
  }
  return words
}

function readRequestId(reader: QueryReader): string | undefined {
  const id = reader.text('requestId')?.replaceAll('-', '').toLowerCase()
  if (id !== undefined && !/^[0-9a-f]{32}$/.test(id)) reader.problem('requestId', 'requestId must be a request id.')
  return id
}
