import { expect, it, test } from 'vitest'
import { amount, dropHoles, readWords, roundPercent, spanWords } from '../../../src/alerts/state/reading.ts'

test.each([
  [0, '0 %'],
  [0.000_099, '<0.01 %'],
  [0.000_1, '0.01 %'],
  [0.003_94, '0.39 %'],
  [0.069, '6.9 %'],
  [0.304, '30 %'],
  [1.234, '120 %'],
])('%d is %s', (share, words) => {
  expect(roundPercent(share)).toBe(words)
})

test.each([
  [3.456, '3.46'],
  [-3.4, '−3.4'],
  [99.96, '100'],
  [1_234.5, '1,235'],
  [-1_234, '−1,234'],
])('an amount of %d is %s', (value, words) => {
  expect(amount(value)).toBe(words)
})

it('says over which time it was read, and how much of that was not', () => {
  const window = { fromMs: 0, untilMs: 300_000 }
  expect([spanWords({ window }), spanWords({})]).toEqual(['in the last 5 min', 'lately'])
  expect([undefined, 0.999_5, 0.999_4, 0.4].map((covered) => readWords({ covered }))).toEqual([
    undefined,
    undefined,
    '0.06 % of the log could not be read',
    '60 % of the log could not be read',
  ])
})

it('leaves numbers out that JSON cannot hold', () => {
  const facts = { sentence: 'x', value: Number.NaN, baseline: 0, threshold: Infinity }
  const seen = { why: 'x', used: 1, left: Infinity }
  expect(dropHoles({ level: 'clear', facts, seen })).toEqual({
    level: 'clear',
    facts: { sentence: 'x', baseline: 0 },
    seen: { why: 'x', used: 1 },
  })
  expect(dropHoles({ level: 'clear', facts: {} })).toEqual({ level: 'clear', facts: {} })
})
