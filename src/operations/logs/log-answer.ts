import { bytes, count, counted, percent } from '../../block-kit/amounts.ts'
import { heading, messageOf, paragraphs, readLast, smallPrint, tablePart } from '../../block-kit/message.ts'
import { dateTime, joinMd, link, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { fitTable } from '../../block-kit/table.ts'
import { utcDay } from '../../cdn/dates.ts'
import type { LogEntry } from '../../cdn/log-entry.ts'
import { LOG_RETENTION_MS } from '../../cdn/log-filter.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { type Answer, type AnswerButton, type AnswerFile, pageButton } from '../answer.ts'
import { type CsvColumn, csvName, csvOf } from '../csv.ts'
import type { OperationContext } from '../operation.ts'
import { readerTimes } from '../reader-times.ts'
import { zoneLabel } from '../zone-field.ts'
import {
  cacheWord,
  cursorText,
  DEFAULT_LISTED_LINES,
  type LogQuestion,
  MAX_FILE_LINES,
  MAX_LISTED_LINES,
} from './log-fields.ts'
import type { LogReading } from './log-reading.ts'
import { filterWords, questionValues, usesDefaultCache } from './log-request.ts'
import { groupsTable, linesTable } from './log-table.ts'
import { isIPv4 } from 'node:net'

const MAX_STATUSES_SAID = 12

export function logAnswer(
  reading: LogReading,
  question: LogQuestion,
  { actor, panel }: Pick<OperationContext, 'actor' | 'panel'>,
): Answer {
  const title = `Log of pull zone ${zoneLabel(question.pullZone)}`
  const place = panel('pull-zone', question.pullZone.id)
  const where = joinMd([looked(reading, question), ...(place ? [link(place, 'Open in the panel')] : [])], ' · ')
  const notes = logNotes(reading, question).map((note) => md`${note}`)
  const head = [heading(title), smallPrint(where)]
  if (reading.counts.lines === 0) {
    const none = md`No ${reading.skipped > 0 ? 'readable ' : ''}line matches.`
    const next = cutLines(reading, question, 0).next
    return {
      message: messageOf(...head, paragraphs(none, widen(reading, question)), smallPrint(...notes)),
      buttons: widenButtons(reading, question, next),
    }
  }
  const lead = paragraphs(md`*${matchSentence(reading, question)}*\n${statusCounts(reading)}`)
  const file = question.csv === true ? { file: logFile(reading, question) } : {}
  if (question.by !== undefined) {
    const table = tablePart(groupsTable(reading.counts, question))
    const small = smallPrint(...groupsCut(reading, table.kept), ...notes)
    const message = messageOf(...head, lead, readLast(table), small)
    return { message, buttons: logButtons(reading, question, undefined), ...file }
  }
  const shown = shownLines(reading, question, actor.timeZone)
  const small = smallPrint(...linesCut(reading, question, shown), ...notes)
  const message = messageOf(...head, lead, readLast(shown.table), small)
  return { message, buttons: logButtons(reading, question, shown.next), ...file }
}

function looked({ from, to, dayFile }: LogReading, question: LogQuestion): Mrkdwn {
  const start = from ?? question.since
  const range = md`${start ? dateTime(start) : 'the start the platform chose'} to ${to ? dateTime(to) : 'now'}`
  const filters = filterWords(question)
  const source = dayFile === undefined ? '' : ' · file of the day (version 1)'
  return md`${range} · ${filters.length === 0 ? 'no filter' : filters.join(' · ')}${source}`
}

function statusCounts({ counts: { byCacheStatus, lines } }: LogReading): Mrkdwn {
  const said = byCacheStatus
    .slice(0, MAX_STATUSES_SAID)
    .map((status) => md`${cacheWord(status.name)} ${count(status.lines)} (${percent(status.lines / lines)})`)
  const rest = byCacheStatus.length - said.length
  return joinMd([...said, ...(rest > 0 ? [md`${rest} other statuses`] : [])], ' · ')
}

type ShownLines = ReturnType<typeof shownLines>

/** As many lines as were asked for and find room; the next page begins with the first that did not. */
function shownLines(reading: LogReading, question: LogQuestion, timeZone: string) {
  const times = readerTimes(timeZone)
  const wanted = question.csv === true ? DEFAULT_LISTED_LINES : (question.limit ?? DEFAULT_LISTED_LINES)
  const candidates = reading.lines.slice(0, Math.min(wanted, MAX_LISTED_LINES))
  const { kept } = fitTable(linesTable(candidates, question, times))
  // A file holds every line that was read, so what comes next begins after those and not after the few listed.
  const cut = cutLines(reading, question, question.csv === true ? reading.lines.length : kept)
  return { ...cut, table: tablePart(linesTable(cut.lines.slice(0, kept), question, times)) }
}

function linesCut(
  { counts }: LogReading,
  { csv }: LogQuestion,
  { table, lost }: ShownLines,
): readonly (Mrkdwn | false)[] {
  return [
    table.kept < counts.lines &&
      md`${count(table.kept)} of them are listed${csv === true ? '; the file has more' : ''}.`,
    lost > 0 && md`${count(lost)} lines of one and the same instant found no room; a CSV file has them.`,
  ]
}

function groupsCut({ counts }: LogReading, kept: number): readonly (Mrkdwn | false)[] {
  const others = counts.groups.length - kept
  return [
    others > 0 && md`${count(others)} smaller groups are not listed.`,
    counts.ungrouped > 0 && md`${count(counts.ungrouped)} lines are of further groups, which were not told apart.`,
  ]
}

function widen({ pages, complete, dayFile }: LogReading, { day }: LogQuestion): Mrkdwn {
  const kept = md`The platform keeps logs for 3 days, and only of zones with logging enabled.`
  if (dayFile !== undefined) return md`${count(dayFile.lines)} lines of the day were looked at. ${kept}`
  if (!complete) return md`${count(pages)} answers of the platform held no match, and there is more to look through.`
  return day === undefined ? md`To see more, widen the range or leave out a filter. ${kept}` : kept
}

interface LogLines {
  readonly lines: readonly LogEntry[]
  readonly next: RawValues | undefined
  /** Lines of one and the same millisecond that neither this answer nor the next one has room for. */
  readonly lost: number
}

/**
 * Cuts what was read to the lines that fit, so that the next answer begins exactly where this one ends. The range is
 * pinned and narrowed by time, which new lines cannot shift; lines of one millisecond therefore stay together. Where all
 * that was read is shown, the platform's own place in its rows leads on.
 */
export function cutLines(reading: LogReading, question: LogQuestion, fits: number): LogLines {
  const { lines, next, from, to } = reading
  const pinned = { since: from?.toISOString(), until: to?.toISOString(), continueAt: undefined }
  const firstLeft = lines[fits]
  if (firstLeft === undefined) {
    const goesOn = next !== undefined && from !== undefined && to !== undefined
    const values = goesOn && questionValues(question, { ...pinned, continueAt: cursorText(next) })
    return { lines, next: values === false ? undefined : values, lost: 0 }
  }
  const at = firstLeft.timestamp
  if (at === undefined) return { lines: lines.slice(0, fits), next: undefined, lost: lines.length - fits }
  const sameInstant = (line: LogEntry): boolean => line.timestamp?.getTime() === at.getTime()
  const start = lines.findIndex(sameInstant)
  const ascending = question.order === 'asc'
  if (start > 0) {
    // The end of a range is exclusive, its start inclusive: both then begin with the first line that is left.
    const edge = ascending ? { since: at.toISOString() } : { until: new Date(at.getTime() + 1).toISOString() }
    return { lines: lines.slice(0, start), next: questionValues(question, { ...pinned, ...edge }), lost: 0 }
  }
  const edge = ascending ? { since: new Date(at.getTime() + 1).toISOString() } : { until: at.toISOString() }
  return {
    lines: lines.slice(0, fits),
    next: questionValues(question, { ...pinned, ...edge }),
    lost: lines.filter(sameInstant).length - fits,
  }
}

/** A range this close to everything the platform keeps is not worth widening. */
const NEARLY_MS = 60 * 60_000

function logButtons(
  { from, to }: LogReading,
  question: LogQuestion,
  next: RawValues | undefined,
): readonly AnswerButton[] {
  // The same range again, whatever the time when the button is pressed.
  const pinned = { since: from?.toISOString(), until: to?.toISOString(), limit: undefined }
  const again = (label: string, changes: Parameters<typeof questionValues>[1]): AnswerButton =>
    pageButton(label, questionValues(question, { ...pinned, ...changes }))
  return [
    ...(next === undefined ? [] : [pageButton(nextLabel(question), next)]),
    question.by === undefined
      ? again('Count by path', { by: 'path', csv: undefined, continueAt: undefined })
      : again('Show lines', { by: undefined, csv: undefined }),
    ...(question.csv === true ? [] : [again('Send as CSV', { csv: 'true' })]),
    changeButton(question),
  ]
}

function widenButtons(
  { complete, from, to }: LogReading,
  question: LogQuestion,
  next: RawValues | undefined,
): readonly AnswerButton[] {
  const everyStatus = questionValues(question, { cache: 'all', continueAt: undefined })
  const allDays = questionValues(question, { since: '3d', until: undefined, continueAt: undefined })
  return [
    ...(complete || next === undefined ? [] : [pageButton(nextLabel(question), next)]),
    ...(usesDefaultCache(question) ? [pageButton('Every cache status', everyStatus)] : []),
    ...(question.day === undefined && !isNearlyAll(from, to) ? [pageButton('Last 3 days', allDays)] : []),
    changeButton(question),
  ]
}

function isNearlyAll(from: Date | undefined, to: Date | undefined): boolean {
  return from !== undefined && to !== undefined && to.getTime() - from.getTime() > LOG_RETENTION_MS - NEARLY_MS
}

function nextLabel({ order, csv }: LogQuestion): string {
  if (csv === true) return 'Next file'
  return order === 'asc' ? 'Newer' : 'Older'
}

function changeButton(question: LogQuestion): AnswerButton {
  return {
    kind: 'form',
    label: 'Change filters',
    operation: 'logs',
    values: questionValues(question, { continueAt: undefined }),
  }
}

const COLUMNS: readonly CsvColumn<LogEntry>[] = [
  ['time_utc', ({ timestamp }) => timestamp],
  ['cache_status', ({ cacheStatus }) => cacheStatus && cacheWord(cacheStatus)],
  ['status', ({ statusCode }) => statusCode],
  ['url', ({ url, host = '', path = '' }) => url ?? `${host}${path}`],
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
function logFile({ lines, from }: LogReading, question: LogQuestion): AnswerFile {
  const { pullZone, ip, day } = question
  const columns = ip === undefined ? COLUMNS : [...COLUMNS, CLIENT]
  const date = day ?? from
  return {
    name: csvName('logs', pullZone.id, ...(date === undefined ? [] : [utcDay(date)])),
    title: `Log lines of pull zone ${zoneLabel(pullZone)}`,
    content: csvOf(columns, lines.slice(0, MAX_FILE_LINES)),
  }
}

/** What a reader has to know about the lines: what was left out, what a filter is worth. Sentences of plain text. */
function logNotes(reading: LogReading, question: LogQuestion): readonly string[] {
  return [
    ...(usesDefaultCache(question) ? [DEFAULT_CACHE_ONLY] : []),
    ...(question.csv === true ? fileNotes(reading, question) : []),
    ...dayFileNotes(reading),
    ...(reading.skipped > 0 ? [`Over 8 MB, and passed over: ${counted(reading.skipped, 'line')}.`] : []),
    ...addressNotes(reading, question),
    ...(question.shield === true ? ['Requests to the origin shield are counted beside those they come from.'] : []),
  ]
}

function matchSentence({ counts, complete, dayFile }: LogReading, { order }: LogQuestion): string {
  const lines = counted(counts.lines, 'matching line')
  const sent = `${bytes(counts.bytes)} sent`
  if (dayFile !== undefined) return `${lines} of ${counted(dayFile.lines, 'line')} in the file of the day, ${sent}.`
  if (complete) return `${lines}, ${sent}.`
  const end = order === 'asc' ? 'oldest' : 'newest'
  return `The ${end} ${lines}, ${sent}; there may be more, which were not looked at.`
}

const DEFAULT_CACHE_ONLY =
  'Only MISS and STALE, because neither --cache nor --status was given; --cache all shows every status.'

function fileNotes(
  { lines, counts, complete, pages }: LogReading,
  { limit = MAX_FILE_LINES }: LogQuestion,
): readonly string[] {
  if (lines.length === 0) return ['No line matched, so there is no CSV file.']
  const full = limit < MAX_FILE_LINES ? 'the limit given' : 'a file takes no more'
  const ended = `the search ended after ${counted(pages, 'answer')} of the platform`
  const more = lines.length < Math.min(limit, MAX_FILE_LINES) ? `may be more (${ended})` : `are more (${full})`
  const cut = lines.length < counts.lines || !complete ? `; there ${more}` : ''
  return [`${counted(lines.length, 'line')} as a CSV file in your direct messages, times in UTC${cut}.`]
}

function dayFileNotes({ dayFile }: LogReading): readonly string[] {
  if (dayFile === undefined) return []
  const { malformedLines, tooLongLines, countsByCacheStatus, bytesByCacheStatus, countsByStatusClass } = dayFile
  const statuses = [...countsByCacheStatus]
    .map(([name, lines]) => `${cacheWord(name)} ${count(lines)} (${bytes(bytesByCacheStatus.get(name) ?? 0n)})`)
    .join(', ')
  const classes = [...countsByStatusClass].map(([name, lines]) => `${name} ${count(lines)}`).join(', ')
  return [
    ...(countsByCacheStatus.size === 0 ? [] : [`The whole file, whatever the filter: ${statuses}; ${classes}.`]),
    ...(malformedLines > 0 ? [`Unreadable, and in no count: ${counted(malformedLines, 'line')}.`] : []),
    ...(tooLongLines > 0 ? [`Over 64 KB, and passed over: ${counted(tooLongLines, 'line')}.`] : []),
  ]
}

/** The platform shortens addresses unless told otherwise, and what a filter by one finds depends on it. */
function addressNotes({ lines, dayFile }: LogReading, { ip }: LogQuestion): readonly string[] {
  if (ip === undefined) return []
  const found = new Set(lines.map(({ remoteIp }) => remoteIp))
  const none = ['0.0.0.0', '::'].some((address) => found.has(address))
  if (none) {
    const ignored = ip === 'all' ? '' : ', and the platform ignores a filter by address: the lines are from any client'
    return [`This zone's log keeps no client addresses${ignored}.`]
  }
  if (ip === 'all') return ['Client addresses may be shortened: platforms keep the network and not the host.']
  if (found.size > 0 && [...found].every((address) => address === ip)) return []
  const network = isIPv4(ip) ? `${ip.replace(/\d+$/, '0')} (its /24)` : 'its /64'
  if (dayFile !== undefined) {
    return lines.length > 0
      ? [`This log shortens addresses: the lines are from all of the network, ${network}.`]
      : [`The file has no line with this address or, shortened, its network, ${network}. Some logs keep no addresses.`]
  }
  return [
    `Where addresses are shortened, a filter by one finds all of its network, ${network}; where none are kept, it is ignored.`,
  ]
}
