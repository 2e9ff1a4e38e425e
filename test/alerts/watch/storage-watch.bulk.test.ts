import { describe, expect, it, vi } from 'vitest'
import { StorageWatch, storageDays } from '../../../src/alerts/watch/storage-watch.ts'
import type { Cdn } from '../../../src/cdn/contract/cdn.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { UserError } from '../../../src/shared/errors.ts'
import { entry } from '../../store/harness.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { benchOfTest } from '../alert-bench.ts'
import { rule } from '../evaluated-zone.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const SUBJECT = 'storage/55'
const { signal } = new AbortController()
const refused = new CdnError('getStorageStatistics', { kind: 'rejected', status: 503 })

function statistics(days: Readonly<Record<string, bigint>>) {
  return { StorageUsedChart: new Map(Object.entries(days)), FileCountChart: new Map<string, bigint>(), otherFields: [] }
}

async function watched() {
  const bench = await benchOfTest()
  await bench.watch(SUBJECT, 'storage-change')
  const getStorageStatistics = vi.fn<Cdn['getStorageStatistics']>(async () => statistics({ '2026-01-20': 5n }))
  const { store, clock } = bench
  const { log, lines } = recordingLog()
  const restarted = () =>
    new StorageWatch({ cdn: { getStorageStatistics }, store, clock, log, webhook: false }, SUBJECT, 55n)
  return {
    bench,
    getStorageStatistics,
    lines,
    watch: restarted(),
    restarted,
    nowMs: () => clock.now().getTime(),
  }
}

describe('a storage zone', () => {
  it('is looked at every six hours, over restarts too, with a month of days', async () => {
    const { bench, watch, restarted, getStorageStatistics, nowMs } = await watched()
    expect(watch.isHealthy()).toBeUndefined()
    expect((await watch.look(signal)) - nowMs()).toBe(6 * HOUR_MS)
    const dates = { dateFrom: new Date(nowMs() - 31 * DAY_MS), dateTo: new Date(nowMs()) }
    expect(getStorageStatistics.mock.calls).toEqual([[{ id: 55n, ...dates }, { signal }]])
    bench.clock.turn(HOUR_MS)
    expect(await bench.kept(SUBJECT)).toEqual({ lookedMs: nowMs() - HOUR_MS })
    const again = restarted()
    expect((await again.look(signal)) - nowMs()).toBe(5 * HOUR_MS)
    expect([watch.isHealthy(), again.isHealthy(), getStorageStatistics.mock.calls.length]).toEqual([true, true, 1])
    // A new rule does not wait.
    const added = rule('storage-change', { subject: SUBJECT, channelId: 'C2' })
    await bench.store.alertRules.add([added], () => entry('alert_added'))
    expect((await again.look(signal)) - nowMs()).toBe(6 * HOUR_MS)
    expect(getStorageStatistics).toHaveBeenCalledTimes(2)
  })

  it('is looked at again at once when somebody else has looked meanwhile, and a stop goes through', async () => {
    const { bench, watch, getStorageStatistics, nowMs } = await watched()
    getStorageStatistics.mockImplementationOnce(async () => {
      await bench.store.alerts.commit({ subject: SUBJECT, revision: 0, watch: {} })
      return statistics({})
    })
    expect((await watch.look(signal)) - nowMs()).toBe(1_000)
    getStorageStatistics.mockRejectedValueOnce(refused)
    await expect(watch.look(AbortSignal.abort())).rejects.toBe(refused)
  })

  it.each([
    ['the platform does not tell', refused, 'getStorageStatistics: rejected with 503'],
    ['it has no turn', new UserError('busy', 'No turn'), 'No turn'],
  ])('is left as it is when %s, and asked again in ten minutes', async (_, failure, why) => {
    const { bench, watch, getStorageStatistics, nowMs, lines } = await watched()
    getStorageStatistics.mockRejectedValueOnce(failure)
    expect((await watch.look(signal)) - nowMs()).toBe(600_000)
    expect(await bench.kept(SUBJECT)).toBeUndefined()
    expect(watch.isHealthy()).toBe(false)
    const sentence = 'the statistics of a storage zone could not be read'
    expect(lines).toEqual([{ level: 'warn', sentence, fields: { subject: SUBJECT, why } }])
    bench.clock.turn(600_000)
    await watch.look(signal)
    expect(await bench.kept(SUBJECT)).toEqual({ lookedMs: nowMs() })
  })

  it('that fires goes on being followed between two looks, without asking the platform', async () => {
    const { bench, watch, getStorageStatistics, nowMs } = await watched()
    const { store, clock } = bench
    const days = Array.from({ length: 10 }, (_, day) => [`2026-01-${11 + day}`, 2_000_000_000n + BigInt(day)] as const)
    getStorageStatistics.mockResolvedValue(statistics({ ...Object.fromEntries(days), '2026-01-20': 9_000_000_000n }))
    const silence = { id: 's1', subject: SUBJECT, from: clock.now(), until: new Date(nowMs() + HOUR_MS), by: 'U0ANNA' }
    await store.silences.add([silence], () => entry('alert_silenced'))
    const kept = { lookedMs: nowMs() }
    const endMs = nowMs() + 5 * HOUR_MS
    while (nowMs() < endMs) clock.turn(Math.min(await watch.look(signal), endMs) - nowMs())
    expect(getStorageStatistics).toHaveBeenCalledTimes(1)
    expect(await bench.kept(SUBJECT)).toEqual(kept)
    const [found, ...others] = await store.alerts.incidents({ limit: 10 })
    expect(others).toEqual([])
    expect(found).toMatchObject({ doc: { nagged: true, criticalMs: nowMs() - 4 * HOUR_MS }, revision: 2 })
    expect(JSON.stringify(found?.doc)).toContain('"value":9000000000}]')
    const replies = (await store.outbox.claim(9)).concat(await store.outbox.claim(9))
    expect(replies.map(({ what }) => what)).toContain('card')
  })

  it('that fires is followed while the platform does not tell, which is asked every ten minutes', async () => {
    const { bench, watch, getStorageStatistics, nowMs } = await watched()
    const { store, clock } = bench
    const days = Array.from({ length: 10 }, (_, day) => [`2026-01-${11 + day}`, 2_000_000_000n + BigInt(day)] as const)
    getStorageStatistics.mockResolvedValueOnce(
      statistics({ ...Object.fromEntries(days), '2026-01-20': 9_000_000_000n }),
    )
    getStorageStatistics.mockRejectedValue(refused)
    const silence = {
      id: 's1',
      subject: SUBJECT,
      from: clock.now(),
      until: new Date(nowMs() + 7 * HOUR_MS),
      by: 'U0ANNA',
    }
    await watch.look(signal)
    await store.silences.add([silence], () => entry('alert_silenced'))
    const endMs = nowMs() + 8 * HOUR_MS
    while (nowMs() < endMs) clock.turn(Math.min(await watch.look(signal), endMs) - nowMs())
    expect(getStorageStatistics).toHaveBeenCalledTimes(1 + 12)
    expect(watch.isHealthy()).toBe(false)
    const [found] = await store.alerts.incidents({ limit: 10 })
    expect(found).toMatchObject({ endedAt: undefined, doc: { nagged: true, criticalMs: nowMs() - HOUR_MS } })
  })

  it('does not hide a bug as a failure of the platform', async () => {
    const { watch, getStorageStatistics } = await watched()
    getStorageStatistics.mockRejectedValueOnce(new TypeError('a bug'))
    await expect(watch.look(signal)).rejects.toThrow('a bug')
  })
})

it('reads charts as days: in order, each once with its last value, the newest 31', () => {
  const many = Array.from({ length: 40 }, (_, day) => {
    return [new Date(Date.parse('2026-01-01') + day * DAY_MS).toISOString().slice(0, 10), BigInt(day)] as const
  })
  const days = storageDays({
    StorageUsedChart: new Map([...many.toReversed(), ['2026-02-09T12:00:00', 77n], ['no day', 1n]]),
    FileCountChart: new Map([
      ['2026-02-09', 3n],
      ['2026-02-10', 4n],
    ]),
    otherFields: [],
  })
  expect(days).toHaveLength(31)
  expect(days.slice(-2)).toEqual([
    { dayMs: Date.parse('2026-02-09'), bytes: 77, files: 3 },
    { dayMs: Date.parse('2026-02-10'), bytes: undefined, files: 4 },
  ])
})
