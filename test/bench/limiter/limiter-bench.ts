import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Figures, Scale } from '../bench.ts'
import { startChild } from '../wire/child.ts'
import { CALLS_PER_WINDOW, type CountingPlatform, startCountingPlatform, WINDOW_MS } from './counting-platform.ts'

const BACKLOG = new URL('backlog.ts', import.meta.url)
/** Six windows and a little more, or one. */
const MEASURED_MS: Readonly<Record<Scale, number>> = { full: 62_000, quick: 12_000 }
const POLL_MS = 5
const START_TIMEOUT_MS = 5_000

/** The limit on log calls: how much of it is used, and that it is never overstepped. Three calls a second take a minute, so it runs once. */
export const limiterBench: Bench = {
  name: 'limiter',
  rounds: 1,
  isBeside: true,
  goals: [
    {
      work: 'Backlog on one pull zone: log calls that reach the platform',
      reference: 'all that 30 in any 10 s allow',
      ours: 'used share',
      unit: 'share',
      comparison: 'ours',
      atLeast: { full: 0.99, quick: 0.99 },
    },
    {
      work: 'the same: time until the last of them',
      reference: 'the earliest the limit allows',
      ours: 'time to the last',
      theirs: 'earliest time',
      unit: 'time',
      comparison: 'ratio',
      atMost: { full: 1.02, quick: 1.1 },
    },
    {
      work: 'the same: most in any 10 s',
      ours: 'worst window',
      unit: 'count',
      comparison: 'ours',
      atMost: { full: CALLS_PER_WINDOW, quick: CALLS_PER_WINDOW },
    },
    {
      work: 'the same: answered with 429',
      ours: 'refused',
      unit: 'count',
      comparison: 'ours',
      atMost: { full: 0, quick: 0 },
    },
  ],
  async prepare(scale) {
    const platform = await startCountingPlatform()
    try {
      const backlog = await startChild<string>(BACKLOG, [platform.url])
      return {
        async measure() {
          backlog.process.send('start')
          await firstArrival(platform)
          await sleep(MEASURED_MS[scale])
          return figuresOf(platform, MEASURED_MS[scale])
        },
        async [Symbol.asyncDispose]() {
          await backlog[Symbol.asyncDispose]()
          await platform[Symbol.asyncDispose]()
        },
      }
    } catch (error) {
      await platform[Symbol.asyncDispose]()
      throw error
    }
  },
}

async function firstArrival({ arrivals }: CountingPlatform): Promise<void> {
  for (let waitedMs = 0; arrivals.length === 0; waitedMs += POLL_MS) {
    if (waitedMs > START_TIMEOUT_MS) throw new Error('No request has come from the backlog')
    await sleep(POLL_MS)
  }
}

/** What the platform saw in this time from the first request on. */
function figuresOf({ arrivals, refused }: CountingPlatform, measuredMs: number): Figures {
  const first = arrivals[0] ?? 0
  const seen = arrivals.filter((at) => at - first <= measuredMs).sort((one, other) => one - other)
  // The first window's calls may come at once, and again each time a whole window has passed since.
  const windows = Math.floor(measuredMs / WINDOW_MS)
  const allowed = (windows + 1) * CALLS_PER_WINDOW
  return {
    'used share': Math.min(seen.length, allowed) / allowed,
    // Of a backlog that has not come as far in this time, the next one would have come later still.
    'time to the last': (seen[allowed - 1] ?? first + measuredMs) - first,
    'earliest time': windows * WINDOW_MS,
    'worst window': worstWindow(seen),
    refused: refused(),
  }
}

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
