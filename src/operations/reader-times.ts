export interface ReaderTimes {
  /** The zone's name, said once for all times. */
  readonly zone: string
  format(at: Date): string
}

/** Times in an IANA zone, as `2026-11-20 13:00:00.123`; in UTC when this machine does not know the zone. */
export function readerTimes(timeZone: string): ReaderTimes {
  const format = formatter(timeZone) ?? formatter('UTC')
  return {
    zone: format?.resolvedOptions().timeZone ?? 'UTC',
    format(at) {
      const parts = new Map(format?.formatToParts(at).map(({ type, value }) => [type, value]))
      const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? ''
      const date = `${part('year')}-${part('month')}-${part('day')}`
      return `${date} ${part('hour')}:${part('minute')}:${part('second')}.${part('fractionalSecond')}`
    },
  }
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
      second: '2-digit',
      fractionalSecondDigits: 3,
      hourCycle: 'h23',
    })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
