import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCdnClient } from '../../../src/cdn/client.ts'
import { LogLimit } from '../../../src/cdn/http/log-limit.ts'
import { systemClock as clock } from '../../../src/shared/clock.ts'
import { Secret } from '../../../src/shared/secret.ts'
import type { Bench } from './bench.ts'
import { serve } from './testbed.ts'

const CALLS_PER_WINDOW = 30
const WINDOW_MS = 10_000
/** Five windows and a little more, or one. */
const MEASURED_MS = { full: 52_000, quick: 13_000 }
const BACKLOG = 300
/** Nobody in the backlog gives up while it is measured. */
const PATIENCE_MS = 600_000
/** How long a request, and its answer, are on the way at most; each as long as chance has it, as in any network. */
const MOST_DELAY_MS = 10
const PAGE = '{"data":[],"pagination":{"offset":0,"limit":1,"returned":0,"hasMore":false},"query":{}}'

/** The CDN's limit on log calls: how much of it is used, and that it is never overstepped. It takes its time, so it runs once. */
export const logLimitBench: Bench = {
  name: 'log-limit',
  runs: 'beside',
  rows: {
    used: { work: 'Calls for a busy log, of all that 30 in 10 s allow', unit: 'share', atLeast: 0.99, quick: 0.9 },
    worst: { work: 'The same: most in any 10 s', unit: 'count', atMost: CALLS_PER_WINDOW },
    refused: { work: 'The same: answered with 429', unit: 'count', atMost: 0 },
  },
  async *rounds(testbed, quick) {
    await using worker = await testbed.fork(import.meta.url, useLogLimit)
    yield await worker.run(quick ? MEASURED_MS.quick : MEASURED_MS.full)
  },
}

/** Asks for far more pages of a log than its limit allows, all at once, and counts those that come in this time. */
export async function useLogLimit(measuredMs: number) {
  const arrivals: number[] = []
  let refused = 0
  const answer = async (response: ServerResponse): Promise<void> => {
    await sleep(Math.random() * MOST_DELAY_MS)
    const now = performance.now()
    const isAllowed = arrivals.filter((at) => at > now - WINDOW_MS).length < CALLS_PER_WINDOW
    arrivals.push(now)
    if (!isAllowed) refused += 1
    await sleep(Math.random() * MOST_DELAY_MS)
    response.writeHead(isAllowed ? 200 : 429, { 'content-type': 'application/json' }).end(PAGE)
  }
  const { url } = await serve((_, response) => void answer(response))
  const cdn = createCdnClient({
    managementUrl: url,
    loggingUrl: url,
    credential: { scheme: 'accessKey', secret: new Secret('bench') },
    clock,
    limiter: new LogLimit({ clock, warm: true, personMaxWaitMs: PATIENCE_MS }),
  })
  // A refusal is counted where it is made.
  for (let call = 0; call < BACKLOG; call += 1) cdn.queryLogs(301n, {}, { maxEntries: 1 }).catch(() => undefined)
  await sleep(measuredMs)
  // The first window's calls may come at once, and again each time a whole window has passed since.
  const allowed = (Math.floor(measuredMs / WINDOW_MS) + 1) * CALLS_PER_WINDOW
  const within = (from: number): number => arrivals.filter((at) => at >= from && at < from + WINDOW_MS).length
  return { used: Math.min(1, arrivals.length / allowed), worst: Math.max(...arrivals.map(within)), refused }
}
