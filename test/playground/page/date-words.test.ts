import { describe, expect, it } from 'vitest'
import { dayHeading, formattedDate, isoDay } from '../../../src/playground/page/date-words.ts'

const NEW_YORK = 'America/New_York'
const now = new Date('2026-11-20T20:05:00Z')
const at = new Date('2026-11-18T09:07:03Z')

describe('times on the page', () => {
  it.each([
    ['{date}', 'November 18, 2026'],
    ['{date_short}', 'Nov 18, 2026'],
    ['{time}', '4:07 AM'],
    ['{date_pretty}', 'November 18, 2026'],
    ['{no_such} thing', '{no_such} thing'],
  ])('fills in %s', (format, expected) => {
    expect(formattedDate(format, at, now, NEW_YORK)).toBe(expected)
  })

  it('calls days by where the reader is', () => {
    const late = new Date('2026-11-21T03:00:00Z')
    expect(formattedDate('{date_pretty}', late, now, NEW_YORK)).toBe('today')
    expect(formattedDate('{date_pretty}', late, now, 'Asia/Tokyo')).toBe('today')
    expect(formattedDate('{date_pretty}', late, now, 'UTC')).toBe('tomorrow')
    expect(dayHeading(late, now, NEW_YORK)).toBe('Today')
    expect(dayHeading(at, now, NEW_YORK)).toBe('Wednesday, November 18')
    expect(isoDay(late, NEW_YORK)).toBe('2026-11-20')
  })
})
