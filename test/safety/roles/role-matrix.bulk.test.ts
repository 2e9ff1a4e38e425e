import { describe, expect, it } from 'vitest'
import type { Cell } from './cells.ts'
import { CELLS, disagreements, nameOf } from './meeting.ts'
import { IDENTITY_NAMES } from './identities.ts'
import { expected } from './rule.ts'
import { RULES } from './rules.ts'

/**
 * Here every cell is looked up in the rules, and one in 97 happens: 97 shares no divisor with the numbers of places,
 * states and buttons, so that all of them meet each other. In role-matrix.slow.test.ts all of them happen.
 */
const STEP = 97

describe('the role matrix', () => {
  it('says of every cell one thing', () => {
    expect(CELLS.filter((cell) => expected(cell, RULES).length !== 1).map(nameOf)).toEqual([])
  })

  it('has a rule only for what there is', () => {
    expect(RULES.filter((rule) => !CELLS.some((cell) => expected(cell, [rule]).length > 0))).toEqual([])
  })

  it.each(IDENTITY_NAMES)('is what happens to %s', async (who) => {
    expect(await disagreements(who, STEP)).toEqual([])
  })
})

describe('what is looked up', () => {
  const cell: Cell = { who: 'nobody', what: 'type dns add', where: 'another channel', state: 'none' }

  it('is nothing for an operation that no rule names', () => {
    expect(expected({ ...cell, what: 'type no such thing' }, RULES)).toEqual([])
  })

  it('is both where two rules disagree', () => {
    const kind = { who: '*', what: 'type dns add', where: '*', state: '*', result: 'answered' } as const
    expect(expected(cell, [...RULES, kind])).toEqual(['refused', 'answered'])
  })
})
