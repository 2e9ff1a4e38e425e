import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NewestLines } from '../../../src/operations/logs/log-reading.ts'
import { logEntry } from '../../support/log-entries.ts'

describe('keeping the newest lines', () => {
  it('keeps what sorting all of them would, in whatever order they come', () => {
    const lines = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 120, size: 'max' })
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 20 }), (seconds, max) => {
        const entries = seconds.map((second, index) => logEntry(second, { requestId: `${index}` }))
        const newest = new NewestLines(max)
        for (const entry of entries) newest.add(entry)
        const sorted = entries.toSorted((a, b) => b.timestamp!.getTime() - a.timestamp!.getTime())
        expect(newest.list()).toEqual(sorted.slice(0, max))
      }),
    )
  })

  it('takes lines without a time as the oldest', () => {
    const newest = new NewestLines(2)
    const timeless = logEntry(0, { timestamp: undefined })
    for (const entry of [timeless, logEntry(1), logEntry(2)]) newest.add(entry)
    expect(newest.list()).toEqual([logEntry(1), logEntry(2)])
  })
})
