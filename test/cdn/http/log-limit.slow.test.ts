import { expect, it } from 'vitest'
import { LogLimit } from '../../../src/cdn/http/log-limit.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { json, PlatformServer } from '../platform-server.ts'

const CALLS = 150
const WINDOW_MS = 10_000
const MEASURED_MS = 32_000

/** The most arrivals that lie within any ten seconds. */
function worstWindow(arrivals: readonly number[]): number {
  let worst = 0
  let oldest = 0
  for (const [index, at] of arrivals.entries()) {
    while (at - (arrivals[oldest] ?? at) >= WINDOW_MS) oldest += 1
    worst = Math.max(worst, index - oldest + 1)
  }
  return worst
}

it('of 150 calls queued at once, the server sees 30 in any ten seconds and at least 105 in 32 s', async () => {
  const arrivals: number[] = []
  await using platform = await PlatformServer.start((response, request) => {
    arrivals.push(performance.now())
    json({ data: [], pagination: { hasMore: false } })(response, request)
  })
  const limiter = new LogLimit({ clock: systemClock, warm: true, personMaxWaitMs: 120_000 })
  const client = platform.client({ limiter })
  const stop = new AbortController()
  const startedAt = performance.now()
  const calls = Array.from({ length: CALLS }, async () =>
    client.queryLogs(1n, {}, { maxEntries: 1, signal: stop.signal }).catch(() => undefined),
  )
  await expect
    .poll(() => performance.now() - startedAt, { timeout: MEASURED_MS * 2, interval: 250 })
    .toBeGreaterThan(MEASURED_MS)
  stop.abort()
  await Promise.all(calls)

  const inTime = arrivals.filter((at) => at - startedAt <= MEASURED_MS)
  expect(worstWindow(arrivals)).toBe(30)
  expect(inTime.length).toBeGreaterThanOrEqual(105)
})
