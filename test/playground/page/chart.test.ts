import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blocksHtml } from '../../../src/playground/page/blocks.ts'
import { scaleFor, shortNumber } from '../../../src/playground/page/chart.ts'
import { chart, line } from '../slack/sample-blocks.ts'
import { blocksOf, scene, tagsOf, textOf } from './page-markup.ts'

const shown = (drawn: Readonly<Record<string, unknown>>) => blocksHtml(blocksOf(chart(drawn)), scene)
const classes = (markup: ReturnType<typeof shown>, name: string) =>
  tagsOf(markup).filter((tag) => tag.attributes['class']?.split(' ')[0] === name)

describe('a scale', () => {
  it('marks round values around all it has to show', () => {
    expect(scaleFor([0, 97]).ticks).toEqual([0, 25, 50, 75, 100])
    expect(scaleFor([525.87, 581.42]).ticks).toEqual([520, 540, 560, 580, 600])
    expect(scaleFor([-30, 30]).ticks).toEqual([-40, -20, 0, 20, 40])
    expect(scaleFor([0, 0.002]).ticks).toEqual([0, 0.0005, 0.001, 0.0015, 0.002])
  })

  it('always has an upper and a lower end, and every value between them', () => {
    const value = fc.double({ min: -1e15, max: 1e15, noNaN: true })
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (values) => {
        const { ticks, position } = scaleFor(values)
        expect(ticks.length).toBeGreaterThanOrEqual(2)
        expect(ticks.length).toBeLessThan(12)
        for (const each of values) {
          expect(position(each)).toBeGreaterThanOrEqual(-1e-6)
          expect(position(each)).toBeLessThanOrEqual(1 + 1e-6)
        }
      }),
    )
  })

  it('writes numbers short', () => {
    expect([0, 0.125, 1_234, 1_650_000, -20].map(shortNumber)).toEqual(['0', '0.125', '1,234', '1.65M', '−20'])
  })
})

describe('a chart', () => {
  it('draws every value', () => {
    const markup = shown(line(2, 5))
    expect(classes(markup, 'dot')).toHaveLength(10)
    expect(classes(markup, 'line')).toHaveLength(2)
    expect(classes(markup, 'swatch')).toHaveLength(2)
  })

  it('keeps everything within its picture, whatever its size', () => {
    const values = [-5, 0, 1e12]
    const data = values.map((value, index) => ({ label: `p${index}`, value }))
    const axis_config = { categories: ['p0', 'p1', 'p2'], x_label: 'Day', y_label: 'GB' }
    const markup = shown({ type: 'line', series: [{ name: 'all', data }], axis_config })
    for (const { attributes } of classes(markup, 'dot')) {
      expect(Number(attributes['cx'])).toBeGreaterThan(0)
      expect(Number(attributes['cx'])).toBeLessThan(640)
      expect(Number(attributes['cy'])).toBeGreaterThan(0)
      expect(Number(attributes['cy'])).toBeLessThan(180)
    }
    expect(textOf(markup)).toContain('Day')
    expect(textOf(markup)).toContain('GB')
  })

  it('names as many categories as there is room for, the newest always', () => {
    const marks = classes(shown(line(1, 20)), 'mark')
    expect(marks.length).toBeLessThanOrEqual(27)
    const long = Array.from({ length: 20 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`)
    const data = long.map((label) => ({ label, value: 1 }))
    const markup = shown({ type: 'line', series: [{ name: 's', data }], axis_config: { categories: long } })
    const named = long.filter(
      (label) => textOf(markup).split(label).length > 2 && markup.toString().includes(`>${label}</text>`),
    )
    expect(named.length).toBeLessThan(10)
    expect(named.at(-1)).toBe('2026-11-20')
  })

  it('says in words what it shows', () => {
    const markup = shown(line(1, 3))
    expect(textOf(markup)).toContain('A line chart of 3 values from p0 to p2. s0: least 0 at p0, most 2 at p2, last 2.')
    const [figure, , caption, , svg] = tagsOf(markup).slice(1)
    expect(svg?.attributes['role']).toBe('img')
    expect(svg?.attributes['aria-labelledby']).toBe(`${caption?.attributes['id']} ${figure?.attributes['id']}d`)
  })
})
