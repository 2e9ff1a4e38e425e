import { utcDay } from '../../cdn/dates.ts'
import type { LogEntry } from '../../cdn/log-entry.ts'
import type { AnswerFile } from '../answer.ts'
import { type CsvCell, csv, csvName } from '../csv.ts'
import { zoneLabel } from '../zone-field.ts'
import { cacheWord, type LogQuestion, MAX_FILE_LINES } from './log-fields.ts'
import type { LogReading } from './log-reading.ts'

const COLUMNS: readonly (readonly [title: string, value: (entry: LogEntry) => CsvCell])[] = [
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

const CLIENT = ['client_address', ({ remoteIp }: LogEntry): CsvCell => remoteIp] as const

/** The lines as a file. Client addresses are in it only where they were asked for, query values never. */
export function logFile({ lines, from }: LogReading, question: LogQuestion): AnswerFile {
  const { pullZone, ip, day } = question
  const columns = ip === undefined ? COLUMNS : [...COLUMNS, CLIENT]
  const date = day ?? from
  return {
    name: csvName('logs', pullZone.id, ...(date === undefined ? [] : [utcDay(date)])),
    title: `Log lines of pull zone ${zoneLabel(pullZone)}`,
    content: csv(
      columns.map(([title]) => title),
      lines.slice(0, MAX_FILE_LINES).map((entry) => columns.map(([, value]) => value(entry))),
    ),
  }
}
