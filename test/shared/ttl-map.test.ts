import { expect, test } from 'vitest'
import { TtlMap } from '../../src/shared/ttl-map.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const BOUNDS = { lifeMs: 1_000, most: 3 }

test('an entry ends after its time, which begins anew when it is set again', () => {
  const clock = new TurnedClock()
  const map = new TtlMap<number>(clock, BOUNDS)
  map.set('a', 1)
  map.set('b', 2)
  clock.turn(999)
  map.set('b', 3)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, 3, undefined])
  clock.turn(1)
  expect([map.get('a'), map.get('b')]).toEqual([undefined, 3])
  map.delete('b')
  expect(map.get('b')).toBeUndefined()
})

test('of more entries than there may be, the oldest are let go', () => {
  const map = new TtlMap<number>(new TurnedClock(), BOUNDS)
  for (const key of ['a', 'b', 'c', 'a', 'd']) map.set(key, 1)
  expect(['a', 'b', 'c', 'd'].filter((key) => map.get(key) !== undefined)).toEqual(['a', 'c', 'd'])
})

test('what is added is there once while its time lasts', () => {
  const clock = new TurnedClock()
  const map = new TtlMap<boolean>(clock, BOUNDS)
  expect([map.add('a', true), map.add('a', false), map.get('a')]).toEqual([true, false, true])
  clock.turn(1_000)
  expect([map.add('a', false), map.get('a')]).toEqual([true, false])
})
