import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WritableState } from '../../src/store/engine/database.ts'
import { openSqlite } from '../../src/store/engine/sqlite-engine.ts'
import type { StoreError } from '../../src/store/schema/store-error.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { FailingSqlite } from '../support/failing-sqlite.ts'
import { TurnedClock } from '../support/turned-clock.ts'
import { changeIn, entry, silentLog } from './harness.ts'
import { createSqliteHarness, type SqliteHarness } from './sqlite-harness.ts'

const disk = new FailingSqlite()
let harness: SqliteHarness
let clock: TurnedClock
let told: WritableState[]
/** What the disk did not keep, as the process hears of it. */
let lost: StoreError[]
let store: Store
beforeEach(async () => {
  disk.install()
  harness = createSqliteHarness()
  clock = new TurnedClock()
  told = []
  lost = []
  store = createStore(await openSqlite(harness.path, clock), {
    clock,
    log: silentLog,
    onWritable: (state) => told.push(state),
    onSyncFailed: (failure) => lost.push(failure),
  })
  await store.audit.append(entry('read'))
})
afterEach(async () => {
  disk.mend()
  disk.remove()
  await store.close()
  await harness.close()
})

const append = () => store.audit.append(entry('read'))

describe('a disk that does not keep a commit', () => {
  test.each([
    ['before it was written', false, 2],
    ['after it was written', true, 3],
  ])(
    '%s leaves it unknown: the process is to end, and a new one finds a sound record',
    async (_when, carriedOut, next) => {
      disk.break({ code: 'fsync', carriedOut })
      await expect(append()).rejects.toMatchObject({ kind: 'unanswered', code: 'SQLITE_IOERR_FSYNC' })
      disk.mend()
      expect(lost).toMatchObject([{ code: 'SQLITE_IOERR_FSYNC' }])
      await expect(append()).rejects.toMatchObject({ kind: 'unreachable' })
      await expect(store.audit.head()).rejects.toMatchObject({ kind: 'unreachable' })
      await store.close()
      const again = await harness.open()
      expect(await again.audit.append(entry('read'))).toMatchObject({ seq: next })
      expect(await again.audit.verify()).toMatchObject({ ok: true, entries: next })
    },
  )

  test('fails those that waited for their turn behind it as well, and is told once', async () => {
    disk.break({ code: 'fsync' })
    const before = disk.failed
    const ends = await Promise.allSettled([append(), append(), store.probe()])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(disk.failed).toBe(before + 1)
    expect(lost).toHaveLength(1)
  })

  test('is noticed as well when it is the log of erased values that is cut', async () => {
    disk.break({ code: 'fsync', at: /wal_checkpoint/ })
    await store.prune(clock.now())
    expect(lost).toHaveLength(1)
  })
})

test.each(['write', 'full', 'fsync'] as const)(
  'a log that cannot be cut (%s) fails nothing that was committed before',
  async (code) => {
    const { id } = await changeIn(store, clock, 'draft')
    disk.break({ code, at: /wal_checkpoint/ })
    expect(await store.changes.saveDraft(id, { value: 'new' })).toMatchObject({ values: { value: 'new' } })
    expect(disk.failed).toBeGreaterThan(0)
  },
)

test('a disk that fails to write is asked again with the next write, and reads go on', async () => {
  disk.break({ code: 'write' })
  await expect(append()).rejects.toMatchObject({ kind: 'unanswered' })
  expect(await store.audit.head()).toMatchObject({ seq: 1 })
  disk.mend()
  expect(await append()).toMatchObject({ seq: 2 })
  expect(told).toEqual([{ writable: false, why: 'unreachable' }, { writable: true }])
  expect(lost).toEqual([])
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
  await expect(store.probe()).rejects.toMatchObject({ kind: why })
  await expect(store.check()).rejects.toMatchObject({ kind: why })
  await expect(store.prune(clock.now())).rejects.toMatchObject({ kind: why })
  expect(told).toEqual([{ writable: false, why }])
  disk.mend()
  await store.probe()
  expect(told).toEqual([{ writable: false, why }, { writable: true }])
  expect(await store.remembered.get('room')).toBeUndefined()
})

test('a damaged page that is met while it runs ends everything until a restart', async () => {
  disk.break({ code: 'corrupt', at: /from "changes"/ })
  await expect(store.changes.get('any')).rejects.toMatchObject({ kind: 'corrupt' })
  disk.mend()
  await expect(append()).rejects.toMatchObject({ kind: 'corrupt' })
  expect(told).toEqual([{ writable: false, why: 'corrupt' }])
  expect(lost).toEqual([])
})

test.each([
  ['locked', 'locked', 'is locked by another program. Wait until that is done with it (SQLITE_BUSY)'],
  ['full', 'full', 'cannot be opened, because its disk is full. Make room (SQLITE_FULL)'],
  ['write', 'unreachable', 'cannot be opened: its disk failed. See to the disk, then start again (SQLITE_IOERR)'],
  ['other', 'other', 'The store refused the statement (SQLite 1: the disk failed)'],
] as const)('a file that cannot be opened, since it is %s, is said with what to do', async (code, kind, words) => {
  await store.close()
  disk.break({ code, at: /journal_mode = wal/ })
  const message = code === 'other' ? words : `The store ${harness.path} ${words}`
  await expect(openSqlite(harness.path, clock)).rejects.toMatchObject({ kind, message })
  disk.mend()
  await (await openSqlite(harness.path, clock)).close()
})
