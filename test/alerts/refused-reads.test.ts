import { expect, it } from 'vitest'
import { rejected, watched } from './watched-zone.ts'

const MINUTE_MS = 60_000

it.each([undefined, 60_000])(
  'a zone whose log is refused twice in a row, to be asked for again in %s ms, is told of two minutes later at most',
  async (retryAfterMs) => {
    const toldAfterMs = async (refusals: number): Promise<number> => {
      const { bench, run, look, log, nowMs } = await watched(['origin-failing', 'cannot-look'])
      await using _ = bench
      await run(40 * MINUTE_MS)
      const failsMs = nowMs()
      log.failures = Array.from({ length: refusals }, () => rejected(429, retryAfterMs))
      log.entry = (atMs) => (atMs < failsMs ? {} : { cacheStatus: 'STALE' })
      for (;;) {
        bench.clock.turn(Math.max(0, (await look()) - nowMs()))
        const incidents = await bench.store.alerts.incidents({ open: true, limit: 10 })
        const isTold = incidents.some(({ doc }) => JSON.stringify(doc).includes('origin-failing'))
        if (isTold || nowMs() > failsMs + 40 * MINUTE_MS) return nowMs() - failsMs
      }
    }
    expect((await toldAfterMs(2)) - (await toldAfterMs(0))).toBeLessThanOrEqual(2 * MINUTE_MS)
  },
)
