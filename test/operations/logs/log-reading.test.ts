import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keepNewest, pathOf, tallyLines } from '../../../src/operations/logs/log-reading.ts'
import { logEntries, logEntry } from '../../support/log-entries.ts'

describe('counting lines', () => {
  it('counts by cache status, the most frequent first, with bytes without loss', () => {
    const tally = tallyLines('path')
    const huge = 9_007_199_254_740_993n
    tally.add(logEntry(1, { cacheStatus: 'HIT', bytesSent: huge }))
    tally.add(logEntry(2, { cacheStatus: 'MISS' }))
    tally.add(logEntry(3, { cacheStatus: 'MISS', bytesSent: undefined }))
    tally.add(logEntry(4, { cacheStatus: undefined }))
    tally.add(logEntry(4, { statusCode: 503, cacheStatus: 'y'.repeat(301) }))
    tally.add(logEntry(4, { statusCode: 99, cacheStatus: 'STALE' }))
    const { lines, bytes, byCacheStatus, byClass, failing, groups } = tally.counts()
    expect([lines, bytes, failing]).toEqual([6, huge + 4_000n, 2])
    expect(byClass.map(({ name, lines: of }) => [name, of])).toEqual([
      ['2xx', 4],
      ['5xx', 1],
      ['unknown', 1],
    ])
    expect(byCacheStatus.map(({ name, lines: of }) => [name, of])).toEqual([
      ['MISS', 2],
      ['HIT', 1],
      ['unknown', 1],
      ['y'.repeat(300), 1],
      ['STALE', 1],
    ])
    expect(groups).toHaveLength(4)
  })

  it.each([
    [99, 'unknown', 0],
    [100, '1xx', 0],
    [499, '4xx', 0],
    [500, '5xx', 1],
    [599, '5xx', 1],
    [600, 'unknown', 1],
  ])('reads the class of status %d, and what fails', (statusCode, name, failed) => {
    const tally = tallyLines('path')
    tally.add(logEntry(1, { statusCode }))
    const { byClass, failing } = tally.counts()
    expect([byClass[0]?.name, failing]).toEqual([name, failed])
  })

  it.each([
    ['path', ['shop.example.com/a', 2]],
    ['status', ['404', 3]],
    ['edge', ['WA', 2]],
    ['country', ['DE', 2]],
  ] as const)('groups by %s', (by, first) => {
    const tally = tallyLines(by)
    tally.add(logEntry(1, { url: 'https://shop.example.com/a?x=…', statusCode: 404 }))
    tally.add(logEntry(2, { url: 'http://shop.example.com/a#…', statusCode: 404 }))
    tally.add(
      logEntry(3, { url: 'https://shop.example.com/b', statusCode: 404, edgeLocation: undefined, countryCode: '' }),
    )
    const { groups } = tally.counts()
    expect([groups[0]?.name, groups[0]?.lines]).toEqual(first)
    if (by === 'edge' || by === 'country') expect(groups[1]?.name).toBe('unknown')
  })

  it('tells apart at most ten thousand groups and counts the rest', () => {
    const tally = tallyLines('path')
    for (const entry of logEntries(10_003)) tally.add(entry)
    tally.add(logEntry(0))
    const { groups, ungrouped, lines } = tally.counts()
    expect([groups.length, ungrouped, lines]).toEqual([10_000, 3, 10_004])
    expect(groups[0]).toMatchObject({ name: 'shop.example.com/page/0', lines: 2 })
  })

  it('makes a path from host and path where there is no url', () => {
    expect(pathOf({ host: 'a.example.com', path: '/x?y=…' })).toBe('a.example.com/x')
  })
})

describe('keeping the newest lines', () => {
  it('keeps what sorting all of them would, in whatever order they come', () => {
    const lines = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 120, size: 'max' })
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 20 }), (seconds, max) => {
        const entries = seconds.map((second, index) => logEntry(second, { requestId: `${index}` }))
        const newest = keepNewest(max)
        for (const entry of entries) newest.add(entry)
        const sorted = entries.toSorted((a, b) => b.timestamp!.getTime() - a.timestamp!.getTime())
        expect(newest.list()).toEqual(sorted.slice(0, max))
      }),
    )
  })

  it('takes lines without a time as the oldest', () => {
    const newest = keepNewest(2)
    const timeless = logEntry(0, { timestamp: undefined })
    for (const entry of [timeless, logEntry(1), logEntry(2)]) newest.add(entry)
    expect(newest.list()).toEqual([logEntry(1), logEntry(2)])
  })
})
