import { describe, expect, it } from 'vitest'
import { RunningEmulator } from './running-emulator.ts'

const emulator = new RunningEmulator()

async function statistics(zone: number, query = '') {
  const reply = await emulator.management(`/storagezone/${zone}/statistics${query}`)
  expect(reply.status).toBe(200)
  return reply.json
}

describe('storage statistics', () => {
  it('cover the last 30 days without dates, by UTC day', async () => {
    const { StorageUsedChart, FileCountChart } = await statistics(101)
    const days = Object.keys(StorageUsedChart)
    expect(days).toHaveLength(30)
    expect([days[0], days.at(-1)]).toEqual(['2026-10-22T00:00:00Z', '2026-11-20T00:00:00Z'])
    expect(Object.keys(FileCountChart)).toEqual(days)
  })

  it('cover the range asked for, both days included', async () => {
    const { FileCountChart } = await statistics(101, '?dateFrom=2026-11-01T12:00:00Z&dateTo=2026-11-03T00:00:00Z')
    expect(Object.keys(FileCountChart)).toEqual(
      ['2026-11-01', '2026-11-02', '2026-11-03'].map((day) => `${day}T00:00:00Z`),
    )
  })

  it('can be empty, or lack a chart', async () => {
    expect(await statistics(104)).toEqual({ StorageUsedChart: {}, FileCountChart: {} })
    const oneSided = await statistics(105)
    expect(oneSided.FileCountChart).toBeNull()
    expect(Object.keys(oneSided.StorageUsedChart)).toHaveLength(30)
  })

  it.each([
    ['?dateFrom=yesterday', 'dateFrom'],
    ['?dateFrom=2026-02-31T00:00:00Z', 'dateFrom'],
    ['?dateFrom=2026-11-03T00:00:00Z&dateTo=2026-11-01T00:00:00Z', 'dateFrom'],
    ['?datefrom=2026-11-03T00:00:00Z', 'datefrom'],
    ['?dateTo=2026-11-03&dateTo=2026-11-04', 'dateTo'],
  ])('refuse %s', async (query, field) => {
    const reply = await emulator.management(`/storagezone/101/statistics${query}`)
    expect(reply.status).toBe(400)
    expect(reply.json).toMatchObject({ ErrorKey: 'validation_error', Field: field })
  })
})
