import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSlackBench, type SlackBench } from '../support/slack-bench.ts'

const MINUTE_MS = 60_000

let bench: SlackBench
beforeEach(async () => {
  bench = await createSlackBench()
})
afterEach(async () => bench.close())

test('a delivery that changes nothing is new once, for ten minutes, and each time when it has no id', () => {
  const { reception, clock } = bench
  expect(['a', 'a', 'b', undefined, undefined].map((id) => reception.isNew(id))).toEqual([
    true,
    false,
    true,
    true,
    true,
  ])
  clock.turn(10 * MINUTE_MS - 1)
  expect(reception.isNew('a')).toBe(false)
  clock.turn(1)
  expect(reception.isNew('a')).toBe(true)
})

test('a response address is found by its change until shortly before Slack forgets it', () => {
  const { reception, clock } = bench
  reception.remember('c1', { userId: 'U1', channelId: 'C1', triggerId: undefined, responseUrl: 'https://slack.test/1' })
  clock.turn(29 * MINUTE_MS - 1)
  expect(reception.responseUrls.get('c1')).toBe('https://slack.test/1')
  clock.turn(1)
  expect(reception.responseUrls.get('c1')).toBeUndefined()
})
