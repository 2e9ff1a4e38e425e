import { type Chart, chartUtcDay, type StorageStatistics } from '../cdn/storage-statistics.ts'
import { visible } from '../shared/untrusted.ts'

/** What a storage zone held on one UTC day, from both charts. */
export interface StorageDay {
  /** `YYYY-MM-DD`, or the platform's own word where it is no date. */
  readonly day: string
  readonly dated: boolean
  /** Undefined where the chart has no value for the day. */
  readonly bytes: bigint | undefined
  readonly files: bigint | undefined
}

/** The first and the last value of a range, which may be the same one. */
export interface StorageChange {
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

interface Row extends StorageDay {
  bytes: bigint | undefined
  files: bigint | undefined
}

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

/** How one of the two values changed from the first day that has it to the last. Words that are no dates have no order. */
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
