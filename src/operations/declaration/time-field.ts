import { parseInstant } from '../../cdn/contract/dates.ts'
import { DAY_MS, MINUTE_MS, readDuration } from '../../shared/durations.ts'
import type { Field, ParseContext } from './field.ts'
import { type FieldText, spelled, isTime } from './fields.ts'

const ACCEPTED = 'Give a time as 90m, 3h or 2d back from now, 03:10, 2026-11-20, or 2026-11-20T03:10Z.'
const DATE = /^\d{4}-\d{2}-\d{2}$/
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)$/
/** Everywhere clocks are ahead of UTC, or behind it, by whole quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS

/**
 * An instant: a duration back from now, the last time the reader's clock showed `03:10`, a day (its start in UTC), or
 * a date with time, in UTC unless it says otherwise.
 */
export function instant(options: FieldText, parse = readInstant): Field<Date, false> {
  const { label, hint = ACCEPTED } = options
  return spelled({ label, hint, maxLength: 40, word: 'time', parse, rule: `${label} is not a time. ${ACCEPTED}` })
}

/** A day in UTC, as `2026-11-20`, `today` or `yesterday`; the value is its first instant. */
export function day(options: FieldText): Field<Date, false> {
  return spelled({
    ...options,
    maxLength: 10,
    word: 'day',
    parse: (typed, { now }) =>
      readDay(typed.toLowerCase(), now) ?? (DATE.test(typed) ? parseInstant(typed) : undefined),
    rule: `${options.label} is a day in UTC: 2026-11-20, today or yesterday.`,
  })
}

/** What people call a length of time back from now. */
const LENGTHS = new Map([
  ['last hour', '1h'],
  ['last week', '7d'],
])

function readDay(typed: string, now: Date): Date | undefined {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  if (typed === 'today') return new Date(today)
  return typed === 'yesterday' ? new Date(today - DAY_MS) : undefined
}

function readInstant(typed: string, context: ParseContext): Date | undefined {
  const date = parseInstant(typed) ?? readClockTime(typed, 'last', context) ?? readDay(typed, context.now)
  if (date !== undefined) return date
  if (typed === 'now') return context.now
  const length = LENGTHS.get(typed.toLowerCase()) ?? typed
  const backMs = readDuration(length) ?? 0
  const at = new Date(context.now.getTime() - backMs)
  return backMs > 0 && !Number.isNaN(at.getTime()) ? at : undefined
}

export function isSinceWords(typed: string): boolean {
  return /^(?:today|yesterday|last (?:hour|night|week)|this week)$/i.test(typed)
}

/** How a start looks where there may be something else. */
export function isStart(typed: string): boolean {
  return isTime(typed) || isSinceWords(typed)
}

/** The same, and since when it is today, last night or this week: by the reader's clock, not by the days of the CDN. */
export function readSince(typed: string, context: ParseContext): Date | undefined {
  if (!isSinceWords(typed) || LENGTHS.has(typed.toLowerCase())) return readInstant(typed, context)
  const lastClock = (time: string, now = context.now) => readClockTime(time, 'last', { ...context, now })
  const midnight = lastClock('00:00')
  const dayBefore = (at: Date) => lastClock('00:00', new Date(at.getTime() - MINUTE_MS))
  const words = typed.toLowerCase()
  if (words === 'last night') return lastClock('18:00', midnight)
  if (words !== 'this week') return words === 'today' ? midnight : midnight && dayBefore(midnight)
  const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: context.timeZone, weekday: 'long' })
  let monday = midnight
  while (monday !== undefined && weekday.format(monday) !== 'Monday') monday = dayBefore(monday)
  return monday
}

/**
 * The last minute up to now, or the next one after it, at which the reader's clock shows a time such as `03:10`. On a day on
 * which clocks go forward it may be missing, so the search reaches over two days. Only minutes that differ from it by whole
 * quarters are asked: telling what a clock shows is slow.
 */
export function readClockTime(
  typed: string,
  which: 'last' | 'next',
  { now, timeZone }: Pick<ParseContext, 'now' | 'timeZone'>,
): Date | undefined {
  const [, hour, minute] = CLOCK.exec(typed) ?? []
  if (hour === undefined || minute === undefined) return undefined
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const wanted = `${hour.padStart(2, '0')}:${minute}`
  const nowMs = now.getTime()
  const lastMs = nowMs - ((nowMs - Number(minute) * MINUTE_MS) % QUARTER_MS)
  for (let away = 0; away < 2 * DAY_MS; away += QUARTER_MS) {
    const ms = which === 'last' ? lastMs - away : lastMs + QUARTER_MS + away
    if (clock.format(ms) === wanted) return new Date(ms)
  }
  return undefined
}
