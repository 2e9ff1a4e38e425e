import { describe, expect, it } from 'vitest'
import { countLines, countLine, emptyMinute } from '../../../src/alerts/series/minute-series.ts'
import { MinuteSums, readSpan } from '../../../src/alerts/log/traffic-poller.ts'
import type { Cdn, LogResult } from '../../../src/cdn/contract/cdn.ts'
import type { LogEntry } from '../../../src/cdn/contract/log-entry.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { ScriptedLog } from '../scripted-log.ts'

const MINUTE_MS = 60_000
const { signal } = new AbortController()
const clock = new TurnedClock()
const MINUTE = clock.now().getTime() / MINUTE_MS - 20

function read(log: ScriptedLog, minutes: readonly [from: number, until: number], maxEntries = 2_000) {
  const [from, until] = minutes.map((minute) => (MINUTE + minute) * MINUTE_MS)
  return readSpan(log.cdn, 301n, { fromMs: from ?? 0, untilMs: until ?? 0 }, { maxEntries, maxPages: 60, signal })
}

describe('reading a stretch', () => {
  it('counts lines by minute, minutes without any included', async () => {
    const log = new ScriptedLog(clock)
    log.perMinute = (minute) => (minute === MINUTE + 1 ? 0 : 30)
    const { minutes } = await read(log, [0, 3])
    expect(minutes.map(({ minute, coveredMs, hit, c2xx }) => [minute - MINUTE, coveredMs, hit, c2xx])).toEqual([
      [0, MINUTE_MS, 30, 30],
      [1, MINUTE_MS, 0, 0],
      [2, MINUTE_MS, 30, 30],
    ])
  })

  it('takes of a page that was too short only what lies before its last line', async () => {
    const log = new ScriptedLog(clock)
    log.perMinute = () => 60
    const { minutes, untilMs } = await read(log, [0, 3], 91)
    expect(untilMs).toBe((MINUTE + 1) * MINUTE_MS + 30_000)
    expect(minutes.map(({ coveredMs, hit }) => [coveredMs, hit])).toEqual([
      [MINUTE_MS, 60],
      [30_000, 30],
    ])
  })

  it('takes nothing of a short page whose lines are in no order', async () => {
    const log = new ScriptedLog(clock)
    const late = new Date((MINUTE + 1) * MINUTE_MS)
    log.entry = (atMs) => (atMs === MINUTE * MINUTE_MS ? { timestamp: late } : {})
    const { minutes, untilMs } = await read(log, [0, 3], 30)
    expect(untilMs).toBe(MINUTE * MINUTE_MS)
    expect(minutes).toEqual([])
  })

  const at = (second: number): Date => new Date(MINUTE * MINUTE_MS + second * 1_000)
  it.each<[what: string, perMinute: number, answer: Partial<LogResult>, coveredMs: number, hit: number]>([
    ['covers only what the platform says it applied', 60, { appliedFrom: at(20) }, 40_000, 40],
    ['up to the end that it says', 60, { appliedTo: at(50) }, 50_000, 50],
    ['covers no more than was asked', 60, { appliedFrom: at(-20), appliedTo: at(80) }, MINUTE_MS, 60],
    ['takes lines too long to be read for as much time that was not', 57, { skipped: 3 }, 57_000, 57],
    ['also where there are no others', 0, { skipped: 3 }, 0, 0],
  ])('%s', async (_what, perMinute, answer, coveredMs, hit) => {
    const log = new ScriptedLog(clock)
    log.perMinute = () => perMinute
    const queryLogs: Cdn['queryLogs'] = async (...call) => ({ ...(await log.cdn.queryLogs(...call)), ...answer })
    const span = { fromMs: at(0).getTime(), untilMs: at(60).getTime() }
    const { minutes } = await readSpan({ queryLogs }, 301n, span, { maxEntries: 2_000, maxPages: 60, signal })
    expect(minutes).toEqual([{ ...emptyMinute(MINUTE, coveredMs), hit, c2xx: hit }])
  })

  it('fails where no line says when it was, since nothing could be counted then', async () => {
    const log = new ScriptedLog(clock)
    log.entry = () => ({ timestamp: undefined })
    const failure = { kind: 'malformed', status: 200, why: 'no line says when it was' }
    await expect(read(log, [0, 1])).rejects.toMatchObject({ endpoint: 'queryLogs', failure })
    log.entry = (atMs) => (atMs === MINUTE * MINUTE_MS ? { timestamp: undefined } : {})
    expect((await read(log, [0, 1])).minutes).toMatchObject([{ hit: 59, coveredMs: MINUTE_MS }])
  })
})

it.each<[Partial<LogEntry>, string, string]>([
  [{ cacheStatus: 'HIT', statusCode: 206 }, 'hit', 'c2xx'],
  [{ cacheStatus: 'MISS', statusCode: 100 }, 'miss', 'c1xx'],
  [{ cacheStatus: 'STALE', statusCode: 304 }, 'stale', 'c3xx'],
  [{ cacheStatus: 'UPDATING', statusCode: 499 }, 'updating', 'c4xx'],
  [{ cacheStatus: 'REVALIDATED', statusCode: 599 }, 'revalidated', 'c5xx'],
  [{ cacheStatus: 'BYPASS', statusCode: 600 }, 'bypass', 'uncoded'],
  [{ cacheStatus: '-', statusCode: undefined }, 'uncached', 'uncoded'],
  [{ cacheStatus: 'EXPIRED', statusCode: 99 }, 'other', 'uncoded'],
  [{ cacheStatus: undefined, statusCode: 500 }, 'other', 'c5xx'],
])('a line with %o counts as %s and %s', ({ cacheStatus, statusCode }, cache, code) => {
  const tally = emptyMinute(MINUTE, MINUTE_MS)
  countLine(tally, cacheStatus, statusCode)
  expect(tally).toEqual({ ...emptyMinute(MINUTE, MINUTE_MS), [cache]: 1, [code]: 1 })
  expect(countLines(tally)).toBe(1)
})

it.each([
  ['MISS', 404, 1],
  ['MISS', 200, 0],
  ['MISS', 500, 0],
  ['HIT', 404, 0],
] as const)('a %s with %i is %i of what only scanners ask for', (cacheStatus, statusCode, amount) => {
  const tally = emptyMinute(MINUTE, MINUTE_MS)
  countLine(tally, cacheStatus, statusCode)
  expect(tally.miss4xx).toBe(amount)
})

it('adds up what was read of parts of a minute, and can begin a minute anew', () => {
  const sums = new MinuteSums()
  const part = { ...emptyMinute(MINUTE, 40_000), hit: 3, c2xx: 3 }
  sums.add([part, { ...emptyMinute(MINUTE + 1, 500), miss: 1 }])
  sums.add([part])
  expect(sums.list()).toEqual([
    { ...emptyMinute(MINUTE, MINUTE_MS), hit: 6, c2xx: 6 },
    { ...emptyMinute(MINUTE + 1, 500), miss: 1 },
  ])
  sums.drop(MINUTE)
  sums.add([part])
  expect(sums.list()[0]).toEqual(part)
})
