import type { Block, ChartPoint } from '../block-kit/blocks.ts'
import { lineChart } from '../block-kit/chart.ts'
import type { StorageDay } from './storage-stats-days.ts'

const UNITS = [
  ['TB', 1_000_000_000_000n],
  ['GB', 1_000_000_000n],
  ['MB', 1_000_000n],
  ['kB', 1_000n],
] as const

/** A line for the bytes and one for the files, each of the days that have the value; a chart without any is left out. */
export function storageCharts(days: readonly StorageDay[]): readonly Block[] {
  const [unit, size] = unitFor(days)
  const drawn = [
    lineChart({
      title: `Storage used in ${unit}, by day`,
      xLabel: 'Day (UTC)',
      yLabel: unit,
      series: [{ name: 'Storage used', points: points(days, 'bytes', inUnits(size)) }],
    }),
    lineChart({
      title: 'Number of files, by day',
      xLabel: 'Day (UTC)',
      yLabel: 'Files',
      series: [{ name: 'Files', points: points(days, 'files', Number) }],
    }),
  ]
  return drawn.filter((chart) => chart !== undefined)
}

/** Whole thousandths of the unit. */
function inUnits(size: bigint): (value: bigint) => number {
  return (value) => Number((value * 1_000n) / size) / 1_000
}

function points(
  days: readonly StorageDay[],
  of: 'bytes' | 'files',
  scaled: (value: bigint) => number,
): readonly ChartPoint[] {
  const drawn: ChartPoint[] = []
  for (const { day, dated, [of]: value } of days) {
    if (dated && value !== undefined) drawn.push({ label: day, value: scaled(value) })
  }
  return drawn
}

/** The largest unit in which the highest value is at least one, so that the axis has readable numbers. */
function unitFor(days: readonly StorageDay[]): readonly [name: string, size: bigint] {
  const highest = days.reduce((high, { bytes: value = 0n }) => (value > high ? value : high), 0n)
  return UNITS.find(([, size]) => highest >= size) ?? ['bytes', 1n]
}
