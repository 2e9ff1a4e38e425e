import type { DayFileOptions, DayFileProgress, DayFileSummary, OnTallied } from '../contract/cdn.ts'
import { type DayLine, finishEntry, type RawEntry, readDayLine, readRawEntry } from './day-file-line.ts'
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
/** More statuses than this are no statuses; the rest is counted together. */
const MAX_STATUSES = 64
const OTHER_STATUS = 'other'

export type DayFileReader = ReturnType<typeof readLines>

/** Reads a day file line by line as it comes, and counts each by status and code. Empty lines are no lines. */
function readLines(read: (line: DayLine) => 'matched' | 'unwanted' | 'malformed') {
  /** The beginning of a line that the last chunk did not end. Of a longer line than is looked at it holds no more. */
  let torn = ''
  let [bytes, lines, matched, malformedLines, tooLongLines] = [0, 0, 0, 0, 0]
  const statuses = new Map<string, number>()
  const classes = new Map<string, number>()

  function take(text: string): void {
    if (text === '') return
    lines += 1
    if (text.length > MAX_LINE_BYTES) {
      tooLongLines += 1
      return
    }
    const line = readDayLine(text)
    if (line === undefined) {
      malformedLines += 1
      return
    }
    const fate = read(line)
    if (fate === 'malformed') {
      malformedLines += 1
      return
    }
    if (fate === 'matched') matched += 1
    const { cacheStatus, statusCode } = line
    addOne(statuses, statuses.size < MAX_STATUSES || statuses.has(cacheStatus) ? cacheStatus : OTHER_STATUS)
    addOne(classes, `${Math.floor(statusCode / 100)}xx`)
  }

  const progress = (): DayFileProgress => ({ bytes, lines, matched })
  return {
    push(chunk: Buffer): void {
      bytes += chunk.length
      // Of a line that is too long already, no more is kept.
      const start = torn.length > MAX_LINE_BYTES ? chunk.indexOf('\n') : 0
      if (start < 0) return
      // A character for each byte, which no chunk can cut through; what is told is decoded later.
      const texts = (torn + chunk.toString('latin1', start)).split('\n')
      torn = texts.pop()?.slice(0, MAX_LINE_BYTES + 1) ?? ''
      for (const text of texts) take(text)
    },
    progress,
    /** The stream is over: takes in a last line without a line feed, and sums up. */
    finish(): DayFileSummary {
      take(torn)
      const countsByCacheStatus = new Map([...statuses].toSorted(([, one], [, other]) => other - one))
      const countsByStatusClass = new Map([...classes].toSorted(([one], [other]) => one.localeCompare(other)))
      return { ...progress(), malformedLines, tooLongLines, countsByCacheStatus, countsByStatusClass }
    },
  }
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Picks lines by a filter, with the meaning version 2 gives it, so that both versions find the same ones. */
export function readEntries(
  filter: EntryFilter,
  allowed: readonly LogField[],
  onEntry: (entry: LogEntry) => void,
): DayFileReader {
  const { from, to, cacheStatus = [], status = [] } = filter
  const isAnyTime = from === undefined && to === undefined
  const fromMs = from?.getTime() ?? 0
  const toMs = to?.getTime() ?? Number.POSITIVE_INFINITY
  const checks = compileChecks(filter)
  const withheld = LOG_FIELDS.filter((field) => !allowed.includes(field))
  const wants = (line: DayLine): boolean => {
    if (cacheStatus.length > 0 && !cacheStatus.includes(line.cacheStatus)) return false
    const code = String(line.statusCode)
    if (status.length > 0 && !status.includes(code) && !status.includes(`${code.charAt(0)}xx`)) return false
    // A line without a time is in no range.
    return isAnyTime || (line.atMs !== undefined && line.atMs >= fromMs && line.atMs < toMs)
  }
  return readLines((line) => {
    if (!wants(line)) return 'unwanted'
    const entry = readRawEntry(line)
    if (entry === undefined) return 'malformed'
    if (!checks.every((check) => check(entry))) return 'unwanted'
    onEntry(finishEntry(entry, withheld))
    return 'matched'
  })
}

/** Tells what lines begin with, and reads no more of them. A line without a time is malformed. */
export function tallyLines(onLine: OnTallied): DayFileReader {
  return readLines(({ atMs, cacheStatus, statusCode }) => {
    if (atMs === undefined) return 'malformed'
    onLine(atMs, cacheStatus, statusCode)
    return 'matched'
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
  const chunks = bytesOf(incoming)
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
