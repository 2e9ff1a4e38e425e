import { expect, test } from 'vitest'
import { assertTransitions } from '../../../src/store/changes/change-steps.ts'
import { CHANGE_STATES, isFinal, TRANSITIONS } from '../../../src/store/schema/change.ts'

test('only what is approved is sent', () => {
  expect(CHANGE_STATES.filter((state) => TRANSITIONS[state].includes('sending'))).toEqual(['approved'])
})

test('nothing goes back to being a draft, and no way leads from a state to itself', () => {
  expect(CHANGE_STATES.filter((state) => TRANSITIONS[state].includes('draft'))).toEqual([])
  expect(CHANGE_STATES.filter((state) => TRANSITIONS[state].includes(state))).toEqual([])
})

test('what has been sent cannot be called off, and what was not sent cannot have happened', () => {
  expect(TRANSITIONS.sending).toEqual(['done', 'rejected', 'not_sent', 'unknown'])
  expect(TRANSITIONS.unknown).toEqual(['done', 'not_done'])
  for (const state of ['draft', 'waiting', 'approved'] as const) {
    expect(TRANSITIONS[state]).not.toEqual(expect.arrayContaining(['done']))
    expect(TRANSITIONS[state]).not.toEqual(expect.arrayContaining(['unknown']))
  }
})

test('these states are how a change can end', () => {
  const ends = ['done', 'rejected', 'not_sent', 'not_done', 'denied', 'cancelled', 'expired']
  expect(CHANGE_STATES.filter(isFinal)).toEqual(ends)
})

test('every state can be reached, and from every state an end can be reached', () => {
  const reachable = (from: readonly (typeof CHANGE_STATES)[number][]) => {
    const seen = new Set(from)
    for (const state of seen) for (const next of TRANSITIONS[state]) seen.add(next)
    return seen
  }
  expect(reachable(['draft'])).toEqual(new Set(CHANGE_STATES))
  for (const state of CHANGE_STATES) expect([...reachable([state])].some(isFinal)).toBe(true)
})

test('one way that is not in the table is enough to refuse a step', () => {
  expect(() => assertTransitions({ from: ['sending', 'unknown'], to: 'done' })).not.toThrow()
  expect(() => assertTransitions({ from: ['sending', 'waiting'], to: 'done' })).toThrow('from waiting to done')
})
