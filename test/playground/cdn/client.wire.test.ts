import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CdnClient } from '../../../src/cdn/client.ts'
import { LogLimit } from '../../../src/cdn/log-limit.ts'
import { startCdnEmulator, type CdnEmulator } from '../../../src/playground/cdn/emulator.ts'
import { type Clock, systemClock } from '../../../src/shared/clock.ts'
import { Secret } from '../../../src/shared/secret.ts'
import { NOW } from './running-emulator.ts'

/** Real time for deadlines, but a moment that stands still, so that the log holds the same on every run. */
const clock: Clock = { ...systemClock, now: () => new Date(NOW) }

let emulator: CdnEmulator
let client: CdnClient

beforeAll(async () => {
  emulator = await startCdnEmulator({ clock })
  const { managementUrl, loggingUrl, accessKey } = emulator
  const credential = { scheme: 'accessKey', secret: new Secret(accessKey) } as const
  client = new CdnClient({ managementUrl, loggingUrl, credential, clock, limiter: new LogLimit({ clock, warm: true }) })
})
afterAll(async () => await emulator.close())

describe('the client', () => {
  it('gets the same lines from both versions of the log', async () => {
    const to = new Date('2026-11-20T17:30:00Z')
    const from = new Date('2026-11-20T16:00:00Z')
    const { entries } = await client.queryLogs(
      301n,
      { from, to, cacheStatus: ['MISS', 'STALE'] },
      { maxEntries: 5_000 },
    )
    const ids: unknown[] = []
    const filter = { from, to, cacheStatus: ['MISS', 'STALE'] }
    await client.streamDayFile(301n, '2026-11-20', filter, ({ requestId }) => ids.push(requestId))
    expect(ids.length).toBeGreaterThan(100)
    expect(ids).toEqual(entries.map(({ requestId }) => requestId))
  })

  it('follows short and empty pages to every row', async () => {
    const range = { from: new Date('2026-11-20T12:00:00Z'), to: new Date('2026-11-20T18:00:00Z') }
    const all = await client.queryLogs(302n, range, { maxEntries: 50_000 })
    const some = await client.queryLogs(302n, { ...range, country: ['AU'] }, { maxEntries: 50_000 })
    const expected = all.entries.filter(({ countryCode }) => countryCode === 'AU')
    expect(some.entries.map(({ requestId }) => requestId)).toEqual(expected.map(({ requestId }) => requestId))
    expect(some.duplicates).toBe(0)
  })
})
