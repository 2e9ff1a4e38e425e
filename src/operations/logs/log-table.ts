import { cutPoints } from '../../block-kit/plain-text.ts'
import { bytes, percent } from '../../block-kit/amounts.ts'
import type { Table, TableColumn, TableValue } from '../../block-kit/table.ts'
import type { LogEntry } from '../../cdn/log-entry.ts'
import { cacheWord, type LogQuestion } from './log-fields.ts'
import type { LogCounts, LogGroup } from './log-reading.ts'
import type { ReaderTimes } from '../reader-times.ts'

/** A URL or agent longer than this would push the rest of the row out of sight; the file has all of it. */
const LONG_CELL_LENGTH = 160
const AGENT_LENGTH = 60
const TABLE_PAGE_ROWS = 25
const MAX_GROUP_ROWS = 50

const GROUP_TITLES = { path: 'Path', status: 'Status', edge: 'Edge', country: 'Country' } as const

type Column = readonly [column: TableColumn, value: (entry: LogEntry) => TableValue]

/** Lines as rows. Client addresses and referers are columns only where the question asks about them. */
export function linesTable(lines: readonly LogEntry[], question: LogQuestion, times: ReaderTimes): Table {
  const columns: readonly Column[] = [
    [{ title: 'Time', kind: 'text' }, ({ timestamp }) => timestamp && times.format(timestamp)],
    [{ title: 'Cache', kind: 'text' }, ({ cacheStatus }) => cacheStatus && cacheWord(cacheStatus)],
    [{ title: 'Status', kind: 'text' }, ({ statusCode }) => statusCode?.toString()],
    [{ title: 'URL', kind: 'text' }, (entry) => cutPoints(addressOf(entry), LONG_CELL_LENGTH)],
    [{ title: 'Bytes', kind: 'number' }, ({ bytesSent }) => bytesSent],
    [{ title: 'Country', kind: 'text' }, ({ countryCode }) => countryCode],
    [{ title: 'Edge', kind: 'text' }, ({ edgeLocation }) => edgeLocation],
    ...optional(question.ip !== undefined, [{ title: 'Client', kind: 'text' }, ({ remoteIp }) => remoteIp]),
    ...optional(question.referer !== undefined, [
      { title: 'Referer', kind: 'text' },
      ({ referer }) => referer && cutPoints(referer, LONG_CELL_LENGTH),
    ]),
    [{ title: 'Agent', kind: 'text' }, ({ userAgent }) => userAgent && cutPoints(userAgent, AGENT_LENGTH)],
    [{ title: 'Request', kind: 'text' }, ({ requestId }) => requestId],
  ]
  return {
    caption: `${question.order === 'asc' ? 'Oldest' : 'Newest'} matching lines, times in ${times.zone}`,
    columns: columns.map(([column]) => column),
    rows: lines.map((entry) => columns.map(([, value]) => value(entry))),
    pageSize: TABLE_PAGE_ROWS,
  }
}

export function groupsTable({ groups, lines }: LogCounts, { by = 'path', limit = MAX_GROUP_ROWS }: LogQuestion): Table {
  return {
    caption: `Lines by ${GROUP_TITLES[by].toLowerCase()}`,
    columns: [
      { title: GROUP_TITLES[by], kind: 'text' },
      { title: 'Lines', kind: 'number' },
      { title: 'Share', kind: 'text' },
      { title: 'Sent', kind: 'text' },
    ],
    rows: groups
      .slice(0, Math.min(limit, MAX_GROUP_ROWS))
      .map((group: LogGroup) => [group.name, group.lines, percent(group.lines / lines), bytes(group.bytes)]),
    pageSize: TABLE_PAGE_ROWS,
  }
}

function optional(shown: boolean, column: Column): readonly Column[] {
  return shown ? [column] : []
}

/** Without the scheme, which is the same on nearly every line. */
function addressOf({ url, host = '', path = '' }: LogEntry): string {
  return url === undefined ? `${host}${path}` : url.replace(/^https?:\/\//i, '')
}
