import { describe, expect, it, vi } from 'vitest'
import type { Cdn, DayFileSummary } from '../../../src/cdn/contract/cdn.ts'
import type { LogEntry } from '../../../src/cdn/contract/log-entry.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { logs } from '../../../src/operations/logs/logs.ts'
import { logEntries, logEntry, logResult } from '../../support/log-entries.ts'
import { ask, buttonValues } from '../../support/ask.ts'
import { problemsOf } from '../../support/operation-context.ts'

const show = (cdn: Partial<Cdn>, values: RawValues) => ask(logs, { pullZone: 'shop', ...values }, cdn)

describe('log lines as a file', () => {
  it('has every line read and all fields but addresses, and the answer says where it goes', async () => {
    const queryLogs = vi.fn<Cdn['queryLogs']>().mockResolvedValue(logResult(logEntries(120)))
    const { file, records, text, labels } = await show({ queryLogs }, { csv: 'true' })
    expect(queryLogs.mock.calls[0]?.[2].maxEntries).toBe(50_000)
    expect([file?.name, file?.title]).toEqual(['logs-201-2026-11-20.csv', 'Log lines of pull zone shop (201)'])
    expect(records[0]).toBe(
      'time (UTC),time_utc,cache_status,status,url,bytes_sent,country,edge,user_agent,referer,request_id,ja4_fingerprint,asn,asn_organization,body_bytes_sent,content_range',
    )
    expect(records).toHaveLength(121)
    expect(records[1]).toBe(
      '2026-11-20 12:00:00.000,2026-11-20T12:00:00.000Z,MISS,200,https://shop.example.com/page/0?token=…,1000,DE,WA,Mozilla/5.0,' +
        'https://www.example.com/,00000000000000000000000000000000,,,,,',
    )
    expect(file?.content).not.toContain('203.0.113')
    expect(text).toContain('The CSV file has 120 lines.')
    expect(text).toContain('25 of them are listed; the file has more.')
    expect(labels).toEqual(['5xx and STALE', 'Count by path', 'Change filters'])
  })

  it('has the addresses where they were asked for', async () => {
    const network = {
      ja4Fingerprint: 'j4',
      asn: 64_500n,
      asnOrganization: 'Example',
      bodyBytesSent: 7n,
      contentRange: 'r',
    }
    const line = logEntry(0, { ...network, cacheStatus: '-' })
    const { records } = await show({ queryLogs: async () => logResult([line]) }, { csv: 'true', ip: 'all' })
    expect(records[0]).toMatch(/,client_address$/)
    expect(records[1]).toMatch(/Z,none,200,.*,j4,64500,Example,7,r,203\.0\.113\.0$/)
  })

  it('says that it is cut, and goes on in the next file', async () => {
    const next = { offset: 2_000n, pageSize: 2_000, skip: 0 }
    const queryLogs: Cdn['queryLogs'] = async () => logResult(logEntries(2_000), { truncated: true, next })
    const { text, buttons } = await show({ queryLogs }, { csv: 'true', limit: '2000' })
    expect(text).toContain('The CSV file has 2,000 lines; there may be more.')
    expect(buttons[0]).toMatchObject({ label: 'Next file', values: { csv: 'true', continueAt: '2000.2000.0' } })
  })

  it('of errors and old content takes as many lines as were asked for, and the next one has the others', async () => {
    const both = (until: number): Partial<Cdn> => ({
      queryLogs: async (_, { status }) => {
        const step = status === undefined ? 1 : 0
        return logResult(logEntries(6).filter((_, index) => index % 2 === step && index >= until))
      },
    })
    const asked = { failing: 'true', csv: 'true', limit: '4' }
    const first = await show(both(0), asked)
    expect(first.records.slice(1).map((line) => line.slice(11, 19))).toEqual([
      '12:00:00',
      '11:59:59',
      '11:59:58',
      '11:59:57',
    ])
    expect(first.text).toContain('The CSV file has 4 lines; there may be more.')
    const values = buttonValues(first, 'Next file')
    expect(values).toMatchObject({ ...asked, until: '2026-11-20T11:59:56.001Z' })
    expect(problemsOf(logs, values)).toEqual([])
    const second = await show(both(4), values)
    expect(second.records.slice(1).map((line) => line.slice(11, 19))).toEqual(['11:59:56', '11:59:55'])
    expect(second.labels).not.toContain('Next file')
  })

  it.each([
    ['newest', { until: '2026-11-20T11:59:55.001Z' }],
    ['oldest', { since: '2026-11-20T11:59:55.000Z' }],
  ])('of errors and old content goes on where the CDN has more of one, %s first', async (order, range) => {
    const steps = order === 'newest' ? [0, 2, 5] : [9, 7, 5]
    const queryLogs: Cdn['queryLogs'] = async (_, { status }) =>
      status === undefined
        ? logResult([logEntry(7)])
        : logResult(
            steps.map((step) => logEntry(step)),
            { truncated: true },
          )
    const { records, text, buttons } = await show({ queryLogs }, { failing: 'true', csv: 'true', order })
    const count = order === 'newest' ? 2 : 3
    expect(records).toHaveLength(1 + count)
    expect(text).toContain(`The CSV file has ${count} lines; there may be more.`)
    expect(buttons[0]).toMatchObject({ label: 'Next file', values: { failing: 'true', csv: 'true', ...range } })
  })

  it('has as many as were asked for where one of the two has more, and the only line that there is', async () => {
    const ofErrors = (entries: readonly LogEntry[]): Cdn['queryLogs'] => {
      return async (_, { status }, { maxEntries }) => {
        const found = status === undefined ? [] : entries
        return logResult(found.slice(0, maxEntries), { truncated: found.length > 0 })
      }
    }
    const asked = { failing: 'true', csv: 'true', limit: '4' }
    const shown = await show({ queryLogs: ofErrors(logEntries(6)) }, asked)
    expect(shown.records).toHaveLength(1 + 4)
    expect(buttonValues(shown, 'Next file')).toMatchObject({ until: '2026-11-20T11:59:56.001Z' })
    expect((await show({ queryLogs: ofErrors(logEntries(1)) }, asked)).records).toHaveLength(1 + 1)
  })

  it('says how many lines of one instant found no room', async () => {
    const queryLogs: Cdn['queryLogs'] = async () => logResult(Array.from({ length: 5 }, () => logEntry(0)))
    const { records, text } = await show({ queryLogs }, { failing: 'true', csv: 'true', limit: '4' })
    expect(records).toHaveLength(5)
    expect(text).toContain('6 lines of one and the same instant found no room.')
  })

  it('is not made of nothing', async () => {
    const { file, text } = await show({ queryLogs: async () => logResult([]) }, { csv: 'true' })
    expect(file).toBeUndefined()
    expect(text).toContain('No line matched, so there is no CSV file.')
  })
})

const summary: DayFileSummary = {
  lines: 1_000_000,
  matched: 0,
  bytes: 250_000_000,
  malformedLines: 1,
  tooLongLines: 1,
  countsByCacheStatus: new Map([
    ['HIT', 900_000],
    ['MISS', 99_998],
    ['-', 1],
  ]),
  countsByStatusClass: new Map([['2xx', 999_999]]),
}

function dayFile(entries: readonly LogEntry[], more: Partial<DayFileSummary> = {}) {
  return vi.fn<Cdn['streamDayFile']>(async (_, __, ___, onEntry, options) => {
    options?.onProgress?.({ lines: 500_000, matched: 1_200, bytes: 125_000_000 })
    entries.forEach(onEntry)
    return { ...summary, matched: entries.length, ...more }
  })
}

describe('the file of a day', () => {
  it('is read from end to end, filtered, with its newest lines listed', async () => {
    const streamDayFile = dayFile(logEntries(3_000).toReversed())
    const { rows, text, progress, labels } = await show({ streamDayFile }, { day: 'yesterday', status: '5xx' })
    expect(streamDayFile.mock.calls[0]?.slice(0, 3)).toEqual([
      201n,
      '2026-11-19',
      expect.objectContaining({ status: ['5xx'], cacheStatus: undefined }),
    ])
    expect(text).toContain('2026-11-19 00:00 to 2026-11-20 00:00 (UTC) · status 5xx · file of the day')
    expect(text).toContain('shop: 3,000 5xx lines of 1,000,000\n')
    expect(text).toContain('The whole file, whatever the filter: HIT 900,000, MISS 99,998, none 1; 2xx 999,999.')
    expect(text).toContain('Unreadable, and in no count: 1 line.')
    expect(text).toContain('Over 64 KB, and passed over: 1 line.')
    expect(rows[0]?.[0]).toBe('11-20 12:00:00')
    expect(progress).toContain('Read 125.00 MB, 500,000 lines, of which 1,200 match')
    expect(labels).toEqual(['Older', 'Count by path', 'Send as CSV', 'Change filters'])
  })

  it('goes on with Older inside the day', async () => {
    const day = Date.UTC(2026, 10, 19, 12)
    const entries = logEntries(60, (step) => ({ timestamp: new Date(day - step * 1_000) }))
    const values = buttonValues(await show({ streamDayFile: dayFile(entries) }, { day: '2026-11-19' }), 'Older')
    expect(values).toMatchObject({ day: '2026-11-19', until: '2026-11-19T11:59:35.001Z' })
    expect(problemsOf(logs, values)).toEqual([])
  })

  it('puts the newest lines into a file and says when it holds not all', async () => {
    const shown = await show({ streamDayFile: dayFile(logEntries(500)) }, { day: 'today', csv: 'true', limit: '100' })
    expect(shown.records).toHaveLength(101)
    expect(shown.text).toContain('The CSV file has 100 lines; there may be more.')
    expect(buttonValues(shown, 'Next file')).toMatchObject({ day: '2026-11-20', until: '2026-11-20T11:58:20.001Z' })
  })

  it('groups all of its lines', async () => {
    const streamDayFile = dayFile(logEntries(3_000), { tooLongLines: 0, countsByCacheStatus: new Map() })
    const { text } = await show({ streamDayFile }, { day: 'today', by: 'status' })
    expect(text).toContain('Status 200, Lines 3,000, Share 100.0 %')
    expect(text).not.toMatch(/Over 64 KB|The whole file/)
    const sound = await show({ streamDayFile: dayFile(logEntries(9), { malformedLines: 0 }) }, { day: 'today' })
    expect(sound.text).not.toContain('Unreadable')
  })

  it('says how many lines were looked at when none matches', async () => {
    const { text, labels } = await show({ streamDayFile: dayFile([]) }, { day: 'today', ip: '203.0.113.7' })
    expect(text).toContain(
      '1,000,000 lines of the day were read. The CDN keeps logs for 3 days, and only of zones with logging enabled.',
    )
    expect(text).toContain('a filter by one finds all of its network, 203.0.113.0 (its /24)')
    expect(labels).toEqual(['Every cache status', 'Change filters'])
  })
})
