import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { AlertWatch } from '../../../src/alerts/watch/scheduler.ts'
import type { Cdn } from '../../../src/cdn/contract/cdn.ts'
import { UserError } from '../../../src/shared/errors.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import type { Store } from '../../../src/store/store.ts'
import { StoreError } from '../../../src/store/schema/store-error.ts'
import { FailingSqlite } from '../../support/failing-sqlite.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { sampleAlert, sampleDoc } from '../../support/sample-incident.ts'
import { turnOfTheLoop } from '../../../src/shared/clock.ts'
import { alertBench } from '../alert-bench.ts'
import { ScriptedLog } from '../scripted-log.ts'

const MINUTE_MS = 60_000

async function watching(changes: { readonly store?: (store: Store) => Store } = {}) {
  const bench = await alertBench()
  const { clock } = bench
  const log = new ScriptedLog(clock)
  const heartbeat = vi.fn<() => Promise<void>>(async () => undefined)
  const getStorageStatistics = vi.fn<Cdn['getStorageStatistics']>(async () => ({
    StorageUsedChart: new Map(),
    FileCountChart: new Map(),
    otherFields: [],
  }))
  const { log: told, lines } = recordingLog()
  const listApiKeys = vi.fn<Cdn['listApiKeys']>(() => Promise.reject(new UserError('busy', 'No turn')))
  const cdn = { ...log.cdn, getStorageStatistics, listApiKeys } as unknown as Cdn // nothing else is asked for
  const watch = new AlertWatch({
    cdn,
    store: changes.store?.(bench.store) ?? bench.store,
    clock,
    log: told,
    zones: async () => [{ kind: 'storage', name: 'files', zoneId: '55' }],
    webhook: false,
    heartbeat,
  })
  const stopping = new AbortController()
  const running = watch.run(stopping.signal)
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 30; turns += 1) await turnOfTheLoop()
  }
  /** Lets time pass in naps, and what falls due happen. */
  const pass = async (ms: number): Promise<void> => {
    await settle()
    for (let passed = 0; passed < ms; passed += 5_000) {
      clock.turn(Math.min(5_000, ms - passed))
      await settle()
    }
  }
  const stop = async (): Promise<void> => {
    stopping.abort()
    await running
    await bench[Symbol.asyncDispose]()
  }
  return { bench, log, watch, heartbeat, getStorageStatistics, listApiKeys, lines, pass, [Symbol.asyncDispose]: stop }
}

describe('what there is a rule about', () => {
  it('is looked at, storage zones by their names', async () => {
    await using own = await watching()
    await own.bench.watch('pull/301', 'origin-failing')
    await own.bench.watch('storage/*', 'storage-change')
    await own.bench.watch('account', 'api-keys-changed')
    own.watch.soon()
    await own.pass(3 * MINUTE_MS)
    expect(own.log.asked.length).toBeGreaterThanOrEqual(3)
    expect(own.listApiKeys).toHaveBeenCalledTimes(1)
    expect(own.getStorageStatistics.mock.calls.map(([{ id }]) => id)).toEqual([55n])
  })

  it('is known within half a minute when another process added the rule, and at once when this one did', async () => {
    await using own = await watching()
    await own.pass(5_000)
    await own.bench.watch('storage/56', 'storage-change')
    await own.pass(20_000)
    expect(own.getStorageStatistics).not.toHaveBeenCalled()
    await own.pass(15_000)
    expect(own.getStorageStatistics).toHaveBeenCalledTimes(1)
    await own.bench.watch('pull/301', 'origin-failing')
    own.watch.soon()
    await own.pass(1_000)
    expect(own.log.asked.length).toBeGreaterThan(0)
  })

  it('is looked at until its incident is over, also when its storage zone has no name any more', async () => {
    await using own = await watching()
    const { store, clock } = own.bench
    await own.bench.watch('storage/*', 'storage-change')
    // That of a pull zone is none of a storage zone.
    for (const [id, subject] of [
      ['i1', 'storage/77'],
      ['i2', 'pull/78'],
    ] as const) {
      const doc = sampleDoc({ alerts: [sampleAlert({ subject, ruleId: 'gone' })] })
      const incidents = [{ id, subject, channelId: 'C0TEAM', openedAt: clock.now(), doc }]
      await store.alerts.commit({ subject, revision: 0, watch: {}, incidents })
    }
    own.watch.soon()
    await own.pass(5_000)
    expect(own.getStorageStatistics.mock.calls.map(([{ id }]) => String(id)).toSorted()).toEqual(['55', '77'])
    expect((await store.alerts.incident('i1'))?.endedAt).toBeDefined()
  })

  it('goes on being looked at while the store does not say what it is', async () => {
    let fails = false
    const list: Store['alertRules']['list'] = async () => {
      if (fails) throw new StoreError('unreachable')
      return own.bench.store.alertRules.list()
    }
    await using own = await watching({
      store: (store) => Object.assign(Object.create(store) as Store, store, { alertRules: { list } }),
    })
    await own.bench.watch('pull/301', 'origin-failing')
    own.watch.soon()
    await own.pass(10_000)
    fails = true
    const before = own.log.asked.length
    await own.pass(2 * MINUTE_MS)
    expect(own.log.asked.length).toBeGreaterThan(before)
    const sentence = 'the rules of alerts could not be read: what was watched before goes on being watched'
    expect(own.lines.at(-1)).toEqual({ level: 'error', sentence, fields: { err: new StoreError('unreachable') } })
    const beats = own.heartbeat.mock.calls.length
    await own.pass(6 * MINUTE_MS)
    expect(own.heartbeat.mock.calls.length - beats).toBeLessThanOrEqual(4)
  })
})

it.each(['full', 'write'] as const)('no minute is missing after the store was %s for ten minutes', async (code) => {
  const disk = new FailingSqlite()
  disk.install()
  onTestFinished(() => disk.remove())
  await using own = await watching()
  await own.bench.watch('pull/301', 'origin-failing')
  own.watch.soon()
  const from = own.bench.clock.now().getTime() / MINUTE_MS
  await own.pass(5 * MINUTE_MS)
  disk.break({ code, at: /^insert/i })
  await own.pass(10 * MINUTE_MS)
  expect(disk.failed).toBeGreaterThan(0)
  disk.mend()
  await own.pass(5 * MINUTE_MS)
  const minutes = await own.watch.minutes(301n, from, from + 16)
  const whole = Array.from({ length: 16 }, (_, n) => [n, MINUTE_MS])
  expect(minutes.map(({ minute, coveredMs }) => [minute - from, coveredMs])).toEqual(whole)
})

describe('the heartbeat', () => {
  it('is called once a minute while everything is read in time', async () => {
    await using own = await watching()
    await own.bench.watch('pull/301', 'origin-failing')
    own.watch.soon()
    await own.pass(10 * MINUTE_MS)
    expect(own.heartbeat.mock.calls.length).toBeGreaterThanOrEqual(9)
    expect(own.heartbeat.mock.calls.length).toBeLessThanOrEqual(11)
    own.bench.clock.turn(-60 * MINUTE_MS)
    own.watch.soon()
    own.heartbeat.mockRejectedValueOnce(new Error('refused'))
    const before = own.heartbeat.mock.calls.length
    await own.pass(4 * MINUTE_MS)
    expect(own.heartbeat.mock.calls.length - before).toBeGreaterThanOrEqual(3)
    const sentence = 'the heartbeat could not be sent'
    expect(own.lines).toEqual([{ level: 'warn', sentence, fields: { err: new Error('refused') } }])
  })

  it('is not called while a log cannot be read, and is again afterwards', async () => {
    await using own = await watching()
    await own.bench.watch('pull/301', 'origin-failing')
    own.watch.soon()
    await own.pass(3 * MINUTE_MS)
    const fails = new CdnError('queryLogs', { kind: 'rejected', status: 503 })
    own.log.failures = Array.from({ length: 1_000 }, () => fails)
    await own.pass(2 * MINUTE_MS)
    const before = own.heartbeat.mock.calls.length
    await own.pass(5 * MINUTE_MS)
    expect(own.heartbeat.mock.calls.length).toBe(before)
    own.log.failures = []
    await own.pass(3 * MINUTE_MS)
    expect(own.heartbeat.mock.calls.length).toBeGreaterThan(before)
  })
})

it('how well a zone is read can be asked for, if there is a rule about it', async () => {
  await using own = await watching()
  expect(await own.watch.trust(301n)).toBeUndefined()
  await own.bench.watch('pull/301', 'origin-failing')
  const trust = { behindMinutes: 1, covered: 0, lagMs: 120_000, failure: undefined, gap: undefined }
  expect(await own.watch.trust(301n)).toEqual(trust)
  own.watch.soon()
  await own.pass(30_000)
  expect(await own.watch.trust(301n)).toEqual({ ...trust, behindMinutes: 0, covered: 1 })
  const until = Math.floor(own.bench.clock.now().getTime() / MINUTE_MS) - 2
  expect(await own.watch.minutes(301n, until - 1, until)).toMatchObject([{ minute: until - 1, hit: 60 }])
  expect(await own.watch.minutes(302n, until - 1, until)).toEqual([])
})
