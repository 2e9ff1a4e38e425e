import { bytes, count, counted } from '../../block-kit/amounts.ts'
import type { LogResult } from '../../cdn/contract/cdn.ts'
import { utcDay } from '../../cdn/contract/dates.ts'
import type { LogEntry } from '../../cdn/contract/log-entry.ts'
import { DAY_MS } from '../../shared/durations.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { type LogGrouping, type LogQuestion, MAX_FILE_LINES } from './log-fields.ts'
import { dayFilter, logFilter } from './log-request.ts'

const READ_LINES = 1_000
const WAITING = 'Reading the log; the CDN’s rate limit may add up to 10 s'
const READ_LINES_GROUPED = 10_000

/** `lines` are in the order asked for; `skipped` is how many were too long to be read, of which a day file counts its own. */
export type LogReading = Awaited<ReturnType<typeof readLog>>

export async function readLog(question: LogQuestion, context: OperationContext) {
  if (question.day !== undefined) return readDay(question, question.day, context)
  const { by, csv, limit = MAX_FILE_LINES, continueAt, pullZone, failing, order } = question
  // One more of each of the two: the next file begins with a line that this one has no room for.
  const inFile = failing === true ? limit + 1 : limit
  const maxEntries = csv === true ? inFile : by === undefined ? READ_LINES : READ_LINES_GROUPED
  const read = (part: Partial<LogQuestion> = {}): Promise<LogResult> =>
    context.cdn.queryLogs(pullZone.id, logFilter({ ...question, ...part }, context.now), {
      maxEntries,
      cursor: continueAt,
      ...callOptions(context),
      onProgress: (soFar) =>
        context.progress(`Read ${counted(soFar.entries, 'matching line')} in ${counted(soFar.pages, 'answer')}`),
    })
  const result = failing === true ? await readFailing(read, order) : await read()
  const { entries: lines, truncated, appliedFrom: from, appliedTo: to, skipped, next, pages } = result
  const tally = tallyLines(by ?? 'path')
  for (const entry of lines) tally.add(entry)
  return { lines, counts: tally.counts(), complete: !truncated, from, to, skipped, next, pages, dayFile: undefined }
}

/** The CDN takes no filter for both. Where one has more, all of them are shown only as far as that one was read. */
async function readFailing(read: (part: Partial<LogQuestion>) => Promise<LogResult>, order: LogQuestion['order']) {
  const [errors, stale] = await Promise.all([read({ status: ['5xx'] }), read({ cache: ['STALE'] })])
  const side = order === 'oldest' ? -1 : 1
  const place = (entry: LogEntry | undefined): number => side * timeOf(entry)
  const ends = [errors, stale].flatMap(({ truncated, entries }) => (truncated ? place(entries.at(-1)) : []))
  const entries = [...errors.entries, ...stale.entries.filter(({ statusCode = 0 }) => statusCode < 500)]
    .filter((entry) => place(entry) >= Math.max(...ends))
    .toSorted((a, b) => place(b) - place(a))
  return {
    ...errors,
    entries,
    truncated: ends.length > 0,
    skipped: errors.skipped + stale.skipped,
    pages: errors.pages + stale.pages,
    next: undefined,
  }
}

async function readDay(question: LogQuestion, day: Date, context: OperationContext) {
  const { by, csv, limit = MAX_FILE_LINES, pullZone, since, until } = question
  const tally = tallyLines(by ?? 'path')
  // One more than the file takes: the next one begins with it.
  const newest = keepNewest(csv === true ? limit + 1 : READ_LINES)
  const onEntry = (entry: LogEntry): void => {
    tally.add(entry)
    newest.add(entry)
  }
  const dayFile = await context.cdn.streamDayFile(pullZone.id, utcDay(day), dayFilter(question), onEntry, {
    ...callOptions(context),
    onProgress: ({ lines, matched, bytes: read }) =>
      context.progress(`Read ${bytes(BigInt(read))}, ${counted(lines, 'line')}, of which ${count(matched)} match`),
  })
  const range = { from: since ?? day, to: until ?? new Date(day.getTime() + DAY_MS) }
  const rest = { complete: true, skipped: 0, next: undefined, pages: 1 }
  return { lines: newest.list(), counts: tally.counts(), ...range, ...rest, dayFile }
}

function callOptions(context: OperationContext) {
  return { signal: context.signal, priority: 'person', onWaiting: () => context.progress(WAITING) } as const
}

/** Sorting once in every quarter of `max` lines costs little, and no more than a quarter too many are kept. */
const SLACK = 1.25

/** Keeps the newest lines of a stream of any length and order, newest first. Lines without a time count as oldest. */
export function keepNewest(max: number) {
  let kept: LogEntry[] = []
  /** Once `max` lines are kept, one that is no newer than the oldest of them has no place. */
  let oldest = Number.NEGATIVE_INFINITY
  const list = () => kept.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, max)
  return {
    list,
    add(entry: LogEntry): void {
      if (timeOf(entry) <= oldest) return
      kept.push(entry)
      if (kept.length <= max * SLACK) return
      kept = list()
      oldest = timeOf(kept.at(-1))
    },
  }
}

function timeOf(entry: LogEntry | undefined): number {
  return entry?.timestamp?.getTime() ?? 0
}

const MAX_GROUPS = 10_000
const MAX_STATUSES = 64
const MAX_NAME_LENGTH = 300

export type LogGroup = Readonly<Sum> & { readonly name: string }

/** Counts lines as they come, in bounded memory: by cache status, class of status code, and one more property. */
export function tallyLines(by: LogGrouping) {
  const [statuses, classes, groups] = [new Map<string, Sum>(), new Map<string, Sum>(), new Map<string, Sum>()]
  const all: Sum = { lines: 0, bytes: 0n, failing: 0 }
  let ungrouped = 0
  return {
    add(entry: LogEntry): void {
      addTo(all, entry)
      countLine(statuses, entry.cacheStatus, entry, MAX_STATUSES)
      countLine(classes, classOf(entry), entry, MAX_STATUSES)
      if (!countLine(groups, GROUP_NAMES[by](entry), entry, MAX_GROUPS)) ungrouped += 1
    },
    counts() {
      const [byCacheStatus, byClass] = [mostFirst(statuses), mostFirst(classes)]
      return { ...all, byCacheStatus, byClass, groups: mostFirst(groups), ungrouped }
    },
  }
}

function classOf({ statusCode = 0 }: LogEntry): string | undefined {
  return statusCode >= 100 && statusCode < 600 ? `${Math.floor(statusCode / 100)}xx` : undefined
}

const GROUP_NAMES: Readonly<Record<LogGrouping, (entry: LogEntry) => string | undefined>> = {
  path: pathOf,
  status: ({ statusCode }) => statusCode?.toString(),
  edge: ({ edgeLocation }) => edgeLocation,
  country: ({ countryCode }) => countryCode,
}

/** Host and path of a line without its query, which would tell apart what belongs together. */
export function pathOf({ url, host = '', path = '' }: LogEntry): string {
  const address = url === undefined ? `${host}${path}` : url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  return address.replace(/[?#].*$/s, '')
}

interface Sum {
  lines: number
  bytes: bigint
  failing: number
}

/** False when the name is new and there is no room for another. */
function countLine(sums: Map<string, Sum>, value: string | undefined, entry: LogEntry, max: number): boolean {
  const name = value === undefined || value === '' ? 'unknown' : value.slice(0, MAX_NAME_LENGTH)
  const sum = sums.get(name) ?? { lines: 0, bytes: 0n, failing: 0 }
  if (sum.lines === 0 && sums.size >= max) return false
  addTo(sum, entry)
  sums.set(name, sum)
  return true
}

function addTo(sum: Sum, { bytesSent = 0n, cacheStatus, statusCode = 0 }: LogEntry): void {
  sum.lines += 1
  if (cacheStatus === 'STALE' || statusCode >= 500) sum.failing += 1
  sum.bytes += bytesSent
}

function mostFirst(sums: ReadonlyMap<string, Sum>): readonly LogGroup[] {
  return [...sums].map(([name, sum]) => ({ name, ...sum })).sort((a, b) => b.lines - a.lines)
}
