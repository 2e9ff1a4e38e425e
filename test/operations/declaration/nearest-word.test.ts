import { expect, test } from 'vitest'
import { nearestWord } from '../../../src/operations/declaration/nearest-word.ts'

test.each([
  ['premuim', ['Free', 'Premium'], 'Premium'],
  ['MIS', ['HIT', 'MISS'], 'MISS'],
  ['foo', ['log'], undefined],
  ['loog', ['log', 'logs'], 'log'],
  ['descripton', ['titles', 'descriptions'], 'descriptions'],
  ['anything', [], undefined],
])('%s among %j means %s', (typed, words, meant) => {
  expect(nearestWord(typed, words)).toBe(meant)
})
