import { expect, it } from 'vitest'
import { changeIn, createTestClock, entry } from '../../store/harness.ts'
import { createMemoryStore, type MemoryStore } from './memory-store.ts'

/** All rows of all tables, by table, and the tables' definitions. */
function contents(memory: MemoryStore): readonly unknown[] {
  const tables = memory.sql('select type, name, sql from sqlite_schema order by name')
  const rows = tables
    .filter(({ type }) => type === 'table')
    // When a migration ran is another time each time.
    .map(({ name }) => memory.sql(`select rowid, * from "${String(name)}"`).map((row) => ({ ...row, timestamp: 0 })))
  return [tables, rows]
}

it('a store in memory begins as a new one does, whatever the one before it has left', async () => {
  const clock = createTestClock()
  // Two at once are never the same.
  const first = await createMemoryStore(clock)
  const fresh = await createMemoryStore(clock)
  const asNew = contents(fresh)
  expect(contents(first)).toEqual(asNew)

  await changeIn(first.store, clock, 'waiting')
  await first.store.audit.append(entry('read'))
  await first.store.isFirst('a key')
  first.sql(`update audit_head set seq = 7, hash = 'wrong'`)
  expect(contents(first)).not.toEqual(asNew)
  expect(contents(fresh)).toEqual(asNew)

  await first.close()
  await expect(first.store.isFirst('a key')).rejects.toThrow('The store is closed')
  const next = await createMemoryStore(clock)
  expect(contents(next)).toEqual(asNew)
  await changeIn(next.store, clock, 'waiting')
  await expect(next.store.audit.verify()).resolves.toMatchObject({ ok: true })
  await Promise.all([next.close(), fresh.close()])
})

it('a store that is closed in the middle of a transaction is not used again', async () => {
  const clock = createTestClock()
  const broken = await createMemoryStore(clock)
  broken.sql('begin')
  await broken.close()
  const next = await createMemoryStore(clock)
  expect(next.sql('select count(*) as changes from changes')).toEqual([{ changes: 0 }])
  expect(() => broken.sql('select 1')).toThrow('not open')
  await next.close()
})
