import type { Cdn } from '../cdn/cdn.ts'
import type { MinuteCounts } from '../store/minute-counts.ts'
import { MINUTE_MS } from './traffic.ts'
import { countLine, emptyMinute, linesOf } from './minute-tally.ts'

/** What the file of a day says of some of its minutes. */
export interface DayReading {
  /** Every minute of the range, those without a line too. */
  readonly minutes: readonly MinuteCounts[]
  readonly lines: number
}

/** Counts minutes of one UTC day (`YYYY-MM-DD`) from its file, as background work. Throws as `Cdn.tallyDayFile` does. */
export async function readDay(
  cdn: Pick<Cdn, 'tallyDayFile'>,
  pullZoneId: bigint,
  day: string,
  { from, until }: { readonly from: number; readonly until: number },
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (lines: number) => void },
): Promise<DayReading> {
  const minutes = Array.from({ length: until - from }, (_, index) => emptyMinute(from + index, MINUTE_MS))
  await cdn.tallyDayFile(
    pullZoneId,
    day,
    (atMs, cacheStatus, statusCode) => {
      const tally = minutes[Math.floor(atMs / MINUTE_MS) - from]
      if (tally !== undefined) countLine(tally, cacheStatus, statusCode)
    },
    { signal, priority: 'background', onProgress: ({ lines }) => onProgress(lines) },
  )
  return { minutes, lines: minutes.reduce((sum, counts) => sum + linesOf(counts), 0) }
}
