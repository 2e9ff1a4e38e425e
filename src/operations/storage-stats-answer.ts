import { bytes, count, difference, exactBytes, percent } from '../block-kit/amounts.ts'
import { dateTime, joinMd, link, md, type Mrkdwn, plainOf } from '../block-kit/mrkdwn.ts'
import { message } from '../block-kit/message.ts'
import { context, facts, header, section } from '../block-kit/sections.ts'
import { fitTable, type Table, tableText } from '../block-kit/table.ts'
import type { StorageStatistics } from '../cdn/storage-statistics.ts'
import type { Answer, AnswerButton } from './answer.ts'
import { csv, csvName } from './csv.ts'
import type { ZoneReference } from './field.ts'
import type { RawValues } from '../shared/raw-values.ts'
import { storageCharts } from './storage-stats-charts.ts'
import { type StorageChange, storageChange, type StorageDay, storageDays } from './storage-stats-days.ts'
import { storageNotes } from './storage-stats-notes.ts'
import { zoneLabel } from './zone-field.ts'

/** What was asked, and where the zone can be seen in the panel. */
export interface StorageQuestion {
  readonly storageZone: ZoneReference
  readonly since: Date | undefined
  readonly until: Date | undefined
  readonly csv: boolean | undefined
  readonly panel: URL | undefined
}

const TABLE_PAGE_ROWS = 10

/** Both values of a zone over a range: first, last and change, a chart of each, all days in a table, and as a file. */
export function storageAnswer(statistics: StorageStatistics, question: StorageQuestion): Answer {
  const { storageZone, panel } = question
  const { days, replaced } = storageDays(statistics)
  const title = `Storage zone ${zoneLabel(storageZone)}`
  const place = panel === undefined ? [] : [link(panel, 'Open in the panel')]
  const head = [header(title), context(joinMd([rangeSent(question), ...place], ' · '))]
  const notes = storageNotes(statistics, days, replaced)
  if (days.length === 0) {
    const nothing = `The platform returned no statistics for this zone in this range${question.csv === true ? ', so there is no CSV file' : ''}. New and empty zones may have none yet.`
    const blocks = [...head, section(nothing), ...notes.map((note) => context(note))]
    const text = [title, plainOf(rangeSent(question)), nothing, ...notes.map(plainOf)].join('\n')
    return { message: message({ text, blocks }), buttons: [rangeButton(question)] }
  }
  const used = storageChange(days, 'bytes')
  const files = storageChange(days, 'files')
  const table = daysTable(days)
  const fitted = fitTable(table)
  const cut =
    fitted.kept === fitted.total
      ? []
      : [md`The table shows the newest ${fitted.kept} of ${fitted.total} days; the CSV file has all.`]
  const sent = question.csv === true ? [md`All days come as a CSV file in your direct messages.`] : []
  const small = [...notes, ...cut, ...sent]
  const summary = [...changeFacts('Storage used', used, bytes, 'bytes'), ...changeFacts('Files', files, count, 'count')]
  const text = [
    title,
    plainOf(rangeSent(question)),
    ...summary.map(([label, value]) => `${label}: ${plainOf(value)}`),
    ...small.map(plainOf),
    tableText(table),
  ]
  const blocks = [
    ...head,
    ...facts(summary),
    ...storageCharts(days),
    fitted.block,
    ...small.map((note) => context(note)),
  ]
  return {
    message: message({ text: text.join('\n'), blocks }),
    buttons: [rangeButton(question), ...(question.csv === true ? [] : [csvButton(question)])],
    ...(question.csv === true && { file: daysFile(days, question) }),
  }
}

/** The range as it was sent to the platform: nothing is filled in, so what was left open is said to be. */
function rangeSent({ since, until }: StorageQuestion): Mrkdwn {
  if (since !== undefined && until !== undefined) return md`From ${dateTime(since)} to ${dateTime(until)}.`
  if (since !== undefined) return md`From ${dateTime(since)} until now.`
  if (until !== undefined) return md`Up to ${dateTime(until)}; the platform chooses where that begins.`
  return md`The last 30 days, as no range was given.`
}

function changeFacts(
  label: string,
  change: StorageChange | undefined,
  shown: (value: bigint) => string,
  unit: 'bytes' | 'count',
): readonly (readonly [string, Mrkdwn])[] {
  if (change === undefined) return [[label, md`no values in this range`]]
  const { first, last, share } = change
  const exact = unit === 'bytes' ? exactBytes(last.value) : shown(last.value)
  const now = [label, md`${exact} on ${last.day}`] as const
  if (first.day === last.day) return [now, [`${label}, change`, md`only one day has a value`]]
  const relative = share === undefined ? '' : ` (${share > 0 ? '+' : ''}${percent(share)})`
  return [
    now,
    [
      `${label}, change`,
      md`${difference(change.difference, unit)}${relative} since ${first.day}, from ${shown(first.value)}`,
    ],
  ]
}

function daysTable(days: readonly StorageDay[]): Table {
  const undated = days.filter(({ dated }) => !dated)
  const newestFirst = [...days.filter(({ dated }) => dated).toReversed(), ...undated]
  return {
    caption: 'All days, newest first (UTC)',
    columns: [
      { title: 'Day', kind: 'text' },
      { title: 'Storage used', kind: 'text' },
      { title: 'Bytes', kind: 'number' },
      { title: 'Files', kind: 'number' },
    ],
    rows: newestFirst.map(({ day, bytes: used, files }) => [
      day,
      used === undefined ? undefined : bytes(used),
      used,
      files,
    ]),
    pageSize: TABLE_PAGE_ROWS,
  }
}

function csvButton(question: StorageQuestion): AnswerButton {
  return { kind: 'page', label: 'Send as CSV', values: { ...valuesOf(question), csv: 'true' } }
}

function rangeButton(question: StorageQuestion): AnswerButton {
  return { kind: 'form', label: 'Change range', operation: 'storage stats', values: valuesOf(question) }
}

function valuesOf({ storageZone, since, until }: StorageQuestion): RawValues {
  return {
    storageZone: String(storageZone.id),
    ...(since !== undefined && { since: since.toISOString() }),
    ...(until !== undefined && { until: until.toISOString() }),
  }
}

function daysFile(days: readonly StorageDay[], { storageZone }: StorageQuestion) {
  const [first, last] = [days.at(0)?.day ?? '', days.findLast(({ dated }) => dated)?.day ?? '']
  return {
    name: csvName('storage', storageZone.id, first, last),
    title: `Storage zone ${zoneLabel(storageZone)} by day`,
    content: csv(
      ['day_utc', 'storage_used_bytes', 'file_count'],
      days.map(({ day, bytes: used, files }) => [day, used, files]),
    ),
  }
}
