import { bytes, count, difference, exactBytes, percent } from '../block-kit/amounts.ts'
import { CHART_POINTS } from '../block-kit/limits.ts'
import { factList, messageOf, paragraphs, readLast, smallPrint, tablePart } from '../block-kit/message.ts'
import { dateTime, joinMd, link, md, type Mrkdwn, plainOf } from '../block-kit/mrkdwn.ts'
import { context, header } from '../block-kit/sections.ts'
import type { Table } from '../block-kit/table.ts'
import { utcDay } from '../cdn/dates.ts'
import { orderIssues } from '../cdn/log-filter.ts'
import { type Chart, chartUtcDay, type StorageStatistics } from '../cdn/storage-statistics.ts'
import type { RawValues } from '../shared/raw-values.ts'
import { type Answer, type AnswerButton, pageButton } from './answer.ts'
import { csv, csvName } from './csv.ts'
import { defineOperation } from './define-operation.ts'
import type { InputOf } from './field.ts'
import { flag, required } from './fields.ts'
import { instant } from './time-field.ts'
import { zone, zoneLabel } from './zone-field.ts'
import type { Block, ChartPoint } from '../block-kit/blocks.ts'
import { lineChart } from '../block-kit/chart.ts'
import { visible } from '../shared/untrusted.ts'

const fields = {
  storageZone: required(
    zone({ label: 'Storage zone', hint: 'The name or numeric id of a storage zone.', zoneKind: 'storage' }),
  ),
  since: instant({
    label: 'Since',
    hint: 'First day: 2026-11-01, or 14d back from now. Without any range: the last 30 days.',
  }),
  until: instant({ label: 'Until', hint: 'Last day, given like the first; it must lie after it.' }),
  csv: flag({ label: 'CSV file', hint: 'Sends all days as a file to your direct messages.' }),
}

export const storageStats = defineOperation({
  name: 'storage stats',
  aliases: ['storage'],
  summary: 'Show how much a storage zone holds, by day',
  verb: 'Show statistics',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
  shareable: true,
  fields,
  positionals: ['storageZone'],
  form: [
    {
      title: 'Storage statistics',
      intro: 'Used bytes and number of files by day. Without a range, the last 30 days.',
      fields: () => ['storageZone', 'since', 'until', 'csv'],
    },
  ],
  examples: [
    'storage stats 101',
    'storage stats 101 --since 2026-10-01 --until 2026-11-01',
    'storage shop --since 14d --csv',
  ],
  check: ({ since, until }, { now }) => [
    ...orderIssues({ from: since, to: until }).map(({ message }) => ({ field: 'since', problem: message })),
    ...(since !== undefined && since > now ? [{ field: 'since', problem: 'Since lies in the future.' }] : []),
  ],
  describe({ storageZone, since, until }) {
    const range = [since && `since ${utcDay(since)}`, until && `until ${utcDay(until)}`].filter(Boolean).join(' ')
    return `Read the statistics of storage zone ${zoneLabel(storageZone)}, ${range === '' ? 'last 30 days' : range}`
  },
  async run({ storageZone, since, until }, { cdn, signal }): Promise<StorageStatistics> {
    return cdn.getStorageStatistics(storageZone.id, { from: since, to: until }, { signal })
  },
  present: (statistics, input, { panel }) =>
    storageAnswer(statistics, { ...input, panel: panel('storage-zone', input.storageZone.id) }),
})

interface StorageQuestion extends InputOf<typeof fields> {
  readonly panel: URL | undefined
}

const TABLE_PAGE_ROWS = 10

function storageAnswer(statistics: StorageStatistics, question: StorageQuestion): Answer {
  const { storageZone, panel } = question
  const days = storageDays(statistics)
  const title = `Storage zone ${zoneLabel(storageZone)}`
  const place = panel === undefined ? [] : [link(panel, 'Open in the panel')]
  const range = rangeSent(question)
  const head = { blocks: [header(title), context(joinMd([range, ...place], ' · '))], lines: [title, plainOf(range)] }
  const notes = storageNotes(statistics, days)
  if (days.length === 0) {
    const nothing = md`The platform returned no statistics for this zone in this range${question.csv === true ? ', so there is no CSV file' : ''}. New and empty zones may have none yet.`
    return { message: messageOf(head, paragraphs(nothing), smallPrint(...notes)), buttons: [rangeButton(question)] }
  }
  const table = tablePart(daysTable(days))
  const cut =
    table.kept === table.total
      ? []
      : [md`The table shows the newest ${table.kept} of ${table.total} days; the CSV file has all.`]
  const sent = question.csv === true ? [md`All days come as a CSV file in your direct messages.`] : []
  const summary = factList([
    ...changeFacts('Storage used', storageChange(days, 'bytes'), bytes, 'bytes'),
    ...changeFacts('Files', storageChange(days, 'files'), count, 'count'),
  ])
  const charts = { blocks: storageCharts(days), lines: [] }
  return {
    message: messageOf(head, summary, charts, readLast(table), smallPrint(...notes, ...cut, ...sent)),
    buttons: [
      rangeButton(question),
      ...(question.csv === true ? [] : [pageButton('Send as CSV', { ...valuesOf(question), csv: 'true' })]),
    ],
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

/** What a reader should know about the numbers: fields the contract does not allow, what is not drawn, gaps, zeros. */
function storageNotes({ otherFields }: StorageStatistics, days: readonly StorageDay[]): readonly Mrkdwn[] {
  const dated = days.filter((day) => day.dated)
  const zeros = dated.filter(({ bytes: used, files }) => used === 0n && (files ?? 0n) === 0n).length
  const oneSided = dated.filter(({ bytes: used, files }) => (used === undefined) !== (files === undefined)).length
  const notes = [
    otherFields.length > 0 &&
      md`:warning: The platform also sent ${otherFields.length === 1 ? 'a field' : 'fields'} its interface does not allow here, left out: ${otherFields.join(', ')}.`,
    dated.length > CHART_POINTS && md`The charts show the newest ${CHART_POINTS} days, the table all of them.`,
    oneSided > 0 && md`${oneSided} of ${dated.length} days have only one of the two values; the other is shown as –.`,
    zeros > 0 && zeros < dated.length && md`A day with 0 may also be one for which the platform recorded nothing.`,
  ]
  return notes.filter((note) => note !== false)
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

const UNITS = [
  ['TB', 1_000_000_000_000n],
  ['GB', 1_000_000_000n],
  ['MB', 1_000_000n],
  ['kB', 1_000n],
] as const

function storageCharts(days: readonly StorageDay[]): readonly Block[] {
  const [unit, size] = unitFor(days)
  const drawn = [
    lineChart({
      title: `Storage used in ${unit}, by day`,
      xLabel: 'Day (UTC)',
      yLabel: unit,
      series: [
        { name: 'Storage used', points: points(days, 'bytes', (value) => Number((value * 1_000n) / size) / 1_000) },
      ],
    }),
    lineChart({
      title: 'Number of files, by day',
      xLabel: 'Day (UTC)',
      yLabel: 'Files',
      series: [{ name: 'Files', points: points(days, 'files', Number) }],
    }),
  ]
  return drawn.filter((chart) => chart !== undefined)
}

function points(
  days: readonly StorageDay[],
  of: 'bytes' | 'files',
  scaled: (value: bigint) => number,
): readonly ChartPoint[] {
  return days.flatMap(({ day, dated, [of]: value }) =>
    dated && value !== undefined ? [{ label: day, value: scaled(value) }] : [],
  )
}

/** The largest unit in which the highest value is at least one, so that the axis has readable numbers. */
function unitFor(days: readonly StorageDay[]): readonly [name: string, size: bigint] {
  const highest = days.reduce((high, { bytes: value = 0n }) => (value > high ? value : high), 0n)
  return UNITS.find(([, size]) => highest >= size) ?? ['bytes', 1n]
}

export interface StorageDay {
  /** `YYYY-MM-DD`, or the platform's own word where it is no date. */
  readonly day: string
  readonly dated: boolean
  /** Undefined where the chart has no value for the day. */
  readonly bytes: bigint | undefined
  readonly files: bigint | undefined
}

interface StorageChange {
  readonly first: StorageValue
  readonly last: StorageValue
  readonly difference: bigint
  /** Of the first value; undefined when that is zero. */
  readonly share: number | undefined
}

interface StorageValue {
  readonly day: string
  readonly value: bigint
}

const MAX_KEY_CODE_POINTS = 40

type Row = { -readonly [Field in keyof StorageDay]: StorageDay[Field] }

/**
 * Joins the two charts by UTC day: their keys may be spelled differently, and either may lack days. Oldest first; what
 * is no date comes last, in the platform's order.
 */
export function storageDays(statistics: StorageStatistics): readonly StorageDay[] {
  const rows = new Map<string, Row>()
  join(rows, statistics.StorageUsedChart, 'bytes')
  join(rows, statistics.FileCountChart, 'files')
  const days = [...rows.values()]
  const undated = days.filter(({ dated }) => !dated)
  return [...days.filter(({ dated }) => dated).sort((a, b) => (a.day < b.day ? -1 : 1)), ...undated]
}

export function storageChange(days: readonly StorageDay[], of: 'bytes' | 'files'): StorageChange | undefined {
  const has = (day: StorageDay): boolean => day.dated && day[of] !== undefined
  const first = valueOn(days.find(has), of)
  const last = valueOn(days.findLast(has), of)
  if (first === undefined || last === undefined) return undefined
  const difference = last.value - first.value
  return { first, last, difference, share: first.value === 0n ? undefined : Number(difference) / Number(first.value) }
}

function valueOn(day: StorageDay | undefined, of: 'bytes' | 'files'): StorageValue | undefined {
  const value = day?.[of]
  return day === undefined || value === undefined ? undefined : { day: day.day, value }
}

/** Adds one chart to the rows. It comes in the order of time, so the latest value of a day is kept. */
function join(rows: Map<string, Row>, chart: Chart, column: 'bytes' | 'files'): void {
  for (const [key, value] of chart) {
    const utcDay = chartUtcDay(key)
    const day = utcDay ?? visible(key, MAX_KEY_CODE_POINTS)
    const row = rows.get(day) ?? { day, dated: utcDay !== undefined, bytes: undefined, files: undefined }
    row[column] = value
    rows.set(day, row)
  }
}
