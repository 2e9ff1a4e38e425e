import { DAY_MS } from '../../shared/durations.ts'
import { html, type Html } from './html.ts'

/** Times as Slack's client words them, in the zone of whoever looks. */

const LOCALE = 'en-US'
const TIME = { hour: 'numeric', minute: '2-digit' } as const
const TOKENS: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  date: { year: 'numeric', month: 'long', day: 'numeric' },
  date_short: { year: 'numeric', month: 'short', day: 'numeric' },
  time: TIME,
}

/** `Friday, November 20th` as the line between days, or Today and Yesterday. */
export function dayHeading(at: Date, now: Date, zone: string): string {
  return relativeDay(at, now, zone) ?? words(at, zone, { weekday: 'long', month: 'long', day: 'numeric' })
}

/** A time in these words, with `Nov 20, 2026, 3:05:09 PM EST` for whoever wants to know exactly. */
export function timeHtml(at: Date, zone: string, shown: string): Html {
  const exactly = words(at, zone, { dateStyle: 'medium', timeStyle: 'long' })
  return html`<time datetime="${at.toISOString()}" title="${exactly}">${shown}</time>`
}

/** The same on its own, as `3:05 PM`. */
export function clockHtml(at: Date, zone: string): Html {
  return html`<small>${timeHtml(at, zone, words(at, zone, TIME))}</small>`
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
