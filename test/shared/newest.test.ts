import { expect, test } from 'vitest'
import { keepNewest } from '../../src/shared/newest.ts'

test('of a map the oldest entries go until it holds as many as it may', () => {
  const map = new Map(['a', 'b', 'c', 'd'].map((key) => [key, 1]))
  keepNewest(map, 4)
  expect([...map.keys()]).toEqual(['a', 'b', 'c', 'd'])
  keepNewest(map, 2)
  expect([...map.keys()]).toEqual(['c', 'd'])
})
