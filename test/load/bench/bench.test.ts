import { expect, test } from 'vitest'
import { judge, type Round, type Row, tableOf } from './bench.ts'

const ratio: Row = { work: 'a command', reference: 'grep | wc', unit: 'time', atMost: 1.25, quick: 2 }
const judged = (row: Row, rounds: readonly Round[], quick = false) => judge({ command: row }, rounds, quick)
const met = (...args: Parameters<typeof judged>) => judged(...args).map(({ isMet }) => isMet)
const ROUNDS: readonly Round[] = [{ command: [1.2, 1] }, { command: [9, 1] }, { command: [2.4, 2] }]

test('a ratio is taken in each round, and the middle one counts', () => {
  expect(judged(ratio, ROUNDS)).toMatchObject([{ median: 1.2, least: 1.2, most: 9, ours: 2.4, theirs: 1, isMet: true }])
  expect(met(ratio, [{ command: [1.5, 1] }])).toEqual([false])
  expect(met(ratio, [{ command: [1.5, 1] }], true)).toEqual([true])
})

test('what was not measured, or is less than the least, meets no limit', () => {
  const used: Row = { work: 'used', unit: 'share', atLeast: 0.99 }
  for (const share of [0.99, 0.98]) expect(met(used, [{ command: share }])).toEqual([share === 0.99])
  for (const rounds of [[{ command: [0, 0] }], [{ other: 1 }], []] as const) expect(met(ratio, rounds)).toEqual([false])
})

test('the table says figures, spread, limit and whether it is met', () => {
  const line = '| a command | grep \\| wc | 2.4 ms | 1.0 ms | 1.20× | 1.20× to 9.00× | ≤ 1.25× | met |'
  expect(tableOf(judged(ratio, ROUNDS)).split('\n')[2]).toBe(line)
})
