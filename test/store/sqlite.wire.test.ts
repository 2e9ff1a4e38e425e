import { describe } from 'vitest'
import { engineSuites } from './engine-suites.ts'
import { createSqliteHarness } from './sqlite-harness.ts'
import { forEachTest } from '../support/for-each-test.ts'

const harness = forEachTest(createSqliteHarness)

describe('SQLite', () => {
  engineSuites(harness)
})
