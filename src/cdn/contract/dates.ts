/** An instant as the platform writes it: a date, optionally a time with up to 7 fraction digits, optionally a zone. */
const INSTANT =
  /^(\d{4}-\d{2}-(\d{2}))(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,7})?)?)(?:Z|([+-](?:[01]\d|2[0-3])):?([0-5]\d))?)?$/i

/**
 * Reads a date of the platform. A date without a zone is UTC, with or without a time, although JavaScript would read
 * it as local time; fractions beyond milliseconds are cut. Undefined for anything else, impossible dates included.
 */
export function parseInstant(text: string): Date | undefined {
  const match = INSTANT.exec(text)
  if (match === null) return undefined
  const [, date, day, time = '00:00', hours = '+00', minutes = '00'] = match
  // Date rolls 31 February over to March, and 24:00 to the next day.
  if (new Date(`${date}T${time}Z`).getUTCDate() !== Number(day)) return undefined
  return new Date(`${date}T${time}${hours}:${minutes}`)
}

/** Writes an instant the way the platform reads it: UTC, `Z`, whole seconds unless there are milliseconds. */
export function formatInstant(instant: Date): string {
  return instant.toISOString().replace('.000Z', 'Z')
}

export function utcDay(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}
