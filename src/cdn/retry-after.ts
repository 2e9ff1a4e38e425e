/** However long the platform asks for, nobody is made to wait longer than this on its word. */
const MAX_RETRY_AFTER_MS = 60_000

/**
 * The wait a `Retry-After` header asks for: seconds, or a date in any of HTTP's three forms. A date that has passed
 * means now; anything else is as if the header were not there.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d{1,10}(\.\d+)?$/.test(value)) return Math.min(Math.ceil(Number(value) * 1_000), MAX_RETRY_AFTER_MS)
  if (!/^[A-Z][a-z]{2,8},? /.test(value)) return undefined
  // The oldest form names no zone and means GMT all the same, where Date would take local time.
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`)
  if (Number.isNaN(at)) return undefined
  return Math.min(Math.max(at - now.getTime(), 0), MAX_RETRY_AFTER_MS)
}
