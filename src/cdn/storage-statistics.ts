import * as z from 'zod'
import { visible } from '../shared/untrusted.ts'
import { parseInstant, utcDay } from './dates.ts'
import { int64 } from './wire-fields.ts'

/** Ten thousand days are 27 years; an answer with more is not a chart by day. */
const MAX_CHART_POINTS = 10_000
const MAX_CHART_KEY_LENGTH = 64
const MAX_OTHER_FIELDS = 20
const MAX_FIELD_NAME_LENGTH = 64

/** Values by day. Keys are kept as they came (read one with {@link chartDay}); days in order, other keys after them. */
export type Chart = ReadonlyMap<string, bigint>

type WireChart = Readonly<Record<string, number | bigint>>

const chart = z.custom<WireChart>(isRecord, 'must be an object').transform((raw, context): Chart => {
  const keys = Object.keys(raw)
  const problem = problemWith(keys)
  if (problem !== undefined) {
    context.issues.push({ code: 'custom', message: problem, input: undefined })
    return z.NEVER
  }
  const points = new Map<string, bigint>()
  for (const key of inOrder(keys)) {
    const sent = raw[key]
    if (Number.isSafeInteger(sent)) {
      points.set(key, BigInt(sent as number)) // what is a safe integer is a number
      continue
    }
    const value = int64.safeParse(sent)
    if (value.success) points.set(key, value.data)
    else context.issues.push({ code: 'custom', message: 'holds a value that is no 64-bit integer', input: undefined })
    if (!value.success) return z.NEVER
  }
  return points
})

const absentChart: Chart = new Map()

/** The two fields the contract states. Either chart may be null, and is then empty. */
export const StorageStatisticsFields = z.object({
  StorageUsedChart: chart.nullish().transform((value) => value ?? absentChart),
  FileCountChart: chart.nullish().transform((value) => value ?? absentChart),
})

type WireStatistics = z.input<typeof StorageStatisticsFields>

/**
 * Storage zone statistics. The contract allows no other properties here, so the names of any others are carried along
 * (made harmless, at most twenty) for a visible note; their values are not.
 */
export const StorageStatistics = z.custom<WireStatistics>(isRecord, 'must be an object').transform((raw, context) => {
  const known = StorageStatisticsFields.safeParse(raw)
  if (!known.success) {
    for (const { path, message } of known.error.issues) {
      context.issues.push({ code: 'custom', message, path, input: undefined })
    }
    return z.NEVER
  }
  return { ...known.data, otherFields: otherFields(raw) }
})
export type StorageStatistics = Readonly<z.output<typeof StorageStatistics>>

/**
 * The instant a chart key stands for. The contract does not show the format, so every date form the platform is known
 * to write is read, without a zone as UTC; undefined for other text, which is then shown as it came.
 */
export function chartDay(key: string): Date | undefined {
  return parseInstant(key)
}

/** The UTC day of a chart key as `YYYY-MM-DD`; undefined for text that is no date. */
export function chartUtcDay(key: string): string | undefined {
  const at = chartDay(key)
  return at === undefined ? undefined : utcDay(at)
}

function problemWith(keys: readonly string[]): string | undefined {
  if (keys.length > MAX_CHART_POINTS) return `has more than ${MAX_CHART_POINTS} points`
  if (keys.some((key) => key.length > MAX_CHART_KEY_LENGTH)) return `has a key over ${MAX_CHART_KEY_LENGTH} characters`
  return undefined
}

function inOrder(keys: readonly string[]): readonly string[] {
  const dated = keys.map((key) => ({ key, at: chartDay(key)?.getTime() ?? Number.POSITIVE_INFINITY }))
  return dated.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ key }) => key)
}

function otherFields(raw: object): readonly string[] {
  return Object.keys(raw)
    .filter((name) => !Object.hasOwn(StorageStatisticsFields.shape, name))
    .slice(0, MAX_OTHER_FIELDS)
    .map((name) => visible(name, MAX_FIELD_NAME_LENGTH))
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
