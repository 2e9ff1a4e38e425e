import { readFileSync } from 'node:fs'
import { sourceFiles } from '../support/source-imports.ts'
import { expect, test } from 'vitest'
import { createSqliteHarness } from './sqlite-harness.ts'
import { forEachTest } from '../support/for-each-test.ts'

/** How long things are kept is said once for people, by table, and holds for every table there is. */

const rows = [...readFileSync('src/store/README.md', 'utf8').matchAll(/^\| `(\w+)` \| (.+?) \| ?(.*?) ?\|$/gm)].map(
  ([, table = '', rule = '', constants = '']) => ({
    table,
    rule,
    constants: [...constants.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  }),
)

const harness = forEachTest(createSqliteHarness)

test('every table that the types name is there, and is said', () => {
  const [, names = ''] =
    /export interface Tables \{([\s\S]*?)\n\}/.exec(readFileSync('src/store/schema/tables.ts', 'utf8')) ?? []
  const tables = [...names.matchAll(/readonly (\w+):/g)].map(([, name = '']) =>
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  )
  expect(tables.length).toBeGreaterThan(8)
  expect(rows.map(({ table }) => table).toSorted()).toEqual(tables.toSorted())
})

test('every table that is made is said', async () => {
  await harness.open()
  const made = await harness.sql(`select name from sqlite_schema where type = 'table' and name not like 'kysely%'`)
  expect(made.map(({ name }) => String(name)).toSorted()).toEqual(rows.map(({ table }) => table).toSorted())
})

test('every constant that is named says it', () => {
  const sources = sourceFiles('src/store').map(({ text }) => text)
  const named = rows.flatMap(({ constants }) => constants)
  expect(named.length).toBeGreaterThan(6)
  for (const name of named) expect(sources.some((text) => text.includes(`export const ${name} =`))).toBe(true)
  // What is never deleted needs no constant that says when.
  const without = rows.filter(({ constants }) => constants.length === 0)
  expect(without.map(({ rule }) => rule.split(/[ :]/)[0])).toEqual(without.map(() => 'Never'))
})
