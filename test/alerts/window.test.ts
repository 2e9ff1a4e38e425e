import { describe, expect, it } from 'vitest'
import { COLUMN } from '../../src/alerts/traffic.ts'
import { grownWindow } from '../../src/alerts/window.ts'
import { seriesOf } from '../support/minute-lines.ts'

describe('a window that grows', () => {
  const { lines } = COLUMN

  it('stays as it is asked for where it holds enough', () => {
    const { series, at } = seriesOf({ of: 100, hit: 40 })
    expect(grownWindow(series, at, 5, 200, lines)).toBe(5)
  })

  it('takes minute by minute, newest first, until it holds enough', () => {
    for (const each of [4, 5, 7, 13, 39]) {
      const { series, at } = seriesOf({ of: 100, hit: each })
      expect(grownWindow(series, at, 5, 200, lines)).toBe(Math.ceil(200 / each))
    }
  })

  it('ends at an hour', () => {
    const { series, at } = seriesOf({ of: 100, hit: 1 })
    expect(grownWindow(series, at, 5, 200, lines)).toBe(60)
  })
})
