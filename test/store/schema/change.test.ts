import { expect, test } from 'vitest'
import { assertTransitions } from '../../../src/store/changes/change-steps.ts'
import { TRANSITIONS } from '../../../src/store/schema/change.ts'

test('a change goes these ways: only what is approved is sent, and no way leads out of an end', () => {
  const before = ['denied', 'cancelled', 'expired']
  expect(TRANSITIONS).toEqual({
    draft: ['waiting', 'approved', ...before],
    waiting: ['approved', ...before],
    approved: ['sending', ...before],
    sending: ['done', 'rejected', 'not_sent', 'unknown'],
    unknown: ['done', 'not_done'],
    ...Object.fromEntries(['done', 'rejected', 'not_sent', 'not_done', ...before].map((end) => [end, []])),
  })
})

test('one way that is not in the table is enough to refuse a step', () => {
  expect(() => assertTransitions({ from: ['sending', 'unknown'], to: 'done' })).not.toThrow()
  expect(() => assertTransitions({ from: ['sending', 'waiting'], to: 'done' })).toThrow('from waiting to done')
})
