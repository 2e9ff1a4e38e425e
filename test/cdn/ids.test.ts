import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillPath } from '../../src/cdn/path-template.ts'
import { readId } from '../../src/operations/fields.ts'
import { UserError } from '../../src/shared/errors.ts'
import { clientFor } from './platform-server.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const MAX = 2n ** 63n - 1n
const RUNS = 20_000

/** Ids that would lead elsewhere if they were put into a path as they are. */
const TRICKS = [
  '1/../../apikey',
  '../apikey',
  '1/..',
  '..',
  '.',
  '1%2f..%2fapikey',
  '1%2F',
  '1?x=',
  '1?dateFrom=2020',
  '1#',
  '1;x',
  '1\\..',
  '1//2',
  '1\r\nHost: evil.example',
  '1\n',
  '1\u0000',
  '1 2',
  '1.0',
  '1e3',
  '0x10',
  '+1',
  '-1',
  '0',
  '00',
  '01',
  '1_000',
  '1,000',
  '',
  '٣',
  '１',
  '²',
  '1\u200b',
  '\u202e1',
  'NaN',
  'Infinity',
  '9223372036854775808',
  '99999999999999999999',
  '1n',
  'null',
  '[1]',
  '{}',
]

describe('an id', () => {
  test.each(TRICKS)('is not %j', (typed) => {
    expect(typed.trim() === '1' ? undefined : readId(typed)).toBeUndefined()
  })

  test('is any whole number from 1 to 2^63-1, without loss', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, MAX), (id) => {
        expect(readId(String(id))).toBe(id)
      }),
      { numRuns: RUNS },
    )
  })

  test('is nothing else, whatever is typed', () => {
    const piece = fc.constantFrom('1', '7', '/', '..', '%2f', '?', '#', '\\', ' ', '\n', '-', '.', '\u0661', 'apikey')
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 24 }),
      fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(typed, (text) => {
        const id = readId(text)
        expect(id === undefined || (String(id) === text.trim() && id > 0n && id <= MAX)).toBe(true)
      }),
      { numRuns: RUNS },
    )
  })

  test('stays one part of the path, whatever it is', () => {
    const piece = fc.constantFrom('1', '/', '..', '.', '%2f', '?', '#', '\\', ';', '@', ':', '\n')
    const text = fc
      .array(fc.oneof(piece, fc.string({ unit: 'grapheme', maxLength: 3 })), { minLength: 1, maxLength: 8 })
      .map((parts) => parts.join(''))
      .filter((joined) => joined.isWellFormed() && !/^\.{0,2}$/.test(joined))
    fc.assert(
      fc.property(text, (zoneId) => {
        const path = fillPath('/dnszone/{zoneId}/records', { zoneId })
        const { pathname, search, hash } = new URL(`https://a.example${path}`)
        expect([pathname.split('/').length, search, hash]).toEqual([4, '', ''])
      }),
    )
  })

  test.each(['.', '..'])('that is %j fills no path', (text) => {
    expect(() => fillPath('/dnszone/{zoneId}/records', { zoneId: text })).toThrow(TypeError)
  })

  test.each([0n, -1n, MAX + 1n])('of %s is refused by the client, and nothing is sent', async (id) => {
    const clock = new TurnedClock()
    // Nobody listens there, which would be another error.
    const client = clientFor('http://127.0.0.1:1', { clock })
    const day = clock.now().toISOString().slice(0, 10)
    const calls = [
      async () => client.getStorageStatistics(id),
      async () => client.addDnsRecord(id, {}),
      async () => client.queryLogs(id, {}, { maxEntries: 1 }),
      async () => client.streamDayFile(id, day, {}, () => undefined),
    ]
    for (const call of calls) await expect(call()).rejects.toBeInstanceOf(UserError)
  })
})
