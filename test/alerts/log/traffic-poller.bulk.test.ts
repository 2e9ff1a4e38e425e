import { describe, expect, it } from 'vitest'
import { countLines } from '../../../src/alerts/series/minute-series.ts'
import { type Polled, TrafficPoller } from '../../../src/alerts/log/traffic-poller.ts'
import { startRecord, findReadyMinute, type ZoneRecord } from '../../../src/alerts/log/zone-record.ts'
import type { Cdn, LogResult } from '../../../src/cdn/contract/cdn.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { ScriptedLog } from '../scripted-log.ts'

const MINUTE_MS = 60_000
const { signal } = new AbortController()
const unreachable = new CdnError('queryLogs', { kind: 'unreachable', reason: 'network', sent: 'maybe' })

/** A poller that goes on from what it brought, minute by minute. */
function poller(perMinute: (minute: number) => number = () => 60, answer: Partial<LogResult> = {}) {
  const clock = new TurnedClock()
  const log = new ScriptedLog(clock)
  log.perMinute = perMinute
  const queryLogs: Cdn['queryLogs'] = async (...call) => ({ ...(await log.cdn.queryLogs(...call)), ...answer })
  const traffic = new TrafficPoller({ cdn: { queryLogs }, clock, pullZoneId: 301n })
  let record: ZoneRecord = startRecord(clock.now().getTime())
  const poll = async (): Promise<Polled> => {
    const polled = await traffic.poll(record, signal)
    const { readUntil, perMinute, lag } = polled
    record = { ...record, readUntil, perMinute, lag }
    return polled
  }
  const minutes = async (amount: number): Promise<void> => {
    for (let minute = 0; minute < amount; minute += 1) {
      await poll()
      clock.turn(MINUTE_MS)
    }
  }
  return {
    clock,
    log,
    traffic,
    poll,
    minutes,
    ready: () => findReadyMinute(clock.now().getTime(), record.lag.lagMs),
    set: (more: Partial<ZoneRecord>) => void (record = { ...record, ...more }),
  }
}

describe('a quiet zone', () => {
  it('is read with one page a minute, and its last minutes with it each time', async () => {
    const { log, minutes, poll, ready } = poller(() => 40)
    await minutes(5)
    const before = log.pages
    const { minutes: read, readUntil } = await poll()
    expect(log.pages - before).toBe(1)
    expect(log.asked.at(-1)?.pullZoneId).toBe(301n)
    expect(readUntil).toBe(ready())
    expect(read.map(({ minute }) => minute - ready())).toEqual([-13, -12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1])
    expect(read.every((counts) => countLines(counts) === 40 && counts.coveredMs === MINUTE_MS)).toBe(true)
  })

  it('is expected to have as many lines as it had, and ever fewer when less comes', async () => {
    const { poll, clock } = poller((minute) => (minute < calm ? 60 : 10))
    const calm = clock.now().getTime() / MINUTE_MS + 2
    const expected: number[] = []
    for (let minute = 0; minute < 11; minute += 1) {
      expected.push(Math.round((await poll()).perMinute ?? 0))
      clock.turn(MINUTE_MS)
    }
    // It is the most that one of the last five minutes had.
    expect(expected).toEqual([60, 60, 60, 60, 60, 60, 60, 48, 38, 31, 25])
  })

  it('gives no minute whose lines cannot be relied on yet', async () => {
    const { clock, log, poll, ready } = poller()
    log.lateMs = () => 90_000
    clock.turn(59_000)
    const { minutes: read } = await poll()
    expect(read.at(-1)?.minute).toBe(ready() - 1)
    expect(countLines(read.at(-1)!)).toBe(60)
  })

  it('counts late lines when its minutes are read again', async () => {
    const { log, poll, clock } = poller(() => 10)
    log.lateMs = (place) => (place < 0.5 ? 0 : 300_000)
    const first = (await poll()).minutes.at(-1)
    expect(first).toMatchObject({ hit: 5, coveredMs: MINUTE_MS })
    clock.turn(5 * MINUTE_MS)
    const again = (await poll()).minutes.find(({ minute }) => minute === first?.minute)
    expect(again).toMatchObject({ hit: 10, coveredMs: MINUTE_MS })
  })

  it('is not read again for late lines once the time of a poll is used up', async () => {
    const { log, minutes, poll, clock } = poller(() => 1_500)
    await minutes(10)
    const reads = async () => {
      const before = log.asked.length
      await poll()
      return log.asked.length - before
    }
    const inTime = await reads()
    clock.turn(MINUTE_MS)
    log.during = () => clock.turn(46_000)
    expect([inTime, await reads()]).toEqual([3, 1])
  })

  it('becomes a busy one from one minute to the next without a gap', async () => {
    const { minutes, poll, log, ready, clock } = poller((minute) => (minute < surge ? 60 : 9_000))
    const surge = clock.now().getTime() / MINUTE_MS + 2
    await minutes(5)
    const { minutes: read, readUntil } = await poll()
    expect(readUntil).toBe(ready())
    expect(read.at(-1)).toMatchObject({ minute: ready() - 1, hit: 9_000, coveredMs: MINUTE_MS })
    expect(log.pages).toBeLessThan(30)
  })
})

describe('a zone of which nothing is known', () => {
  it.each([
    [60, 1, MINUTE_MS],
    [300, 2, MINUTE_MS],
    [6_000, 8, MINUTE_MS],
    [90_000, 24, 22_000],
    [1e6, 24, 1_100],
  ])('with %i lines a minute is read at once, with %i pages for %i ms', async (rate, pages, coveredMs) => {
    const { log, poll, ready } = poller(() => rate)
    const { minutes, readUntil, perMinute = 0 } = await poll()
    expect([log.pages, minutes.at(-1)?.coveredMs, readUntil - ready()]).toEqual([pages, coveredMs, 0])
    expect(perMinute / rate).toBeCloseTo(1, 3)
  })

  it.each([
    [2_000, 'new minute', [60, 60, 30]],
    [250, 'parts of it', [15, 15, 15, 15, 1]],
    // One read changes what lines count for by a factor of eight at most.
    [20, 'samples of it', [...Array.from({ length: 23 }, () => 0.2), 0.1]],
  ])('whose pages take %i lines has the %s read with the next poll', async (pageRows, _what, seconds) => {
    const { log, poll, clock } = poller(() => (pageRows === 2_000 ? 2_000 : 4_000), { pageRows })
    await poll()
    const before = log.asked.length
    clock.turn(MINUTE_MS)
    await poll()
    expect(log.asked.slice(before).map(({ fromMs, untilMs }) => (untilMs - fromMs) / 1_000)).toEqual(seconds)
  })
})

describe('a busy zone', () => {
  it('has every line of each minute counted, within the pages of a minute', async () => {
    const { log, minutes, poll, ready, clock } = poller(() => 20_000)
    await minutes(3)
    const before = log.pages
    const { minutes: read } = await poll()
    expect(read.find(({ minute }) => minute === ready() - 1)).toMatchObject({ hit: 20_000, coveredMs: MINUTE_MS })
    expect(log.pages - before).toBeLessThanOrEqual(24)
    expect(clock.timers).toBe(0)
  })

  it('has its minutes read again five minutes later', async () => {
    const { log, minutes, poll, ready } = poller(() => 5_000)
    log.lateMs = (place) => (place >= 0.1 ? 0 : 200_000)
    await minutes(8)
    const { minutes: read } = await poll()
    expect(read.map(({ minute, hit }) => [minute - ready(), hit])).toEqual([
      [-6, 5_000],
      [-1, 4_500],
    ])
  })

  it('says how much of a minute was read when it is too busy, and reads that whole', async () => {
    const { log, minutes, poll } = poller(() => 120_000)
    await minutes(3)
    const before = log.pages
    const [counts] = (await poll()).minutes
    expect(log.pages - before).toBeLessThanOrEqual(24)
    expect(counts?.coveredMs).toBeGreaterThan(10_000)
    // Two lines a millisecond, give or take one where a window begins or ends between them.
    expect(Math.abs(countLines(counts!) - (counts?.coveredMs ?? 0) * 2)).toBeLessThan(24)
  })

  it('catches up with all minutes that wait, by samples of each', async () => {
    const { clock, minutes, poll, ready, log } = poller(() => 60_000)
    await minutes(3)
    clock.turn(40 * MINUTE_MS)
    const before = log.pages
    const { minutes: read, readUntil } = await poll()
    expect(readUntil).toBe(ready())
    expect(read).toHaveLength(41)
    expect(read.every(({ coveredMs }) => coveredMs >= 1_000)).toBe(true)
    expect(log.pages - before).toBeLessThanOrEqual(44)
  })
})

describe('the lag', () => {
  it.each([40, 3_000])('is learnt of a zone with %i lines a minute', async (rate) => {
    const { log, minutes, poll } = poller(() => rate)
    log.lateMs = () => 15_000
    await minutes(60)
    expect((await poll()).lag.lagMs).toBeLessThanOrEqual(100_000)
    log.lateMs = (place) => (place < 0.5 ? 15_000 : 230_000)
    await minutes(120)
    expect((await poll()).lag.lagMs).toBeGreaterThanOrEqual(180_000)
  })

  it('is not learnt of a zone without lines', async () => {
    const { minutes, poll } = poller(() => 0)
    await minutes(60)
    expect((await poll()).lag).toEqual({ lagMs: 120_000, ages: [] })
  })

  it('is not learnt of what has more lines than were read', async () => {
    const { log, minutes, poll, clock } = poller((minute) => (minute < surge ? 3_000 : 30_000))
    const surge = clock.now().getTime() / MINUTE_MS + 5
    log.lateMs = (place) => (place < 0.5 ? 15_000 : 230_000)
    await minutes(6)
    const { lag } = await poll()
    expect(lag).toEqual({
      lagMs: 220_000,
      ages: [0, 6, 12, 18, 24, 30].map((age) => [age, age < 24 ? 0 : 1_500, 1_500]),
    })
    clock.turn(MINUTE_MS)
    await minutes(6)
    expect((await poll()).lag).toEqual(lag)
  })
})

describe('a failure', () => {
  it('is a finding, and what was read before it counts', async () => {
    const { log, minutes, poll, ready, clock } = poller(() => 20_000)
    await minutes(3)
    log.failures = [undefined, unreachable]
    const { failure, readUntil, minutes: read } = await poll()
    expect(failure).toEqual({ cause: 'platform error' })
    expect(readUntil).toBe(ready() - 1)
    expect(read).toMatchObject([{ minute: ready() - 1, coveredMs: 20_000 }])
    clock.turn(20_000)
    expect((await poll()).minutes[0]).toMatchObject({ coveredMs: MINUTE_MS, hit: 20_000 })
  })

  it('that is none of the platform goes through', async () => {
    const { log, poll } = poller()
    log.failures = [new TypeError('a bug')]
    await expect(poll()).rejects.toThrow('a bug')
  })
})

it.each([
  [1, 10],
  [2, 10],
  [3, 22],
  [60, 49],
])(
  'stops reading when the next minute is due, or later to catch up: %i minutes with %i reads',
  async (behind, reads) => {
    const { log, minutes, poll, clock, ready, set } = poller(() => 120_000)
    await minutes(3)
    log.during = () => clock.turn(5_000)
    const readyBefore = ready()
    set({ readUntil: readyBefore - behind })
    const before = log.asked.length
    const { minutes: read, readUntil } = await poll()
    expect(log.asked.length - before).toBe(reads)
    if (behind === 1) expect([readUntil, read[0]?.coveredMs]).toEqual([readyBefore, 5_000])
  },
)
