import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { formatInstant, parseInstant } from '../../../src/cdn/contract/dates.ts'

// Far from UTC, where reading a date without a zone as local time shows.
beforeAll(() => void vi.stubEnv('TZ', 'America/New_York'))
afterAll(() => void vi.unstubAllEnvs())

describe('dates in', () => {
  it.each([
    ['2026-02-06T09:27:36.7357793Z', '2026-02-06T09:27:36.735Z'],
    ['2026-02-06T09:27:36', '2026-02-06T09:27:36.000Z'],
    ['2026-02-06T09:27:36.7', '2026-02-06T09:27:36.700Z'],
    ['2026-02-06', '2026-02-06T00:00:00.000Z'],
    ['2026-02-06T09:27Z', '2026-02-06T09:27:00.000Z'],
    ['2026-02-06T09:27:36+02:00', '2026-02-06T07:27:36.000Z'],
    ['2026-02-06t09:27:36-0530', '2026-02-06T14:57:36.000Z'],
    ['2026-02-06 09:27:36z', '2026-02-06T09:27:36.000Z'],
    ['2026-02-06T00:00:00+23:59', '2026-02-05T00:01:00.000Z'],
    ['2028-02-29T23:59:59.9999999Z', '2028-02-29T23:59:59.999Z'],
  ])('%s is %s, whatever the zone of the machine', (text, instant) => {
    expect(parseInstant(text)?.toISOString()).toBe(instant)
  })

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-02-06T25:00:00Z',
    '2026-02-06T24:00:00Z',
    '2026-02-06T00:00:00+24:00',
    '2026-02-06T00:00:00+01:60',
    'x2026-02-06',
    '2026-02-06T09:27:36.12345678Z',
    '20260206',
    '2026-11-20T18:00:00X',
    '2026-11-20T18:00:00.5+',
    '2026-11-20_18:00:00.735Z',
  ])('“%s” is no date', (text) => {
    expect(parseInstant(text)).toBeUndefined()
  })
})

describe('dates out', () => {
  it('are UTC with Z, with milliseconds only where there are some', () => {
    expect(formatInstant(new Date('2026-02-06T10:00:00+01:00'))).toBe('2026-02-06T09:00:00Z')
    expect(formatInstant(new Date('2026-02-06T09:00:00.120Z'))).toBe('2026-02-06T09:00:00.120Z')
  })
})
