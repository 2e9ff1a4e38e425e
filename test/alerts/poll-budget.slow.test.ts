import { expect, it, vi } from 'vitest'
import { AlertWatch } from '../../src/alerts/watch/scheduler.ts'
import { createCdnClient } from '../../src/cdn/client.ts'
import { LogLimit } from '../../src/cdn/http/log-limit.ts'
import { type CdnEmulator, startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { FastClock } from '../../src/playground/stage/fast-clock.ts'
import { Secret } from '../../src/shared/secret.ts'
import { entry, silentLog } from '../store/harness.ts'
import { createSqliteHarness } from '../store/sqlite-harness.ts'

const ZONE_ID = 302n
const SECOND_MS = 1_000
/** The contract's window, and what alerts may use of its 30. */
const WINDOW_MS = 10 * SECOND_MS
const MOST_IN_A_WINDOW = 6
/** Wall time runs so much faster, so that a minute's poll is due every second: more than the limit lets through. */
const HURRY = 60
/** So many requests of alerts are watched: the budget of three windows. */
const WATCHED_REQUESTS = 3 * MOST_IN_A_WINDOW
/** So few lines are asked for by nobody but the person. */
const PERSON_LINES = 7

/** When log requests of the zone reached the platform, in milliseconds of real time. */
function arrivals(platform: CdnEmulator, isPersons: (limit: string | undefined) => boolean): readonly number[] {
  const seen: number[] = []
  let known = 0
  platform.subscribe(() => {
    const mine = platform.requests.filter(
      ({ endpoint, query }) => (endpoint === 'queryLogs' || endpoint === 'streamDayFile') && isPersons(query['limit']),
    )
    for (; known < mine.length; known += 1) seen.push(performance.now())
  })
  return seen
}

function mostInAWindow(times: readonly number[]): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + WINDOW_MS).length))
}

it('alerts take at most 6 of a zone’s 30 requests in any 10 s, read back included, and a person goes first', async () => {
  const clock = new FastClock()
  const platform = await startCdnEmulator({ clock })
  const client = createCdnClient({
    managementUrl: platform.managementUrl,
    loggingUrl: platform.loggingUrl,
    credential: { scheme: 'accessKey', secret: new Secret(platform.accessKey) },
    clock,
    limiter: new LogLimit({ clock, warm: true }),
  })
  const harness = createSqliteHarness()
  const store = await harness.open({ clock })
  const rule = {
    id: clock.newId(),
    kind: 'origin-failing',
    subject: `pull/${ZONE_ID}`,
    channelId: 'C0TEAM',
    parameters: {},
    createdBy: 'U0ANNA',
    createdAt: clock.now(),
  }
  await store.alertRules.add([rule], () => entry('alert_added'))
  const options = { cdn: client, store, clock, log: silentLog, zones: async () => [], webhook: false }
  const watch = new AlertWatch(options)
  const stopping = new AbortController()
  const alerts = arrivals(platform, (limit) => limit !== String(PERSON_LINES))
  const persons = arrivals(platform, (limit) => limit === String(PERSON_LINES))
  const waits: number[] = []
  try {
    clock.setFactor(HURRY)
    const running = watch.run(stopping.signal)
    const back = watch.readBack(ZONE_ID, { signal: stopping.signal, progress: () => undefined })
    while (alerts.length < WATCHED_REQUESTS) {
      const before = alerts.length
      await vi.waitUntil(() => alerts.length > before, { timeout: 3 * WINDOW_MS })
      const askedMs = performance.now()
      await client.queryLogs(ZONE_ID, {}, { maxEntries: PERSON_LINES })
      waits.push(performance.now() - askedMs)
    }
    // On a busy machine it takes longer than what is watched here.
    expect((await back).covered).toBeGreaterThan(0.9)
    stopping.abort()
    await running
  } finally {
    stopping.abort()
    await client.close()
    await platform.close()
    await harness.close()
  }
  expect(mostInAWindow(alerts)).toBe(MOST_IN_A_WINDOW)
  expect(persons).toHaveLength(waits.length)
  // Nobody waited for a slot that alerts had: an answer takes what it takes.
  expect(Math.max(...waits)).toBeLessThan(2 * SECOND_MS)
  expect(platform.requests.filter(({ status }) => status === 429)).toEqual([])
})
