import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { layOutLog, LOG_ROOM_BYTES } from '../../src/store/sqlite-log.ts'
import { openStore } from '../../src/store/store.ts'
import { changeIn, entry, silentLog } from './harness.ts'
import { type SqliteHarness, createSqliteHarness } from './sqlite-harness.ts'

let harness: SqliteHarness
beforeEach(() => {
  harness = createSqliteHarness()
})
afterEach(() => harness.close())

const log = () => readFileSync(`${harness.path}-wal`)
const end = { values: { env: '••••' } }

/** A store whose log was just cut, as it is at the end of each change. */
async function cutStore() {
  const store = await harness.open()
  const { id } = await changeIn(store, harness.clock, 'sending')
  const how = { now: harness.clock.now(), audit: entry('done') }
  await store.changes.move(id, { ...how, from: ['sending'], to: 'done', set: end })
  return store
}

/** The entries of what a killed process would leave now. */
async function entriesAfterKill(): Promise<number> {
  const left = join(harness.folder, 'left')
  rmSync(left, { recursive: true, force: true })
  mkdirSync(left)
  for (const ending of ['', '-wal']) cpSync(harness.path + ending, join(left, `store.sqlite${ending}`))
  await using closing = new AsyncDisposableStack()
  const store = await openStore({ url: join(left, 'store.sqlite'), clock: harness.clock, log: silentLog })
  closing.defer(() => store.close())
  const verdict = await store.audit.verify()
  return verdict.ok ? verdict.entries : Number.NaN
}

test('a log that was cut has room again, of zeros', async () => {
  await cutStore()
  expect(log().equals(Buffer.alloc(LOG_ROOM_BYTES))).toBe(true)
})

test('what is there already is opened with room for what comes', async () => {
  const store = await harness.open()
  await store.close()
  expect(existsSync(`${harness.path}-wal`)).toBe(false)
  await harness.open()
  expect(log().equals(Buffer.alloc(LOG_ROOM_BYTES))).toBe(true)
})

test('steps of changes lie in the room, and make the log no longer', async () => {
  const store = await cutStore()
  await changeIn(store, harness.clock, 'sending')
  expect(statSync(`${harness.path}-wal`).size).toBe(LOG_ROOM_BYTES)
  expect(log().equals(Buffer.alloc(LOG_ROOM_BYTES))).toBe(false)
})

test('a process that is killed leaves every entry, whether in the room or in the file', async () => {
  const store = await cutStore()
  const entries = (await store.audit.head()).seq
  expect(await entriesAfterKill()).toBe(entries)
  await store.audit.append(entry('read'))
  expect(await entriesAfterKill()).toBe(entries + 1)
  // Longer than the room, and from its beginning again after the cut.
  for (let n = 0; n < 40; n += 1) await store.audit.append(entry('read', { detail: 'x'.repeat(2_000) }))
  expect(await entriesAfterKill()).toBe(entries + 41)
})

test('a log that holds anything is left as it is', async () => {
  const store = await harness.open()
  await store.audit.append(entry('read'))
  const before = log()
  const beside = new DatabaseSync(harness.path)
  layOutLog(beside, harness.path)
  beside.close()
  expect(log().equals(before)).toBe(true)
})

test('while somebody else writes nothing is put into the log', async () => {
  const store = await harness.open()
  await store.close()
  const writing = new DatabaseSync(harness.path)
  const waiting = new DatabaseSync(harness.path)
  writing.exec('begin immediate')
  expect(() => layOutLog(waiting, harness.path)).toThrow(/locked/)
  expect(log()).toHaveLength(0)
  writing.exec('rollback')
  layOutLog(waiting, harness.path)
  expect(log()).toHaveLength(LOG_ROOM_BYTES)
  writing.close()
  waiting.close()
})

test('the files beside the store stay as they were where there is no room to be made', async () => {
  await harness.open()
  const beside = new DatabaseSync(harness.path)
  expect(() => layOutLog(beside, join(dirname(harness.path), 'nothing-here'))).toThrow(/ENOENT/)
  expect(beside.isTransaction).toBe(false)
  beside.close()
})
