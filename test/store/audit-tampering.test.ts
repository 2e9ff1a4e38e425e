import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entry } from './harness.ts'
import { createSqliteHarness } from './sqlite-harness.ts'
import { forEachTest } from '../support/for-each-test.ts'

const harness = forEachTest(createSqliteHarness)

test('any byte of a text that is another one is found, and its entry named', async () => {
  const store = await harness.open()
  for (let n = 0; n < 3; n++)
    await store.audit.append(entry('read', { changeId: 'c1', summary: 'ü \u{FFFD} 👩 "', detail: `number ${n}` }))
  const database = new DatabaseSync(harness.path)
  const text = fc.constantFrom('actor', 'team', 'operation', 'event', 'change_id', 'summary', 'detail', 'hash')
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      text,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (...drawn) => {
        const [seq, column, at, difference] = drawn
        const [value] = Object.values(
          database.prepare(`select ${column} from audit_entries where seq = ${seq}`).get() ?? {},
        )
        const bytes = Buffer.from(String(value))
        bytes.writeUInt8(bytes.readUInt8(at % bytes.length) ^ difference, at % bytes.length)
        const update = database.prepare(`update audit_entries set ${column} = cast(? as text) where seq = ${seq}`)
        update.run(bytes)
        expect(await store.audit.verify()).toMatchObject({ ok: false, firstBad: seq })
        update.run(Buffer.from(String(value)))
      },
    ),
    { numRuns: 50 },
  )
  expect(await store.audit.verify()).toMatchObject({ ok: true, entries: 3 })
  database.close()
})

test('bytes that are no text are not taken for the character that stands for them', async () => {
  const store = await harness.open()
  await store.audit.append(entry('read', { summary: '\u{FFFD}' }))
  expect(await store.audit.verify()).toMatchObject({ ok: true })
  await harness.sql(`update audit_entries set summary = cast(x'F0BFBD' as text)`)
  expect(await harness.sql('select summary from audit_entries')).toEqual([{ summary: '\u{FFFD}' }])
  expect(await store.audit.verify()).toMatchObject({ ok: false, firstBad: 1 })
})
