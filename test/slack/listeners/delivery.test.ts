import { expect, test } from 'vitest'
import { SeenDeliveries } from '../../../src/slack/listeners/delivery.ts'
import { createResponseUrls } from '../../../src/slack/listeners/show-result.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

const MINUTE_MS = 60_000

test('a delivery that changes nothing is new once, for ten minutes, and each time when it has no id', () => {
  const clock = new TurnedClock()
  const seen = new SeenDeliveries(clock)
  const ids = ['a', 'a', 'b', undefined, undefined]
  expect(ids.map((id) => seen.isNew(id))).toEqual([true, false, true, true, true])
  clock.turn(10 * MINUTE_MS - 1)
  expect(seen.isNew('a')).toBe(false)
  clock.turn(1)
  expect(seen.isNew('a')).toBe(true)
})

test('a response address is found by its change until shortly before Slack forgets it', () => {
  const clock = new TurnedClock()
  const urls = createResponseUrls(clock)
  urls.set('c1', 'https://slack.test/1')
  clock.turn(29 * MINUTE_MS - 1)
  expect(urls.get('c1')).toBe('https://slack.test/1')
  clock.turn(1)
  expect(urls.get('c1')).toBeUndefined()
})
