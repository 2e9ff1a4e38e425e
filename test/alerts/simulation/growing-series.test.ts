import { describe, expect, it } from 'vitest'
import { MinuteSeries } from '../../../src/alerts/minute-series.ts'
import { linesOf } from '../../../src/alerts/minute-tally.ts'
import { COLUMN, COLUMNS } from '../../../src/alerts/traffic.ts'
import type { MinuteCounts } from '../../../src/store/minute-counts.ts'
import { GrowingMinutes } from './growing-series.ts'
import { SITES } from './sites.ts'
import { linesIn } from './traffic.ts'

const FROM = 29_900_000
const SITE = SITES[2]!

function lines(minute: number, seed = 'growing'): MinuteCounts {
  return linesIn(seed, SITE, minute, [])
}

describe('minutes that grow', () => {
  it('sum to what the series of the bot sums to, gaps and replaced minutes included', () => {
    const growing = new GrowingMinutes(FROM, 60)
    const known = new Map<number, MinuteCounts>()
    for (const at of [0, 1, 2, 3, 9, 10, 11, 2, 5, 20]) {
      const minute = lines(FROM + at, at === 2 ? `again ${known.size}` : undefined)
      known.set(minute.minute, minute)
      growing.put([minute])
    }
    const plain = new MinuteSeries(FROM, FROM + 25, known.values())
    const seen = growing.asSeries(FROM + 25)
    for (let from = FROM - 2; from < FROM + 25; from += 1)
      for (let until = from; until < FROM + 28; until += 1) {
        for (const column of COLUMNS) expect(seen.total(column, from, until)).toBe(plain.total(column, from, until))
      }
  })

  it('show nothing of what comes after the look', () => {
    const growing = new GrowingMinutes(FROM, 60)
    growing.put([lines(FROM), lines(FROM + 1), lines(FROM + 2)])
    expect(growing.asSeries(FROM + 1).total(COLUMN.lines, FROM, FROM + 10)).toBe(linesOf(lines(FROM)))
  })
})
