import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANSWER_RETENTION_MS, HELD_RETRY_MS, type NewAnswer } from '../../src/store/answers.ts'
import { MEND_PAUSE_MS } from '../../src/store/database.ts'
import type { Store } from '../../src/store/store.ts'
import type { WritableState } from '../../src/store/writability.ts'
import { FailingSqlite } from '../support/failing-sqlite.ts'
import type { TurnedClock } from '../support/turned-clock.ts'
import { type FailingStore, closeOn, openOn } from './failing-store.ts'
import { changeIn, entry } from './harness.ts'

/** What SQLite calls a commit that the disk has, and one that the operating system has. */
const [ON_DISK, IN_LOG] = ['full', 'normal'] as const
const disk = new FailingSqlite()
let opened: FailingStore
let clock: TurnedClock
let told: WritableState[]
let store: Store

beforeEach(async () => {
  opened = await openOn(disk)
  ;({ store, clock, told } = opened)
  disk.begun.length = 0
})
afterEach(async () => closeOn(disk, opened))

test('all waits for the disk but the buttons of reads', async () => {
  await store.audit.append(entry('read'))
  await store.answers.put(answer('one'))
  const { id } = await changeIn(store, clock, 'sending')
  await store.changes.move(id, { now: clock.now(), audit: entry('done'), from: ['sending'], to: 'done', set: {} })
  expect(disk.begun.length).toBeGreaterThan(3)
  expect(new Set(disk.begun)).toEqual(new Set([ON_DISK]))
  disk.begun.length = 0
  store.answers.hold(answer('two'))
  await store.answers.writeHeld()
  await store.answers.take('two', clock.now())
  expect(disk.begun).toEqual([IN_LOG, ON_DISK])
})

test('while writing fails, buttons of reads wait for it too: only the disk can say that it is well', async () => {
  disk.break({ code: 'fsync' })
  await expect(store.audit.append(entry('read'))).rejects.toMatchObject({ kind: 'unanswered' })
  disk.mend()
  disk.begun.length = 0
  store.answers.hold(answer('two'))
  clock.turn(Math.max(MEND_PAUSE_MS, HELD_RETRY_MS))
  await store.answers.writeHeld()
  expect(disk.begun).toEqual([ON_DISK])
  expect(told).toEqual([{ writable: false, why: 'unreachable' }, { writable: true }])
})

test('a connection that would not wait again is given up, and what it did last is unknown', async () => {
  store.answers.hold(answer('two'))
  disk.break({ code: 'write', at: /synchronous = full/ })
  await expect(store.answers.writeHeld()).rejects.toMatchObject({ kind: 'unanswered' })
  disk.mend()
  await expect(store.audit.append(entry('read'))).rejects.toMatchObject({ kind: 'unreachable' })
  clock.turn(MEND_PAUSE_MS)
  disk.begun.length = 0
  await store.audit.append(entry('read'))
  expect(disk.begun).toEqual([ON_DISK])
  expect(await store.answers.get('two', clock.now())).toMatchObject({ id: 'two' })
})

function answer(id: string): NewAnswer {
  const expiresAt = new Date(clock.now().getTime() + ANSWER_RETENTION_MS)
  return { id, kind: 'page', operation: 'storage stats', values: {}, actorId: 'U1', team: 'T1', expiresAt }
}
