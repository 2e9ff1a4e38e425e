import { describe, expect, it } from 'vitest'
import type { LogCursor } from '../../../src/cdn/contract/cdn.ts'
import type { LogQuery } from '../../../src/cdn/contract/dialect.ts'
import type { LogEntry } from '../../../src/cdn/contract/log-entry.ts'
import type { LogFilter } from '../../../src/cdn/contract/log-filter.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { collectLogPages, type FetchedPage, MAX_LOG_PAGES, type PageRoom } from '../../../src/cdn/reading/log-pages.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const APPLIED = { from: new Date('2026-11-19T12:00:00Z'), to: new Date('2026-11-20T11:59:58Z') }

const entry = (id: number): LogEntry => ({ requestId: String(id), timestamp: new Date(id), edgeLocation: 'WA' })

interface World {
  readonly rows: number
  /** Which rows are left of a page after the platform's late filter. */
  readonly keep?: (row: number) => boolean
  /** As `true` or `false` whatever there is, or as `silent` not at all. */
  readonly hasMore?: boolean | 'silent'
  readonly echo?: boolean
  readonly pageStep?: 'limit' | 'returned'
  readonly cursor?: LogCursor
  /** How long each row is; a page over 8 MB is refused. */
  readonly bytes?: (row: number) => number
  readonly room?: PageRoom
  readonly maxPages?: number
  /** More rows than these are in no page, whatever was asked for. */
  readonly most?: number
}

/** A platform with numbered rows; remembers what it was asked. */
async function ask(maxEntries: number, world: World, filter: LogFilter = {}) {
  const queries: LogQuery[] = []
  const { rows, keep = () => true, hasMore, echo = true, pageStep = 'limit', cursor, maxPages, most = 10_000 } = world
  const { bytes: bytesOf = () => 1, room = { rows: 2_000 } } = world
  const fetchPage = async (query: LogQuery): Promise<FetchedPage> => {
    queries.push(query)
    const offset = Number(query.offset ?? 0n)
    const limit = Math.min(query.limit ?? 100, most)
    const ids = Array.from({ length: Math.max(0, Math.min(limit, rows - offset)) }, (_, index) => offset + index)
    const kept = ids.filter((id) => keep(id))
    const bytes = kept.reduce((sum, id) => sum + bytesOf(id), 1)
    if (bytes > 8 * 1024 * 1024) {
      throw new CdnError('queryLogs', { kind: 'malformed', status: 200, why: 'too long', isTooLong: true })
    }
    const entries = kept.map(entry)
    const pagination = {
      offset: BigInt(offset),
      limit: BigInt(limit),
      returned: BigInt(entries.length),
      hasMore: hasMore === 'silent' ? undefined : (hasMore ?? offset + limit < rows),
    }
    const range = echo ? { pullZoneId: 1n, order: 'desc', ...APPLIED } : undefined
    return { page: { pagination, query: range }, entries, bytes }
  }
  const result = await collectLogPages(filter, { maxEntries, maxPages, cursor, now: NOW, pageStep, room }, fetchPage)
  return { queries, result, ids: result.entries.map(({ requestId }) => Number(requestId)) }
}

describe('pages of log entries', () => {
  it('end with the last one', async () => {
    const { result, ids, queries } = await ask(10_000, { rows: 4_500 })
    expect(ids).toEqual(Array.from({ length: 4_500 }, (_, index) => index))
    expect(result).toMatchObject({ truncated: false, next: undefined, pages: 3 })
    expect(queries.map(({ offset, limit }) => [offset, limit])).toEqual([
      [undefined, 2_000],
      [2_000n, 2_000],
      [4_000n, 2_000],
    ])
  })

  it('go on behind the rows that the platform says a page was made of, where these are fewer than were asked for', async () => {
    const { ids, result } = await ask(10_000, { rows: 1_200, most: 500 })
    expect(ids).toEqual(Array.from({ length: 1_200 }, (_, index) => index))
    expect(result).toMatchObject({ truncated: false, pages: 3 })
  })

  it.each([
    [4_000, 3],
    [4_500, 3],
    [1_999, 1],
  ])('go on while they are full where the platform does not say whether there is more: %i', async (rows, pages) => {
    const { ids, result } = await ask(10_000, { rows, hasMore: 'silent' })
    expect(ids).toHaveLength(rows)
    expect(result).toMatchObject({ truncated: false, pages })
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
    const options = { maxEntries: 10, now: NOW, pageStep: 'limit', room: { rows: 2_000 } } as const
    const result = await collectLogPages({}, options, async () => ({
      page: { data: [], pagination: { offset: 0n, limit: 10n, returned: 5n, hasMore: false }, query: undefined },
      entries: rows,
      bytes: 1,
    }))
    expect(result.entries).toEqual([rows[0], rows[2], rows[3], rows[4]])
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

  it('do not ask for what will have left the retention by the time it is looked for', async () => {
    const { queries } = await ask(10, { rows: 1 }, { from: new Date('2026-11-17T12:00:00Z') })
    expect(queries[0]?.from).toEqual(new Date('2026-11-17T12:05:00Z'))
  })
})

describe('pages that are too long', () => {
  const MB = 1_000_000
  const upTo = (rows: number): number[] => Array.from({ length: rows }, (_, index) => index)

  it.each(['limit', 'returned'] as const)('are asked for again with half the rows, paged by %s', async (pageStep) => {
    const { ids, result, queries } = await ask(2_000, { rows: 1_900, bytes: () => 8_500, pageStep })
    expect(ids).toEqual(upTo(1_900))
    expect(result).toMatchObject({ truncated: false, skipped: 0, pages: 6 })
    expect(queries.map(({ offset = 0n, limit }) => `${offset}+${limit}`)).toEqual([
      '0+2000',
      '0+1000',
      '0+500',
      '500+500',
      '1000+500',
      '1500+500',
    ])
  })

  it('stay small for the next question about the zone, and grow again once its lines are short', async () => {
    const room = { rows: 2_000 }
    await ask(2_000, { rows: 1_900, bytes: () => 8_500, room })
    const next = await ask(2_000, { rows: 1_900, bytes: () => 8_500, room })
    expect(next.queries.map(({ limit }) => limit)).toEqual([500, 500, 500, 500])
    const short = await ask(2_000, { rows: 5_000, bytes: () => 400, room })
    expect(short.result).toMatchObject({ pages: 2, pageRows: 2_000 })
  })

  it.each(['limit', 'returned'] as const)(
    'lose no row where two long ones stand side by side, by %s',
    async (pageStep) => {
      for (const place of [0, 1, 519, 999, 1_000, 1_899]) {
        const bytes = (row: number): number => (row === place || row === place + 1 ? 7.9 * MB : 400)
        const { ids, result } = await ask(2_000, { rows: 1_901, bytes, pageStep })
        expect(ids).toEqual(upTo(1_901))
        expect(result.skipped).toBe(0)
        // What a minute's reading may cost.
        expect(result.pages).toBeLessThanOrEqual(24)
      }
    },
  )

  it.each(['limit', 'returned'] as const)('of one row are passed over and counted, by %s', async (pageStep) => {
    const long = new Set([0, 1, 700, 1_899])
    const bytes = (row: number): number => (long.has(row) ? 9 * MB : 400)
    const { ids, result } = await ask(2_000, { rows: 1_900, bytes, pageStep })
    expect(ids).toEqual(upTo(1_900).filter((row) => !long.has(row)))
    expect(result).toMatchObject({ skipped: 4, truncated: false })
  })

  it('stay in the range that was asked for where the first row is passed over', async () => {
    const from = new Date('2026-11-19T00:00:00Z')
    const { queries } = await ask(10, { rows: 3, bytes: (row) => (row === 0 ? 9 * MB : 400) }, { from })
    const after = queries.find(({ offset }) => offset === 1n)
    expect([after?.from, after?.to]).toEqual([from, NOW])
  })

  it('end a question where its pages are used up, and a second one goes on exactly there', async () => {
    const world = { rows: 1_900, bytes: (row: number) => (row % 100 === 50 ? 7.9 * MB : 400) }
    let { ids, result } = await ask(2_000, { ...world, maxPages: 12 })
    expect(result).toMatchObject({ truncated: true, pages: 12 })
    for (let questions = 0; result.next !== undefined && questions < 50; questions += 1) {
      const more = await ask(2_000, { ...world, maxPages: 12, cursor: result.next })
      ids = [...ids, ...more.ids]
      result = more.result
    }
    expect(ids).toEqual(upTo(1_900))
  })
})
