import type { DayFileOptions, DayFileProgress, DayFileSummary } from '../contract/cdn.ts'
import {
  type DayLine,
  findSeparator,
  finishEntry,
  lineCounts,
  type RawEntry,
  readRawEntry,
  readWhole,
} from './day-file-line.ts'
import { LOG_FIELDS, type LogEntry, type LogField } from '../contract/log-entry.ts'
import { addressForms, type EntryFilter } from '../contract/log-filter.ts'
import type { Clock } from '../../shared/clock.ts'
import { bytesOf, type Incoming, UnreadableBody } from '../http/response-body.ts'
import { type Deadline, IDLE_TIMEOUT_MS } from '../http/deadline.ts'
import { CdnError } from '../contract/errors.ts'
import { isHtmlType } from './response-reading.ts'
import { cutOff } from '../http/transport.ts'

/** The longest line that is looked at; longer ones are passed over and counted. */
export const MAX_LINE_BYTES = 64 * 1024
const MAX_STATUS_BYTES = 31
const LINE_FEED = 10

interface LineReader {
  /** Asked once for each cache status; undefined stands for one of more than there can be. */
  readonly wantsCacheStatus: (cacheStatus: string | undefined) => boolean
  readonly wantsStatusCode: (statusCode: number) => boolean
  /** Takes a line whose status and code are wanted. It is valid only during the call. */
  readonly read: (line: DayLine) => 'matched' | 'unwanted' | 'malformed'
}

export type DayFileReader = ReturnType<typeof readLines>

/**
 * Reads a day file as its bytes come, without copying lines that lie whole in a chunk. Of each line the first two fields
 * are read from the bytes and counted; only of those that are wanted text is made. Empty lines are no lines.
 */
function readLines({ wantsCacheStatus, wantsStatusCode, read }: LineReader) {
  const counts = lineCounts(wantsCacheStatus)
  /** The beginning of a line that the last chunk did not end. Of a longer line it holds the first 64 KB. */
  const torn = Buffer.alloc(MAX_LINE_BYTES)
  let tornLength = 0
  let [bytes, lines, matched, malformedLines, tooLongLines] = [0, 0, 0, 0, 0]

  function keep(chunk: Buffer, start: number, end: number): void {
    chunk.copy(torn, tornLength, start, end)
    tornLength += end - start
  }

  function takeTorn(): void {
    const length = tornLength
    tornLength = 0
    take(torn, 0, length)
  }

  function take(buffer: Buffer, start: number, end: number): void {
    if (end === start) return
    lines += 1
    if (end - start > MAX_LINE_BYTES) tooLongLines += 1
    else see(buffer, start, end)
  }

  function see(buffer: Buffer, start: number, end: number): void {
    const statusEnd = findSeparator(buffer, start, Math.min(end, start + MAX_STATUS_BYTES + 1))
    const codeEnd = statusEnd + 4
    // Three digits and the separator: more are none.
    const statusCode = readWhole(buffer, statusEnd + 1, Math.min(end, codeEnd + 1)) ?? 0
    if (statusEnd <= start || statusCode < 100 || statusCode > 599) {
      malformedLines += 1
      return
    }
    const { isWanted, name } = counts.count(buffer, start, statusEnd, statusCode)
    if (!isWanted || !wantsStatusCode(statusCode)) return
    const atMs = readWhole(buffer, codeEnd + 1, end)
    const cacheStatus = name ?? buffer.toString('latin1', start, statusEnd)
    const fate = read({ buffer, end, cacheStatus, statusCode, atMs, codeEnd })
    if (fate === 'matched') matched += 1
    if (fate === 'malformed') malformedLines += 1
  }

  const progress = (): DayFileProgress => ({ bytes, lines, matched })
  return {
    push(chunk: Buffer): void {
      bytes += chunk.length
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        if (tornLength === 0) {
          take(chunk, start, end)
        } else {
          keep(chunk, start, end)
          takeTorn()
        }
        start = end + 1
      }
      keep(chunk, start, chunk.length)
    },
    progress,
    /** The stream is over: takes in a last line without a line feed, and sums up. */
    finish(): DayFileSummary {
      takeTorn()
      return { ...progress(), malformedLines, tooLongLines, ...counts.summary() }
    },
  }
}

/** Picks lines by a filter, with the meaning version 2 gives it, so that both versions find the same ones. */
export function readEntries(
  filter: EntryFilter,
  allowed: readonly LogField[],
  onEntry: (entry: LogEntry) => void,
): DayFileReader {
  const { from, to, cacheStatus = [], status = [] } = filter
  const cacheStatuses = new Set(cacheStatus)
  const isWantedCode = Array.from(
    { length: 600 },
    (_, code) => status.length === 0 || status.includes(String(code)) || status.includes(`${Math.floor(code / 100)}xx`),
  )
  const isAnyTime = from === undefined && to === undefined
  const fromMs = from?.getTime() ?? 0
  const toMs = to?.getTime() ?? Number.POSITIVE_INFINITY
  const checks = compileChecks(filter)
  const withheld = LOG_FIELDS.filter((field) => !allowed.includes(field))
  return readLines({
    wantsCacheStatus: (name) => cacheStatuses.size === 0 || (name !== undefined && cacheStatuses.has(name)),
    wantsStatusCode: (code) => isWantedCode[code] ?? false,
    read(line) {
      const { atMs } = line
      // A line without a time is in no range.
      if (!isAnyTime && (atMs === undefined || atMs < fromMs || atMs >= toMs)) return 'unwanted'
      const entry = readRawEntry(line)
      if (entry === undefined) return 'malformed'
      if (!checks.every((check) => check(entry))) return 'unwanted'
      onEntry(finishEntry(entry, withheld))
      return 'matched'
    },
  })
}

/** Told of each line when it was, in milliseconds since 1970, its cache status (`-` for none) and its status code. */
export type OnTallied = (atMs: number, cacheStatus: string, statusCode: number) => void

/** Tells what lines begin with and makes no text of them, which is far cheaper. A line without a time is malformed. */
export function tallyLines(onLine: OnTallied): DayFileReader {
  return readLines({
    wantsCacheStatus: () => true,
    wantsStatusCode: () => true,
    read({ atMs, cacheStatus, statusCode }) {
      if (atMs === undefined) return 'malformed'
      onLine(atMs, cacheStatus, statusCode)
      return 'matched'
    },
  })
}

/** What is decided by the fields of a line. They are unmasked: people may look for what is then shown masked. */
function compileChecks(filter: EntryFilter): readonly ((raw: RawEntry) => boolean)[] {
  const checks: ((raw: RawEntry) => boolean)[] = []
  const { country, edgeLocation, remoteIp, requestId, search } = filter
  const countries = new Set(country)
  if (countries.size > 0) checks.push(({ countryCode = '' }) => countries.has(countryCode))
  if (edgeLocation !== undefined) checks.push((raw) => raw.edgeLocation === edgeLocation)
  if (remoteIp !== undefined) {
    const forms = addressForms(remoteIp)
    checks.push((raw) => raw.remoteIp !== undefined && forms.has(raw.remoteIp.toLowerCase()))
  }
  if (requestId !== undefined) {
    const id = plainId(requestId)
    checks.push((raw) => raw.requestId !== undefined && plainId(raw.requestId) === id)
  }
  for (const [field, part = ''] of [
    ['url', filter.urlContains],
    ['userAgent', filter.userAgentContains],
    ['referer', filter.refererContains],
  ] as const) {
    const lower = part.toLowerCase()
    if (lower !== '') checks.push((raw) => raw[field]?.toLowerCase().includes(lower) ?? false)
  }
  const words = search?.toLowerCase().match(/\S+/g) ?? []
  if (words.length > 0) checks.push((raw) => words.some((word) => searchable(raw).includes(word)))
  return checks
}

function searchable({ cacheStatus, requestId, edgeLocation, url, userAgent, referer }: RawEntry): string {
  return [cacheStatus, requestId, edgeLocation, url, userAgent, referer].join('\n').toLowerCase()
}

function plainId(id: string): string {
  return id.replaceAll('-', '').toLowerCase()
}

/** Telling a person more often than this would be a flicker. */
const PROGRESS_EVERY_MS = 1_000

/**
 * Reads a day file from its answer to its end. Throws `CdnError` when it breaks off, stalls for 30 s, or is no such
 * file; what the receiver of entries throws goes through as it is.
 */
export async function readDayFile(
  incoming: Incoming,
  deadline: Deadline,
  reader: DayFileReader,
  { clock, onProgress }: { readonly clock: Clock } & Pick<DayFileOptions, 'onProgress'>,
): Promise<DayFileSummary> {
  const { status } = incoming
  const malformed = (why: string): CdnError => new CdnError('streamDayFile', { kind: 'malformed', status, why })
  if (isHtmlType(incoming)) throw malformed('a web page came instead of a log file')
  let toldAtMs = clock.monotonicMs()
  const chunks = bytesOf(incoming, { once: true })
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw error instanceof UnreadableBody
          ? malformed(error.message)
          : cutOff('streamDayFile', status, error, deadline)
      })
      if (next.done === true) return reader.finish()
      deadline.expectNothing()
      reader.push(next.value)
      deadline.expectWithin(IDLE_TIMEOUT_MS)
      if (clock.monotonicMs() - toldAtMs >= PROGRESS_EVERY_MS) {
        toldAtMs = clock.monotonicMs()
        onProgress?.(reader.progress())
      }
    }
  } finally {
    await chunks.return(undefined)
  }
}
