import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LogEntry } from '../../../src/cdn/contract/log-entry.ts'
import { cutLines } from '../../../src/operations/logs/log-answer.ts'
import { readLog } from '../../../src/operations/logs/log-reading.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { logEntries, logEntry, logQuestion, logResult, logZone } from '../../support/log-entries.ts'
import { NOW, operationContext } from '../../support/operation-context.ts'

const at = (second: number): LogEntry => logEntry(second, { requestId: `${second}` })

/** Pages through a zone until an answer offers nothing further, at most a hundred times. */
async function pageThrough(entries: readonly LogEntry[], fits: number, order: string) {
  const shown: LogEntry[] = []
  let lost = 0
  let values: RawValues | undefined = { since: '2d', order }
  let pages = 0
  for (; values !== undefined && pages < 100; pages += 1) {
    const asked = logQuestion({ cache: 'all', ...values })
    const reading = await readLog(asked, operationContext({ queryLogs: logZone(entries) }))
    const page = cutLines(reading, asked, fits)
    shown.push(...page.lines)
    lost += page.lost
    values = page.next
  }
  return { shown, lost, pages }
}

describe('paging through a log', () => {
  it.each(['newest', 'oldest'])('shows every line once, %s first, however they are bunched in time', async (order) => {
    const steps = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 9 }), async (seconds, fits) => {
        const entries = seconds
          .toSorted((a, b) => a - b)
          .map((second, index) => logEntry(second + 1, { requestId: `${index}` }))
        const { shown, lost, pages } = await pageThrough(entries, fits, order)
        expect(pages).toBeLessThan(100)
        expect(shown.length + lost).toBe(entries.length)
        expect(new Set(shown.map(({ requestId }) => requestId)).size).toBe(shown.length)
        const expected = order === 'newest' ? entries : entries.toReversed()
        if (lost === 0) expect(shown).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  it('loses lines only where one instant has more than fit, and says how many', async () => {
    const crowded = [...logEntries(5, () => ({ timestamp: NOW })), at(10)].map((entry, index) => ({
      ...entry,
      timestamp: new Date((entry.timestamp ?? NOW).getTime() - 1_000),
      requestId: `${index}`,
    }))
    const { shown, lost } = await pageThrough(crowded, 3, 'newest')
    expect(shown.map(({ requestId }) => requestId)).toEqual(['0', '1', '2', '5'])
    expect(lost).toBe(2)
  })

  it('goes on in the rows of the platform when all that was read is shown', async () => {
    const next = { offset: 60_000n, pageSize: 1_000, skip: 12 }
    const asked = logQuestion({ cache: 'all', search: 'rare' })
    const queryLogs = async () => logResult([], { truncated: true, next, pages: 60 })
    const reading = await readLog(asked, operationContext({ queryLogs }))
    const range = { since: '2026-11-20T11:00:00.000Z', until: '2026-11-20T12:00:00.000Z' }
    const values = { pullZone: '201', cache: 'all', search: 'rare', ...range, continueAt: '60000.1000.12' }
    expect(cutLines(reading, asked, 50).next).toEqual(values)
  })

  it('offers nothing when lines carry no time to go on from', async () => {
    const asked = logQuestion({})
    const entries = logEntries(3, () => ({ timestamp: undefined }))
    const reading = await readLog(asked, operationContext({ queryLogs: async () => logResult(entries) }))
    expect(cutLines(reading, asked, 2)).toMatchObject({ next: undefined, lost: 1 })
  })
})
