import { MINUTE_MS } from '../../shared/durations.ts'

/** Times in an IANA zone; in UTC when this machine does not know the zone. */
export function readerTimes(timeZone: string) {
  const format = formatter(timeZone) ?? formatter('UTC')
  let [minute, shown] = [Number.NaN, '']
  // What follows is the same in every zone, and lines of a log stand minute by minute: few are formatted.
  const minuteOf = (at: Date): string => {
    const wanted = Math.floor(at.getTime() / MINUTE_MS)
    if (wanted !== minute) [minute, shown] = [wanted, words(format, at)]
    return shown
  }
  const exact = (at: Date): string => `${minuteOf(at)}:${at.toISOString().slice(-7, -1)}`
  return {
    zone: format?.resolvedOptions().timeZone ?? 'UTC',
    exact,
    format: (at: Date) => exact(at).slice(0, -4),
  } as const
}

export type ReaderTimes = ReturnType<typeof readerTimes>

export function isTimeZone(name: string): boolean {
  return formatter(name) !== undefined
}

function words(format: Intl.DateTimeFormat | undefined, at: Date): string {
  const parts = new Map(format?.formatToParts(at).map(({ type, value }) => [type, value]))
  const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? ''
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}`
}

function formatter(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
