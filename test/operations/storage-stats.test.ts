import { describe, expect, it, vi } from 'vitest'
import { messageProblems } from '../support/slack-rules.ts'
import type { Cdn } from '../../src/cdn/cdn.ts'
import type { StorageStatistics } from '../../src/cdn/storage-statistics.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import { storageStats } from '../../src/operations/storage-stats.ts'
import { checkContext, invocationOf, operationContext, problemsOf } from '../support/operation-context.ts'

const GB = 1_000_000_000n

function statistics(changes: Partial<StorageStatistics> = {}): StorageStatistics {
  return { StorageUsedChart: new Map(), FileCountChart: new Map(), otherFields: [], ...changes }
}

/** Thirty days in October: 100 GB and one more each day, 1,000 files and ten more each day. */
function october(days = 30): StorageStatistics {
  const keys = Array.from({ length: days }, (_, index) => new Date(Date.UTC(2026, 9, 1 + index)).toISOString())
  return statistics({
    StorageUsedChart: new Map(keys.map((key, index) => [key, (100n + BigInt(index)) * GB])),
    FileCountChart: new Map(keys.map((key, index) => [key.slice(0, 10), 1_000n + BigInt(index) * 10n])),
  })
}

async function ask(answer: StorageStatistics, values: RawValues = { storageZone: 'shop' }) {
  const getStorageStatistics = vi.fn<Cdn['getStorageStatistics']>().mockResolvedValue(answer)
  const shown = await invocationOf(storageStats, values).run(operationContext({ getStorageStatistics }))
  return { ...shown, called: getStorageStatistics.mock.calls[0], json: JSON.stringify(shown.message.blocks) }
}

describe('asking for storage statistics', () => {
  it('sends no dates when none are given and says what the platform then answers with', async () => {
    const { called, message } = await ask(october())
    expect(called?.slice(0, 2)).toEqual([101n, { from: undefined, to: undefined }])
    expect(message.text).toContain('last 30 days')
  })

  it('sends the range given, and shows it', async () => {
    const { called, message } = await ask(october(), { storageZone: '7', since: '2026-10-01', until: '2026-11-01' })
    expect(called?.slice(0, 2)).toEqual([7n, { from: new Date('2026-10-01Z'), to: new Date('2026-11-01Z') }])
    expect(message.text).toContain('From 2026-10-01 00:00 UTC to 2026-11-01 00:00 UTC.')
  })

  it('says which end of the range was left open', async () => {
    const { called, message } = await ask(october(), { storageZone: '7', since: '2026-10-01' })
    expect(called?.[1]).toEqual({ from: new Date('2026-10-01Z'), to: undefined })
    expect(message.text).toContain('From 2026-10-01 00:00 UTC until now.')
    const open = await ask(october(), { storageZone: '7', until: '2026-11-01' })
    expect(open.message.text).toContain('Up to 2026-11-01 00:00 UTC; the platform chooses')
  })

  it.each([
    ['2026-11-01', '2026-10-01'],
    ['2026-10-01', '2026-10-01'],
  ])('refuses the range from %s to %s', (since, until) => {
    expect(problemsOf(storageStats, { storageZone: '101', since, until })).toEqual([
      'since: The start must lie before the end.',
    ])
  })

  it('refuses a start in the future', () => {
    const now = new Date('2026-11-20T12:00:00Z')
    expect(problemsOf(storageStats, { storageZone: '101', since: '2026-11-21' }, checkContext({ now }))).toEqual([
      'since: Since lies in the future.',
    ])
  })

  it('needs a zone', () => {
    expect(storageStats.parse({}, checkContext())).toMatchObject({ ok: false, missing: ['storageZone'] })
  })

  it('writes a sentence for the audit log that names the id', () => {
    const values = { storageZone: 'shop', since: '2026-10-01' }
    expect(invocationOf(storageStats, values).sentence).toBe(
      'Read the statistics of storage zone shop (101), since 2026-10-01',
    )
  })
})

describe('showing storage statistics', () => {
  it('says first, last and change of both values', async () => {
    const { message } = await ask(october())
    expect(message.text).toContain('Storage used: 129.00 GB (129,000,000,000 bytes) on 2026-10-30')
    expect(message.text).toContain('+29.00 GB (+29.0%) since 2026-10-01, from 100.00 GB')
    expect(message.text).toContain('Files: 1,290 on 2026-10-30')
    expect(message.text).toContain('+290 (+29.0%) since 2026-10-01, from 1,000')
  })

  it('draws the newest twenty days of both and lists all of them, newest first', async () => {
    const { message } = await ask(october())
    expect(messageProblems(message)).toEqual([])
    const charts = message.blocks.filter((block) => block.type === 'data_visualization')
    expect(charts.map(({ title }) => title)).toEqual(['Storage used in GB, by day', 'Number of files, by day'])
    expect(charts[0]?.chart.series[0]?.data).toHaveLength(20)
    expect(charts[0]?.chart.series[0]?.data.at(-1)).toEqual({ label: '2026-10-30', value: 129 })
    const table = message.blocks.find((block) => block.type === 'data_table')
    expect(table?.rows).toHaveLength(31)
    expect(table?.rows[1]?.map(({ text }) => text)).toEqual(['2026-10-30', '129.00 GB', '129,000,000,000', '1,290'])
  })

  it.each([statistics(), statistics({ FileCountChart: new Map() })])('is kind about an empty answer', async (empty) => {
    const { message, file } = await ask(empty, { storageZone: 'shop', csv: 'true' })
    expect(message.text).toContain('no statistics for this zone in this range, so there is no CSV file')
    expect(messageProblems(message)).toEqual([])
    expect(file).toBeUndefined()
  })

  it('shows one chart when the other is missing', async () => {
    const { message, json } = await ask(statistics({ FileCountChart: new Map([['2026-11-20', 5n]]) }))
    expect(messageProblems(message)).toEqual([])
    expect(message.blocks.filter((block) => block.type === 'data_visualization')).toHaveLength(1)
    expect(message.text).toContain('Storage used: no values in this range')
    expect(message.text).toContain('Files, change: only one day has a value')
    expect(json).toContain('1 of 1 days have only one of the two values')
  })

  it('says visibly which fields came that the contract does not allow', async () => {
    const { json, message } = await ask({ ...october(), otherFields: ['Requests<!channel>'] })
    expect(json).toContain('Requests&lt;!channel&gt;')
    expect(message.text).toContain('left out: Requests')
  })

  it('says the same about an empty answer', async () => {
    const { message } = await ask(statistics({ otherFields: ['Other'] }))
    expect(message.text).toContain('left out: Other')
  })

  it('cuts a table of years to what fits and says so', async () => {
    const { message, json } = await ask(october(400))
    expect(messageProblems(message)).toEqual([])
    expect(json).toContain('The table shows the newest 200 of 400 days')
  })

  it.each([
    ['bytes', [999n, 5n], [999, 5]],
    ['kB', [1_999n, 1n], [1.999, 0.001]],
    ['MB', [1_999_999n, 500n], [1.999, 0]],
    ['GB', [2_345_678_901n, 1_000_000n], [2.345, 0.001]],
    ['TB', [9_999_999_999_999_999n, 1_500_000_000_000n], [9_999.999, 1.5]],
  ])('draws %s in whole thousandths, never more than there is', async (unit, bytes, drawn) => {
    const days = bytes.map((value, index) => [`2026-11-2${index}`, value] as const)
    const { message } = await ask(statistics({ StorageUsedChart: new Map(days) }))
    const chart = message.blocks.find((block) => block.type === 'data_visualization')
    expect(chart?.title).toBe(`Storage used in ${unit}, by day`)
    expect(chart?.chart.series[0]?.data.map(({ value }) => value)).toEqual(drawn)
  })

  it('holds values beyond what a double can', async () => {
    const huge = 9_223_372_036_854_775_807n
    const { message } = await ask(statistics({ StorageUsedChart: new Map([['2026-11-20', huge]]) }))
    expect(messageProblems(message)).toEqual([])
    expect(message.text).toContain('9,223,372,036,854,775,807 bytes')
  })
})

describe('the file of storage statistics', () => {
  it('has every day, oldest first, and the answer says where it goes', async () => {
    const { file, message } = await ask(october(2), { storageZone: 'shop', csv: 'true' })
    expect(file?.name).toBe('storage-101-2026-10-01-2026-10-02.csv')
    expect(file?.content).toBe(
      'day_utc,storage_used_bytes,file_count\n2026-10-01,100000000000,1000\n2026-10-02,101000000000,1010\n',
    )
    expect(message.text).toContain('in your direct messages')
  })

  it('is offered by a button that asks for the same range', async () => {
    const { buttons, file } = await ask(october(), { storageZone: 'shop', since: '2026-10-01' })
    expect(file).toBeUndefined()
    expect(buttons).toContainEqual({
      kind: 'page',
      label: 'Send as CSV',
      values: { storageZone: '101', since: '2026-10-01T00:00:00.000Z', csv: 'true' },
    })
  })
})
