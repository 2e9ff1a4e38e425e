import { describe, expect, it, vi } from 'vitest'
import type { Cdn } from '../../../src/cdn/contract/cdn.ts'
import type { StorageStatistics } from '../../../src/cdn/contract/storage-statistics.ts'
import { changeOver, joinCharts, storageStats } from '../../../src/operations/storage/storage-stats.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { ask } from '../../support/ask.ts'
import { checkContext, invocationOf, problemsOf } from '../../support/operation-context.ts'

const GB = 1_000_000_000n
const CHANGE = { kind: 'form', label: 'Change range', operation: 'storage stats' }

function statistics(used: Record<string, bigint> = {}, files: Record<string, bigint> = {}): StorageStatistics {
  const [StorageUsedChart, FileCountChart] = [new Map(Object.entries(used)), new Map(Object.entries(files))]
  return { StorageUsedChart, FileCountChart, otherFields: [] }
}

/** Days from the first of October: 100 GB and one more each day, 1,000 files and ten more each day. */
function october(days = 30): StorageStatistics {
  const keys = Array.from({ length: days }, (_, index) => new Date(Date.UTC(2026, 9, 1 + index)).toISOString())
  return statistics(
    Object.fromEntries(keys.map((key, index) => [key, (100n + BigInt(index)) * GB])),
    Object.fromEntries(keys.map((key, index) => [key.slice(0, 10), 1_000n + BigInt(index) * 10n])),
  )
}

async function show(stored: StorageStatistics, values: RawValues = { storageZone: 'shop' }) {
  const getStorageStatistics = vi.fn<Cdn['getStorageStatistics']>().mockResolvedValue(stored)
  const answer = await ask(storageStats, values, { getStorageStatistics })
  const charts = answer.message.blocks.filter((block) => block.type === 'data_visualization')
  return { ...answer, called: getStorageStatistics.mock.calls[0], charts }
}

describe('asking for storage statistics', () => {
  const dateFrom = new Date('2026-10-01Z')
  const dateTo = new Date('2026-11-01T23:59:59Z')

  it.each([
    [{}, {}, 'last 30 days'],
    [
      { since: '2026-10-01', until: '2026-11-01' },
      { dateFrom, dateTo },
      'since 2026-10-01 until 2026-11-01 · days are UTC',
    ],
    [{ since: '2026-10-01' }, { dateFrom }, 'since 2026-10-01 · days are UTC'],
    [{ until: '2026-11-01' }, { dateTo }, 'until 2026-11-01 · days are UTC'],
    // What has come of today, and a time as it is given.
    [{ until: 'today' }, { dateTo: new Date('2026-11-20T12:00Z') }, 'until 2026-11-20 ·'],
    [{ until: '2026-11-01T12:30Z' }, { dateTo: new Date('2026-11-01T12:30Z') }, 'until 2026-11-01 ·'],
    [
      { since: '2026-11-01', until: '2026-11-01' },
      { dateFrom: new Date('2026-11-01Z'), dateTo },
      'since 2026-11-01 until 2026-11-01 ·',
    ],
  ])('sends the range %j and says so', async (range, sent, sentence) => {
    const { called, text } = await show(october(), { storageZone: '7', ...range })
    expect(called?.[0]).toEqual({ id: 7n, dateFrom: undefined, dateTo: undefined, ...sent })
    expect(text).toContain(sentence)
  })

  it.each([
    [{ since: '2026-11-01', until: '2026-10-01' }, 'since: The start must lie before the end.'],
    [{ since: '2026-11-21' }, 'since: Since lies in the future.'],
  ])('refuses the range %j', (range, problem) => {
    expect(problemsOf(storageStats, { storageZone: '101', ...range })).toEqual([problem])
  })

  it('needs a zone', () => {
    expect(storageStats.parse({}, checkContext())).toMatchObject({
      ok: false,
      issues: [{ field: 'storageZone', missing: true }],
    })
  })

  it.each([
    [{}, 'last 30 days'],
    [{ since: '2026-10-01' }, 'since 2026-10-01'],
    [{ until: '2026-11-01' }, 'until 2026-11-01'],
    [{ since: '2026-10-01', until: '2026-11-01' }, 'since 2026-10-01 until 2026-11-01'],
  ])('is on record with its range: %j', (range, words) => {
    const { sentence } = invocationOf(storageStats, { storageZone: 'shop', ...range })
    expect(sentence).toBe(`Read the statistics of storage zone shop (101), ${words}`)
  })

  it('takes what is typed for what it looks like, and shows all of it in its form', () => {
    expect(storageStats.form?.[0]?.fields({})).toEqual(['storageZone', 'since', 'until', 'csv'])
    expect(storageStats.positionals({ storageZone: 'shop', since: '14d' })).toEqual(['storageZone', 'since', 'until'])
  })
})

describe('joining the charts', () => {
  it('joins days whose keys are spelled differently', () => {
    const days = joinCharts(statistics({ '2026-11-19T00:00:00Z': 1n }, { '2026-11-19T09:35:02': 2n, '2026-11-18': 3n }))
    expect(days).toEqual([
      { day: '2026-11-18', isDated: true, bytes: undefined, files: 3n },
      { day: '2026-11-19', isDated: true, bytes: 1n, files: 2n },
    ])
  })

  it('takes the latest of several values of one day', () => {
    const [day] = joinCharts(statistics({ '2026-11-19T01:00:00Z': 1n, '2026-11-19T23:00:00Z': 2n }))
    expect(day?.bytes).toBe(2n)
  })

  it('keeps words that are no dates at the end, harmless and out of the change', () => {
    const days = joinCharts(statistics({ '2026-11-19': 5n, '1 to\u202Etal': 99n }))
    expect(days.map(({ day }) => day)).toEqual(['2026-11-19', '1 to\\u{202E}tal'])
    expect(changeOver(days, 'bytes')?.last.value).toBe(5n)
    expect(joinCharts(statistics({ ['x'.repeat(41)]: 1n }))[0]?.day).toBe(`${'x'.repeat(39)}…`)
  })

  it.each([
    [{ '2026-11-18': 10n ** 18n + 1n, '2026-11-19': 10n ** 18n }, { difference: -1n }],
    [
      { '2026-11-18': 0n, '2026-11-19': 5n },
      { difference: 5n, share: undefined },
    ],
  ])('says the change over %o exactly, and no share of zero', (used, change) => {
    expect(changeOver(joinCharts(statistics(used)), 'bytes')).toMatchObject(change)
    expect(changeOver(joinCharts(statistics(used)), 'files')).toBeUndefined()
  })
})

describe('showing storage statistics', () => {
  it('begins with what is there and how much more that is, in the time of the charts', async () => {
    const { text, table } = await show(october())
    const panel = 'Open in the panel (https://panel.example.com/storage-zone/101)'
    expect(text.split('\n').slice(0, 3)).toEqual([
      'shop holds 129 GB, +29.0 GB (+29.0 %) since 2026-10-01; 1,290 files',
      `Storage zone shop (101) · last 30 days · days are UTC · ${panel}`,
      'Day 2026-10-30, Storage used 129.00 GB, Bytes 129,000,000,000, Files 1,290',
    ])
    expect([table?.caption, table?.page_size]).toEqual(['All days, newest first', 10])
    expect(table?.rows[1]?.map(({ type }) => type)).toEqual(['raw_text', 'raw_text', 'raw_number', 'raw_number'])
  })

  /** By days of November, in GB. */
  it.each<readonly [string, Readonly<Record<string, bigint>>, string]>([
    ['what was lost', { 10: 20n, 17: 100n, 19: 30n }, '30.0 GB, −70.0 GB (−70.0 %) since 2026-11-17, its most'],
    ['a slow decline', { 10: 100n, 19: 80n }, '80.0 GB, −20.0 GB (−20.0 %) since 2026-11-10, its most'],
    ['growth after a small dip', { 10: 50n, 18: 100n, 19: 95n }, '95.0 GB, +45.0 GB (+90.0 %) since 2026-11-10'],
    ['nothing of a day without numbers', { 18: 90n, 19: 91n, 20: 0n }, '91.0 GB, +1.00 GB (+1.1 %) since 2026-11-18'],
    ['a zone that begins today', { 20: 0n }, '0 bytes'],
    ['a loss of less than a tenth', { 10: 50n, 18: 100n, 19: 91n }, '91.0 GB, +41.0 GB (+82.0 %) since 2026-11-10'],
    ['a loss of a tenth', { 10: 50n, 18: 100n, 19: 90n }, '90.0 GB, −10.0 GB (−10.0 %) since 2026-11-18, its most'],
    [
      'the last day of the most',
      { 10: 100n, 12: 100n, 19: 1n },
      '1.00 GB, −99.0 GB (−99.0 %) since 2026-11-12, its most',
    ],
    ['what came from nothing', { 10: 0n, 19: 1n }, '1.00 GB, +1.00 GB since 2026-11-10'],
  ])('says at first %s', async (_, used, said) => {
    const days = Object.entries(used).map(([day, size]) => [`2026-11-${day}`, size * GB])
    const { text } = await show(statistics(Object.fromEntries(days)))
    expect(text.split('\n')[0]).toBe(`shop holds ${said}`)
  })

  it('draws all of the time, in as many steps as a chart has room for, and lists each day, newest first', async () => {
    const { charts, rows } = await show(october())
    expect(charts.map(({ title }) => title)).toEqual(['Storage used in GB, by day', 'Number of files, by day'])
    expect(charts.map(({ chart }) => chart.axis_config)).toMatchObject([
      { x_label: 'Day, every 2 days', y_label: 'GB' },
      { x_label: 'Day, every 2 days', y_label: 'Files' },
    ])
    expect(charts.map(({ chart }) => chart.series[0]?.name)).toEqual(['Storage used in GB', 'Number of files'])
    expect(charts[1]?.chart.series[0]?.data.at(-1)).toEqual({ label: '2026-10-30', value: 1_290 })
    expect((await show(october(20))).charts[0]?.chart.axis_config.x_label).toBe('Day')
    expect(charts[0]?.chart.series[0]?.data).toHaveLength(16)
    expect(charts[0]?.chart.series[0]?.data.at(0)).toEqual({ label: '2026-10-01', value: 100 })
    expect(charts[0]?.chart.series[0]?.data.at(-1)).toEqual({ label: '2026-10-30', value: 129 })
    for (const days of [1, 20, 21, 38, 39, 40, 41, 365]) {
      const data = (await show(october(days))).charts[0]?.chart.series[0]?.data
      expect([data?.at(0)?.value, data?.at(-1)?.value]).toEqual([100, 99 + days])
      expect(data?.length).toBeLessThanOrEqual(20)
    }
    expect(rows).toHaveLength(30)
    expect(rows[0]).toEqual(['2026-10-30', '129.00 GB', '129,000,000,000', '1,290'])
  })

  it('marks the day that is not over, in chart and table', async () => {
    const { charts, rows } = await show(statistics({ '2026-11-19': 4n, '2026-11-20': 5n }))
    expect(charts[0]?.chart.axis_config.categories).toEqual(['2026-11-19', '2026-11-20 so far'])
    expect(rows[0]?.[0]).toBe('2026-11-20 so far')
  })

  it('is kind about an empty answer', async () => {
    const { text, file, buttons } = await show(statistics(), { storageZone: 'shop', csv: 'true' })
    const [head, where, nothing] = text.split('\n')
    expect(head).toBe('shop: no statistics in this range')
    expect(where).toMatch(/^Storage zone shop \(101\) · last 30 days · /)
    expect(nothing).toBe('New and empty zones may have none yet, so there is no CSV file.')
    expect((await show(statistics())).text.split('\n')[2]).toBe('New and empty zones may have none yet.')
    expect(file).toBeUndefined()
    expect(buttons).toEqual([{ ...CHANGE, values: { storageZone: '101' } }])
  })

  it('says what a day without numbers means, unless all are', async () => {
    const note = 'A day with 0 may also be one for which the CDN recorded nothing.'
    const some = { '2026-11-18': 0n, '2026-11-19': 5n }
    expect((await show(statistics({ '2026-11-19': 5n }, some))).text).toContain('1 of 2 days have only one of the two')
    expect((await show(statistics(some, some))).text).toContain(`\n${note}\n`)
    expect((await show(statistics(some))).text).toContain(note)
    for (const none of [
      [{ '2026-11-19': 0n }, {}],
      [{ '2026-11-19': 0n }, { '2026-11-19': 1n }],
      [{}, some],
    ] as const)
      expect((await show(statistics(...none))).text).not.toContain(note)
  })

  it('shows one chart when the other is missing', async () => {
    const { charts, text, said } = await show(statistics({}, { '2026-11-20': 5n, total: 9n }))
    expect(charts).toHaveLength(1)
    expect(text).toMatch(/^shop holds an unknown size; 5 files\n/)
    expect(said).toContain('1 of 1 days have only one of the two values; the other is shown as –.')
    expect((await show(statistics({ '2026-11-20': 5n }, { '2026-11-20': 1n }))).text).toMatch(
      /^shop holds 5 bytes; 1 file\n/,
    )
  })

  it.each([october(), statistics()])('says which fields came that the contract does not allow', async (stored) => {
    const { said, text } = await show({ ...stored, otherFields: ['Requests<!channel>'] })
    expect(said).toContain('Requests&lt;!channel&gt;')
    const left = 'its interface does not allow here, left out'
    expect(text).toContain(`The CDN also sent a field ${left}: Requests`)
    expect((await show({ ...stored, otherFields: ['A', 'B'] })).text).toContain(
      `The CDN also sent fields ${left}: A, B.`,
    )
  })

  it('cuts a table of years to what fits and says so', async () => {
    expect((await show(october(400))).said).toContain(
      'The table shows the newest 100 of 400 days; the CSV file has all.',
    )
  })

  it.each([
    ['bytes', [999n, 5n], [999, 5]],
    ['kB', [1_999n, 0n], [1.999, 0]],
    ['MB', [1_000_000n, 999_999n], [1, 0.999]],
    ['GB', [1_000_000_000n, 1_500_000n], [1, 0.001]],
    ['TB', [9_999_999_999_999_999n, 1_500_000_000_000n], [9_999.999, 1.5]],
  ])('draws %s in whole thousandths, never more than there is', async (unit, bytes, drawn) => {
    const days = bytes.map((value, day) => [`2026-11-2${day}`, value] as const)
    const { charts, rows } = await show(statistics(Object.fromEntries(days)))
    expect(charts[0]?.title).toBe(`Storage used in ${unit}, by day`)
    expect(charts[0]?.chart.series[0]?.data.map(({ value }) => value)).toEqual(drawn)
    if (unit === 'kB') expect(rows[0]).toEqual(['2026-11-21', '0 bytes', '0', '–'])
  })

  it('holds values beyond what a double can', async () => {
    const { text } = await show(statistics({ '2026-11-20': 9_223_372_036_854_775_807n }))
    expect(text).toMatch(/^shop holds 9\.22 EB\n/)
    expect(text).toContain('Bytes 9,223,372,036,854,775,807')
  })
})

describe('the file of storage statistics', () => {
  it('has every day, oldest first', async () => {
    const { file } = await show(october(2), { storageZone: 'shop', csv: 'true' })
    expect(file).toEqual({
      name: 'storage-101-2026-10-01-2026-10-02.csv',
      title: 'Storage zone shop (101) by day',
      content: 'day_utc,storage_used_bytes,file_count\n2026-10-01,100000000000,1000\n2026-10-02,101000000000,1010\n',
    })
    const undated = await show(statistics({ '2026-10-01': 1n, total: 2n }), { storageZone: 'shop', csv: 'true' })
    expect(undated.file?.name).toBe('storage-101-2026-10-01-2026-10-01.csv')
    expect(undated.labels).toEqual(['Change range'])
    expect(undated.rows.map(([day]) => day)).toEqual(['2026-10-01', 'total'])
    expect(undated.text).not.toContain('The table shows')
  })

  it('is offered by a button that asks for the same range', async () => {
    const { buttons, file } = await show(october(), { storageZone: 'shop', since: '2026-10-01' })
    expect(file).toBeUndefined()
    const values = { storageZone: '101', since: '2026-10-01T00:00:00.000Z' }
    expect(buttons).toEqual([
      { ...CHANGE, values },
      { kind: 'page', label: 'Send as CSV', values: { ...values, csv: 'true' } },
    ])
  })
})
