import { describe, expect, it, test } from 'vitest'
import { momentToCome } from '../../src/operations/alerts/alerts-silence.ts'
import { readerTimes } from '../../src/operations/declaration/reader-times.ts'
import { instant } from '../../src/operations/declaration/time-field.ts'
import { checkContext } from '../support/operation-context.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** In each of six zones the moments at which clocks were or are put forward and back, and by how many minutes. */
const CHANGES = [
  { zone: 'Europe/Zurich', at: '2026-03-29T01:00:00Z', minutes: 60 },
  { zone: 'Europe/Zurich', at: '2026-10-25T01:00:00Z', minutes: -60 },
  { zone: 'America/New_York', at: '2026-03-08T07:00:00Z', minutes: 60 },
  { zone: 'America/New_York', at: '2026-11-01T06:00:00Z', minutes: -60 },
  // Half an hour only.
  { zone: 'Australia/Lord_Howe', at: '2026-10-03T15:30:00Z', minutes: 30 },
  { zone: 'Australia/Lord_Howe', at: '2026-04-04T15:00:00Z', minutes: -30 },
  // At midnight, so that a day begins at one o'clock.
  { zone: 'America/Santiago', at: '2026-09-06T04:00:00Z', minutes: 60 },
  { zone: 'America/Santiago', at: '2026-04-05T03:00:00Z', minutes: -60 },
  // Behind by half hours.
  { zone: 'America/St_Johns', at: '2026-03-08T05:30:00Z', minutes: 60 },
  { zone: 'America/St_Johns', at: '2026-11-01T04:30:00Z', minutes: -60 },
  // Once by a whole day, which is missing from the calendar.
  { zone: 'Pacific/Apia', at: '2011-12-30T10:00:00Z', minutes: 24 * 60 },
] as const

const CLOCKS = new Map<string, Intl.DateTimeFormat>()

/** What the clock on the wall shows: its reading as if it were UTC. Made by other means than what is tested. */
function wallMs(timeZone: string, at: Date): number {
  const clock =
    CLOCKS.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  CLOCKS.set(timeZone, clock)
  const shown = clock.format(at)
  return Date.parse(`${shown.replace(' ', 'T')}Z`)
}
const clockOf = (timeZone: string, at: Date): string => new Date(wallMs(timeZone, at)).toISOString().slice(11, 16)

function since(typed: string, now: Date, timeZone: string): Date {
  const result = instant({ label: 'Since' }).read(typed, checkContext({ now, timeZone }))
  if (!result.ok) throw new Error(result.problem)
  return result.value
}

function until(typed: string, now: Date, timeZone: string): Date {
  const result = momentToCome({ label: 'Until' }).read(typed, checkContext({ now, timeZone }))
  if (!result.ok) throw new Error(result.problem)
  return result.value
}

/** Moments around a change: days, hours and minutes before it and after it. */
const AROUND_MS = [-26, -5, -1, -0.25, -1 / 60, 0, 1 / 60, 0.25, 0.75, 1, 2, 5, 26].map((hours) => hours * HOUR_MS)
const TYPED = ['03:10', '02:30', '01:45', '00:00', '00:30', '23:50', '12:00']

describe.each(CHANGES)('around $at in $zone, when clocks go by $minutes minutes', ({ zone, at, minutes }) => {
  const changeMs = Date.parse(at)
  const moments = AROUND_MS.map((ms) => new Date(changeMs + ms))

  it('is a change there at all', () => {
    const before = wallMs(zone, new Date(changeMs - MINUTE_MS))
    expect((wallMs(zone, new Date(changeMs)) - before) / MINUTE_MS - 1).toBe(minutes)
  })

  it('since a clock time is the newest moment that showed it, not after now', () => {
    for (const now of moments) {
      for (const typed of TYPED) {
        const found = since(typed, now, zone)
        expect(clockOf(zone, found)).toBe(typed)
        expect(found.getTime()).toBeLessThanOrEqual(now.getTime())
        // No moment in between shows it: none is skipped, and of two the newer one is taken.
        for (let ms = found.getTime() + 15 * MINUTE_MS; ms <= now.getTime(); ms += 15 * MINUTE_MS)
          expect(clockOf(zone, new Date(ms))).not.toBe(typed)
      }
    }
  })

  it('until morning is the next moment that shows 08:00, within a day and what was put on or taken away', () => {
    for (const now of moments) {
      const found = until('morning', now, zone)
      expect(clockOf(zone, found)).toBe('08:00')
      const waitedMs = found.getTime() - now.getTime()
      expect(waitedMs).toBeGreaterThan(0)
      expect(waitedMs).toBeLessThanOrEqual(24 * HOUR_MS + Math.max(0, -minutes) * MINUTE_MS)
    }
  })

  it('times are shown to a reader as the clock on their wall did', () => {
    const times = readerTimes(zone)
    for (const now of moments) {
      const shown = times.exact(now)
      expect(Date.parse(`${shown.replace(' ', 'T')}Z`)).toBe(wallMs(zone, now))
    }
  })
})

test('a day that is missing is not where a clock time is found', () => {
  const now = new Date('2011-12-30T12:00:00Z') // 02:00 on the 31st in Apia; there was no 30th
  expect(since('03:10', now, 'Pacific/Apia').toISOString()).toBe('2011-12-29T13:10:00.000Z')
  expect(readerTimes('Pacific/Apia').format(now)).toBe('2011-12-31 02:00:00')
})

test('29 February and the end of 32-bit seconds are days as others are', () => {
  expect(since('2028-02-29', new Date('2028-03-01T00:00:00Z'), 'UTC').toISOString()).toBe('2028-02-29T00:00:00.000Z')
  const after = new Date('2038-01-19T03:14:08Z')
  expect(since('03:14', after, 'UTC').toISOString()).toBe('2038-01-19T03:14:00.000Z')
  expect(until('morning', after, 'UTC').toISOString()).toBe('2038-01-19T08:00:00.000Z')
})
