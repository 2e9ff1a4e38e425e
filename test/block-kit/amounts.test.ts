import { describe, expect, test } from 'vitest'
import { bytes, changeInBytes, count, counted, percent, roundBytes, roundCount } from '../../src/block-kit/amounts.ts'

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
    [2_000_000_000_000n, '2.00 TB'],
    [30_000_000_000_000_000n, '30.00 PB'],
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
    [581_653_369_382n, '582 GB'],
    [99_990_000_000n, '100 GB'],
    [999_990n, '1.00 MB'],
    [5_000n * 10n ** 21n, '5,000 ZB'],
    [-1_500n, '−1.50 kB'],
  ])('of %d has three digits in a headline, %s', (value, shown) => {
    expect(roundBytes(value)).toBe(shown)
  })
})

test.each([
  [9_223_372_036_854_775_807n, '9,223,372,036,854,775,807'],
  [-1_000, '−1,000'],
  [999, '999'],
  [1.5, '1.5'],
  [1_234.567_8, '1234.5678'],
  [Number.NaN, 'unknown'],
])('a count of %d has its thousands apart and loses nothing: %s', (value, shown) => {
  expect(count(value)).toBe(shown)
})

test('one thing is counted in the singular, anything else in the plural', () => {
  const said = [counted(1n, 'file'), counted(0, 'file'), counted(1_000n, 'file'), counted(2, 'key is', 'keys are')]
  expect(said).toEqual(['1 file', '0 files', '1,000 files', '2 keys are'])
})

test.each([
  [999_999n, '999,999'],
  [1_000_000n, '1 M'],
  [1_668_685n, '1.67 M'],
  [1_999_999n, '2 M'],
  [12_000_000n, '12 M'],
  [123_600_000n, '124 M'],
])('a count of %d has three digits in a headline, %s', (value, shown) => {
  expect(roundCount(value)).toBe(shown)
})

test.each([
  [0, '0.0 %'],
  [0.000_4, '<0.1 %'],
  [0.000_5, '0.1 %'],
  [0.123_4, '12.3 %'],
  [0.999_4, '99.9 %'],
  [0.999_5, '>99.9 %'],
  [1, '100.0 %'],
  [1.5, '150.0 %'],
  [-0.25, '−25.0 %'],
  [-0.000_1, '0.0 %'],
  [Number.NaN, 'unknown'],
])('the share %d is %s', (share, shown) => {
  expect(percent(share)).toBe(shown)
})

test.each<[bigint, string]>([
  [1_250_000_000n, '+1.25 GB'],
  [-5n, '−5 bytes'],
  [0n, '±0 bytes'],
  [-54_790_000_000n, '−54.8 GB'],
])('a change of %d always has a sign: %s', (value, shown) => {
  expect(changeInBytes(value)).toBe(shown)
})
