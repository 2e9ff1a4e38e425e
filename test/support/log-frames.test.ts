import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { framesIn } from './log-frames.ts'

let folder: string
let database: DatabaseSync
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cdn-ops-frames-'))
  database = new DatabaseSync(join(folder, 'a.db'))
  database.exec('pragma journal_mode = wal; create table t (a text)')
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
})
const frames = () => framesIn(readFileSync(join(folder, 'a.db-wal')))

test('counts what a transaction adds, and after a new beginning only what is new', () => {
  const before = frames()
  database.exec(`insert into t values ('${'x'.repeat(20_000)}')`)
  const after = frames()
  expect(after.bytes - before.bytes).toBe((after.count - before.count) * (4_096 + 24))
  expect(after.count - before.count).toBeGreaterThanOrEqual(5)
  database.exec(`pragma wal_checkpoint(restart); insert into t values ('y')`)
  expect(frames().count).toBeLessThan(4)
})

test('finds nothing in a log that is empty or zeros', () => {
  expect(framesIn(Buffer.alloc(0))).toEqual({ count: 0, bytes: 0, endsAt: 0 })
  expect(framesIn(Buffer.alloc(10_000))).toEqual({ count: 0, bytes: 0, endsAt: 0 })
})
