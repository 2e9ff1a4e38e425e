import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Secret } from '../../src/shared/secret.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from './harness.ts'
import { createSqliteHarness } from './sqlite-harness.ts'
import { forEachTest } from '../support/for-each-test.ts'

const ENTRIES = 6
const TEXTS = ['actor', 'team', 'operation', 'event', 'change_id', 'summary', 'detail', 'hash'] as const

const harness = forEachTest(createSqliteHarness)
let store: Store
let database: DatabaseSync
beforeEach(async () => {
  store = await harness.open({ auditKey: new Secret('a key that is not in the database') })
  database = new DatabaseSync(harness.path)
})
afterEach(() => database.close())

test('any byte of a text that is another one is found, and its entry named', async () => {
  for (let n = 0; n < ENTRIES; n++) {
    await store.audit.append(entry('read', { changeId: 'c1', summary: 'ü \u{FFFD} 👩 "', detail: `number ${n}` }))
  }
  const row = fc.integer({ min: 1, max: ENTRIES })
  const difference = fc.integer({ min: 1, max: 255 })
  await fc.assert(
    fc.asyncProperty(row, fc.constantFrom(...TEXTS), fc.nat(), difference, async (seq, column, at, difference) => {
      const [{ value }] = database.prepare(`select ${column} as value from audit_entries where seq = ${seq}`).all() as [
        { readonly value: string },
      ]
      const bytes = Buffer.from(value)
      const place = at % bytes.length
      bytes[place] = (bytes[place] ?? 0) ^ difference
      const update = database.prepare(`update audit_entries set ${column} = cast(? as text) where seq = ${seq}`)
      update.run(bytes)
      expect(await store.audit.verify()).toMatchObject({ ok: false, firstBad: seq })
      update.run(Buffer.from(value))
      expect(await store.audit.verify()).toMatchObject({ ok: true, entries: ENTRIES })
    }),
    { numRuns: 50 },
  )
})

test('bytes that are no text are not taken for the character that stands for them', async () => {
  await store.audit.append(entry('read', { summary: '\u{FFFD}' }))
  database.exec(`update audit_entries set summary = cast(x'F0BFBD' as text)`)
  expect(database.prepare('select summary from audit_entries').get()).toEqual({ summary: '\u{FFFD}' })
  expect(await store.audit.verify()).toMatchObject({ ok: false, firstBad: 1 })
})
