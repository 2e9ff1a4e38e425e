import { copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MEND_PAUSE_MS } from '../../src/store/database.ts'
import { type Store, createStore } from '../../src/store/store.ts'
import { openSqlite } from '../../src/store/sqlite-engine.ts'
import type { WritableState } from '../../src/store/writability.ts'
import { FailingSqlite } from '../support/failing-sqlite.ts'
import { TurnedClock } from '../support/turned-clock.ts'
import { changeIn, entry, silentLog } from './harness.ts'
import { type SqliteHarness, createSqliteHarness } from './sqlite-harness.ts'

const disk = new FailingSqlite()
let harness: SqliteHarness
let clock: TurnedClock
let told: WritableState[]
let store: Store
beforeEach(async () => {
  disk.install()
  harness = createSqliteHarness()
  clock = new TurnedClock()
  told = []
  const engine = await openSqlite(harness.path, clock, silentLog)
  store = createStore(engine, { clock, log: silentLog, onWritable: (state) => told.push(state) })
  await store.audit.append(entry('read'))
})
afterEach(async () => {
  disk.mend()
  disk.remove()
  await store.close()
  await harness.close()
})

const later = () => clock.turn(MEND_PAUSE_MS)
const append = () => store.audit.append(entry('read'))

describe('a disk that fails to keep a commit', () => {
  test.each([
    ['before it was written', false, 2],
    ['after it was written', true, 3],
  ])('%s leaves it unknown, and nothing more is asked of that connection', async (_when, carriedOut, entries) => {
    disk.break({ code: 'fsync', carriedOut })
    await expect(append()).rejects.toMatchObject({ kind: 'unanswered', code: 'SQLITE_IOERR' })
    disk.mend()
    await expect(append()).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(store.audit.head()).rejects.toMatchObject({ kind: 'unreachable' })
    later()
    expect(await append()).toMatchObject({ seq: entries })
    expect(await store.audit.verify()).toMatchObject({ ok: true, entries })
    expect(told).toEqual([{ writable: false, why: 'unreachable' }, { writable: true }])
  })

  test('is tried again every few seconds for as long as it lasts, without a call that waits for it', async () => {
    disk.break({ code: 'fsync', opening: true })
    await expect(append()).rejects.toMatchObject({ kind: 'unanswered' })
    const failed = disk.failed
    for (let n = 0; n < 3; n++) {
      await expect(append()).rejects.toMatchObject({ kind: 'unreachable' })
      later()
      await expect(store.check()).rejects.toMatchObject({ kind: 'unreachable' })
    }
    expect(disk.failed).toBe(failed + 3)
    disk.mend()
    later()
    await expect(store.check()).resolves.toBeUndefined()
    expect(told).toEqual([{ writable: false, why: 'unreachable' }, { writable: true }])
  })

  test('is opened again by one call for all that come', async () => {
    disk.break({ code: 'write' })
    await expect(append()).rejects.toMatchObject({ kind: 'unanswered' })
    disk.mend()
    later()
    const numbers = (await Promise.all(Array.from({ length: 10 }, append))).map(({ seq }) => seq)
    expect(numbers).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  test('fails those that waited for their turn behind it as well', async () => {
    disk.break({ code: 'fsync' })
    const before = disk.failed
    const ends = await Promise.allSettled([append(), append(), append()])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(disk.failed).toBe(before + 1)
  })

  test('that fails in reading is told as well', async () => {
    disk.break({ code: 'write', at: /from "audit_head"/ })
    await expect(store.audit.head()).rejects.toMatchObject({ kind: 'unreachable' })
    expect(told).toEqual([{ writable: false, why: 'unreachable' }])
  })
})

describe('a file that is not in its place any more', () => {
  const beside = () => `${harness.path}.other`

  test.each([
    ['was deleted', () => rmSync(harness.path)],
    ['was moved away', () => renameSync(harness.path, beside())],
    [
      'was replaced by a copy',
      () => {
        copyFileSync(harness.path, beside())
        renameSync(beside(), harness.path)
      },
    ],
  ])('because it %s is not written to, and no other one is begun', async (_what, act) => {
    act()
    const before = existsSync(harness.path) ? readFileSync(harness.path) : undefined
    await expect(append()).rejects.toMatchObject({
      kind: 'corrupt',
      message: expect.stringContaining('moved or replaced while it was in use') as string,
    })
    later()
    await expect(append()).rejects.toMatchObject({ kind: 'corrupt' })
    expect(existsSync(harness.path) ? readFileSync(harness.path) : undefined).toEqual(before)
    expect(told).toEqual([{ writable: false, why: 'corrupt' }])
  })

  test('is not begun anew after the disk had failed either', async () => {
    disk.break({ code: 'fsync' })
    await expect(append()).rejects.toMatchObject({ kind: 'unanswered' })
    disk.mend()
    rmSync(harness.path)
    later()
    await expect(append()).rejects.toMatchObject({ kind: 'corrupt' })
    expect(existsSync(harness.path)).toBe(false)
  })
})

test.each([
  ['full', 'full'],
  ['readOnly', 'read_only'],
] as const)('a store that is %s refuses writes, reads, and is told to be well only when it is', async (code, why) => {
  const { id } = await changeIn(store, clock, 'approved')
  disk.break({ code, at: /^insert/i })
  await expect(append()).rejects.toMatchObject({ kind: why })
  expect(await store.changes.get(id)).toMatchObject({ state: 'approved' })
  // Nothing of these is inserted; that they succeed would prove nothing.
  await expect(store.notices.take(1)).rejects.toMatchObject({ kind: why })
  await expect(store.prune(clock.now())).rejects.toMatchObject({ kind: why })
  expect(told).toEqual([{ writable: false, why }])
  disk.mend()
  await store.prune(clock.now())
  expect(told).toEqual([{ writable: false, why }, { writable: true }])
  expect(await store.remembered.get('room')).toBeUndefined()
})

test('a damaged page that is met while it runs ends everything until a restart', async () => {
  disk.break({ code: 'corrupt', at: /from "changes"/ })
  await expect(store.changes.get('any')).rejects.toMatchObject({ kind: 'corrupt' })
  disk.mend()
  later()
  await expect(append()).rejects.toMatchObject({ kind: 'corrupt' })
  expect(told).toEqual([{ writable: false, why: 'corrupt' }])
})
