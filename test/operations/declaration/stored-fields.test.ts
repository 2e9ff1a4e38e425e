import { expect, test } from 'vitest'
import { messageProblems } from '../../support/slack-rules.ts'
import { md } from '../../../src/block-kit/mrkdwn.ts'
import { MONITOR_TYPES } from '../../../src/cdn/contract/enums.ts'
import {
  isSame,
  named,
  said,
  storedAnswer,
  storedFieldsMessage,
  thingWords,
} from '../../../src/operations/declaration/stored-fields.ts'
import { Secret } from '../../../src/shared/secret.ts'

test.each([
  [undefined, 'none'],
  [null, 'none'],
  ['', 'empty'],
  [[], 'none'],
  [0, '0'],
  [0n, '0'],
  [9_007_199_254_740_993n, '9007199254740993'],
  [0.25, '0.25'],
  [true, 'on'],
  [false, 'off'],
  ['text', 'text'],
  ['hidden\u202Eorder', 'hidden\\u{202E}order'],
  [['a', 'b'], 'a, b'],
  [new Date('2026-11-20T12:00:00Z'), '2026-11-20 12:00 UTC'],
  [new Secret('canary-key-0123456789abcdef'), 'given, not shown'],
  [{}, 'unreadable'],
])('%o is said as %s', (value, words) => {
  expect(said(value)).toBe(words)
})

test('long text and long lists are cut, and say so', () => {
  expect(said('x'.repeat(300))).toBe(`${'x'.repeat(199)}…`)
  expect(said('x'.repeat(300), 300)).toBe('x'.repeat(300))
  expect(said(Array.from({ length: 25 }, (_, index) => String(index)))).toMatch(/ 19 and 5 more$/)
})

test('a number of a list is said by name, and an unknown one as it is', () => {
  const words = named(MONITOR_TYPES)
  expect(words(2)).toBe('Http')
  expect(words(42)).toBe('42')
  expect(words('2')).toBe('2')
})

test('fields come in the order of the schema, and no field outside it is shown', () => {
  const shape = { One: 0, Two: 0, Three: 0, Four: 0 }
  const inside = { shape: { Inner: 0, Other: 0 } }
  const stored = { Surprise: 'secret', Two: { Inner: 1, More: 2 }, One: 'x', Four: { Inner: 2 } }
  expect(thingWords({ shape }, { Two: inside, Three: inside }, {}).all(stored)).toEqual([
    ['One', 'x'],
    ['Two.Inner', '1'],
    ['Two.Other', 'none'],
    ['Three', 'none'],
    ['Four', 'unreadable'],
  ])
})

test('a table has as many fields as find room in it, and says how many more there are', () => {
  expect(messageProblems(storedFieldsMessage('Nothing', []))).toEqual([])
  const fields = Array.from({ length: 120 }, (_, index) => [`Field${index}`, 'x'] as const)
  const { text, blocks } = storedFieldsMessage('Many', fields, 'Note. ')
  expect(messageProblems(storedFieldsMessage('Many', fields))).toEqual([])
  expect(text.split('\n').slice(0, 2)).toEqual(['Many', 'Field0: x'])
  const said = JSON.stringify(blocks)
  expect(said).toContain(`"${120 - (said.match(/"Field\d/g)?.length ?? 0)} fields found no room in the table."`)
  expect(said).toMatch(/"Note\. Fields bear the names of the CDN’s interface; /)
  expect(JSON.stringify(storedFieldsMessage('Few', fields.slice(0, 3)).blocks)).not.toContain('no room')
})

test('things of a kind are said in words, with what was stored otherwise than asked', () => {
  const shape = { One: 0, Two: 0, Kind: 0, Tags: 0 }
  const thing = thingWords({ shape }, { Two: { shape: { In: 0 } } }, { Kind: named(MONITOR_TYPES) })
  const label = (field: string) => field.toLowerCase()
  expect(thing.request({ One: 'x'.repeat(300), Kind: 2 }, label, 300)).toEqual([
    ['one', 'x'.repeat(300)],
    ['kind', 'Http'],
  ])
  expect(thing.all({ One: 'a', Two: { In: 1 }, Kind: 2, More: 1 })).toEqual([
    ['One', 'a'],
    ['Two.In', '1'],
    ['Kind', 'Http'],
    ['Tags', 'none'],
  ])
  const spread = (field: string, value: unknown) => (field === 'Tags' ? String(value).split(',') : value)
  const asked = { One: 'a', Kind: 1, Tags: 'a,b', Note: 'n', Gone: 'g' }
  const stored = { One: 'a', Kind: 2, Tags: 'b,a', Comment: 'c', Empty: '' }
  expect(thing.differences(asked, stored, label, { Note: 'Comment', Gone: 'Empty' }, spread)).toEqual([
    { field: 'kind', asked: 'Ping', stored: 'Http' },
    { field: 'note', asked: 'n', stored: 'c' },
  ])
  expect(thing.differences({ One: 'a', Two: false }, { Two: null }, label)).toEqual([
    { field: 'one', asked: 'a', stored: undefined },
    { field: 'two', asked: 'off', stored: 'none' },
  ])
})

test.each([
  ['', undefined, true],
  [[], undefined, true],
  [12n, '12', true],
  [['a', 'b'], ['b', 'a'], true],
  [['a'], ['a', 'b'], false],
  [['a', 'bc'], ['ab', 'c'], false],
  [true, false, false],
  [false, undefined, false],
  [0, undefined, false],
  ['x'.repeat(300), `${'x'.repeat(300)}y`, false],
])('asked %o, stored %o: the same is %s', (asked, stored, same) => {
  expect(isSame(asked, stored)).toBe(same)
})

test('a difference that is cut away in words is still told', () => {
  const allFields = storedFieldsMessage('All', [])
  const common = { actorId: 'U0OLGA', did: md`added it`, allFields }
  const differences = [
    { field: 'A', asked: 'x…', stored: 'x…' },
    { field: 'B', asked: '1', stored: '2' },
    { field: 'C', asked: '1', stored: undefined },
  ]
  expect(storedAnswer({ ...common, differences }).message.text.split('\n')).toEqual([
    'Done: added it',
    'Stored differently from what was asked:',
    '- A: stored otherwise than asked, in a part of x… that is not shown',
    '- B: asked 1, stored 2',
    '- C: asked 1; the answer does not say what was stored',
  ])
  expect(storedAnswer({ ...common, differences: [] }).message.text).toBe('Done: added it')
})
