import { DAY_MS, MINUTE_MS } from '../../shared/durations.ts'
import type { DigestRecord } from '../../store/schema/alert-records.ts'
import { minuteFormat } from '../declaration/reader-times.ts'

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type DigestTime = Pick<DigestRecord, 'cadence' | 'minute' | 'weekday' | 'timeZone'>

/**
 * The first moment after another one at which a digest is due: once on each of its days, also where clocks change. A time
 * that they leave out comes as much later; of one that they show twice the first counts.
 */
export function nextDigestAt(after: Date, { cadence, minute, weekday, timeZone }: DigestTime): Date {
  const showMs = clockIn(timeZone)
  const todayMs = Math.floor(showMs(after.getTime()) / DAY_MS) * DAY_MS
  for (let dayMs = todayMs; ; dayMs += DAY_MS) {
    // 1 January 1970 was a Thursday.
    const isMeant = cadence !== 'weekly' || (dayMs / DAY_MS + 3) % WEEKDAYS.length === weekday
    const atMs = isMeant ? findMoment(dayMs + minute * MINUTE_MS, showMs) : 0
    if (atMs > after.getTime()) return new Date(atMs)
  }
}

/** When clocks show this, which is given as if they showed UTC. */
function findMoment(shownMs: number, showMs: (ms: number) => number): number {
  // How far they are ahead of UTC the day before, and the day after.
  const [before, after] = [shownMs - DAY_MS, shownMs + DAY_MS].map((ms) => shownMs - (showMs(ms) - ms))
  const moments = [before ?? shownMs, after ?? shownMs].toSorted((one, other) => one - other)
  return moments.find((ms) => showMs(ms) === shownMs) ?? before ?? shownMs
}

/** What clocks in a time zone show at a moment, as if they showed UTC, to the minute. Throws RangeError for no zone. */
function clockIn(timeZone: string): (ms: number) => number {
  const format = minuteFormat(timeZone)
  return (ms) => Date.parse(`${format.format(ms).replace(' ', 'T')}Z`)
}
