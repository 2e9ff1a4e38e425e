import { bytes, count, difference, exactBytes, percent } from '../block-kit/amounts.ts'
import { CHART_POINTS } from '../block-kit/limits.ts'
import { message } from '../block-kit/message.ts'
import { dateTime, joinMd, link, md, type Mrkdwn, plainOf } from '../block-kit/mrkdwn.ts'
import { context, facts, header, section } from '../block-kit/sections.ts'
import { fitTable, type Table, tableText } from '../block-kit/table.ts'
import { utcDay } from '../cdn/dates.ts'
import { orderIssues } from '../cdn/log-filter.ts'
import type { StorageStatistics } from '../cdn/storage-statistics.ts'
import type { RawValues } from '../shared/raw-values.ts'
import type { Answer, AnswerButton } from './answer.ts'
import { csv, csvName } from './csv.ts'
import { defineOperation } from './define-operation.ts'
import type { ZoneReference } from './field.ts'
import { flag, required } from './fields.ts'
import { storageCharts } from './storage-stats-charts.ts'
import { type StorageChange, storageChange, type StorageDay, storageDays } from './storage-stats-days.ts'
import { instant } from './time-field.ts'
import { zone, zoneLabel } from './zone-field.ts'

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

/** Used bytes and number of files of a storage zone by day. */
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

/** What was asked, and where the zone can be seen in the panel. */
interface StorageQuestion {
  readonly storageZone: ZoneReference
  readonly since: Date | undefined
  readonly until: Date | undefined
  readonly csv: boolean | undefined
  readonly panel: URL | undefined
}

const TABLE_PAGE_ROWS = 10

/** Both values of a zone over a range: first, last and change, a chart of each, all days in a table, and as a file. */
function storageAnswer(statistics: StorageStatistics, question: StorageQuestion): Answer {
  const { storageZone, panel } = question
  const days = storageDays(statistics)
  const title = `Storage zone ${zoneLabel(storageZone)}`
  const place = panel === undefined ? [] : [link(panel, 'Open in the panel')]
  const head = [header(title), context(joinMd([rangeSent(question), ...place], ' · '))]
  const notes = storageNotes(statistics, days)
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
