import { bytes, changeInBytes, percent, roundBytes, roundCount } from '../../block-kit/amounts.ts'
import { CHART_POINTS } from '../../block-kit/limits.ts'
import { heading, messageOf, paragraphs, readLast, smallPrint, tablePart } from '../../block-kit/message.ts'
import { type Column, tableOf } from '../../block-kit/table.ts'
import { joinMd, md, type Mrkdwn, openInPanel } from '../../block-kit/mrkdwn.ts'
import { utcDay } from '../../cdn/contract/dates.ts'
import { orderIssues } from '../../cdn/contract/log-filter.ts'
import { type Chart, chartUtcDay, type StorageStatistics } from '../../cdn/contract/storage-statistics.ts'
import { type AnswerButton, type AnswerFile, pageButton, rawValuesFrom } from '../declaration/answer.ts'
import { type CsvColumn, csvName, csv } from '../declaration/csv.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import type { InputOf, ZoneReference } from '../declaration/field.ts'
import { flag, required, byLooks, isAnything, isTime } from '../declaration/fields.ts'
import { instant, isStart } from '../declaration/time-field.ts'
import { zone, zoneLabel, zoneTitle } from '../declaration/zone-field.ts'
import { lineChart } from '../../block-kit/chart.ts'
import { DAY_MS, SECOND_MS } from '../../shared/durations.ts'
import { visible } from '../../shared/untrusted.ts'

const fields = {
  storageZone: required(
    zone({ label: 'Storage zone', hint: 'The name or numeric id of a storage zone.', zoneKind: 'storage' }),
  ),
  since: instant({
    label: 'Since',
    hint: 'First day: 2026-11-01, or 14d back from now. Without any range: the last 30 days.',
  }),
  until: instant({ label: 'Until', hint: 'Last day, given like the first: 2026-11-01, today, or 7d back.' }),
  csv: flag({ label: 'CSV file', hint: 'Sends all days as a file to your direct messages.' }),
}

/** A day stands for all of it, as far as it has come: the CDN may leave out what begins where the range ends. */
function endOf(until: Date | undefined, now: Date): Date | undefined {
  const ms = until?.getTime() ?? 1
  return ms % DAY_MS === 0 ? new Date(Math.min(ms + DAY_MS - SECOND_MS, Math.max(ms, now.getTime()))) : until
}

export const storageStats = defineOperation({
  name: 'storage stats',
  aliases: ['storage'],
  summary: 'Show how much a storage zone holds, by day',
  question: 'How full is the storage?',
  verb: 'Show statistics',
  effect: 'read',
  shareable: true,
  fields,
  positionals: byLooks({ storageZone: isAnything, since: isStart, until: isTime }),
  form: {
    title: 'Storage statistics',
    intro: 'Used bytes and number of files by day. Without a range, the last 30 days.',
    fields: () => ['storageZone', 'since', 'until', 'csv'],
  },
  examples: ['storage stats 101', 'storage stats 101 --since 2026-10-01 --until 2026-11-01', 'storage shop 14d --csv'],
  check: ({ since, until }, { now }) => [
    ...orderIssues({ from: since, to: endOf(until, now) }).map(({ message }) => ({ field: 'since', problem: message })),
    ...(since !== undefined && since > now ? [{ field: 'since', problem: 'Since lies in the future.' }] : []),
  ],
  describe: (question) =>
    `Read the statistics of storage zone ${zoneLabel(question.storageZone)}, ${rangeWords(question)}`,
  run: ({ storageZone, since, until }, { cdn, signal, now }) =>
    cdn.getStorageStatistics({ id: storageZone.id, dateFrom: since, dateTo: endOf(until, now) }, { signal }),
  present(statistics, question, { panel, now }) {
    const { storageZone, since, until, csv } = question
    const days = joinCharts(statistics)
    const place = openInPanel(panel('storage-zone', storageZone.id))
    const parts = [md`Storage zone ${zoneLabel(storageZone)}`, rangeWords(question), md`days are UTC`, ...place]
    const where = smallPrint(joinMd(parts, ' · '))
    const values = rawValuesFrom({ storageZone, since, until })
    const change: AnswerButton = { kind: 'form', label: 'Change range', operation: 'storage stats', values }
    if (days.length === 0) {
      const nothing = md`New and empty zones may have none yet${csv === true ? ', so there is no CSV file' : ''}.`
      const head = heading(`${zoneTitle(storageZone, 'Storage')}: no statistics in this range`)
      return {
        message: messageOf(head, where, paragraphs(nothing), smallPrint(...storageNotes(statistics, days))),
        buttons: [change],
      }
    }
    const newestFirst = [...days.filter((day) => day.isDated).toReversed(), ...days.filter((day) => !day.isDated)]
    const table = tablePart(tableOf('All days, newest first', columns(now), newestFirst, TABLE_PAGE_ROWS))
    const notes = smallPrint(
      ...storageNotes(statistics, days),
      table.kept < table.total &&
        md`The table shows the newest ${table.kept} of ${table.total} days; the CSV file has all.`,
    )
    const charts = { blocks: storageCharts(days, now), lines: [] }
    return {
      message: messageOf(heading(headline(days, storageZone, now)), where, charts, readLast(table), notes),
      buttons: [change, ...(csv === true ? [] : [pageButton('Send as CSV', { ...values, csv: 'true' })])],
      ...(csv === true && { file: daysFile(days, question) }),
    }
  },
})

type StorageQuestion = InputOf<typeof fields>

const TABLE_PAGE_ROWS = 10

/**
 * `shop holds 581 GB, +54.8 GB (+10.4 %) since 2026-10-22; 1.67 M files`: over the time that the charts show, or since it held far
 * more. Nothing at all for today is no number yet.
 */
function headline(all: readonly StorageDay[], storageZone: ZoneReference, now: Date): string {
  const known = all.filter((day) => day.day !== utcDay(now) || [day.bytes, day.files].some(Boolean))
  const days = known.length === 0 ? all : known
  const [used, files] = [changeSinceMost(days), changeOver(days, 'files')]
  const size = used === undefined ? 'an unknown size' : `${roundBytes(used.last.value)}${changeWords(used)}`
  const amount = files && `${roundCount(files.last.value)} ${files.last.value === 1n ? 'file' : 'files'}`
  return [`${zoneTitle(storageZone, 'Storage')} holds ${size}`, ...(amount === undefined ? [] : [amount])].join('; ')
}

/** A tenth of what was there at most is gone: that is news, whatever was added before. */
function changeSinceMost(days: readonly StorageDay[]) {
  const values = valuesByDay(days, 'bytes')
  const last = values.at(-1)?.value ?? 0n
  const most = values.reduce((high, each) => (each.value >= high.value ? each : high), { day: '', value: 0n })
  const isLess = last * 10n <= most.value * 9n
  const change = changeOver(isLess ? days.filter(({ day }) => day >= most.day) : days, 'bytes')
  return change && { ...change, isLess }
}

function changeWords({ first, last, difference: change, share, isLess }: ChangeSinceMost): string {
  if (first.day === last.day) return ''
  const relative = share === undefined ? '' : ` (${share > 0 ? '+' : ''}${percent(share)})`
  return `, ${changeInBytes(change)}${relative} since ${first.day}${isLess ? ', its most' : ''}`
}

/** Days of the CDN, whatever the reader's clock makes of their beginning. */
function rangeWords({ since, until }: StorageQuestion): string {
  if (since === undefined && until === undefined) return 'last 30 days'
  return [since && `since ${utcDay(since)}`, until && `until ${utcDay(until)}`].filter(Boolean).join(' ')
}

/** What a reader should know about the numbers: fields the contract does not allow, gaps, zeros. */
function storageNotes({ otherFields }: StorageStatistics, days: readonly StorageDay[]): readonly (Mrkdwn | false)[] {
  const dated = days.filter((day) => day.isDated)
  const zeros = dated.filter(({ bytes: used, files }) => used === 0n && (files ?? 0n) === 0n).length
  const oneSided = dated.filter(({ bytes: used, files }) => (used === undefined) !== (files === undefined)).length
  return [
    otherFields.length > 0 &&
      md`:warning: The CDN also sent ${otherFields.length === 1 ? 'a field' : 'fields'} its interface does not allow here, left out: ${otherFields.join(', ')}.`,
    oneSided > 0 && md`${oneSided} of ${dated.length} days have only one of the two values; the other is shown as –.`,
    zeros > 0 && zeros < dated.length && md`A day with 0 may also be one for which the CDN recorded nothing.`,
  ]
}

function columns(now: Date): readonly Column<StorageDay>[] {
  return [
    ['Day', ({ day }) => shownDay(day, now)],
    ['Storage used', ({ bytes: used }) => (used === undefined ? undefined : bytes(used))],
    ['Bytes', ({ bytes: used }) => used, 'number'],
    ['Files', ({ files }) => files, 'number'],
  ]
}

/** Today is not over, and what is known of it neither. */
function shownDay(day: string, now: Date): string {
  return day === utcDay(now) ? `${day} so far` : day
}

const FILE_COLUMNS: readonly CsvColumn<StorageDay>[] = [
  ['day_utc', ({ day }) => day],
  ['storage_used_bytes', ({ bytes: used }) => used],
  ['file_count', ({ files }) => files],
]

function daysFile(days: readonly StorageDay[], { storageZone }: StorageQuestion): AnswerFile {
  return {
    name: csvName('storage', storageZone.id, days.at(0)?.day ?? '', days.findLast((day) => day.isDated)?.day ?? ''),
    title: `Storage zone ${zoneLabel(storageZone)} by day`,
    content: csv(FILE_COLUMNS, days),
  }
}

const UNITS = [
  ['TB', 1_000_000_000_000n],
  ['GB', 1_000_000_000n],
  ['MB', 1_000_000n],
  ['kB', 1_000n],
] as const

function storageCharts(days: readonly StorageDay[], now: Date) {
  const highest = days.reduce((high, { bytes: used = 0n }) => (used > high ? used : high), 0n)
  // The largest unit in which the highest value is at least one, so that the axis has readable numbers.
  const [unit, size] = UNITS.find(([, least]) => highest >= least) ?? ['bytes', 1n]
  const thousandths = (used: bigint): number => Number((used * 1_000n) / size) / 1_000
  const chart = (name: string, yLabel: string, measure: Measure, scale: (value: bigint) => number) => {
    const { points, step } = drawnDays(valuesByDay(days, measure))
    return lineChart({
      title: `${name}, by day`,
      xLabel: `Day${step === 1 ? '' : `, every ${step} days`}`,
      yLabel,
      series: [{ name, points: points.map(({ day, value }) => ({ label: shownDay(day, now), value: scale(value) })) }],
    })
  }
  return [
    chart(`Storage used in ${unit}`, unit, 'bytes', thousandths),
    chart('Number of files', 'Files', 'files', Number),
  ].filter((drawn) => drawn !== undefined)
}

/** The first, and from there to the last as many days apart as a chart has room for; of the days between, the newest of each step. */
function drawnDays(values: readonly DayValue[]): { readonly points: readonly DayValue[]; readonly step: number } {
  const [first, last] = [values.at(0), values.at(-1)]
  if (first === undefined || last === undefined) return { points: [], step: 1 }
  const step = Math.max(1, Math.ceil((dayNumber(last) - dayNumber(first)) / (CHART_POINTS - 1)))
  const stepOf = (value: DayValue): number => Math.floor((dayNumber(last) - dayNumber(value)) / step)
  const points = values.filter((value, index) => {
    const next = values[index + 1]
    return index === 0 || next === undefined || stepOf(next) !== stepOf(value)
  })
  return { points, step }
}

function dayNumber({ day }: DayValue): number {
  return Date.parse(day) / DAY_MS
}

type Measure = 'bytes' | 'files'

/** A day of the charts: `YYYY-MM-DD`, or the platform's own word where it is no date. */
type StorageDay = { readonly day: string; readonly isDated: boolean } & { readonly [_ in Measure]: bigint | undefined }

type DayValue = ReturnType<typeof valuesByDay>[number]

type ChangeSinceMost = NonNullable<ReturnType<typeof changeSinceMost>>

const MAX_KEY_CODE_POINTS = 40

/**
 * Joins the two charts by UTC day: their keys may be spelled differently, and either may lack days. Oldest first; what
 * is no date comes last.
 */
export function joinCharts({ StorageUsedChart, FileCountChart }: StorageStatistics): readonly StorageDay[] {
  const [used, files] = [byDay(StorageUsedChart), byDay(FileCountChart)]
  const days = [...new Set([...used.keys(), ...files.keys()])].toSorted()
  const joined = days.map((day) => {
    return { day, isDated: chartUtcDay(day) === day, bytes: used.get(day), files: files.get(day) }
  })
  return [...joined.filter((day) => day.isDated), ...joined.filter((day) => !day.isDated)]
}

/** A chart comes in the order of time, so the latest value of a day is kept. */
function byDay(chart: Chart): ReadonlyMap<string, bigint> {
  const days = [...chart].map(([key, value]) => [chartUtcDay(key) ?? visible(key, MAX_KEY_CODE_POINTS), value] as const)
  return new Map(days)
}

/** Its share is of the first value, and undefined when that is zero. */
export function changeOver(days: readonly StorageDay[], measure: Measure) {
  const values = valuesByDay(days, measure)
  const [first, last] = [values.at(0), values.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const difference = last.value - first.value
  return { first, last, difference, share: first.value === 0n ? undefined : Number(difference) / Number(first.value) }
}

function valuesByDay(days: readonly StorageDay[], measure: Measure) {
  return days
    .filter((day) => day.isDated)
    .flatMap(({ day, [measure]: value }) => (value === undefined ? [] : [{ day, value }]))
}
