import { expect, test } from 'vitest'
import { goalMarkdown, goalTable } from './goal-table.ts'
import { type Goal, judge } from './goal.ts'

const ratio: Goal = {
  work: 'a command',
  reference: 'the same | by hand',
  ours: 'ours',
  theirs: 'theirs',
  unit: 'time',
  comparison: 'ratio',
  atMost: { full: 1.25, quick: 2 },
}
const rounds = [
  { ours: 1.2, theirs: 1 },
  { ours: 9, theirs: 1 },
  { ours: 2.4, theirs: 2 },
]

test('a ratio is taken in each round, and the middle one counts', () => {
  const result = judge('commands', ratio, rounds, 'full')
  expect(result.values).toEqual([1.2, 9, 1.2])
  expect(result).toMatchObject({ value: 1.2, ours: 2.4, theirs: 1, isMet: true })
})

test('the middle of an even number of rounds lies between two of them', () => {
  expect(judge('commands', ratio, rounds.slice(0, 2), 'full')).toMatchObject({ value: 5.1, isMet: false })
  expect(judge('commands', ratio, rounds.slice(0, 2), 'quick').isMet).toBe(false)
})

test('of figures that are gathered the last ones count', () => {
  const result = judge('commands', { ...ratio, isGathered: true }, [...rounds, { ours: 4, theirs: 2.5 }], 'full')
  expect(result).toMatchObject({ value: 1.6, ours: 4, theirs: 2.5, isMet: false })
})

test('at the small scale the wider limit counts', () => {
  const slow = [{ ours: 1.5, theirs: 1 }]
  expect(judge('commands', ratio, slow, 'full').isMet).toBe(false)
  expect(judge('commands', ratio, slow, 'quick').isMet).toBe(true)
})

test.each([
  ['ours', { atMost: { full: 5, quick: 5 } }, 6, false],
  ['ours', { atLeast: { full: 5, quick: 5 } }, 6, true],
  ['times faster', { atLeast: { full: 2, quick: 2 } }, 6, false],
  ['times faster', { atLeast: { full: 2, quick: 2 } }, 1.5, true],
  ['difference', { atMost: { full: 2, quick: 2 } }, 6, false],
  ['difference', { atMost: { full: 2, quick: 2 } }, 5, true],
] as const)('%s within %o: %d beside 3 is met %s', (comparison, limit, ours, isMet) => {
  const goal: Goal = { work: 'w', ours: 'a', theirs: 'b', unit: 'count', comparison, ...limit }
  expect(judge('x', goal, [{ a: ours, b: 3 }], 'full').isMet).toBe(isMet)
})

test.each([
  [1.9, 1, true],
  [2.9, 1, true],
  [3.1, 1, false],
  [9, 5, true],
] as const)('a ratio of 2 or 3 ms at most: %d beside %d is met %s', (a, b, isMet) => {
  const either = { atMost: { full: 2, quick: 2 }, orOursAtMost: { full: 3, quick: 3 } }
  const result = judge('x', { ...ratio, ours: 'a', theirs: 'b', ...either }, [{ a, b }], 'full')
  expect(result.isMet).toBe(isMet)
  expect(goalMarkdown([result])).toContain('| ≤ 2.00× or ≤ 3.0 ms |')
})

test('a figure that is not a number meets no goal', () => {
  expect(judge('commands', ratio, [{ ours: 0, theirs: 0 }], 'full').isMet).toBe(false)
})

test('a round without the figure is a mistake of the bench', () => {
  expect(() => judge('commands', ratio, [{ ours: 1 }], 'full')).toThrow('A round measured no “theirs”, only ours')
})

test('the table says the figures, the spread, the goal and whether it is met', () => {
  const table = goalTable([judge('commands', ratio, rounds, 'full')])
  expect(table.split('\n').map((line) => line.trimEnd().replaceAll(/ {2,}/g, ' / '))).toEqual([
    'Work / Measured against / Ours / Theirs / Result / Least to most / Goal',
    'a command / the same | by hand / 2.4 ms / 1.0 ms / 1.20× / 1.20× to 9.00× / ≤ 1.25× / met',
    '',
  ])
})

test('the table for the page keeps a bar in a cell from making a column', () => {
  expect(
    goalMarkdown([judge('commands', ratio, rounds, 'full')])
      .split('\n')
      .at(-1),
  ).toBe('| a command | the same \\| by hand | 2.4 ms | 1.0 ms | 1.20× | 1.20× to 9.00× | ≤ 1.25× | met |')
})
