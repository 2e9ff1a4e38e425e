import { afterEach, beforeEach, describe } from 'vitest'
import { engineSuites } from './engine-suites.ts'
import { type SqliteHarness, createSqliteHarness } from './sqlite-harness.ts'

let harness: SqliteHarness
beforeEach(() => {
  harness = createSqliteHarness()
})
afterEach(() => harness.close())

describe('SQLite', () => {
  engineSuites(() => harness)
})
