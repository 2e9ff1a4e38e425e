import { afterEach, beforeEach, describe } from 'vitest'
import { answersSuite } from './answers-suite.ts'
import { auditSuite } from './audit-suite.ts'
import { changeSweepSuite } from './change-sweep-suite.ts'
import { changesSuite } from './changes-suite.ts'
import { type SqliteHarness, createSqliteHarness } from './sqlite-harness.ts'
import { storeSuite } from './store-suite.ts'
import { zoneNamesSuite } from './zone-names-suite.ts'

let harness: SqliteHarness
beforeEach(() => {
  harness = createSqliteHarness()
})
afterEach(() => harness.close())

describe('SQLite: store', () => {
  storeSuite(() => harness)
})
describe('SQLite: audit', () => {
  auditSuite(() => harness)
})
describe('SQLite: changes', () => {
  changesSuite(() => harness)
})
describe('SQLite: change sweep', () => {
  changeSweepSuite(() => harness)
})
describe('SQLite: zone names', () => {
  zoneNamesSuite(() => harness)
})
describe('SQLite: answers', () => {
  answersSuite(() => harness)
})
