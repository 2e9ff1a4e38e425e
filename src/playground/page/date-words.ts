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

const TOKENS: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  date: { year: 'numeric', month: 'long', day: 'numeric' },
  date_short: { year: 'numeric', month: 'short', day: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
}

function tokenWords(token: string, at: Date, now: Date, zone: string): string | undefined {
  const relative = token.endsWith('_pretty') ? relativeDay(at, now, zone)?.toLowerCase() : undefined
  const options = TOKENS[token.replace(/_pretty$/, '')]
  return relative ?? (options === undefined ? undefined : words(at, zone, options))
}

function relativeDay(at: Date, now: Date, zone: string): string | undefined {
  const day = isoDay(at, zone)
  if (day === isoDay(now, zone)) return 'Today'
  if (day === isoDay(new Date(now.getTime() - DAY_MS), zone)) return 'Yesterday'
  return day === isoDay(new Date(now.getTime() + DAY_MS), zone) ? 'Tomorrow' : undefined
}

function words(at: Date, zone: string, options: Intl.DateTimeFormatOptions): string {
  // Some versions put a narrow no-break space before AM and PM.
  return new Intl.DateTimeFormat(LOCALE, { timeZone: zone, ...options }).format(at).replaceAll('\u202f', ' ')
}
