import { describe, expect, it } from 'vitest'
import type { Clock } from '../../../src/shared/clock.ts'
import { sleepOn, TurnedClock } from '../../support/turned-clock.ts'
import { Secret } from '../../../src/shared/secret.ts'
import { Links } from '../../../src/slack/gateway/links.ts'
import type { Fetch } from '../../../src/slack/out/web-api.ts'
import { recordingLog } from '../../support/recording-log.ts'

const BACK_WITHIN_MS = 60_000

/** A Slack that refuses connections until a time, and notes when it is asked. */
async function askedAfter(outageMs: number): Promise<{ readonly lateMs: number; readonly tries: number }> {
  const clock: Clock & { turn(ms: number): void } = new TurnedClock()
  const startMs = clock.monotonicMs()
  const back = Promise.withResolvers<number>()
  let tries = 0
  const fetch: Fetch = async () => {
    tries += 1
    const elapsedMs = clock.monotonicMs() - startMs
    if (elapsedMs >= outageMs) back.resolve(elapsedMs - outageMs)
    throw new TypeError('fetch failed')
  }
  const hasty: Clock = {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    newId: () => clock.newId(),
    after: (ms, work) => clock.after(ms, work),
    sleep: async (ms, signal) => {
      const asleep = sleepOn(clock, ms, signal)
      // Both links wait about equally long, so whoever waits lets time pass.
      clock.turn(ms)
      await asleep
    },
  }
  const links = new Links({
    appToken: new Secret('xapp-1'),
    apiUrl: new URL('http://127.0.0.1:9/api/'),
    fetch,
    clock: hasty,
    log: recordingLog().log,
    onLinks: () => undefined,
    onRefused: () => undefined,
  })
  void links.start()
  const lateMs = await back.promise
  await links.stop()
  return { lateMs, tries }
}

describe('an outage of Slack', () => {
  it.each([
    ['ten minutes', 600_000],
    ['two hours', 7_200_000],
    ['a day', 86_400_000],
  ])('of %s is over for the bot within a minute of its end', async (_name, outageMs) => {
    const { lateMs, tries } = await askedAfter(outageMs)
    expect(lateMs).toBeLessThan(BACK_WITHIN_MS)
    expect(tries).toBeGreaterThan(outageMs / BACK_WITHIN_MS)
  })
})
