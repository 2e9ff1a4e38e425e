import { expect, test } from 'vitest'
import { systemClock } from '../../../src/shared/clock.ts'
import { COUNTS, MINUTE_RETENTION_MS } from '../../../src/store/schema/minute-counts.ts'
import { look, minute } from '../alert-fixtures.ts'
import { MINUTE_MS, type StoreHarness } from '../harness.ts'
import { useStore } from '../use-store.ts'

const FIRST = Date.UTC(2026, 10, 20) / MINUTE_MS

/** The minutes of pull zones, on any engine. */
export function minutesSuite(harness: StoreHarness): void {
  const store = useStore(harness)
  const numbers = async (zone: string, from = 0, until = 1e9) =>
    (await store.minutes.read(zone, from, until)).map(({ minute }) => minute - FIRST)

  test('minutes are read back as they were put, in order, of their zone, without the end', async () => {
    await store.minutes.put('301', [minute(FIRST + 2), minute(FIRST), minute(FIRST + 1)])
    await store.minutes.put('302', [minute(FIRST + 1)])
    expect(await store.minutes.read('301', FIRST, FIRST + 2)).toEqual([minute(FIRST), minute(FIRST + 1)])
    expect(await numbers('301')).toEqual([0, 1, 2])
    expect(await numbers('302')).toEqual([1])
    expect(await numbers('303')).toEqual([])
  })

  test('minutes that are put apart from a look raise the revision of their zone, so that such a look is done anew', async () => {
    const revision = async (subject: `pull/${string}`): Promise<number | undefined> =>
      (await store.alerts.view(subject, harness.clock.now())).watch?.revision
    await look(store, harness.clock)
    await look(store, harness.clock, { subject: 'pull/302' })
    await store.minutes.put('301', [])
    expect(await revision('pull/301')).toBe(1)
    await store.minutes.put('301', [minute(FIRST)])
    expect([await revision('pull/301'), await revision('pull/302')]).toEqual([2, 1])
    await expect(store.minutes.put('301', [minute(FIRST), minute(FIRST + 1, { hit: -1 })])).rejects.toThrow('hit')
    expect([await revision('pull/301'), await numbers('301')]).toEqual([2, [0]])
  })

  test('a minute that is put again is replaced in every count, and nothing is added up', async () => {
    await store.minutes.put('301', [minute(FIRST), minute(FIRST + 1)])
    const again = minute(FIRST, { coveredMs: 30_000, hit: 0, uncoded: 7, other: 9 })
    await store.minutes.put('301', [minute(FIRST), again])
    expect(await store.minutes.read('301', FIRST, FIRST + 9)).toEqual([again, minute(FIRST + 1)])
    const anew = minute(FIRST + 100)
    const counts = { ...anew, minute: FIRST }
    await look(store, harness.clock, { minutes: [counts] })
    expect(await store.minutes.read('301', FIRST, FIRST + 1)).toEqual([counts])
  })

  test.each(['hit = -1', 'covered_ms = 60001', 'covered_ms = -1'])('a minute with %s is none', async (wrong) => {
    await store.minutes.put('301', [minute(FIRST), minute(FIRST + 1)])
    await harness.sql(`update minutes set ${wrong} where minute = ${FIRST}`)
    expect(await store.minutes.read('301', FIRST, FIRST + 9)).toEqual([minute(FIRST + 1)])
  })

  test('it says from when to when something is known, and how much of a stretch', async () => {
    expect(await store.minutes.span('301')).toBeUndefined()
    expect(await store.minutes.known('301', 0, 1e9)).toBe(0)
    const unknown = { coveredMs: 0 }
    await store.minutes.put('301', [
      minute(FIRST, unknown),
      minute(FIRST + 1, { coveredMs: 15_000 }),
      minute(FIRST + 5),
      minute(FIRST + 6, unknown),
    ])
    expect(await store.minutes.span('301')).toEqual({ from: FIRST + 1, until: FIRST + 6 })
    expect(await store.minutes.known('301', FIRST, FIRST + 6)).toBe(75_000)
    expect(await store.minutes.known('301', FIRST, FIRST + 5)).toBe(15_000)
  })

  test('three days are put in a moment, and all that is kept is read at once', async () => {
    const days = Array.from({ length: 4_320 }, (_, n) => minute(FIRST + n))
    const startedMs = systemClock.monotonicMs()
    await store.minutes.put('301', days)
    // A tenth of it on a free machine; what this finds is one statement for each minute.
    expect(systemClock.monotonicMs() - startedMs).toBeLessThan(1_500)
    expect(await store.minutes.read('301', 0, 1e9)).toEqual(days)
    expect(await store.minutes.known('301', 0, 1e9)).toBe(4_320 * 60_000)
  })

  test('a minute that cannot be is refused, and with it all that came with it', async () => {
    for (const wrong of [{ hit: -1 }, { miss: 0.5 }, { coveredMs: 60_001 }, { minute: Number.NaN }])
      await expect(store.minutes.put('301', [minute(FIRST), minute(FIRST + 1, wrong)])).rejects.toThrow(
        Object.keys(wrong)[0],
      )
    expect(await numbers('301')).toEqual([])
  })

  test('they go after fifteen days', async () => {
    await store.minutes.put('301', [minute(FIRST), minute(FIRST + 1)])
    const end = (FIRST + 1) * MINUTE_MS + MINUTE_RETENTION_MS
    await store.prune(new Date(end - 1))
    expect(await numbers('301')).toEqual([0, 1])
    await store.prune(new Date(end))
    expect(await numbers('301')).toEqual([1])
    // More than go with one statement.
    const names = ['pull_zone_id', 'minute', 'covered_ms', ...COUNTS]
    await harness.sql(`insert into minutes (${names.join(', ')})
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 5001)
      select '302', i, ${names.slice(2).fill('0').join(', ')} from n`)
    await store.prune(new Date(end))
    expect(await harness.sql(`select minute from minutes where pull_zone_id = '302'`)).toEqual([])
  })
}
