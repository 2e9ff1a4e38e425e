import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { forEachTest } from '../../support/for-each-test.ts'
import { createSqliteHarness } from '../sqlite-harness.ts'

const harness = forEachTest(createSqliteHarness)

test('a step that has been released makes what it made: tables, their columns and constraints, and indexes', async () => {
  await harness.open()
  const made = await harness.sql(
    `select sql from sqlite_schema where name not like 'kysely%' and sql is not null order by name`,
  )
  const words = made.map(({ sql }) => String(sql))
  // With a new step both are others: add it, and see in git that no older one is edited.
  const hash = createHash('sha256').update(words.join('\n')).digest('hex')
  expect([words.length, hash.slice(0, 12)]).toEqual([53, '9972e66a5030'])
})
