import { expect, it, vi } from 'vitest'
import { PAGES_A_MINUTE } from '../../src/alerts/log/poll-plan.ts'
import { TrafficWatch } from '../../src/alerts/watch/traffic-watch.ts'
import { findReadyMinute, ZoneRecord } from '../../src/alerts/log/zone-record.ts'
import { PlatformServer } from '../cdn/platform-server.ts'
import { type LongLine, longLog, type LongLogOptions, paced } from '../support/long-lines.ts'
import { recordingLog } from '../support/recording-log.ts'
import { alertBench } from './alert-bench.ts'

const MINUTE_MS = 60_000
/** Hundreds of megabytes go over loopback. */
const PATIENCE_MS = 120_000
const SUBJECT = 'pull/301'
const KB = 1_000
const MB = 1_000 * KB

/** So many lines a minute, evenly. `lengths` are of those with a place of their own in the minute; all others have `length`. */
function evenly(perMinute: number, length: number, lengths: Readonly<Record<number, number>> = {}) {
  const apartMs = MINUTE_MS / perMinute
  return (fromMs: number, untilMs: number): LongLine[] => {
    const first = Math.ceil(fromMs / apartMs)
    const count = Math.max(0, Math.ceil(untilMs / apartMs) - first)
    return Array.from({ length: count }, (_, index) => ({
      atMs: Math.floor((first + index) * apartMs),
      length: lengths[(first + index) % perMinute] ?? length,
    }))
  }
}

/** A zone that is watched for some minutes, and the origin of which then fails. */
async function failing({ lines, announced = false }: Pick<LongLogOptions, 'lines' | 'announced'>) {
  await using bench = await alertBench('2026-01-20T12:00:10Z')
  const { clock, store } = bench
  await bench.watch(SUBJECT, 'origin-failing')
  let failsAtMs = Number.POSITIVE_INFINITY
  const stale = (line: LongLine): LongLine => (line.atMs < failsAtMs ? line : { ...line, cacheStatus: 'STALE' })
  const log = longLog({ lines: (fromMs, untilMs) => lines(fromMs, untilMs).map(stale), announced, clock })
  await using platform = await PlatformServer.start(log)
  const cdn = platform.client({ clock, limiter: paced(clock) })
  const posted = vi.fn<() => void>()
  store.outbox.onPut(posted)
  const { signal } = new AbortController()
  const watch = new TrafficWatch({ cdn, store, clock, log: recordingLog().log, webhook: false }, SUBJECT, 301n)
  const pages: number[] = []
  const run = async (minutes: number): Promise<void> => {
    const endMs = clock.now().getTime() + minutes * MINUTE_MS
    while (clock.now().getTime() < endMs) {
      const before = platform.received.length
      const nextMs = await watch.look(signal)
      pages.push(platform.received.length - before)
      clock.turn(Math.max(0, Math.min(nextMs, endMs) - clock.now().getTime()))
    }
  }
  await run(1)
  expect(posted).not.toHaveBeenCalled()
  failsAtMs = clock.now().getTime()
  await run(4)
  const record = ZoneRecord.parse(await bench.kept(SUBJECT))
  const [incident] = await store.alerts.incidents({ open: true, limit: 10 })
  return {
    pages,
    told: JSON.stringify(incident?.doc ?? ''),
    record,
    behind: findReadyMinute(clock.now().getTime(), record.lag.lagMs) - record.readUntil,
    minutes: await store.minutes.read('301', record.readUntil - 4, record.readUntil),
  }
}

it.each([
  ['every line has 8 KB', evenly(1_500, 8 * KB), false, 1],
  ['every line has 8 KB, and answers say how long they are', evenly(1_500, 8 * KB), true, 1],
  ['every line has 8 KB, and there are too many', evenly(40_000, 8 * KB), false, 0.15],
  ['each minute has two lines of 7.9 MB side by side', evenly(60, 300, { 40: 7.9 * MB, 41: 7.9 * MB }), true, 1],
])(
  'a zone in which %s is watched as far as a fifth of the limit goes, and told of when its origin fails',
  async (_, lines, announced, share) => {
    const { told, pages, record, minutes, behind } = await failing({ lines, announced })
    expect(told).toContain('STALE')
    expect(told.includes('% of the log could not be read')).toBe(share < 1)
    expect(record.failure).toBeUndefined()
    expect(Math.max(...pages)).toBeLessThanOrEqual(PAGES_A_MINUTE)
    expect(minutes).toHaveLength(4)
    // The newest one that is ready may be due just now.
    expect(behind).toBeLessThanOrEqual(1)
    expect(Math.min(...minutes.map(({ coveredMs }) => coveredMs / MINUTE_MS))).toBeGreaterThanOrEqual(share)
  },
  PATIENCE_MS,
)
