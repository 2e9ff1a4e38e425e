import { describe, expect, it, test } from 'vitest'
import type { RawValue } from '../../../src/shared/raw-values.ts'
import { choice, choices } from '../../../src/operations/declaration/choice-field.ts'
import type { Field } from '../../../src/operations/declaration/field.ts'
import {
  byLooks,
  checked,
  decimal,
  flag,
  id,
  integer,
  isAnything,
  isClock,
  isLength,
  isTime,
  many,
  one,
  required,
  text,
  triState,
} from '../../../src/operations/declaration/fields.ts'
import { checkContext } from '../../support/operation-context.ts'
import { countSlips, nearestWord, sortByNearness } from '../../../src/operations/declaration/nearest-word.ts'

/** The value, or the sentence that says what is wrong. */
const read = <T>(field: Field<T>, raw: RawValue): T | string => {
  const result = field.read(raw, checkContext())
  return result.ok ? result.value : result.problem
}

describe('text', () => {
  it('is trimmed, and measured after that', () => {
    expect(read(text({ label: 'Name', maxLength: 3 }), '  abc \n')).toBe('abc')
    expect(read(text({ label: 'Name', maxLength: 3 }), 'abcd')).toBe('Name has 4 characters; at most 3 are allowed.')
  })

  it('may have a thousand characters unless its declaration says otherwise', () => {
    expect(read(text({ label: 'Name' }), 'x'.repeat(1_000))).toHaveLength(1_000)
    expect(read(text({ label: 'Name' }), 'x'.repeat(1_001))).toContain('at most 1000')
  })

  it('is a line of its own, trimmed and no secret unless it is declared otherwise', () => {
    const control = { kind: 'text', maxLength: 1_000, multiline: false }
    const plain = { label: 'A', hint: undefined, control, required: false, secret: false }
    expect(text({ label: 'A' })).toMatchObject(plain)
    expect(text({ label: 'A' }).control).not.toHaveProperty('word')
    const options = { label: 'A', hint: 'Any', maxLength: 9, multiline: true, secret: true, untrimmed: true, word: 'a' }
    const changed = { ...control, maxLength: 9, multiline: true, word: 'a' }
    expect(text(options)).toMatchObject({ ...plain, hint: 'Any', control: changed, secret: true })
    expect(read(text(options), ' a ')).toBe(' a ')
    expect(id({ label: 'Id' }).control).toEqual({ kind: 'text', maxLength: 19, multiline: false, word: 'id' })
  })
})

describe('numbers', () => {
  const port = integer({ label: 'Port', min: 0, max: 65_535 })
  const rule = 'Port must be a whole number from 0 to 65535.'
  const none = ['-1', '65536', '1.5', '1e3', '0x10', '٣', '9'.repeat(400), '', 'NaN']
  it.each<readonly [string, number | string]>([
    ['0', 0],
    [' 65535 ', 65_535],
    ['+7', 7],
    ['007', 7],
    ...none.map((typed) => [typed, rule] as const),
  ])('whole: %s is %s', (typed, value) => {
    expect(read(port, typed)).toBe(value)
  })

  const latitude = decimal({ label: 'Latitude', min: -90, max: 90 })
  const decimalRule = 'Latitude must be a number from -90 to 90, with a point before decimals.'
  it.each([
    ['-90', -90],
    ['52.5', 52.5],
    ['52,5', decimalRule],
    ['90.000001', decimalRule],
    ['.5', decimalRule],
    ['1e1', decimalRule],
  ])('with decimals: %s is %s', (typed, value) => {
    expect(read(latitude, typed)).toBe(value)
  })

  const notIds = ['9223372036854775808', '0', '01', '-1']
  it.each<readonly [string, bigint | string]>([
    ['9223372036854775807', 9_223_372_036_854_775_807n],
    [' 1 ', 1n],
    ...notIds.map((typed) => [typed, 'Zone must be a numeric id.'] as const),
  ])('an id: %s is %s', (typed, value) => {
    expect(read(id({ label: 'Zone' }), typed)).toBe(value)
  })
})

describe('switches', () => {
  const csv = flag({ label: 'CSV' })
  const cached = triState({ label: 'Cached' })
  it.each([
    ['true', true, true],
    ['ON', true, true],
    ['1', true, true],
    [' no ', false, false],
    ['off', false, false],
    ['Default', 'CSV is either on or off.', undefined],
    ['maybe', 'CSV is either on or off.', 'Cached is on, off or default.'],
  ])('%s', (typed, two, three) => {
    expect(read(csv, typed)).toBe(two)
    expect(read(cached, typed)).toBe(three)
  })
})

describe('choices', () => {
  const list = [
    { value: 'DE', label: 'Frankfurt' },
    { value: 'NY', label: 'New York' },
    { value: 'SG', label: 'Singapore' },
  ]

  it('are given by value or label, whatever the case', () => {
    const region = choice({ label: 'Region', choices: list })
    expect([read(region, 'ny'), read(region, ' new YORK ')]).toEqual(['NY', 'NY'])
  })

  it('are each taken once, in the order of the list, from typed text and from a form', () => {
    const regions = choices({ label: 'Regions', choices: list })
    expect(read(regions, 'sg, de,Singapore,')).toEqual(['DE', 'SG'])
    expect(read(regions, ['NY', 'DE'])).toEqual(['DE', 'NY'])
    expect(read(regions, 'sg,Berlin')).toContain('Regions cannot be Berlin.')
  })

  it('are known by the names that they had, of which none is offered', () => {
    const former = { york: 'ny', gone: 'la', 'big-apple': 'ny' }
    const now = [...list, { value: 'xx', label: 'Singapore' }].map((each) => ({
      ...each,
      value: each.value.toLowerCase(),
    }))
    const region = choice({ label: 'Region', choices: now, former })
    const typed = [' York', 'Singapore', 'xx', 'yorq', 'gome', 'toString', 'big-aple']
    expect(typed.map((each) => read(region, each))).toEqual([
      'ny',
      'sg',
      'xx',
      'Region cannot be yorq. Did you mean ny?',
      'Region cannot be gome. It is one of de, ny, sg, xx.',
      'Region cannot be toString. It is one of de, ny, sg, xx.',
      'Region cannot be big-aple. Did you mean ny?',
    ])
  })

  it('are named where one is meant, or all where they are few', () => {
    const region = choice({ label: 'Type', choices: ['CNAME', 'AAAA'].map((value) => ({ value, label: value })) })
    expect(read(region, 'CNAM')).toBe('Type cannot be CNAM. Did you mean CNAME?')
    expect(read(region, 'zzzzzz')).toBe('Type cannot be zzzzzz. It is one of CNAME, AAAA.')
    const many = Array.from({ length: 17 }, (_, index) => ({ value: `value${index}`, label: `${index}` }))
    expect(read(choice({ label: 'Type', choices: many }), 'zzzzzz')).toMatch(/value15 and others; see the help\.$/)
    expect(read(choice({ label: 'Type', choices: many.slice(1) }), 'zzzzzz')).toMatch(/, value16\.$/)
  })
})

describe('a field made from another', () => {
  it('is needed, and otherwise the same', () => {
    const name = text({ label: 'Name', hint: 'Any', word: 'name' })
    expect(required(name)).toEqual({ ...name, required: true })
  })

  it('has its further rule asked only of what could be read', () => {
    const asked: number[] = []
    const even = checked(integer({ label: 'Count', min: 0, max: 9 }), (value) => {
      asked.push(value)
      return value % 2 === 0 ? undefined : 'Count must be even.'
    })
    expect([read(even, '4'), read(even, '5'), read(even, 'x')]).toEqual([
      4,
      'Count must be even.',
      'Count must be a whole number from 0 to 9.',
    ])
    expect(asked).toEqual([4, 5])
  })
})

describe('raw values', () => {
  it('are one string or several, however they came', () => {
    expect([one('a,b'), one(['a', 'b']), one([])]).toEqual(['a,b', 'a', ''])
    expect([many(' a, ,b,'), many(['a,b', ' ', 'c'])]).toEqual([
      ['a', 'b'],
      ['a,b', 'c'],
    ])
  })
})

describe('words told apart by their looks', () => {
  const fits = byLooks({
    zone: (typed) => typed === 'shop',
    for: isLength,
    at: isClock,
    since: isTime,
    rest: isAnything,
  })
  it.each([
    [{}, ['zone']],
    [{ zone: 'shop' }, ['zone', 'for', 'at', 'since', 'rest']],
    [{ zone: '2h' }, ['for', 'at', 'since', 'rest']],
    [{ for: '1.5h30min', at: '9:05', since: '2026-11-20T10:00' }, ['zone', 'for', 'at', 'since', 'rest']],
    [{ for: '2x', at: '9:5', since: 'then', rest: ['x'] }, ['zone', 'rest']],
    [{ for: '3d 2h', at: '123:00', since: '2W' }, ['zone', 'since', 'rest']],
    [{ for: '7DW', at: '12:00h', since: '12:00' }, ['zone', 'since', 'rest']],
  ])('of %j can be %j', (values, names) => {
    expect(fits(values)).toEqual(names)
  })
})

test.each([
  ['hepl', ['help', 'heap'], 'help'],
  ['b', ['a'], undefined],
  ['abdc', ['wxyz', 'ABCD', 'abcde'], 'ABCD'],
  ['logx', ['logs', 'log'], 'logs'],
  ['exampleone', ['examplxxxne', 'examplxxxx'], 'examplxxxne'],
  ['premuim', ['Free', 'Premium'], 'Premium'],
  ['MIS', ['HIT', 'MISS'], 'MISS'],
  ['foo', ['log'], undefined],
  ['loog', ['log', 'logs'], 'log'],
  ['descripton', ['titles', 'descriptions'], 'descriptions'],
  ['anything', [], undefined],
])('%s among %j means %s', (typed, words, meant) => {
  expect(nearestWord(typed, words)).toBe(meant)
})

test('slips are counted, and words sorted by them', () => {
  const slips = [
    ['Helo ', 'help'],
    ['ehlp', 'help'],
    ['xxxx', 'help'],
    ['x'.repeat(61), 'x'.repeat(60)],
  ]
  expect(slips.map(([typed = '', word = '']) => countSlips(typed, word))).toEqual([1, 1, undefined, undefined])
  expect(sortByNearness(' SHOP ', ['blog', 'shops', 'Ship', 'shop'])).toEqual(['shop', 'shops', 'Ship', 'blog'])
})
