import { bytes, count, counted, percent } from '../../block-kit/amounts.ts'
import { heading, messageOf, paragraphs, readLast, smallPrint, tablePart } from '../../block-kit/message.ts'
import { code, joinMd, md, type Mrkdwn, openInPanel } from '../../block-kit/mrkdwn.ts'
import { cutMiddle } from '../../block-kit/plain-text.ts'
import { type Column, fitTable, type Table, tableOf } from '../../block-kit/table.ts'
import { utcDay } from '../../cdn/contract/dates.ts'
import type { LogEntry } from '../../cdn/contract/log-entry.ts'
import { LOG_RETENTION_MS } from '../../cdn/contract/log-filter.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { type Answer, type AnswerButton, pageButton } from '../declaration/answer.ts'
import { type CsvColumn, csvName, csv } from '../declaration/csv.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { type ReaderTimes, readerTimes } from '../declaration/reader-times.ts'
import { zoneLabel, zoneTitle } from '../declaration/zone-field.ts'
import {
  cacheWord,
  cursorText,
  DEFAULT_LISTED_LINES,
  type LogQuestion,
  MAX_FILE_LINES,
  MAX_LISTED_LINES,
} from './log-fields.ts'
import type { LogGroup, LogReading } from './log-reading.ts'
import { DEFAULT_CACHE_STATUSES, filterWords, isHalf, questionValues, usesDefaultCache } from './log-request.ts'
import { isIPv4 } from 'node:net'

type Note = Mrkdwn | false

export function logAnswer(reading: LogReading, question: LogQuestion, { actor, panel }: OperationContext): Answer {
  const times = readerTimes(actor.timeZone)
  const { pullZone } = question
  const place = openInPanel(panel('pull-zone', pullZone.id))
  const parts = [md`Log of pull zone ${zoneLabel(pullZone)}`, ...timeAndFilters(reading, question, times), ...place]
  const where = joinMd(parts, ' · ')
  const head = heading(`${zoneTitle(pullZone, 'Pull')}: ${matchWords(reading, question)}`)
  const file = question.csv === true ? fileLines(reading, question) : undefined
  const notes = logNotes(reading, question, file?.lines)
  if (reading.counts.lines === 0) {
    return {
      message: messageOf(head, smallPrint(where), paragraphs(widenHint(reading)), smallPrint(...notes)),
      buttons: widenButtons(reading, question, cutLines(reading, question, 0).next),
    }
  }
  const counts = paragraphs(md`${cacheCounts(reading, question)}\n${whatStandsOut(reading, question)}`)
  const shown = question.by === undefined ? shownLines(reading, question, times, file) : shownGroups(reading, question)
  return {
    message: messageOf(head, counts, smallPrint(where), readLast(shown.table), smallPrint(...shown.notes, ...notes)),
    buttons: logButtons(reading, question, (file ?? shown).next),
    ...(file !== undefined && { file: logFile(file.lines, reading, question, times) }),
  }
}

function timeAndFilters(reading: LogReading, question: LogQuestion, times: ReaderTimes): readonly string[] {
  const { from, to, dayFile } = reading
  const start = from ?? question.since
  const [began, ended] = [start, to].map((at) => at && times.format(at).slice(0, 16))
  const isOneDay = began !== undefined && ended?.slice(0, 10) === began.slice(0, 10)
  const range = `${began ?? 'the start the CDN chose'} to ${isOneDay ? ended.slice(11) : (ended ?? 'now')} (${times.zone})`
  return [
    range,
    ...reachWords(reading, times),
    ...filterWords(question),
    ...(dayFile === undefined ? [] : ['file of the day']),
  ]
}

function reachWords({ complete, lines }: LogReading, times: ReaderTimes): readonly string[] {
  const [first, last] = [lines[0]?.timestamp, lines.at(-1)?.timestamp].toSorted((a, b) => Number(a) - Number(b))
  if (complete || first === undefined || last === undefined) return []
  const [began, ended] = [times.format(first), times.format(last)]
  const timeFrom = began.slice(0, 10) === ended.slice(0, 10) ? 11 : 5
  return [`these from ${began.slice(timeFrom)} to ${ended.slice(timeFrom)}`]
}

function matchWords({ counts, complete, dayFile, skipped }: LogReading, question: LogQuestion): string {
  if (counts.lines === 0) return `no ${skipped > 0 ? 'readable ' : ''}line matches`
  const { order, status, failing, cache = usesDefaultCache(question) ? DEFAULT_CACHE_STATUSES : [] } = question
  const asked = [failing === true ? ['5xx', 'STALE'] : cache.map(cacheWord), status ?? []]
    .map((each) => each.join(' or '))
    .filter((each) => each !== '')
  const lines = counted(counts.lines, `${asked.join(', ') || 'matching'} line`)
  if (dayFile !== undefined) return `${lines} of ${count(dayFile.lines)}`
  return complete ? lines : `${order === 'oldest' ? 'oldest' : 'newest'} ${lines}, there may be more`
}

/** Only then is a share one of the zone, or of a path. */
function asksForAll({ cache, status }: LogQuestion): boolean {
  return cache?.length === 0 && status === undefined
}

/** A share of what a status was asked for would be read as that of the zone. */
function cacheCounts({ counts }: LogReading, question: LogQuestion): Mrkdwn {
  const { byCacheStatus, lines: all, bytes: sent } = counts
  const isWhole = asksForAll(question)
  const each = byCacheStatus.map(
    ({ name, lines }) => md`*${cacheWord(name)}* ${count(lines)}${isWhole ? ` (${percent(lines / all)})` : ''}`,
  )
  return joinMd([...each, md`${bytes(sent)} sent`], ' · ')
}

function whatStandsOut({ counts: { byClass, groups } }: LogReading, { by }: LogQuestion): Mrkdwn {
  const errorsFirst = byClass.toSorted((a, b) => Number(b.name === '5xx') - Number(a.name === '5xx'))
  const classes = errorsFirst.map(({ name, lines }) =>
    name === '5xx' ? md`🔴 *5xx ${count(lines)}*` : md`${name} ${count(lines)}`,
  )
  const [most] = by === undefined ? groups.filter(({ lines }) => lines > 1) : []
  const path = most && md`most requested ${code(cutMiddle(most.name, LONG_CELL_LENGTH))} (${count(most.lines)})`
  return joinMd([...classes, path], ' · ')
}

/** As many lines as were asked for and find room; the next page begins with the first that is neither listed nor in the file. */
function shownLines(reading: LogReading, question: LogQuestion, times: ReaderTimes, file?: LinesCut) {
  const wanted = file === undefined ? (question.limit ?? DEFAULT_LISTED_LINES) : DEFAULT_LISTED_LINES
  const drawn = (rows: readonly LogEntry[]): Table =>
    linesTable(rows, { ...question, since: reading.from ?? question.since, until: reading.to }, times)
  const { kept } = fitTable(drawn(reading.lines.slice(0, wanted)))
  const { lines, next, lost } = file ?? cutLines(reading, question, kept)
  const table = tablePart(drawn(lines.slice(0, kept)))
  const notes: readonly Note[] = [
    table.kept < reading.counts.lines &&
      md`${count(table.kept)} of them are listed${file === undefined ? '' : '; the file has more'}.`,
    lost > 0 &&
      md`${count(lost)} lines of one and the same instant found no room${file === undefined ? '; a CSV file has them' : ''}.`,
  ]
  return { table, notes, next }
}

/** With more of a URL or an agent a row would take two lines; the file has all of it. */
const LONG_CELL_LENGTH = 48

function linesTable(lines: readonly LogEntry[], question: LogQuestion, times: ReaderTimes): Table {
  const { ip, referer, agent, request, wide, order, since, until } = question
  const days = [since, until, ...lines.map(({ timestamp }) => timestamp)].flatMap((at) =>
    at ? times.format(at).slice(0, 10) : [],
  )
  const timeFrom = new Set(days).size > 1 ? 5 : 11
  const client: Column<LogEntry> = ['Client', ({ remoteIp }) => remoteIp]
  const from: Column<LogEntry> = ['Referer', (entry) => entry.referer && cutMiddle(entry.referer, LONG_CELL_LENGTH)]
  const program: Column<LogEntry> = ['Agent', ({ userAgent }) => userAgent && cutMiddle(userAgent, LONG_CELL_LENGTH)]
  const id: Column<LogEntry> = ['Request', ({ requestId }) => requestId]
  const columns: readonly Column<LogEntry>[] = [
    ['Time', ({ timestamp }) => timestamp && times.format(timestamp).slice(timeFrom)],
    ['Cache', ({ cacheStatus }) => cacheStatus && cacheWord(cacheStatus)],
    ['Status', ({ statusCode }) => statusCode?.toString()],
    // Without the scheme, which is the same on nearly every line.
    ['URL', (entry) => cutMiddle(addressOf(entry).replace(/^https?:\/\//i, ''), LONG_CELL_LENGTH)],
    ['Bytes', ({ bytesSent }) => bytesSent, 'number'],
    ['Country', ({ countryCode }) => countryCode],
    ['Edge', ({ edgeLocation }) => edgeLocation],
    ...(ip === undefined ? [] : [client]),
    ...(referer === undefined ? [] : [from]),
    ...(agent === undefined && wide !== true ? [] : [program]),
    ...(request === undefined && wide !== true ? [] : [id]),
  ]
  return tableOf(`${order === 'oldest' ? 'Oldest' : 'Newest'} matching lines`, columns, lines, lines.length)
}

function addressOf({ url, host = '', path = '' }: LogEntry): string {
  return url ?? `${host}${path}`
}

/**
 * Cuts what was read to the lines that fit, so that the next answer begins exactly where this one ends. The range is
 * pinned and narrowed by time, which new lines cannot shift; lines of one millisecond therefore stay together. Where all
 * that was read is shown, the platform's own place in its rows leads on.
 */
export function cutLines({ lines, next, from, to }: LogReading, question: LogQuestion, fits: number) {
  const range = { since: from, until: to, continueAt: undefined }
  const firstLeft = lines[fits]
  if (firstLeft === undefined) {
    if (next === undefined || from === undefined || to === undefined) return { lines, next: undefined, lost: 0 }
    return { lines, next: questionValues(question, { ...range, continueAt: cursorText(next) }), lost: 0 }
  }
  const at = firstLeft.timestamp
  if (at === undefined) return { lines: lines.slice(0, fits), next: undefined, lost: lines.length - fits }
  const isSameInstant = (line: LogEntry): boolean => line.timestamp?.getTime() === at.getTime()
  const start = lines.findIndex(isSameInstant)
  const comesNext = start > 0
  const isAscending = question.order === 'oldest'
  // The start of a range is inclusive and its end is not, so the instant after is an end that has it and a start without.
  const edge = new Date(at.getTime() + (isAscending === comesNext ? 0 : 1))
  return {
    lines: lines.slice(0, comesNext ? start : fits),
    next: questionValues(question, { ...range, [isAscending ? 'since' : 'until']: edge }),
    /** Lines of one and the same millisecond that neither this answer nor the next one has room for. */
    lost: comesNext ? 0 : lines.filter(isSameInstant).length - fits,
  }
}

type LinesCut = ReturnType<typeof cutLines>

/** What is read by two filters has no cursor to go on from: where there is more, its last line is left for the next file. */
function fileLines(reading: LogReading, question: LogQuestion): LinesCut {
  const { lines, complete, next } = reading
  const whole = complete || next !== undefined ? lines.length : Math.max(1, lines.length - 1)
  return cutLines(reading, question, Math.min(question.limit ?? MAX_FILE_LINES, whole))
}

const GROUP_TITLES = { path: 'Path', status: 'Status', edge: 'Edge', country: 'Country' } as const

function shownGroups({ counts }: LogReading, question: LogQuestion) {
  const { by = 'path', limit = DEFAULT_LISTED_LINES } = question
  const isWhole = asksForAll(question)
  const failing: readonly Column<LogGroup>[] = [
    ['5xx or STALE', (group) => group.failing, 'number'],
    ['Of its lines', (group) => percent(group.failing / group.lines)],
  ]
  const columns: readonly Column<LogGroup>[] = [
    [GROUP_TITLES[by], ({ name }) => name],
    ...(isWhole ? failing : []),
    ['Lines', ({ lines }) => lines, 'number'],
    [isWhole ? 'Share of all' : 'Share', ({ lines }) => percent(lines / counts.lines)],
    ['Sent', (group) => bytes(group.bytes)],
  ]
  const inOrder = isWhole ? counts.groups.toSorted((a, b) => b.failing - a.failing) : counts.groups
  const groups = inOrder.slice(0, Math.min(limit, MAX_LISTED_LINES))
  const table = tablePart(tableOf(`Lines by ${GROUP_TITLES[by].toLowerCase()}`, columns, groups, groups.length))
  const others = counts.groups.length - table.kept
  const notes: readonly Note[] = [
    isWhole && md`The most failures come first.`,
    !isWhole && md`Counts are of these lines alone. *Failing share* counts all requests, and how many of them fail.`,
    others > 0 && md`${count(others)} smaller groups are not listed.`,
    counts.ungrouped > 0 && md`${count(counts.ungrouped)} lines are of further groups, which were not told apart.`,
  ]
  return { table, notes, next: undefined }
}

function widenHint({ pages, complete, dayFile }: LogReading): Mrkdwn {
  const kept = md`The CDN keeps logs for 3 days, and only of zones with logging enabled.`
  if (dayFile !== undefined) return md`${count(dayFile.lines)} lines of the day were read. ${kept}`
  if (!complete) return md`${count(pages)} pages of the log held no match, and there are more.`
  return md`To see more, widen the range or leave out a filter. ${kept}`
}

function logButtons({ from, to }: LogReading, question: LogQuestion, next: RawValues | undefined) {
  // The same range again, whatever the time when the button is pressed.
  const range = { since: from, until: to, limit: undefined }
  const again = (label: string, changes: Parameters<typeof questionValues>[1]): AnswerButton =>
    pageButton(label, questionValues(question, { ...range, ...changes }))
  return [
    ...(next === undefined ? [] : [pageButton(nextLabel(question), next)]),
    ...otherButtons(question),
    question.by === undefined
      ? again('Count by path', { by: 'path', csv: undefined, continueAt: undefined })
      : again('Show lines', { by: undefined, csv: undefined }),
    ...(question.by === undefined || asksForAll(question) ? [] : [again('Failing share', ALL)]),
    ...(question.csv === true ? [] : [again('Send as CSV', { csv: true })]),
    changeButton(question),
  ]
}

const ALL = { cache: 'all', status: undefined, failing: undefined, continueAt: undefined } as const

/** A range this close to everything the CDN keeps is not worth widening. */
const NEARLY_MS = 60 * 60_000

function widenButtons({ complete, from, to }: LogReading, question: LogQuestion, next: RawValues | undefined) {
  const everyStatus = questionValues(question, { cache: 'all', continueAt: undefined })
  const allDays = questionValues(question, { since: '3d', until: undefined, continueAt: undefined })
  const rangeMs = from === undefined || to === undefined ? 0 : to.getTime() - from.getTime()
  const isNearlyAll = question.day !== undefined || rangeMs > LOG_RETENTION_MS - NEARLY_MS
  return [
    ...(complete || next === undefined ? [] : [pageButton(nextLabel(question), next)]),
    ...(usesDefaultCache(question) ? [pageButton('Every cache status', everyStatus)] : otherButtons(question)),
    ...(isNearlyAll ? [] : [pageButton('Last 3 days', allDays)]),
    changeButton(question),
  ]
}

function otherButtons(question: LogQuestion): readonly AnswerButton[] {
  if (!(isHalf(question) || usesDefaultCache(question)) || question.day !== undefined) return []
  const both = { failing: true, cache: undefined, status: undefined, continueAt: undefined }
  return [pageButton('5xx and STALE', questionValues(question, both))]
}

function nextLabel({ order, csv }: LogQuestion): string {
  if (csv === true) return 'Next file'
  return order === 'oldest' ? 'Newer' : 'Older'
}

function changeButton(question: LogQuestion): AnswerButton {
  const values = questionValues(question, { continueAt: undefined })
  return { kind: 'form', label: 'Change filters', operation: 'logs', values }
}

const FILE_COLUMNS: readonly CsvColumn<LogEntry>[] = [
  ['time_utc', ({ timestamp }) => timestamp],
  ['cache_status', ({ cacheStatus }) => cacheStatus && cacheWord(cacheStatus)],
  ['status', ({ statusCode }) => statusCode],
  ['url', addressOf],
  ['bytes_sent', ({ bytesSent }) => bytesSent],
  ['country', ({ countryCode }) => countryCode],
  ['edge', ({ edgeLocation }) => edgeLocation],
  ['user_agent', ({ userAgent }) => userAgent],
  ['referer', ({ referer }) => referer],
  ['request_id', ({ requestId }) => requestId],
  ['ja4_fingerprint', ({ ja4Fingerprint }) => ja4Fingerprint],
  ['asn', ({ asn }) => asn],
  ['asn_organization', ({ asnOrganization }) => asnOrganization],
  ['body_bytes_sent', ({ bodyBytesSent }) => bodyBytesSent],
  ['content_range', ({ contentRange }) => contentRange],
]

const CLIENT: CsvColumn<LogEntry> = ['client_address', ({ remoteIp }) => remoteIp]

/** The lines as a file. Client addresses are in it only where they were asked for, query values never. */
function logFile(
  lines: readonly LogEntry[],
  { from }: LogReading,
  { pullZone, ip, day = from }: LogQuestion,
  times: ReaderTimes,
) {
  const time: CsvColumn<LogEntry> = [`time (${times.zone})`, ({ timestamp }) => timestamp && times.exact(timestamp)]
  const columns = [time, ...FILE_COLUMNS, ...(ip === undefined ? [] : [CLIENT])]
  return {
    name: csvName('logs', pullZone.id, day === undefined ? '' : utcDay(day)),
    title: `Log lines of pull zone ${zoneLabel(pullZone)}`,
    content: csv(columns, lines),
  }
}

function logNotes(reading: LogReading, question: LogQuestion, inFile: readonly LogEntry[] = []): readonly Note[] {
  return [
    usesDefaultCache(question) && defaultNote(question),
    question.csv === true && fileNote(reading, inFile),
    ...dayFileNotes(reading),
    reading.skipped > 0 && md`Over 8 MB, and passed over: ${counted(reading.skipped, 'line')}.`,
    addressNote(reading, question),
    question.shield === true && md`Requests to the origin shield are counted beside those they come from.`,
  ]
}

function defaultNote({ day }: LogQuestion): Mrkdwn {
  const failing = day === undefined ? md`${code('--failing')} shows all that fails, ` : md``
  return md`Only MISS and STALE: what failed with another cache status is not among them. ${failing}${code('--cache all')} shows everything.`
}

function fileNote({ counts, complete }: LogReading, lines: readonly LogEntry[]): Mrkdwn {
  if (lines.length === 0) return md`No line matched, so there is no CSV file.`
  const isCut = lines.length < counts.lines || !complete
  return md`The CSV file has ${counted(lines.length, 'line')}${isCut ? '; there may be more' : ''}.`
}

function dayFileNotes({ dayFile }: LogReading): readonly Note[] {
  if (dayFile === undefined) return []
  const { malformedLines, tooLongLines, countsByCacheStatus, countsByStatusClass } = dayFile
  const statuses = [...countsByCacheStatus].map(([name, lines]) => `${cacheWord(name)} ${count(lines)}`).join(', ')
  const classes = [...countsByStatusClass].map(([name, lines]) => `${name} ${count(lines)}`).join(', ')
  return [
    countsByCacheStatus.size > 0 && md`The whole file, whatever the filter: ${statuses}; ${classes}.`,
    malformedLines > 0 && md`Unreadable, and in no count: ${counted(malformedLines, 'line')}.`,
    tooLongLines > 0 && md`Over 64 KB, and passed over: ${counted(tooLongLines, 'line')}.`,
  ]
}

/** The CDN shortens addresses unless told otherwise, and what a filter by one finds depends on it. */
function addressNote({ lines }: LogReading, { ip }: LogQuestion): Note {
  if (ip === undefined || (lines.length > 0 && lines.every(({ remoteIp }) => remoteIp === ip))) return false
  if (ip === 'all') return md`Client addresses may be shortened to their network, or not be kept.`
  const network = isIPv4(ip) ? `${ip.replace(/\d+$/, '0')} (its /24)` : 'its /64'
  return md`Where a log shortens addresses, a filter by one finds all of its network, ${network}; where it keeps none, the CDN ignores the filter, and the lines are from any client.`
}
