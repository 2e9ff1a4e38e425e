import { expect, it } from 'vitest'
import { IncidentDelivery } from '../../src/alerts/delivery/incident-delivery.ts'
import { Dispatcher } from '../../src/delivery/dispatcher.ts'
import { TrafficWatch } from '../../src/alerts/watch/traffic-watch.ts'
import { silentLog } from '../store/harness.ts'
import { NoticeBoard } from '../support/notice-board.ts'
import { alertBench } from './alert-bench.ts'
import { LateLog } from './lived-zone.ts'
import { DAY, type Happening, NOON, trafficOf } from './traffic-of-days.ts'

const MINUTE_MS = 60_000
const TURN_MS = 5_000
const CHANNEL = 'C0TEAM'
const DOWN_MINUTES = 120
/** What a dispatcher that asks again every minute, and sooner at first, comes to in one channel. */
const MAX_CALLS_WHILE_DOWN = DOWN_MINUTES + 10

/** From one minute after noon to another. */
interface Trouble extends Happening {
  readonly from: number
  readonly until: number
}
const TROUBLES: ReadonlyMap<bigint, Trouble> = new Map([
  [301n, { from: 20, until: 50, c5xx: 0.3 }],
  [302n, { from: 30, until: 60, hit: 0.2 }],
  [303n, { from: 70, until: 200, bypass: 0.6 }],
])

it('Slack is down for two hours, in which three things go wrong: each is told in one message, as it stands by then', async () => {
  await using bench = await alertBench(new Date(NOON * MINUTE_MS).toISOString())
  const { clock, store } = bench
  const board = new NoticeBoard()
  let calls = 0
  board.before = () => (calls += 1)
  const watches = await Promise.all(
    [...TROUBLES].map(async ([zoneId, { from, until, ...happening }]) => {
      const subject = `pull/${zoneId}`
      const minutes = trafficOf({ lines: 60 }, NOON - 2 * DAY, NOON + 300, (minute) =>
        minute >= NOON + from && minute < NOON + until ? happening : {},
      )
      await store.minutes.put(
        String(zoneId),
        minutes.filter(({ minute }) => minute < NOON - 3),
      )
      await bench.watch(subject, 'origin-failing', 'cache-not-working')
      const { cdn } = new LateLog(clock, minutes)
      const parts = { cdn, store, clock, log: silentLog, webhook: false }
      return { watch: new TrafficWatch(parts, subject, zoneId), nextMs: 0 }
    }),
  )
  const words = {
    zoneName: (subject: string) => `zone-${subject.slice(5)}`,
    panel: () => undefined,
    runbook: () => undefined,
    command: '/cdn',
  }
  const options = { store, notifier: board, clock, log: silentLog }
  const incidents = new IncidentDelivery({ ...options, opsChannel: undefined, words: async () => words })
  const dispatcher = new Dispatcher({ ...options, outbox: store.outbox, incidents })
  const { signal } = new AbortController()
  const pass = async (minutes: number): Promise<void> => {
    const endMs = clock.now().getTime() + minutes * MINUTE_MS
    while (clock.now().getTime() < endMs) {
      clock.turn(TURN_MS)
      for (const each of watches) if (each.nextMs <= clock.now().getTime()) each.nextMs = await each.watch.look(signal)
      await dispatcher.deliverDue()
    }
  }
  await pass(5)
  board.refusing.set(CHANNEL, 'for a while')
  await pass(DOWN_MINUTES)
  expect(board.posted).toEqual([])
  expect(calls).toBeGreaterThan(0)
  expect(calls).toBeLessThanOrEqual(MAX_CALLS_WHILE_DOWN)

  board.refusing.clear()
  calls = 0
  await pass(5)
  const stands = (zone: string): string => board.in(CHANNEL).find((text) => text.includes(zone)) ?? ''
  expect(board.posted.map(({ thread }) => thread)).toEqual([undefined, undefined, undefined])
  expect(stands('zone-301')).toContain('✅')
  expect(stands('zone-302')).toContain('✅')
  expect(stands('zone-303')).toContain('the cache')
  expect(stands('zone-303')).not.toContain('✅')
  // One for each incident, and an edit of what is still going on.
  expect(calls).toBeLessThanOrEqual(5)

  await pass(130)
  expect(stands('zone-303')).toContain('✅')
  expect(board.posted.filter(({ thread }) => thread === undefined)).toHaveLength(3)
})
