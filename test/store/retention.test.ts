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

const [SECOND, HOUR, DAY, KB] = [1_000, 3_600_000, 86_400_000, 1_024]
/** All that is said of the store by a number, as people read it. */
const NUMBERS = `
  DRAFT_RETENTION_MS ${HOUR}, CHANGE_RETENTION_MS ${400 * DAY}, ANSWER_RETENTION_MS ${HOUR / 2},
  ADDRESS_RETENTION_MS ${29 * 60 * SECOND}, OUTBOX_RETENTION_MS ${3 * DAY}, DEAD_LETTER_RETENTION_MS ${7 * DAY},
  DELIVERY_RETENTION_MS ${2 * DAY}, MINUTE_RETENTION_MS ${15 * DAY}, WATCH_RETENTION_MS ${15 * DAY},
  INCIDENT_RETENTION_MS ${90 * DAY}, SILENCE_RETENTION_MS ${7 * DAY}, MARK_RETENTION_MS ${15 * DAY},
  MAX_ZONE_NAMES 500, MAX_ANSWERS 5000, MAX_ADDRESSES 2000, MAX_OUTBOX_ROWS 10000, MAX_DEAD_LETTERS 1000,
  MAX_ALERT_RULES 2000, MAX_NOTES_PER_INCIDENT 50, MAX_STEPS_PER_INCIDENT 100, MAX_DIGESTS 2000,
  MAX_SILENCES 500, MAX_MARKS_PER_ZONE 200, MAX_REMEMBERED_BYTES ${4 * KB * KB}, MAX_OPEN_CHANGES_PER_PERSON 20,
  MAX_DRAFTS_PER_PERSON 20, MAX_CHANGE_VALUES_BYTES ${64 * KB}, MAX_ANSWER_MESSAGE_BYTES ${64 * KB},
  MAX_MESSAGE_BYTES ${64 * KB}, MAX_INCIDENT_DOC_BYTES ${256 * KB}, MAX_AUDIT_TEXT_CHARACTERS 2000,
  MAX_AUDIT_PAGE_ROWS 500, MAX_INCIDENT_PAGE_ROWS 200, RECENT_INCIDENT_MS ${6 * HOUR}, CLAIM_MS ${60 * SECOND},
  PASSING_MS ${10 * SECOND}, HEAD_ID 1, LEASE_MS ${10 * SECOND}, GONE_MS ${30 * SECOND}, MAX_REPLICAS 5,`

test('every constant is what is said, and those that are named are among them', async () => {
  const modules = sourceFiles('src/store').map(
    ({ path }) => import(new URL(`../../src/store/${path}`, import.meta.url).href) as Promise<object>,
  )
  const exported = (await Promise.all(modules)).flatMap((module) => Object.entries(module))
  const numbers = exported.filter(([, value]) => typeof value === 'number')
  const said = [...NUMBERS.matchAll(/(\w+) (\d+)/g)].map(([, name = '', value]) => [name, Number(value)] as const)
  expect(Object.fromEntries(numbers)).toEqual(Object.fromEntries(said))
  const named = rows.flatMap(({ constants }) => constants)
  expect(named.filter((name) => !said.some(([known]) => known === name))).toEqual([])
  // What is never deleted needs no constant that says when.
  const without = rows.filter(({ constants }) => constants.length === 0)
  expect(without.map(({ rule }) => rule.split(/[ :]/)[0])).toEqual(without.map(() => 'Never'))
})
