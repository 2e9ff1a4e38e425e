import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkJsonSize,
  JsonProblem,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  parseJson,
  stringifyJson,
} from '../../src/shared/json.ts'
import { cpuOf } from '../support/cpu-spent.ts'

describe('parsing', () => {
  it.each([
    ['9007199254740993', 9_007_199_254_740_993n],
    ['{"a":9223372036854775807}', { a: 9_223_372_036_854_775_807n }],
    ['[ -9223372036854775808 ]', [-9_223_372_036_854_775_808n]],
    ['{"a" :\n9007199254740993}', { a: 9_007_199_254_740_993n }],
    [' 9007199254740993', 9_007_199_254_740_993n],
    ['[9007199254740991,1]', [9_007_199_254_740_991, 1]],
    ['{"a":":1234567890123456"}', { a: ':1234567890123456' }],
    ['[0.1234567890123456,1.5]', [0.123_456_789_012_345_6, 1.5]],
    ['{"a":"9007199254740993"}', { a: '9007199254740993' }],
    ['[9007199254740993,1e16,123456789012345678901]', [9_007_199_254_740_993n, 1e16, 123_456_789_012_345_678_901n]],
  ])('keeps %s as it is', (text, value) => {
    expect(parseJson(text)).toEqual(value)
  })

  it('loses no integer of 64 bits on the way out and in', () => {
    const anything = fc.array(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n))
    fc.assert(
      fc.property(anything, (integers) => {
        const back = parseJson(stringifyJson({ integers })) as { integers: (number | bigint)[] }
        expect(back.integers.map(BigInt)).toEqual(integers)
      }),
    )
  })

  it('reads everything else just as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value)
        expect(stringifyJson(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  it('takes no more than moments, however many digits stand in the texts beside a long integer', () => {
    const digits = Array.from({ length: 400_000 }, (_, index) => String(10n ** 19n + BigInt(index) * 4_096n))
    for (const address of [digits.join(' '), '9'.repeat(8_000_000)]) {
      const text = `{"Id":9007199254740993,"Path":"${address}"}`
      const read = (): void => expect(parseJson(text)).toMatchObject({ Id: 9_007_199_254_740_993n })
      expect(Math.min(...[1, 2, 3].map(() => cpuOf(read)))).toBeLessThan(400)
    }
  })

  it('says nothing of the text it could not parse', () => {
    expect(() => parseJson('{"Key":"secret-canary"')).toThrow(new JsonProblem('Not JSON'))
  })
})

describe('a look at JSON before it is parsed', () => {
  const check = (text: string): void => checkJsonSize(Buffer.from(text))

  it('refuses nesting that would overflow whatever walks it', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    check(nested(MAX_JSON_DEPTH))
    expect(() => check(nested(MAX_JSON_DEPTH + 1))).toThrow(/nested more than 32 deep/)
    expect(() => check('{"a":'.repeat(100_000))).toThrow(JsonProblem)
    check(`[${'{},'.repeat(MAX_JSON_DEPTH)}{}]`)
  })

  it('refuses more values than can be walked without a pause', () => {
    const list = (length: number): string => `[${'1,'.repeat(length - 1)}1]`
    check(list(MAX_JSON_VALUES - 1))
    expect(() => check(list(MAX_JSON_VALUES))).toThrow(/more than 100000 values/)
    expect(() => check('{},'.repeat(MAX_JSON_VALUES))).toThrow(/more than 100000 values/)
    check(`"${','.repeat(2 * MAX_JSON_VALUES)}"`)
  })

  it('counts no brackets inside strings, however they are escaped', () => {
    const text = JSON.stringify({ a: '['.repeat(100), b: '\\"[['.repeat(40), c: '\\' })
    expect(() => check(text)).not.toThrow()
  })
})

describe('writing', () => {
  it('writes long integers as numbers and leaves out what is undefined', () => {
    expect(stringifyJson({ PullZoneId: 9_007_199_254_740_993n, Ttl: undefined, List: [1n] })).toBe(
      '{"PullZoneId":9007199254740993,"List":[1]}',
    )
  })
})
