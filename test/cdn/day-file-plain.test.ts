import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readEntries } from '../../src/cdn/day-file.ts'
import { LOG_FIELDS, type LogEntry } from '../../src/cdn/log-entry.ts'
import { type PlainReading, readPlainly } from './plain-day-file.ts'

const REST = '390|192.0.2.0|-|https://a.example/v|WA|Agent|322b688bd63fb63f2babe9de30a5d262|DE'
/** Statuses of which lines are made into entries. */
const WANTED = new Set(['MISS', '-', 'MISSING', 'REVALIDATED'])

it('reads any bytes as the plain way does, however they are cut into pieces', () => {
  const status = fc.constantFrom(
    'HIT',
    'MISS',
    'STALE',
    '-',
    'REVALIDATED',
    'MIS',
    '',
    'MISSING',
    'UPDATING',
    'a'.repeat(31),
    'a'.repeat(32),
  )
  const code = fc.oneof(fc.integer({ min: 100, max: 599 }).map(String), fc.constantFrom('099', '600', '20', '20x', ''))
  const time = fc.constantFrom(
    '1795132800000',
    '1795132800007',
    '179513280000',
    '17951328000000',
    '',
    '179513280000:',
    '1795|32800000',
    '/795132800000',
    '9'.repeat(16),
  )
  const amount = fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 2n ** 64n })).map(String)
  const odd = fc.oneof(amount, fc.constantFrom('', '-', '12x', '1:', '/', '12345678:', '123456789/', '\r'))
  const rest = fc.constantFrom(
    REST,
    `${REST}|12|-|Basic canary`,
    `${REST}\r`,
    `${REST}|1|1|1|1`,
    '390|é|-|https://ü.example/?k=1#x|WA|a=b https://u:p@b/|id',
    '',
    '0',
  )
  const usual = fc.tuple(status, code, time, odd, rest).map((fields) => fields.join('|'))
  const line = fc.oneof(
    { weight: 8, arbitrary: usual },
    { weight: 1, arbitrary: fc.constantFrom('', '\r', 'no line', 'HIT|200|') },
  )
  const breaks = fc.array(fc.tuple(fc.nat(), fc.oneof(fc.nat(255), fc.constantFrom(0x7c, 10, 13, 0x3a, 0x2f))), {
    maxLength: 4,
  })
  const places = fc.array(fc.nat(), { maxLength: 6 })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), breaks, places, (lines, isEnded, broken, places) => {
      const bytes = Buffer.from(lines.join('\n') + (isEnded ? '\n' : ''))
      for (const [at, byte] of broken) if (bytes.length > 0) bytes[at % bytes.length] = byte
      expect(readFast(piecesOf(bytes, places))).toEqual(readPlainly(bytes, WANTED))
    }),
    { numRuns: 2_000 },
  )
})

it('reads a line with any byte anywhere behind its status as the plain way does, after one that is as it should be', () => {
  for (const cache of ['HIT', 'MISS', '-', 'UPDATING', 'REVALIDATED']) {
    const usual = Buffer.from(`${cache}|206|1795132800000|123456789|${REST}\n`)
    const lines = Array.from({ length: 36 * 256 }, (_, index) => {
      const line = Buffer.from(usual)
      line[cache.length + Math.floor(index / 256)] = index % 256
      return line
    })
    const bytes = Buffer.concat([usual, ...lines])
    expect(readFast([bytes])).toEqual(readPlainly(bytes, WANTED))
  }
})

it('tells beginnings apart that differ in their last bytes only', () => {
  const codes = Array.from({ length: 500 }, (_, index) => `EXPIRED|${100 + index}|1795132800000|${index}|${REST}\n`)
  const bytes = Buffer.from([...codes, ...codes.toReversed(), ...codes].join(''))
  expect(readFast([bytes])).toEqual(readPlainly(bytes, WANTED))
})

it('reads lines across pieces as the plain way does, and passes over those that are too long', () => {
  const long = (length: number): string => `HIT|200|1795132800000|5|${'x'.repeat(length - 24)}`
  const line = (count: number): string => `MISS|404|${1_795_132_800_000 + count}|${count ** 3}|${REST}`
  const short = Array.from({ length: 2_000 }, (_, count) => line(count))
  const lines = [long(32_766), long(32_768), ...short, long(65_536), long(65_537), ...short, long(200_000), line(7)]
  const bytes = Buffer.from(lines.join('\n'))
  for (const places of [[], [100_000], [32_768, 65_536, 300_000], [900_000, 900_001]])
    expect(readFast(piecesOf(bytes, places))).toEqual(readPlainly(bytes, WANTED))
})

function piecesOf(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const cuts = places.map((at) => at % (bytes.length + 1)).sort((one, other) => one - other)
  return [0, ...cuts].map((at, index) => Buffer.from(bytes.subarray(at, cuts[index] ?? bytes.length)))
}

function readFast(pieces: readonly Buffer[]): PlainReading {
  const entries: LogEntry[] = []
  const reader = readEntries({ cacheStatus: [...WANTED] }, LOG_FIELDS, (entry) => void entries.push(entry))
  for (const piece of pieces) reader.push(piece)
  const summary = reader.finish()
  const { bytes, lines, matched, malformedLines, tooLongLines } = summary
  return {
    entries,
    counts: Object.fromEntries(summary.countsByCacheStatus),
    sent: Object.fromEntries(summary.bytesByCacheStatus),
    classes: Object.fromEntries(summary.countsByStatusClass),
    bytes,
    lines,
    matched,
    malformedLines,
    tooLongLines,
  }
}
