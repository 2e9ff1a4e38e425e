import parseDuration from 'parse-duration'

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
/** Of UTC: it has no day of another length. */
export const DAY_MS = 24 * HOUR_MS

/** The same in minutes, which logs are counted by. */
export const DAY_MINUTES = DAY_MS / MINUTE_MS
export const WEEK_MINUTES = 7 * DAY_MINUTES

const DURATION = /^(\d+(\.\d+)?\s*[a-z]+\s*)+$/i
const DURATION_PART = /\d+(\.\d+)?\s*[a-z]+/gi

/**
 * Lengths of time one after another, such as `1h30m`, in milliseconds. Undefined where one has no unit that is known: the
 * library would leave it out and count the others.
 */
export function readDuration(typed: string): number | undefined {
  if (!DURATION.test(typed)) return undefined
  const parts = [...typed.matchAll(DURATION_PART)].map(([part]) => parseDuration(part) ?? Number.NaN)
  const ms = parts.reduce((sum, part) => sum + part, 0)
  return Number.isNaN(ms) ? undefined : Math.round(ms)
}
