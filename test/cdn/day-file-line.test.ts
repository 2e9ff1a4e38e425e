import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readEntries } from '../../src/cdn/reading/day-file.ts'
import { LOG_FIELDS, type LogEntry } from '../../src/cdn/contract/log-entry.ts'
import type { EntryFilter } from '../../src/cdn/contract/log-filter.ts'
import { maskUrl, maskUrlsIn } from '../../src/cdn/contract/mask-url.ts'

const REST = '390|192.0.2.0|-|https://a.example/v|WA|Agent|322b688bd63fb63f2babe9de30a5d262|DE'

function read(lines: readonly string[], filter: EntryFilter = {}) {
  const entries: LogEntry[] = []
  const reader = readEntries(filter, LOG_FIELDS, (entry) => void entries.push(entry))
  reader.push(Buffer.from(lines.join('\n')))
  return { entries, summary: reader.finish() }
}

it('says of any line what splitting it says', () => {
  const texts = ['', '-', 'Ü', '7', 'https://a.example/?k=canary', '/v%3Ftoken%3Dcanary', 'u%3Ap%40h']
  const word = fc.oneof(fc.constantFrom(...texts), fc.stringMatching(/^[a-z0-9é/?=&#@.]{0,40}$/))
  const number = fc.oneof(
    fc.nat().map(String),
    fc.constantFrom('', '-', '1x', '099', '600', '0200', '1795132800000', '9'.repeat(19)),
  )
  const fields = fc.tuple(
    fc.constantFrom('HIT', 'MISS', '-', 'EXPIRED', '', 'a'.repeat(31), 'a'.repeat(32)),
    fc.oneof(fc.integer({ min: 100, max: 599 }).map(String), number),
    fc.array(number, { minLength: 2, maxLength: 2 }),
    fc.array(word, { minLength: 8, maxLength: 12 }),
  )
  const line = fields.map(([status, code, numbers, words]) => [status, code, ...numbers, ...words])
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const { entries, summary } = read(lines.map((parts) => parts.join('|')))
      const headed = lines.filter(([status = '', code = '']) => /^.{1,31}$/.test(status) && /^[1-5]\d\d$/.test(code))
      const whole = headed.filter(({ length }) => length >= 12 && length <= 15)
      expect(summary.malformedLines).toBe(lines.length - whole.length)
      expect(Object.fromEntries(summary.countsByCacheStatus)).toEqual(countBy(whole.map(([status = '']) => status)))
      expect(entries).toEqual(
        whole.map((parts) => {
          const text = (index: number): string | undefined =>
            (parts[index] === '-' ? undefined : parts[index]) || undefined
          const integer = (index: number): bigint | undefined =>
            /^\d{1,19}$/.test(parts[index] ?? '') ? BigInt(parts[index] ?? '') : undefined
          const masked = (index: number): string | undefined => text(index) && maskUrl(text(index) ?? '')
          return {
            cacheStatus: parts[0],
            statusCode: Number(parts[1]),
            timestamp: /^\d{1,15}$/.test(parts[2] ?? '') ? new Date(Number(parts[2])) : undefined,
            bytesSent: integer(3),
            pullZoneId: integer(4),
            remoteIp: text(5),
            referer: masked(6),
            url: masked(7),
            edgeLocation: text(8),
            userAgent: text(9) && maskUrlsIn(text(9) ?? ''),
            requestId: text(10),
            countryCode: text(11),
            bodyBytesSent: integer(12),
            contentRange: text(13),
          }
        }),
      )
    }),
    { numRuns: 500 },
  )
})

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(names.map((name) => [name, names.filter((each) => each === name).length]))
}

it('finds a line without a time in no range, whatever the range', () => {
  const lines = ['-', '', '17951328x0000', '1'.repeat(16), '5'].map((time) => `MISS|200|${time}|1|${REST}`)
  const long = new Date(-10)
  for (const filter of [{ from: long }, { to: new Date(10) }, { from: long, to: new Date(10) }]) {
    expect(read(lines, filter).entries.map(({ timestamp }) => timestamp)).toEqual([new Date(5)])
  }
  expect(read(lines).entries).toHaveLength(lines.length)
})

it('reads a file the same, however it is cut into pieces and wherever it is broken', () => {
  const line = fc.constantFrom(
    `HIT|200|1795132800000|7|${REST}`,
    `EXPIRED|404|1795132800001|12345678901|${REST}|12|-|Basic canary`,
    `-|206|1795132800002|1|${REST}\r`,
    `MISS|200|1795132800000|1|${REST}|1|1|1|1`,
    'MISS|2000|1',
    'MISS|200|',
    '',
    'no line',
  )
  const file = fc.tuple(
    fc.array(line, { maxLength: 12 }),
    fc.boolean(),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 3 }),
  )
  fc.assert(
    fc.property(file, fc.array(fc.nat(), { maxLength: 6 }), ([lines, isEnded, broken], places) => {
      const bytes = Buffer.from(lines.join('\n') + (isEnded ? '\n' : ''))
      for (const [at, byte] of broken) if (bytes.length > 0) bytes[at % bytes.length] = byte
      const cuts = places.map((at) => at % (bytes.length + 1)).sort((one, other) => one - other)
      const whole = readPieces([bytes])
      const pieces = [0, ...cuts].map((at, index) => Buffer.from(bytes.subarray(at, cuts[index] ?? bytes.length)))
      expect(readPieces(pieces)).toEqual(whole)
      // A separator that is broken moves each field behind it.
      if (broken.length === 0)
        expect(whole.entries.flatMap((entry) => Object.values(entry)).join()).not.toContain('canary')
    }),
    { numRuns: 500 },
  )
})

function readPieces(pieces: readonly Buffer[]) {
  const entries: LogEntry[] = []
  const reader = readEntries({}, LOG_FIELDS, (entry) => void entries.push(entry))
  for (const piece of pieces) reader.push(piece)
  return { entries, summary: reader.finish() }
}
