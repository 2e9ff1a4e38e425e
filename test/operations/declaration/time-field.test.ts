import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { day, instant, readSince } from '../../../src/operations/declaration/time-field.ts'
import { checkContext } from '../../support/operation-context.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

function read(typed: string, now = '2026-11-20T12:34:56.789Z', timeZone = 'UTC'): string {
  const result = instant({ label: 'Since' }).read(typed, checkContext({ now: new Date(now), timeZone }))
  return result.ok ? result.value.toISOString() : result.problem
}

describe('an instant', () => {
  it.each([
    ['90m', '2026-11-20T11:04:56.789Z'],
    ['1h30m', '2026-11-20T11:04:56.789Z'],
    ['1.5 hours', '2026-11-20T11:04:56.789Z'],
    ['2d', '2026-11-18T12:34:56.789Z'],
    ['now', '2026-11-20T12:34:56.789Z'],
    ['today', '2026-11-20T00:00:00.000Z'],
    ['yesterday', '2026-11-19T00:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2026-11-20T03:10', '2026-11-20T03:10:00.000Z'],
    ['2026-11-20 03:10:05', '2026-11-20T03:10:05.000Z'],
    ['2026-11-20t03:10:05.1234567z', '2026-11-20T03:10:05.123Z'],
    ['2026-11-20T03:10+02:00', '2026-11-20T01:10:00.000Z'],
    ['2026-11-20T03:10-0530', '2026-11-20T08:40:00.000Z'],
    ['12:34', '2026-11-20T12:34:00.000Z'],
    ['12:35', '2026-11-19T12:35:00.000Z'],
    ['3:05', '2026-11-20T03:05:00.000Z'],
  ])('%s is %s', (typed, expected) => {
    expect(read(typed)).toBe(expected)
  })

  it.each(['', 'soon', '0m', '-5m', '5', '1h 30mn', '99999999999999y'])('%s is none', (typed) => {
    expect(read(typed)).toMatch(/^Since is not a time\. Give a time as 90m, /)
  })
})

describe('since when, in words', () => {
  it.each([
    ['today', '2026-11-20T12:00:00Z', '2026-11-19T23:00:00.000Z'],
    ['Yesterday', '2026-11-20T12:00:00Z', '2026-11-18T23:00:00.000Z'],
    ['last night', '2026-11-20T06:00:00Z', '2026-11-19T17:00:00.000Z'],
    ['Last Night', '2026-11-20T01:00:00Z', '2026-11-19T17:00:00.000Z'],
    ['last night', '2026-11-20T21:00:00Z', '2026-11-19T17:00:00.000Z'],
    ['this week', '2026-11-20T12:00:00Z', '2026-11-15T23:00:00.000Z'],
    ['this week', '2026-11-15T23:30:00Z', '2026-11-15T23:00:00.000Z'],
    ['this week', '2026-10-25T12:00:00Z', '2026-10-18T22:00:00.000Z'],
    ['2h', '2026-11-20T12:00:00Z', '2026-11-20T10:00:00.000Z'],
    ['Last hour', '2026-11-20T12:00:00Z', '2026-11-20T11:00:00.000Z'],
  ])('%s at %s is by the clock of who asks', (typed, now, since) => {
    expect(readSince(typed, checkContext({ now: new Date(now), timeZone: 'Europe/Berlin' }))?.toISOString()).toBe(since)
  })
})

describe('a clock time on a day on which clocks change', () => {
  it.each([
    // Put forward: 02:30 is missing on that day, so it is the one of the day before.
    ['Europe/Berlin', '02:30', '2026-03-29T10:00:00Z', '2026-03-28T01:30:00.000Z'],
    ['Europe/Berlin', '03:30', '2026-03-29T10:00:00Z', '2026-03-29T01:30:00.000Z'],
    // Put back: 02:30 comes twice, and the newest that is past counts.
    ['Europe/Berlin', '02:30', '2026-10-25T10:00:00Z', '2026-10-25T01:30:00.000Z'],
    ['Europe/Berlin', '02:30', '2026-10-25T01:10:00Z', '2026-10-25T00:30:00.000Z'],
    ['America/New_York', '02:30', '2026-03-08T12:00:00Z', '2026-03-07T07:30:00.000Z'],
    ['America/New_York', '01:30', '2026-11-01T12:00:00Z', '2026-11-01T06:30:00.000Z'],
    // Half an hour only.
    ['Australia/Lord_Howe', '01:45', '2026-04-04T20:00:00Z', '2026-04-04T15:15:00.000Z'],
    ['Australia/Lord_Howe', '02:15', '2026-10-03T20:00:00Z', '2026-10-02T15:45:00.000Z'],
    ['America/St_Johns', '01:30', '2026-11-01T12:00:00Z', '2026-11-01T05:00:00.000Z'],
    // Never changed, and a quarter of an hour off.
    ['Asia/Kathmandu', '00:00', '2026-03-29T10:00:00Z', '2026-03-28T18:15:00.000Z'],
    // Two hours at once.
    ['Antarctica/Troll', '02:30', '2026-03-29T10:00:00Z', '2026-03-28T02:30:00.000Z'],
  ])('in %s, %s at %s was %s', (timeZone, typed, now, expected) => {
    expect(read(typed, now, timeZone)).toBe(expected)
  })

  it('is what asking every minute finds', () => {
    const zones = 'Europe/Berlin America/New_York Australia/Lord_Howe Asia/Kathmandu America/St_Johns Antarctica/Troll'
    const changes = ['2026-03-08', '2026-03-29', '2026-04-04', '2026-10-03', '2026-10-25', '2026-11-01']
    const clockTime = fc.record({ hour: fc.nat(23), minute: fc.nat(59) })
    const now = fc
      .tuple(fc.constantFrom(...changes), fc.nat(2 * DAY_MS))
      .map(([date, ms]) => new Date(Date.parse(date) + ms))
    fc.assert(
      fc.property(fc.constantFrom(...zones.split(' ')), clockTime, now, (timeZone, { hour, minute }, at) => {
        const typed = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
        expect(read(typed, at.toISOString(), timeZone)).toBe(newestMinuteShowing(typed, at, timeZone))
      }),
      { numRuns: 40 },
    )
  })
})

/** The rule itself, without anything that makes it quick. */
function newestMinuteShowing(clockTime: string, now: Date, timeZone: string): string | undefined {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' })
  const newest = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS
  for (let ms = newest; ms > newest - 2 * DAY_MS; ms -= MINUTE_MS) {
    if (clock.format(ms) === clockTime) return new Date(ms).toISOString()
  }
  return undefined
}

describe('a day', () => {
  const readDay = (typed: string) => {
    const result = day({ label: 'Day' }).read(typed, checkContext({ timeZone: 'Pacific/Kiritimati' }))
    return result.ok ? result.value.toISOString() : result.problem
  }

  it.each([
    ['today', '2026-11-20T00:00:00.000Z'],
    [' Yesterday ', '2026-11-19T00:00:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ])('%s begins at %s, wherever one is', (typed, expected) => {
    expect(readDay(typed)).toBe(expected)
  })

  it.each(['2026-11-31', '1d', '03:10', '2026-11-20T00:00Z'])('%s is none', (typed) => {
    expect(readDay(typed)).toBe('Day is a day in UTC: 2026-11-20, today or yesterday.')
  })
})

describe('a time or day that does not exist', () => {
  const fields = OPERATIONS.flatMap(({ name, fields: all }) =>
    Object.entries(all)
      .filter(([, { control }]) => control.kind === 'text' && ['time', 'day'].includes(control.word ?? ''))
      .map(([field, taken]) => ({ name: `${name} --${field}`, field: taken })),
  )
  const near = { ...checkContext({ now: new Date('2026-11-20T12:00:00Z') }) }

  it.each(fields)('is refused by $name', ({ field }) => {
    const days = ['2026-11-31', '2026-02-29', '2026-02-30', '2026-04-31', '2026-13-01', '2026-00-10', '2026-11-00']
    const times = ['24:00', '25:61', '23:60', '12:61', '23:59:60', '08:00+24:00', '08:00+01:60', '08:00-99:99']
    const typed = [
      ...days.flatMap((date) => [date, `${date}T08:00`, `${date} 08:00`, `${date}T08:00:00Z`, `${date}T08:00+01:00`]),
      ...times.flatMap((time) => [time, `2026-11-21T${time}`, `2026-11-21 ${time}`, `2026-11-20T${time}Z`]),
    ]
    for (const each of typed) {
      const result = field.read(each, near)
      expect([each, result.ok]).toEqual([each, false])
      expect(result.ok ? '' : result.problem).toMatch(/ (?:is not a time|is a day)/)
    }
  })

  it.each(['2026-11-30T08:00', '2026-11-30 08:00:59Z', '2026-12-01t00:00+14:00', '2026-11-20T23:59-0530', '23:59'])(
    'is not every one: %s can be the end of a silence',
    (typed) => {
      const until = OPERATIONS.find(({ name }) => name === 'alerts silence')?.fields['until']
      expect(until?.read(typed, near).ok).toBe(true)
    },
  )
})
