import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { formatInstant, parseInstant } from '../../src/cdn/dates.ts'

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
    '2026-02-06T09:27:36.12345678Z',
    '20260206',
  ])('“%s” is no date', (text) => {
    expect(parseInstant(text)).toBeUndefined()
  })
})

it('the usual form is read as any other form is', () => {
  const two = fc.integer({ min: 0, max: 62 }).map((value) => String(value).padStart(2, '0'))
  const year = fc.constantFrom('0000', '0050', '0100', '1900', '2000', '2026', '2028', '9999', '20x6')
  const fraction = fc.oneof(
    fc.constantFrom('', '.', '.7', '.7357793', '.12345678', '.1x3', ',123'),
    fc.nat({ max: 999 }).map((ms) => `.${ms}`),
  )
  fc.assert(
    fc.property(
      year,
      fc.tuple(two, two, two, two, two),
      fraction,
      (years, [month, day, hour, minute, second], rest) => {
        const text = `${years}-${month}-${day}T${hour}:${minute}:${second}${rest}`
        // In lower case the same is read the long way.
        expect(parseInstant(`${text}Z`)).toEqual(parseInstant(`${text}z`))
      },
    ),
    {
      numRuns: 5_000,
      examples: [
        ['2026', ['02', '28', '23', '59', '59'], '.999'],
        ['2026', ['02', '29', '00', '00', '00'], ''],
      ],
    },
  )
})

describe('dates out', () => {
  it('are UTC with Z, with milliseconds only where there are some', () => {
    expect(formatInstant(new Date('2026-02-06T10:00:00+01:00'))).toBe('2026-02-06T09:00:00Z')
    expect(formatInstant(new Date('2026-02-06T09:00:00.120Z'))).toBe('2026-02-06T09:00:00.120Z')
  })
})

it.each(['2026-11-20T18:00:00X', '2026-11-20T18:00:00.5+', '2026-11-20X18:00:00Z', '2026-11-20_18:00:00.735Z'])(
  'no other sign stands for the zone or between date and time: %s',
  (text) => expect(parseInstant(text)).toBeUndefined(),
)
