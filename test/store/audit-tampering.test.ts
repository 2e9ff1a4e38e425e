import { expect, test } from 'vitest'
import { entry } from './harness.ts'
import { createSqliteHarness } from './sqlite-harness.ts'
import { forEachTest } from '../support/for-each-test.ts'

const harness = forEachTest(createSqliteHarness)

test('bytes that are no text are not taken for the character that stands for them', async () => {
  const store = await harness.open()
  await store.audit.append(entry('read', { summary: '\u{FFFD}' }))
  expect(await store.audit.verify()).toMatchObject({ ok: true })
  await harness.sql(`update audit_entries set summary = cast(x'F0BFBD' as text)`)
  expect(await harness.sql('select summary from audit_entries')).toEqual([{ summary: '\u{FFFD}' }])
  expect(await store.audit.verify()).toMatchObject({ ok: false, firstBad: 1 })
})
