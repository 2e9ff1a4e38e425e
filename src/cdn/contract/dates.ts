/** An instant as the platform writes it: a date, optionally a time with up to 7 fraction digits, optionally a zone. */
const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,7}))?)?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/i

/**
 * Reads a date of the platform. A date without a zone is UTC, with or without a time, although JavaScript would read
 * it as local time; fractions beyond milliseconds are cut. Undefined for anything else, impossible dates included.
 */
export function parseInstant(text: string): Date | undefined {
  const match = INSTANT.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  const utc = `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`
  const asUtc = new Date(utc)
  // Date rolls 31 February over to March; what does not print back the same was no date.
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString() !== utc) return undefined
  return new Date(asUtc.getTime() - offsetMs(zone))
}

/** Writes an instant the way the platform reads it: UTC, `Z`, whole seconds unless there are milliseconds. */
export function formatInstant(instant: Date): string {
  return instant.toISOString().replace('.000Z', 'Z')
}

export function utcDay(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

function offsetMs(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0
  const digits = zone.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}
