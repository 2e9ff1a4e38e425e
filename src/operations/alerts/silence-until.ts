import { MINUTE_MS } from '../../alerts/traffic.ts'
import { parseInstant } from '../../cdn/dates.ts'
import parseDuration from 'parse-duration'
import type { Field, ParseContext } from '../field.ts'
import { custom, type FieldText, one, problem } from '../fields.ts'
import { CLOCK, DAY_MS, DURATION, QUARTER_MS } from '../time-field.ts'

/** When people are back, by the clock of whoever asks. */
const MORNING = '08:00'
/** Longer than this is no silence but an alert that had better be removed. */
const MAX_SILENCE_MS = 30 * DAY_MS

/** How long from now: `90m`, `8h`, `2d`; the value is in milliseconds, a minute to 30 days. */
export function duration(options: FieldText): Field<number, false> {
  return custom({
    ...options,
    control: { kind: 'text', maxLength: 40, multiline: false, word: 'duration' },
    read(raw) {
      const typed = one(raw).trim()
      const ms = DURATION.test(typed) ? parseDuration(typed) : undefined
      return typeof ms === 'number' && ms >= MINUTE_MS && ms <= MAX_SILENCE_MS
        ? { ok: true, value: ms }
        : problem(`${options.label} is a length of time from 1m to 30d, such as 90m, 8h or 2d.`)
    },
  })
}

/**
 * A moment to come: `morning`, which is the next time the reader's clock shows 08:00, the next time it shows `17:30`, or
 * a date with time, in UTC unless it says otherwise.
 */
export function momentToCome(options: FieldText): Field<Date, false> {
  return custom({
    ...options,
    control: { kind: 'text', maxLength: 40, multiline: false, word: 'time' },
    read(raw, context) {
      const value = readMoment(one(raw).trim().toLowerCase(), context)
      if (value === undefined)
        return problem(`${options.label} is not a time to come. Give it as morning, 17:30 or 2026-11-20T17:30Z.`)
      const ms = value.getTime() - context.now.getTime()
      if (ms <= 0) return problem(`${options.label} is over already.`)
      return ms <= MAX_SILENCE_MS ? { ok: true, value } : problem(`${options.label} is more than 30 days away.`)
    },
  })
}

function readMoment(typed: string, context: ParseContext): Date | undefined {
  if (typed === 'morning') return nextClockTime(MORNING, context)
  const clock = CLOCK.exec(typed)
  if (clock) return nextClockTime(`${(clock[1] ?? '').padStart(2, '0')}:${clock[2]}`, context)
  return typed.includes(':') ? parseInstant(typed) : undefined
}

/** The first minute to come at which the reader's clock shows this time. Clocks differ from UTC by whole quarters. */
function nextClockTime(wanted: string, { now, timeZone }: ParseContext): Date | undefined {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const nowMs = now.getTime()
  const minutes = Number(wanted.slice(3)) % 15
  const first = Math.floor(nowMs / QUARTER_MS) * QUARTER_MS + minutes * MINUTE_MS
  for (let ms = first; ms <= nowMs + 2 * DAY_MS; ms += QUARTER_MS) {
    if (ms > nowMs && clock.format(ms) === wanted) return new Date(ms)
  }
  return undefined
}
