import { describe, expect, it } from 'vitest'
import { errorBudget } from '../../../src/alerts/kinds/error-budget.ts'
import { readingOf, type Minutes } from '../../support/minute-lines.ts'

const DAYS = 3 * 1_440
const fine = (of: number): Minutes => ({ of, c2xx: 100, hit: 100 })
const bad = (of: number, c5xx: number): Minutes => ({ of, c5xx, c2xx: 100 - c5xx, hit: 100 })

describe('threshold', () => {
  it('is critical where 14.4 times the budget is spent over an hour and five minutes', () => {
    const hour = (c5xx: number) => [fine(DAYS), fine(54), bad(1, c5xx), bad(5, 3)]
    expect(readingOf(errorBudget, hour(89)).level).not.toBe('critical')
    expect(readingOf(errorBudget, hour(90)).level).toBe('critical')
  })

  it('is critical where six times the budget is spent over six hours and half an hour', () => {
    const { level, facts } = readingOf(errorBudget, [fine(DAYS), bad(360, 1)])
    expect(level).toBe('critical')
    expect(facts).toMatchObject({ value: 0.01, sample: 36_000, threshold: expect.closeTo(0.006) })
    expect(readingOf(errorBudget, [fine(DAYS), bad(360, 1)], { parameters: { times: 12 } }).level).not.toBe('critical')
  })

  it('warns where the budget is spent faster than it lasts over three days and six hours', () => {
    const days = (each: number) => Array.from({ length: each }, () => [fine(DAYS / each - 1), bad(1, 1)]).flat()
    expect(readingOf(errorBudget, days(540)).level).toBe('clear')
    expect(readingOf(errorBudget, days(720)).level).toBe('warning')
  })

  it('follows the objective', () => {
    expect(readingOf(errorBudget, [fine(DAYS), bad(360, 1)], { parameters: { objective: 98 } }).level).toBe('clear')
  })
})

describe('window', () => {
  it('needs the short one: an hour that has ended in five good minutes is none', () => {
    const parameters = { times: 100, warning: 100 }
    expect(readingOf(errorBudget, [fine(100), bad(60, 5)], { parameters }).level).toBe('critical')
    expect(readingOf(errorBudget, [fine(100), bad(55, 5), fine(5)], { parameters }).level).toBe('clear')
  })

  it('needs the older half of the long one', () => {
    const parameters = { times: 100, warning: 100 }
    expect(readingOf(errorBudget, [bad(30, 5)], { parameters }).level).toBe('no data')
    expect(readingOf(errorBudget, [bad(31, 5)], { parameters }).level).toBe('critical')
  })
})

describe('minimum', () => {
  const parameters = { times: 100, warning: 100, 'minimum-bad': 1 }
  const hour = (last: number): readonly Minutes[] => [
    { of: 59, c2xx: 12, c5xx: 4, hit: 16 },
    { of: 1, c2xx: last - 10, c5xx: 10, hit: last },
  ]
  it('wants 1,000 lines in the long window', () => {
    expect(readingOf(errorBudget, hour(55), { parameters }).level).toBe('no data')
    expect(readingOf(errorBudget, hour(56), { parameters }).level).toBe('critical')
  })

  it('wants twenty errors in the long window', () => {
    const with20 = { ...parameters, 'minimum-bad': 20, critical: 5 }
    const errors = (c5xx: number): readonly Minutes[] => [
      { of: 59, c2xx: 20, hit: 20 },
      { of: 1, c5xx, c2xx: 80, hit: 80 },
    ]
    expect(readingOf(errorBudget, errors(19), { parameters: with20 }).level).toBe('clear')
    expect(readingOf(errorBudget, errors(20), { parameters: with20 }).level).toBe('critical')
  })

  it('has no data where lines carry no codes', () => {
    expect(readingOf(errorBudget, [{ of: 100, hit: 1_000, uncoded: 1_000 }]).facts.sentence).toContain(
      'carry no status codes',
    )
  })
})

describe('hysteresis', () => {
  it('clears when the short window is back under, by value', () => {
    const parameters = { times: 100, warning: 100 }
    const short = (c5xx: number) => [fine(60), bad(55, 20), fine(4), bad(1, c5xx)]
    expect(readingOf(errorBudget, short(8), { firing: true, parameters }).level).toBe('between')
    expect(readingOf(errorBudget, short(7), { firing: true, parameters }).level).toBe('clear')
  })
})
