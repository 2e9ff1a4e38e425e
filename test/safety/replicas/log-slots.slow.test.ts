import { expect, test } from 'vitest'
import { GIVE_BACK_MS, LogLimit } from '../../../src/cdn/http/log-limit.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { createPostgresDatabase, whyNoPostgres } from '../../store/postgres-harness.ts'
import { worstWindow } from './trio.ts'

const PROCESSES = 3
const ASKERS = 15
const MEASURED_MS = 33_000
const PER_WINDOW = 30
/** Of what the limit allows, while all ask. */
const LEAST_USED = 0.95
const noPostgres = await whyNoPostgres()

test.skipIf(noPostgres !== undefined)(
  'three processes that all want one log make as many requests as the limit allows together, and no more',
  { timeout: 120_000 },
  async () => {
    const database = await createPostgresDatabase()
    const harness = await database.harness()
    try {
      const stores = await Promise.all(Array.from({ length: PROCESSES }, () => harness.open()))
      const limits = stores.map(
        ({ shared }) => new LogLimit({ clock: systemClock, warm: true, shared: shared?.logSlots }),
      )
      const made: number[] = []
      const startedMs = performance.now()
      const over = AbortSignal.timeout(MEASURED_MS)
      const ask = async (limit: LogLimit): Promise<void> => {
        while (!over.aborted)
          await limit
            .run(301n, { priority: 'person', signal: over }, async () => {
              if (!over.aborted) made.push(performance.now() - startedMs)
              await systemClock.sleep(5)
            })
            .catch(() => undefined)
      }
      await Promise.all(limits.flatMap((limit) => Array.from({ length: ASKERS }, () => ask(limit))))
      const requests = made.map((atMs) => ({ zone: '301', atMs, isRefused: false }))
      expect(worstWindow(requests)).toBeLessThanOrEqual(PER_WINDOW)
      const allowed = (Math.floor(MEASURED_MS / GIVE_BACK_MS) + 1) * PER_WINDOW
      expect(made.length / allowed).toBeGreaterThanOrEqual(LEAST_USED)
    } finally {
      await harness.close()
      await database.drop()
    }
  },
)
