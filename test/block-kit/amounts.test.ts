import { describe, expect, test } from 'vitest'
import { bytes, count, difference, percent, roundBytes, roundCount } from '../../src/block-kit/amounts.ts'

describe('a size', () => {
  test.each([
    [0n, '0 bytes'],
    [1n, '1 byte'],
    [999n, '999 bytes'],
    [1_000n, '1.00 kB'],
    [1_005n, '1.01 kB'],
    [999_994n, '999.99 kB'],
    [999_995n, '1.00 MB'],
    [1_250_000_000n, '1.25 GB'],
    [9_223_372_036_854_775_807n, '9.22 EB'],
    [5_000n * 10n ** 21n, '5,000.00 ZB'],
    [-1_500n, '−1.50 kB'],
  ])('of %d is %s', (value, shown) => {
    expect(bytes(value)).toBe(shown)
  })

  test.each([
    [512n, '512 bytes'],
    [1_250_000_001n, '1.25 GB'],
    [54_790_000_000n, '54.8 GB'],
    [581_353_369_382n, '581 GB'],
    [-1_500n, '−1.50 kB'],
  ])('of %d has three digits in a headline, %s', (value, shown) => {
    expect(roundBytes(value)).toBe(shown)
  })
})

test('a count has its thousands apart and loses nothing', () => {
  expect(count(9_223_372_036_854_775_807n)).toBe('9,223,372,036,854,775,807')
  expect(count(-1_000)).toBe('−1,000')
  expect(count(999)).toBe('999')
  expect(count(1.5)).toBe('1.5')
  expect(count(Number.NaN)).toBe('unknown')
})

test.each([
  [999_999n, '999,999'],
  [1_668_685n, '1.66 M'],
  [12_000_000n, '12 M'],
])('a count of %d has three digits in a headline, %s', (value, shown) => {
  expect(roundCount(value)).toBe(shown)
})

test.each([
  [0, '0.0 %'],
  [0.000_4, '<0.1 %'],
  [0.000_5, '0.1 %'],
  [0.123_4, '12.3 %'],
  [0.999_6, '>99.9 %'],
  [1, '100.0 %'],
  [1.5, '150.0 %'],
  [-0.25, '−25.0 %'],
  [-0.000_1, '0.0 %'],
  [Number.NaN, 'unknown'],
])('the share %d is %s', (share, shown) => {
  expect(percent(share)).toBe(shown)
})

test('a difference always has a sign', () => {
  expect(difference(1_234n)).toBe('+1,234')
  expect(difference(-5n)).toBe('−5')
  expect(difference(0n)).toBe('±0')
  expect(difference(-1_250_000_000n, 'bytes')).toBe('−1.25 GB')
})
