import { expect, it } from 'vitest'
import { type DigestTime, nextDigestAt } from '../../../src/operations/alerts/alerts-digest.ts'

const daily = (time: string, timeZone: string): DigestTime => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return { cadence: 'daily', minute: hour * 60 + minute, weekday: 0, timeZone }
}

/** The next moments, one after the other. */
function follow(from: string, time: DigestTime, count: number): string {
  const moments: string[] = []
  for (let at = new Date(from); moments.length < count;) {
    at = nextDigestAt(at, time)
    moments.push(at.toISOString().slice(0, 16))
  }
  return moments.join(' ')
}

it('comes once a day at the hour that clocks show, also where they change', () => {
  expect(follow('2026-10-24T00:00Z', daily('09:00', 'Europe/Berlin'), 3)).toBe(
    '2026-10-24T07:00 2026-10-25T08:00 2026-10-26T08:00',
  )
  expect(follow('2026-03-28T00:00Z', daily('09:00', 'Europe/Berlin'), 3)).toBe(
    '2026-03-28T08:00 2026-03-29T07:00 2026-03-30T07:00',
  )
})

it('comes once where clocks show its time twice, and where they leave it out', () => {
  expect(follow('2026-10-24T12:00Z', daily('02:30', 'Europe/Berlin'), 2)).toBe('2026-10-25T00:30 2026-10-26T01:30')
  expect(follow('2026-03-28T12:00Z', daily('02:30', 'Europe/Berlin'), 2)).toBe('2026-03-29T01:30 2026-03-30T00:30')
  expect(follow('2026-04-04T00:00Z', daily('01:45', 'Australia/Lord_Howe'), 2)).toBe(
    '2026-04-04T14:45 2026-04-05T15:15',
  )
})

it('comes on its day of the week, and not again at the moment at which it came', () => {
  const weekly = { cadence: 'weekly', minute: 540, weekday: 0, timeZone: 'Europe/Berlin' } as const
  expect(follow('2026-11-20T12:00Z', weekly, 2)).toBe('2026-11-23T08:00 2026-11-30T08:00')
  expect(follow('2026-11-23T08:00Z', weekly, 1)).toBe('2026-11-30T08:00')
  expect(follow('2026-11-23T07:59Z', weekly, 1)).toBe('2026-11-23T08:00')
  expect(follow('2026-11-23T08:00Z', { ...weekly, weekday: 6, timeZone: 'Pacific/Auckland' }, 1)).toBe(
    '2026-11-28T20:00',
  )
})
