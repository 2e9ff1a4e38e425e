import { DAY_MS } from '../../shared/durations.ts'

/** Times as Slack's client words them, in the zone of whoever looks. */

const LOCALE = 'en-US'

/** `3:05 PM` */
export function clockTime(at: Date, zone: string): string {
  return words(at, zone, { hour: 'numeric', minute: '2-digit' })
}

/** `Friday, November 20th` as the line between days, or Today and Yesterday. */
export function dayHeading(at: Date, now: Date, zone: string): string {
  return relativeDay(at, now, zone) ?? words(at, zone, { weekday: 'long', month: 'long', day: 'numeric' })
}

/** `Nov 20, 2026, 3:05:09 PM EST`, for whoever wants to know exactly. */
export function exactTime(at: Date, zone: string): string {
  return words(at, zone, { dateStyle: 'medium', timeStyle: 'long' })
}

/** The day as `2026-11-20`. */
export function isoDay(at: Date, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at)
}

/**
 * A date token's format filled in: `{date_short_pretty} at {time}`. Tokens that are unknown stay as they are, and
 * undefined is returned for a moment that is none.
 */
export function formattedDate(format: string, at: Date, now: Date, zone: string): string | undefined {
  if (Number.isNaN(at.getTime())) return undefined
  return format.replace(/\{(\w+)\}/g, (whole, token: string) => tokenWords(token, at, now, zone) ?? whole)
}

function tokenWords(token: string, at: Date, now: Date, zone: string): string | undefined {
  const base = token.replace(/_pretty$/, '')
  const relative = token.endsWith('_pretty') ? relativeDay(at, now, zone)?.toLowerCase() : undefined
  if (relative !== undefined) return relative
  switch (base) {
    case 'date_num':
      return isoDay(at, zone)
    case 'date_slash':
      return words(at, zone, { year: 'numeric', month: '2-digit', day: '2-digit' })
    case 'date':
      return words(at, zone, { year: 'numeric', month: 'long', day: 'numeric' })
    case 'date_short':
      return words(at, zone, { year: 'numeric', month: 'short', day: 'numeric' })
    case 'date_long':
      return words(at, zone, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' })
    case 'time':
      return clockTime(at, zone)
    case 'time_secs':
      return words(at, zone, { hour: 'numeric', minute: '2-digit', second: '2-digit' })
    case 'ago':
      return ago(at, now)
    default:
      return undefined
  }
}

function relativeDay(at: Date, now: Date, zone: string): string | undefined {
  const day = isoDay(at, zone)
  if (day === isoDay(now, zone)) return 'Today'
  if (day === isoDay(new Date(now.getTime() - DAY_MS), zone)) return 'Yesterday'
  return day === isoDay(new Date(now.getTime() + DAY_MS), zone) ? 'Tomorrow' : undefined
}

function ago(at: Date, now: Date): string {
  const seconds = Math.round((now.getTime() - at.getTime()) / 1_000)
  const size = Math.abs(seconds)
  const [count, unit] =
    size < 60
      ? [size, 'second']
      : size < 3_600
        ? [Math.floor(size / 60), 'minute']
        : size < 86_400
          ? [Math.floor(size / 3_600), 'hour']
          : [Math.floor(size / 86_400), 'day']
  const span = `${count} ${unit}${count === 1 ? '' : 's'}`
  return seconds >= 0 ? `${span} ago` : `in ${span}`
}

function words(at: Date, zone: string, options: Intl.DateTimeFormatOptions): string {
  // Some versions put a narrow no-break space before AM and PM.
  return new Intl.DateTimeFormat(LOCALE, { timeZone: zone, ...options }).format(at).replaceAll('\u202f', ' ')
}
