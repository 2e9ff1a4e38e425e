import * as z from 'zod'
import { visible } from '../../shared/untrusted.ts'
import { parseInstant, utcDay } from './dates.ts'
import { orderIssues } from './log-filter.ts'
import { instantInQuery, int64 } from './wire-fields.ts'

/** Ten thousand days are 27 years; an answer with more is not a chart by day. */
const MAX_CHART_POINTS = 10_000
const MAX_CHART_KEY_LENGTH = 64
const MAX_OTHER_FIELDS = 20
const MAX_FIELD_NAME_LENGTH = 64

/**
 * Values by day. Keys are kept as they came: the contract does not show their format, so any date of the platform is read,
 * and other text is shown as it came. Days are in order, other keys after them.
 */
export type Chart = ReadonlyMap<string, bigint>

const chart = z.custom<object>(isObject, 'must be an object').transform((sent, context): Chart => {
  const entries = Object.entries(sent)
  // Too many are refused before each of them is read.
  const points = entries.slice(0, MAX_CHART_POINTS).flatMap(([key, value]) => {
    const { data } = int64.safeParse(value)
    if (data === undefined || key.length > MAX_CHART_KEY_LENGTH) return []
    return [{ key, value: data, atMs: parseInstant(key)?.getTime() ?? Number.MAX_VALUE }]
  })
  if (points.length < entries.length) {
    context.issues.push({ code: 'custom', message: 'is no chart of 64-bit integers by day', input: undefined })
    return z.NEVER
  }
  return new Map(points.sort((a, b) => a.atMs - b.atMs).map(({ key, value }) => [key, value]))
})

const maybeChart = chart.nullish().transform((value): Chart => value ?? new Map())

/** The two fields the contract states. Either chart may be null, and is then empty. */
export const StorageStatisticsFields = z.looseObject({ StorageUsedChart: maybeChart, FileCountChart: maybeChart })

/**
 * Storage zone statistics. The contract allows no other properties here, so the names of any others are carried along
 * (made harmless, at most twenty) for a visible note; their values are not.
 */
export const StorageStatistics = StorageStatisticsFields.transform(
  ({ StorageUsedChart, FileCountChart, ...others }) => ({
    StorageUsedChart,
    FileCountChart,
    otherFields: Object.keys(others)
      .slice(0, MAX_OTHER_FIELDS)
      .map((name) => visible(name, MAX_FIELD_NAME_LENGTH)),
  }),
)
export type StorageStatistics = Readonly<z.output<typeof StorageStatistics>>

/** The days asked for; either end may be left out. */
export const StatisticsRange = z
  .object({ dateFrom: instantInQuery.optional(), dateTo: instantInQuery.optional() })
  .refine(({ dateFrom, dateTo }) => orderIssues({ from: dateFrom, to: dateTo }).length === 0, {
    path: ['dateFrom'],
    message: 'The start must lie before the end.',
  })

/** The UTC day of a chart key as `YYYY-MM-DD`; undefined for text that is no date. */
export function chartUtcDay(key: string): string | undefined {
  const at = parseInstant(key)
  return at === undefined ? undefined : utcDay(at)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
