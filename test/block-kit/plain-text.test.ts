import { expect, test } from 'vitest'
import { beginning, cut, cutMiddle, listFew, oneLine, plainText } from '../../src/block-kit/plain-text.ts'

test.each<readonly [(text: string, limit: number) => string, text: string, limit: number, shown: string]>([
  [cut, 'abcd', 4, 'abcd'],
  [cut, 'abcde', 4, 'abc…'],
  [cut, '😀😀😀', 4, '😀…'],
  [cutMiddle, '😀bcde', 5, '😀bcde'],
  [cutMiddle, '😀bcdef', 5, '😀b…ef'],
  [cutMiddle, '😀bcdef', 4, '😀b…f'],
  [beginning, 'abc', 3, 'abc'],
  [beginning, 'a😀b', 2, 'a'],
  [beginning, 'a😀b', 3, 'a😀'],
  [beginning, 'abc', -1, ''],
  [oneLine, ' a \n\t b\u202E ', 20, 'a b\\u{202E}'],
  [oneLine, ' \n', 20, '–'],
  [oneLine, 'abcde', 4, 'abc…'],
  [oneLine, '😀😀😀', 4, '😀…'],
])('%o of %j with %d at most is %j', (shorten, text, limit, shown) => {
  expect(shorten(text, limit)).toBe(shown)
})

test.each([
  [['a', 'b'], 2, 'a, b'],
  [['a', 'b', 'c'], 2, 'a, b and 1 more'],
  [['a', 'b', 'c', 'd'], 2, 'a, b and 2 more'],
])('of the list %j at most %d are said: %s', (words, most, said) => {
  expect(listFew(words, most)).toBe(said)
})

test('plain text draws no pictures', () => {
  expect(plainText(':x:')).toEqual({ type: 'plain_text', text: ':x:', emoji: false })
})
