import { describe, expect, test } from 'vitest'
import { chartText, lineChart } from '../../src/block-kit/chart.ts'

const points = (length: number, from = 0): { label: string; value: number }[] =>
  Array.from({ length }, (_, index) => ({ label: `Nov ${index + from}`, value: index }))

const axes = { title: 'x', xLabel: 'x', yLabel: 'y' }

describe('a line chart', () => {
  test('has one point of each series for each category', () => {
    const chart = lineChart({
      title: 'Used',
      xLabel: 'Day',
      yLabel: 'GB',
      series: [{ name: 'Used', points: points(2) }],
    })
    expect(chart).toEqual({
      type: 'data_visualization',
      title: 'Used',
      chart: {
        type: 'line',
        series: [
          {
            name: 'Used',
            data: [
              { label: 'Nov 0', value: 0 },
              { label: 'Nov 1', value: 1 },
            ],
          },
        ],
        axis_config: { categories: ['Nov 0', 'Nov 1'], x_label: 'Day', y_label: 'GB' },
      },
    })
  })

  test('keeps the newest 20 points and draws a single one', () => {
    const categories = (length: number): readonly string[] | undefined =>
      lineChart({ ...axes, series: [{ name: 'a', points: points(length) }] })?.chart.axis_config.categories
    expect(categories(25)).toHaveLength(20)
    expect(categories(25)?.[0]).toBe('Nov 5')
    expect(categories(1)).toEqual(['Nov 0'])
  })

  test('leaves out what cannot be drawn rather than inventing it', () => {
    const chart = lineChart({
      ...axes,
      series: [
        { name: 'a', points: [...points(3), { label: 'broken', value: Number.NaN }] },
        { name: 'endless', points: [...points(3), { label: 'Nov 3', value: Number.POSITIVE_INFINITY }] },
        { name: 'b', points: points(3, 1) },
        { name: 'empty', points: [] },
      ],
    })
    expect(chart?.chart.series.map(({ name }) => name)).toEqual(['a', 'endless', 'b'])
    expect(chart?.chart.axis_config.categories).toEqual(['Nov 1', 'Nov 2'])
    expect(chart?.chart.series[2]?.data).toEqual([
      { label: 'Nov 1', value: 0 },
      { label: 'Nov 2', value: 1 },
    ])
  })

  test('is nothing when there is nothing to draw', () => {
    expect(lineChart({ ...axes, series: [] })).toBeUndefined()
    expect(lineChart({ ...axes, series: [{ name: 'a', points: [] }] })).toBeUndefined()
    expect(
      lineChart({
        ...axes,
        series: [
          { name: 'a', points: points(1) },
          { name: 'b', points: points(1, 9) },
        ],
      }),
    ).toBeUndefined()
  })

  test('draws one point of labels that are the same as shown, and one line of such names', () => {
    const long = 'a label far beyond twenty characters'
    const chart = lineChart({
      ...axes,
      series: ['one', 'two'].map((end) => ({
        name: `${long} ${end}`,
        points: [
          { label: `${long} 1`, value: 1 },
          { label: `${long} 2`, value: 2 },
          { label: 'short', value: 3 },
        ],
      })),
    })
    expect(chart && chartText(chart)).toBe('a label far beyond …: a label far beyond … 2, short 3')
  })

  test('says its numbers in a line for each series', () => {
    const chart = lineChart({ ...axes, series: [{ name: 'Used', points: points(3) }] })
    expect(chart && chartText(chart)).toBe('Used: Nov 0 0, Nov 1 1, Nov 2 2')
  })
})
