import { copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HELD_RETRY_MS, HOLD_MS, type NewAnswer } from '../../src/store/answers.ts'
import { MEND_PAUSE_MS } from '../../src/store/database.ts'
import type { Store } from '../../src/store/store.ts'
import type { WritableState } from '../../src/store/writability.ts'
import { FailingSqlite } from '../support/failing-sqlite.ts'
import type { TurnedClock } from '../support/turned-clock.ts'
import { closeOn, openOn } from './failing-store.ts'
import { changeIn, entry } from './harness.ts'
import type { SqliteHarness } from './sqlite-harness.ts'

const disk = new FailingSqlite()
let harness: SqliteHarness
let clock: TurnedClock
let told: WritableState[]
let store: Store
beforeEach(async () => {
  ;({ store, harness, clock, told } = await openOn(disk))
  await store.audit.append(entry('read'))
})
afterEach(async () => closeOn(disk, { store, harness, clock, told }))

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

describe('answers that are held while the store has trouble', () => {
  const page: NewAnswer = {
    id: 'a1',
    kind: 'page',
    operation: 'keys list',
    values: {},
    actorId: 'U1',
    team: 'T1',
    channelId: 'C1',
  }
  let before: number
  beforeEach(() => void (before = disk.failed))
  const failed = () => disk.failed - before
  const written = async () => (await harness.sql('select id from answers order by id')).map(({ id }) => id)

  test('are written by themselves once it takes them again', async () => {
    disk.break({ code: 'full', at: /insert into "answers"/ })
    store.answers.hold(page)
    clock.turn(HOLD_MS)
    await expect.poll(failed).toBe(1)
    disk.mend()
    await expect.poll(() => clock.timers).toBe(1)
    clock.turn(HELD_RETRY_MS)
    await expect.poll(written).toEqual(['a1'])
  })

  test('are tried again every few seconds, however many come meanwhile', async () => {
    disk.break({ code: 'full', at: /insert into "answers"/ })
    for (let n = 0; n < 500; n++) store.answers.hold({ ...page, id: `a${n}` })
    clock.turn(HOLD_MS)
    await expect.poll(failed).toBe(1)
    await expect.poll(() => clock.timers).toBe(1)
    for (let n = 500; n < 1_000; n++) store.answers.hold({ ...page, id: `a${n}` })
    clock.turn(HELD_RETRY_MS - 1)
    await store.audit.head()
    expect(failed()).toBe(1)
    clock.turn(1)
    await expect.poll(failed).toBe(2)
    expect(await store.answers.get('a999', clock.now())).toBeDefined()
  })

  test.each([true, false])(
    'can be taken once at most when a commit fails that was carried out: %s',
    async (carriedOut) => {
      store.answers.hold(page)
      disk.break({ code: 'fsync', carriedOut })
      await expect(store.answers.writeHeld()).rejects.toMatchObject({ kind: 'unanswered' })
      disk.mend()
      later()
      const taken = [await store.answers.take('a1', clock.now()), await store.answers.take('a1', clock.now())]
      expect(taken.filter((answer) => answer !== undefined)).toHaveLength(carriedOut ? 1 : 0)
      store.answers.hold({ ...page, id: 'a2' })
      await store.answers.writeHeld()
      expect(await written()).toEqual(['a2'])
    },
  )

  test('keep no store from being closed, whatever is wrong with them', async () => {
    store.answers.hold({ ...page, operation: {} as never })
    await store.close()
    const next = await harness.open()
    expect(await next.audit.head()).toMatchObject({ seq: 1 })
  })
})
