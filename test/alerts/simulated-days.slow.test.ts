import { describe, expect, it } from 'vitest'
import { playDay } from './simulation/day.ts'
import { problemsOf } from './simulation/problems.ts'
import { type Judged, judged } from './simulation/table.ts'

const SEEDS = ['day 2', 'day 3', 'day 5', 'day 6', 'day 8']
const cache = new Map<string, Judged>()

function day(seed: string): Judged {
  const known = cache.get(seed) ?? judged(playDay(seed))
  cache.set(seed, known)
  return known
}

describe('a day of six sites, from 10 to 100,000 requests a minute, with six incidents', () => {
  it.each(SEEDS)('tells each once and in time, resolves each once, and nothing else: %s', (seed) => {
    expect(problemsOf(day(seed))).toEqual([])
  })

  it.each(SEEDS)('has six incidents of which a definition holds: %s', (seed) => {
    const { verdict } = day(seed)
    expect(verdict.cases).toHaveLength(6)
    expect(verdict.cases.filter(({ afterHeldMs }) => afterHeldMs === undefined)).toEqual([])
  })
})
