import { MINUTE_MS } from '../../shared/durations.ts'

/** Times in an IANA zone; in UTC when this machine does not know the zone. */
export function readerTimes(timeZone: string) {
  const format = formatter(timeZone) ?? minuteFormat('UTC')
  let [minute, shown] = [Number.NaN, '']
  // What follows is the same in every zone, and lines of a log stand minute by minute: few are formatted.
  const minuteOf = (at: Date): string => {
    const wanted = Math.floor(at.getTime() / MINUTE_MS)
    if (wanted !== minute) [minute, shown] = [wanted, format.format(at)]
    return shown
  }
  const exact = (at: Date): string => `${minuteOf(at)}:${at.toISOString().slice(-7, -1)}`
  return {
    zone: format.resolvedOptions().timeZone,
    exact,
    format: (at: Date) => exact(at).slice(0, -4),
  } as const
}

export type ReaderTimes = ReturnType<typeof readerTimes>

export function isTimeZone(name: string): boolean {
  return formatter(name) !== undefined
}

/** As Swedes write it: `2026-11-20 03:10`. Throws RangeError for no zone. */
export function minuteFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
}

function formatter(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return minuteFormat(timeZone)
  } catch {
    return undefined
  }
}
