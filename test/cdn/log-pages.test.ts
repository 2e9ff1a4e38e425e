import { describe, expect, it } from 'vitest'
import type { LogCursor } from '../../src/cdn/cdn.ts'
import type { LogQuery } from '../../src/cdn/dialect.ts'
import type { LogEntry } from '../../src/cdn/log-entry.ts'
import type { LogFilter } from '../../src/cdn/log-filter.ts'
import { collectLogPages, type FetchedPage, MAX_LOG_PAGES } from '../../src/cdn/log-pages.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const APPLIED = { from: new Date('2026-11-19T12:00:00Z'), to: new Date('2026-11-20T11:59:58Z') }

const entry = (id: number): LogEntry => ({ requestId: String(id), timestamp: new Date(id), edgeLocation: 'WA' })

interface World {
  readonly rows: number
  /** Which rows are left of a page after the platform's late filter. */
  readonly keep?: (row: number) => boolean
  readonly hasMore?: boolean
  readonly echo?: boolean
  readonly pageStep?: 'limit' | 'returned'
  readonly cursor?: LogCursor
}

/** A platform with numbered rows; remembers what it was asked. */
async function ask(maxEntries: number, world: World, filter: LogFilter = {}) {
  const queries: LogQuery[] = []
  const { rows, keep = () => true, hasMore, echo = true, pageStep = 'limit', cursor } = world
  const fetchPage = async (query: LogQuery): Promise<FetchedPage> => {
    queries.push(query)
    const offset = Number(query.offset ?? 0n)
    const limit = query.limit ?? 100
    const ids = Array.from({ length: Math.max(0, Math.min(limit, rows - offset)) }, (_, index) => offset + index)
    const entries = ids.filter((id) => keep(id)).map(entry)
    const pagination = {
      offset: BigInt(offset),
      limit: BigInt(limit),
      returned: BigInt(entries.length),
      hasMore: hasMore ?? offset + limit < rows,
    }
    const range = echo ? { pullZoneId: 1n, order: 'desc', ...APPLIED } : undefined
    return { page: { pagination, query: range }, entries }
  }
  const result = await collectLogPages(filter, { maxEntries, cursor, now: NOW, pageStep }, fetchPage)
  return { queries, result, ids: result.entries.map(({ requestId }) => Number(requestId)) }
}

describe('pages of log entries', () => {
  it('end with the last one', async () => {
    const { result, ids, queries } = await ask(10_000, { rows: 4_500 })
    expect(ids).toEqual(Array.from({ length: 4_500 }, (_, index) => index))
    expect(result).toMatchObject({ truncated: false, next: undefined, pages: 3, duplicates: 0 })
    expect(queries.map(({ offset, limit }) => [offset, limit])).toEqual([
      [undefined, 2_000],
      [2_000n, 2_000],
      [4_000n, 2_000],
    ])
  })

  it('keep to the range the platform said it applied', async () => {
    const { queries, result } = await ask(3_000, { rows: 3_000 }, { from: new Date('2026-11-19T00:00:00Z') })
    expect(queries.map(({ from, to }) => [from, to])).toEqual([
      [new Date('2026-11-19T00:00:00Z'), undefined],
      [APPLIED.from, APPLIED.to],
    ])
    expect(result).toMatchObject({ appliedFrom: APPLIED.from, appliedTo: APPLIED.to })
  })

  it('are pinned to now where the platform does not say what it applied', async () => {
    const { queries } = await ask(3_000, { rows: 3_000, echo: false })
    expect(queries[1]?.to).toEqual(NOW)
  })

  it('go on through empty pages while there is more', async () => {
    const { ids, result } = await ask(10, { rows: 3_000, keep: (row) => row >= 2_500 }, { country: ['DE'] })
    expect(ids).toEqual([2_500, 2_501, 2_502, 2_503, 2_504, 2_505, 2_506, 2_507, 2_508, 2_509])
    expect(result).toMatchObject({ pages: 3, truncated: true })
  })

  it('stop at the number asked for, and a second question goes on exactly there', async () => {
    const world = { rows: 3_000, keep: (row: number) => row % 2 === 0 }
    const first = await ask(700, world, { search: 'x' })
    const second = await ask(700, { ...world, cursor: first.result.next! }, { search: 'x' })
    expect([...first.ids, ...second.ids]).toEqual(Array.from({ length: 1_400 }, (_, index) => index * 2))
  })

  it('say where a page was cut exactly at its end', async () => {
    const { result } = await ask(50, { rows: 51 })
    expect(result.next).toEqual({ offset: 50n, pageSize: 50, skip: 0 })
    expect((await ask(50, { rows: 50 })).result.next).toBeUndefined()
  })

  it('drop an entry that comes twice, but not one that was logged at edge and shield', async () => {
    const rows = [
      entry(1),
      entry(1),
      { ...entry(1), edgeLocation: 'NY' },
      { cacheStatus: 'HIT' },
      { cacheStatus: 'HIT' },
    ]
    const result = await collectLogPages({}, { maxEntries: 10, now: NOW, pageStep: 'limit' }, async () => ({
      page: { data: [], pagination: { offset: 0n, limit: 10n, returned: 5n, hasMore: false }, query: undefined },
      entries: rows,
    }))
    expect(result.entries).toEqual([rows[0], rows[2], rows[3], rows[4]])
    expect(result.duplicates).toBe(1)
  })

  it('end after 60 of them, however much more there is', async () => {
    const { result } = await ask(10, { rows: 1e9, keep: () => false }, { country: ['DE'] })
    expect(result).toMatchObject({ pages: MAX_LOG_PAGES, truncated: true })
    expect(result.next?.offset).toBe(60_000n)
  })

  it('advance by what was returned where the dialect says so, and end where that is nothing', async () => {
    const returned = await ask(3_000, { rows: 4_000, keep: (row) => row % 2 === 0, pageStep: 'returned' })
    expect(returned.queries[1]?.offset).toBe(1_000n)
    const stuck = await ask(10, { rows: 10, keep: () => false, hasMore: true, pageStep: 'returned' })
    expect(stuck.result).toMatchObject({ pages: 1, truncated: false })
  })

  it('send only what was asked for', async () => {
    const filter = { status: [], cacheStatus: ['MISS'], includeOriginShield: false, urlContains: '/v/' }
    const { queries } = await ask(20, { rows: 1 }, filter)
    const given = Object.entries(queries[0]!).filter(([, value]) => value !== undefined)
    expect(Object.fromEntries(given)).toEqual({ cacheStatus: ['MISS'], urlContains: '/v/', limit: 20 })
  })

  it('do not ask for what will have left the retention by the time it is looked for', async () => {
    const { queries } = await ask(10, { rows: 1 }, { from: new Date('2026-11-17T12:00:00Z') })
    expect(queries[0]?.from).toEqual(new Date('2026-11-17T12:05:00Z'))
  })
})
