import { expect, test } from 'vitest'
import { seenDeliveries, type SeenDeliveries } from '../../../src/slack/gateway/seen-deliveries.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

const MINUTE_MS = 60_000

/** Whether each of these is new, one after the other. */
async function areNew(seen: SeenDeliveries, ids: readonly (string | undefined)[]): Promise<readonly boolean[]> {
  const answers: boolean[] = []
  for (const id of ids) answers.push(await seen.isNew(id))
  return answers
}

test('a delivery is new once, for eleven minutes, and each time when it has no id', async () => {
  const clock = new TurnedClock()
  const seen = seenDeliveries(clock, 'seen')
  expect(await areNew(seen, ['a', 'a', 'b', undefined, undefined])).toEqual([true, false, true, true, true])
  clock.turn(11 * MINUTE_MS - 1)
  expect(await seen.isNew('a')).toBe(false)
  clock.turn(1)
  expect(await seen.isNew('a')).toBe(true)
})

test('with a store, what came to another process is not new; keys of another kind are their own', async () => {
  const keys = new Set<string>()
  const store = { isFirst: async (key: string) => !keys.has(key) && keys.add(key).size > 0 }
  const [one, other] = [1, 2].map(() => seenDeliveries(new TurnedClock(), 'seen', store))
  expect(await one?.isNew('a')).toBe(true)
  expect(other && (await areNew(other, ['a', 'b']))).toEqual([false, true])
  expect(await seenDeliveries(new TurnedClock(), 'request', store).isNew('a')).toBe(true)
  expect([...keys]).toEqual(['seen:a', 'seen:b', 'request:a'])
})
