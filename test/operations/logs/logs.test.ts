import { describe, expect, it, vi } from 'vitest'
import type { Cdn, LogResult } from '../../../src/cdn/contract/cdn.ts'
import type { LogEntry } from '../../../src/cdn/contract/log-entry.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { logs } from '../../../src/operations/logs/logs.ts'
import { logEntries, logEntry, logResult } from '../../support/log-entries.ts'
import { ask } from '../../support/ask.ts'
import { operationContext, problemsOf } from '../../support/operation-context.ts'

async function show(result: LogResult, values: RawValues = {}, timeZone = 'UTC') {
  const queryLogs = vi.fn<Cdn['queryLogs']>().mockResolvedValue(result)
  const actor = { ...operationContext().actor, timeZone }
  return { ...(await ask(logs, { pullZone: 'shop', ...values }, { queryLogs }, { actor })), queryLogs }
}

const mixed = (step: number): Partial<LogEntry> => ({ cacheStatus: step % 4 === 0 ? 'STALE' : 'MISS' })

describe('listing log lines', () => {
  it('shows the newest lines, the counts of all that were read, range and default filter', async () => {
    const { rows, head, text, labels } = await show(logResult(logEntries(120, mixed)))
    expect(head).toEqual(['Time', 'Cache', 'Status', 'URL', 'Bytes', 'Country', 'Edge'])
    expect(rows).toHaveLength(25)
    expect(rows[0]?.slice(0, 5)).toEqual(['12:00:00', 'STALE', '200', 'shop.example.com/page/0?token=…', '1,000'])
    expect(text.split('\n').slice(0, 6)).toEqual([
      'shop: 120 MISS or STALE lines',
      'MISS 90 · STALE 30 · 120.00 kB sent',
      '2xx 120',
      'Log of pull zone shop (201) · 2026-11-20 11:00 to 12:00 (UTC) · cache MISS, STALE · Open in the panel (https://panel.example.com/pull-zone/201)',
      '25 of them are listed.',
      'Only MISS and STALE: what failed with another cache status is not among them. --failing shows all that fails, --cache all shows everything.',
    ])
    expect(labels).toEqual(['Older', '5xx and STALE', 'Count by path', 'Send as CSV', 'Change filters'])
  })

  it('says shares where every status was asked for, and of no selection by status', async () => {
    const lines = logResult(logEntries(4, mixed))
    expect((await show(lines, { cache: 'all' })).text).toContain('MISS 3 (75.0 %) · STALE 1 (25.0 %)')
    expect((await show(lines, { cache: 'all', status: '2xx' })).text).toContain('MISS 3 · STALE 1 ·')
  })

  it.each([{ status: '5xx' }, { cache: 'STALE' }])('of %j goes on to all that fails', async (asked) => {
    for (const lines of [logEntries(3), []]) {
      const { buttons } = await show(logResult(lines), asked)
      const button = buttons.find(({ label }) => label === '5xx and STALE')
      expect(button).toMatchObject({ kind: 'page', values: { failing: 'true' } })
      for (const name of Object.keys(asked)) expect(button).not.toHaveProperty(`values.${name}`)
    }
    expect((await show(logResult([]), { ...asked, cache: 'MISS', status: '5xx' })).labels).not.toContain(
      '5xx and STALE',
    )
  })

  describe('that fail', () => {
    const failed = (step: number) => logEntry(step, { statusCode: 503 })
    const stale = (step: number, more: Partial<LogEntry> = {}) => logEntry(step, { cacheStatus: 'STALE', ...more })
    const showFailing = (errors: LogResult, old: LogResult, values: RawValues = {}) => {
      const queryLogs: Cdn['queryLogs'] = async (_, { status }) => (status === undefined ? old : errors)
      return ask(logs, { pullZone: 'shop', failing: 'true', ...values }, { queryLogs })
    }

    it('are errors and old content, by their time, each once', async () => {
      const both = stale(2, { statusCode: 500 })
      const { rows, text } = await showFailing(logResult([failed(0), both]), logResult([stale(1), both]))
      expect(rows.map((row) => row.slice(0, 3))).toEqual([
        ['12:00:00', 'MISS', '503'],
        ['11:59:59', 'STALE', '200'],
        ['11:59:58', 'STALE', '500'],
      ])
      expect(text).toContain('shop: 3 5xx or STALE lines')
      expect(text).toContain(' · 5xx or STALE')
    })

    it('are shown as far as both were read, whichever comes first', async () => {
      const errors = logResult([failed(0), failed(10)], { truncated: true })
      const { rows, text, buttons } = await showFailing(errors, logResult([stale(5), stale(11)], { skipped: 2 }))
      expect(text).toContain('passed over: 2 lines')
      expect(buttons[0]).toMatchObject({ label: 'Count by path', values: { failing: 'true', by: 'path' } })
      expect(rows).toHaveLength(3)
      expect(text).toContain('newest 3 5xx or STALE lines, there may be more')
      const oldest = logResult([failed(10), failed(9)], { truncated: true })
      const back = await showFailing(oldest, logResult([stale(11), stale(5)]), { order: 'oldest' })
      expect(back.rows.map(([time]) => time)).toEqual(['11:59:49', '11:59:50', '11:59:51'])
    })

    it('are asked for without another filter by status', () => {
      const asked = { failing: 'true', cache: 'HIT', status: '404', day: 'today', pullZone: '201' }
      const both = 'This and --failing exclude each other. Leave one out.'
      const twice = { failing: 'true', continueAt: '0.1000.1', pullZone: '201' }
      expect(problemsOf(logs, asked)).toEqual(['cache', 'status', 'day'].map((field) => `${field}: ${both}`))
      expect(problemsOf(logs, twice)).toEqual([`continueAt: ${both}`])
    })
  })

  it('writes times in the zone of the reader', async () => {
    const { rows, table, text } = await show(logResult([logEntry(0)]), {}, 'Asia/Tokyo')
    expect(rows[0]?.[0]).toBe('21:00:00')
    expect(text).toContain('2026-11-20 20:00 to 21:00 (Asia/Tokyo)')
    expect(table?.caption).toBe('Newest matching lines')
    expect(text).not.toContain('are listed')
  })

  it('writes the day where lines are of several', async () => {
    const lines = [logEntry(0), logEntry(0, { timestamp: new Date('2026-11-19T23:59:58.500Z') })]
    expect((await show(logResult(lines))).rows.map(([time]) => time)).toEqual(['11-20 12:00:00', '11-19 23:59:58'])
    const days = { appliedFrom: new Date('2026-11-19T12:00Z') }
    expect((await show(logResult([logEntry(0)], days))).rows[0]?.[0]).toBe('11-20 12:00:00')
    const part = await show(logResult(lines, { truncated: true }))
    expect(part.text).toContain(' · these from 11-19 23:59:58 to 11-20 12:00:00 · cache MISS')
  })

  it.each([
    [{}, 'the start the CDN chose to now (UTC)', '12:00:00'],
    [{ since: '1d' }, '2026-11-19 12:00 to now (UTC)', '11-20 12:00:00'],
  ])('names as much of a range that the CDN does not tell as was asked for: %j', async (asked, range, time) => {
    const untold = logResult([logEntry(0)], { appliedFrom: undefined, appliedTo: undefined })
    const { text, rows, file } = await show(untold, { ...asked, csv: 'true' })
    expect(text).toContain(` (201) · ${range} · cache MISS`)
    expect([rows[0]?.[0], file?.name]).toEqual([time, 'logs-201.csv'])
  })

  it('says how many lines of one instant find no room, of which the file alone has all', async () => {
    const { text, labels } = await show(logResult(logEntries(30, () => ({ timestamp: new Date('2026-11-20T11:30Z') }))))
    expect(text).toContain('\n5 lines of one and the same instant found no room; a CSV file has them.\n')
    expect(labels[0]).toBe('Older')
  })

  it('says first how many failed, and has further columns for who asks', async () => {
    const failing = logEntries(4, (step) => ({ statusCode: step === 0 ? 502 : 200, url: `/${step % 3}` }))
    expect((await show(logResult(failing))).text).toContain('🔴 5xx 1 · 2xx 3 · most requested /0 (2)')
    expect((await show(logResult(failing), { wide: 'true' })).head.slice(-2)).toEqual(['Agent', 'Request'])
    const further = { agent: 'Mozilla', referer: 'example', request: '0'.repeat(32), ip: 'all' }
    const { head, rows, table } = await show(logResult([logEntry(0)]), { ...further, order: 'oldest' })
    expect(head.slice(7)).toEqual(['Client', 'Referer', 'Agent', 'Request'])
    expect(rows[0]?.slice(5)).toEqual([
      'DE',
      'WA',
      '203.0.113.0',
      'https://www.example.com/',
      'Mozilla/5.0',
      '0'.repeat(32),
    ])
    expect(table?.caption).toBe('Oldest matching lines')
  })

  it('goes on with Older exactly where the table ends, in the range the platform applied', async () => {
    const { buttons } = await show(logResult(logEntries(10)), { limit: '3', status: '200' })
    const range = { since: '2026-11-20T11:00:00.000Z', until: '2026-11-20T11:59:57.001Z' }
    const values = { pullZone: '201', status: '200', ...range, limit: '3' }
    expect(buttons[0]).toEqual({ kind: 'page', label: 'Older', values })
  })

  it('keeps the range in every button that asks again', async () => {
    const { buttons } = await show(logResult(logEntries(10)), { since: '1h', limit: '3', cache: 'all' })
    const [since, until] = ['2026-11-20T11:00:00.000Z', '2026-11-20T12:00:00.000Z']
    const range = { pullZone: '201', cache: 'all', since, until }
    expect(buttons.slice(1, 3)).toEqual([
      { kind: 'page', label: 'Count by path', values: { ...range, by: 'path' } },
      { kind: 'page', label: 'Send as CSV', values: { ...range, csv: 'true' } },
    ])
  })

  it('says that requests to the origin shield are counted, too, and that no filter holds', async () => {
    const { text } = await show(logResult([logEntry(0)]), { shield: 'true', cache: 'all' })
    expect(text).toContain(' · with requests to the origin shield · ')
    expect(text).toContain('Requests to the origin shield are counted beside those they come from.')
    expect((await show(logResult([logEntry(0)]), { cache: 'all' })).text).toContain(' · every cache status · ')
  })

  it('says how many lines were too long to be read', async () => {
    const some = await show(logResult([logEntry(0)], { skipped: 2 }))
    expect(some.text).toContain('Over 8 MB, and passed over: 2 lines.')
    expect((await show(logResult([], { skipped: 2 }))).text).toContain('no readable line matches')
  })

  it('says when more was there than was read', async () => {
    const { text, queryLogs } = await show(logResult(logEntries(1_000), { truncated: true }))
    expect(queryLogs.mock.calls[0]?.[2]).toMatchObject({ maxEntries: 1_000, priority: 'person' })
    expect(text).toContain('shop: newest 1,000 MISS or STALE lines, there may be more\n')
    expect(text).toContain(' · these from 11:43:21 to 12:00:00 · cache MISS')
    const oldest = { order: 'oldest', cache: 'all', status: '404,5xx' }
    const back = await show(logResult(logEntries(30).toReversed(), { truncated: true }), oldest)
    expect(back.text).toMatch(/^shop: oldest 30 404 or 5xx lines, there may be more\n/)
    expect([back.text.includes(' · these from 11:59:31 to 12:00:00 · every'), back.labels[0]]).toEqual([true, 'Newer'])
  })

  it('keeps client addresses to itself unless asked', async () => {
    const { said } = await show(logResult([logEntry(0)]))
    expect(said).not.toContain('203.0.113')
    const { head, rows, text } = await show(logResult([logEntry(0)]), { ip: 'all' })
    expect(head).toContain('Client')
    expect(rows[0]).toContain('203.0.113.0')
    expect(text).toContain('Client addresses may be shortened')
  })

  it('says what a filter by address is worth', async () => {
    const shortened = await show(logResult([logEntry(0)]), { ip: '203.0.113.7' })
    expect(shortened.text).toContain('finds all of its network, 203.0.113.0 (its /24)')
    const exact = await show(logResult([logEntry(0, { remoteIp: '203.0.113.7' })]), { ip: '203.0.113.7' })
    expect(exact.text).not.toContain('shortened')
    const hidden = await show(logResult([logEntry(0, { remoteIp: '0.0.0.0' })]), { ip: '203.0.113.7' })
    expect(hidden.text).toContain(
      'Where a log shortens addresses, a filter by one finds all of its network, 203.0.113.0 (its /24); where it keeps none, the CDN ignores the filter, and the lines are from any client.',
    )
    expect((await show(logResult([logEntry(0)]), { ip: '2001:db8::1' })).text).toContain('its network, its /64; where')
  })

  it('lists as many long lines as find room and lets Older begin there', async () => {
    const [url, userAgent] = [`https://shop.example.com/${'x'.repeat(500)}`, 'y'.repeat(500)]
    const long = logEntries(100, () => ({ url, userAgent }))
    const { rows, buttons, text } = await show(logResult(long), { limit: '100', wide: 'true' })
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.length).toBeLessThan(100)
    expect(rows[0]?.[3]).toMatch(/^shop\.example\.com\/x+…x+$/)
    expect(rows[0]?.[3]).toHaveLength(48)
    expect(text).toContain(`${rows.length} of them are listed.`)
    const older = buttons.find(({ label }) => label === 'Older')
    const next = new Date(Date.UTC(2026, 10, 20, 12) - rows.length * 1_000 + 1)
    expect(older).toMatchObject({ values: { until: next.toISOString() } })
  })

  it('tells the person when it waits, and how far it has come', async () => {
    const queryLogs: Cdn['queryLogs'] = async (_, __, { onWaiting, onProgress }) => {
      onWaiting?.()
      onProgress?.({ pages: 2, entries: 1 })
      return logResult([])
    }
    const { progress } = await ask(logs, { pullZone: '1' }, { queryLogs })
    expect(progress).toEqual([
      'Reading the log; the CDN’s rate limit may add up to 10 s',
      'Read 1 matching line in 2 answers',
    ])
  })
})

const RANGE = { pullZone: '201', since: '2026-11-20T11:00:00.000Z', until: '2026-11-20T12:00:00.000Z' }

describe('grouping log lines', () => {
  it('counts by what was asked for, the largest first, and offers the lines', async () => {
    const entries = logEntries(100, (step) => ({ url: `https://shop.example.com/${step < 90 ? 'a' : 'b'}?q=…` }))
    const { head, rows, labels, buttons, table, queryLogs } = await show(logResult(entries), { by: 'path' })
    expect(queryLogs.mock.calls[0]?.[2].maxEntries).toBe(10_000)
    expect(head).toEqual(['Path', 'Lines', 'Share', 'Sent'])
    expect(rows).toEqual([
      ['shop.example.com/a', '90', '90.0 %', '90.00 kB'],
      ['shop.example.com/b', '10', '10.0 %', '10.00 kB'],
    ])
    expect(labels).toEqual(['5xx and STALE', 'Show lines', 'Failing share', 'Send as CSV', 'Change filters'])
    expect([table?.caption, buttons.map((button) => 'values' in button && button.values)]).toEqual([
      'Lines by path',
      [
        { pullZone: '201', by: 'path', failing: 'true' },
        { ...RANGE },
        { ...RANGE, by: 'path', cache: 'all' },
        { ...RANGE, by: 'path', csv: 'true' },
        { pullZone: '201', by: 'path' },
      ],
    ])
  })

  it.each([
    ['status', 'Status'],
    ['edge', 'Edge'],
    ['country', 'Country'],
  ])('names what it counts by: %s', async (by, title) => {
    expect((await show(logResult([logEntry(0)]), { by })).head[0]).toBe(title)
  })

  it('says of what the counts are, and of all requests which share of each path fails, the most first', async () => {
    const entries = logEntries(100, (step) => ({
      url: `https://shop.example.com/${step < 90 ? 'a' : 'b'}`,
      ...(step > 95 && { statusCode: 502 }),
      ...(step === 90 && { cacheStatus: 'STALE' }),
    }))
    const part = await show(logResult(entries), { by: 'path', failing: 'true' })
    expect(part.text).toContain(
      'Counts are of these lines alone. Failing share counts all requests, and how many of them fail.',
    )
    const button = part.buttons.find(({ label }) => label === 'Failing share')
    expect(button).toMatchObject({ values: { by: 'path', cache: 'all' } })
    expect(button).not.toHaveProperty('values.failing')
    const { head, rows, text, labels } = await show(logResult(entries), { by: 'path', cache: 'all' })
    expect(head).toEqual(['Path', '5xx or STALE', 'Of its lines', 'Lines', 'Share of all', 'Sent'])
    expect(rows.map((row) => row.slice(0, 4))).toEqual([
      ['shop.example.com/b', '5', '50.0 %', '10'],
      ['shop.example.com/a', '0', '0.0 %', '90'],
    ])
    expect(text).toContain('The most failures come first.')
    expect(text).not.toContain('of these lines alone')
    expect(labels).not.toContain('Failing share')
  })

  it('says how many groups are not listed', async () => {
    const { text, rows } = await show(logResult(logEntries(80)), { by: 'path', limit: '20' })
    expect(rows).toHaveLength(20)
    expect(text).toContain('60 smaller groups are not listed.')
    const most = await show(logResult(logEntries(102)), { by: 'path', limit: '200', csv: 'true' })
    expect([most.rows.length, most.text.includes('\nand 95 more')]).toEqual([100, true])
  })
})

describe('when no line matches', () => {
  it('says what was looked at and how to widen', async () => {
    const { text, buttons } = await show(logResult([]))
    expect(text).toMatch(/^shop: no line matches\n/)
    expect(text).toContain('2026-11-20 11:00 to 12:00 (UTC) · cache MISS, STALE')
    expect(text).toContain(
      'To see more, widen the range or leave out a filter. The CDN keeps logs for 3 days, and only of zones with logging enabled.',
    )
    expect(buttons).toEqual([
      { kind: 'page', label: 'Every cache status', values: { pullZone: '201', cache: 'all' } },
      { kind: 'page', label: 'Last 3 days', values: { pullZone: '201', since: '3d' } },
      { kind: 'form', label: 'Change filters', operation: 'logs', values: { pullZone: '201' } },
    ])
  })

  it('does not offer the three days that were looked at already', async () => {
    const labels = async (from: string) =>
      (await show(logResult([], { appliedFrom: new Date(from), truncated: true }), { since: '3d' })).labels
    expect(await labels('2026-11-17T12:59:59Z')).toEqual(['Every cache status', 'Change filters'])
    expect(await labels('2026-11-17T13:00Z')).toEqual(['Every cache status', 'Last 3 days', 'Change filters'])
    const untold = logResult([], { appliedFrom: undefined, appliedTo: undefined })
    expect((await show(untold)).labels).toContain('Last 3 days')
  })

  it('goes on looking where the search had to stop', async () => {
    const next = { offset: 60_000n, pageSize: 1_000, skip: 0 }
    const stopped = logResult([], { truncated: true, next, pages: 60 })
    const { text, buttons } = await show(stopped, { search: 'rare', cache: 'all' })
    expect(text).toContain('60 pages of the log held no match, and there are more.')
    expect(buttons[0]).toMatchObject({ label: 'Older', values: { continueAt: '60000.1000.0' } })
    const { queryLogs } = await show(logResult([]), { search: 'rare', continueAt: '60000.1000.0' })
    expect(queryLogs.mock.calls[0]?.[2].cursor).toEqual(next)
  })
})
