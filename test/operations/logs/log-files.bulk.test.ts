import { expect, it } from 'vitest'
import { logs } from '../../../src/operations/logs/logs.ts'
import { ask } from '../../support/ask.ts'
import { logEntries, logResult } from '../../support/log-entries.ts'

it('a file of log lines takes fifty thousand and no more', async () => {
  const cdn = { queryLogs: async () => logResult(logEntries(50_001)) }
  const { records } = await ask(logs, { pullZone: 'shop', csv: 'true' }, cdn)
  expect(records).toHaveLength(50_001)
})
