import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tallyLines } from '../../../src/cdn/reading/day-file.ts'

const AT = Date.parse('2026-11-20T11:00:00Z')
const REST = '412|390|192.0.2.0|-|https://a.example/v|WA|Agent|322b688bd63fb63f2babe9de30a5d262|DE'

function tally(bytes: Buffer, chunkSize = bytes.length) {
  const lines: (readonly [number, string, number])[] = []
  const reader = tallyLines((...line) => void lines.push(line))
  for (let at = 0; at < bytes.length; at += chunkSize) reader.push(bytes.subarray(at, at + chunkSize))
  return { lines, summary: reader.finish() }
}

it('tells the time, the cache status and the code of every line, however the bytes are cut', () => {
  const status = fc.constantFrom('HIT', 'MISS', 'STALE', '-', 'EXPIRED')
  const line = fc.tuple(fc.integer({ min: 0, max: 4_102_444_800_000 }), status, fc.integer({ min: 100, max: 599 }))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.integer({ min: 1, max: 400 }), (lines, chunkSize) => {
      const text = lines.map(([atMs, status, code]) => `${status}|${code}|${atMs}|${REST}\n`).join('')
      expect(tally(Buffer.from(text), chunkSize).lines).toEqual(lines)
    }),
  )
})

it('sums up as a reading of the file does', () => {
  const text = [`HIT|200|${AT}|${REST}`, `-|502|${AT}|${REST}\r`, `HIT|206|${AT + 1}|${REST}`].join('\n')
  const { summary } = tally(Buffer.from(text))
  expect(summary).toMatchObject({ lines: 3, matched: 3, malformedLines: 0, tooLongLines: 0, bytes: text.length })
  expect([...summary.countsByCacheStatus]).toEqual([
    ['HIT', 2],
    ['-', 1],
  ])
  expect([...summary.countsByStatusClass]).toEqual([
    ['2xx', 2],
    ['5xx', 1],
  ])
})

it.each([
  ['no time', `HIT|200||${REST}`],
  ['a time that is no number', `HIT|200|17x|${REST}`],
  ['a time of too many digits', `HIT|200|1234567890123456|${REST}`],
  ['nothing after the time', `HIT|200|${AT}`],
  ['no code', `HIT|abc|${AT}|${REST}`],
  ['a word alone', 'HIT'],
])('a line with %s is malformed, and not told', (_, line) => {
  const { lines, summary } = tally(Buffer.from(`${line}\nMISS|404|${AT}|${REST}\n`))
  expect(lines).toEqual([[AT, 'MISS', 404]])
  expect(summary).toMatchObject({ lines: 2, matched: 1, malformedLines: 1 })
})
