import { describe, expect, test } from 'vitest'
import type { ChangeFact, Facts } from './facts.ts'
import { duplicateCards, judge } from './judge.ts'

const CHANGE: ChangeFact = {
  id: 'c1',
  state: 'done',
  name: 'k1x',
  wasAskedFor: true,
  isShown: true,
  message: { channel: 'C1', ts: '1.1' },
}
/** A run of one change that went well. */
const GOOD: Facts = {
  changes: [CHANGE],
  audit: [
    { event: 'requested', changeId: 'c1', atMs: 1 },
    { event: 'sending', changeId: 'c1', atMs: 2 },
    { event: 'done', changeId: 'c1', atMs: 4 },
  ],
  requests: [{ name: 'k1x', atMs: 3 }],
  created: ['k1x'],
  accepted: [{ name: 'k1x', what: 'asked' }],
  messages: [{ channel: 'C1', ts: '1.1', text: 'Change c1' }],
  notes: [],
  digestsDue: 0,
  undelivered: 0,
  chain: { ok: true, entries: 3, keyed: true, head: { seq: 3, hash: 'x' } },
  kills: 0,
  ownEnds: [],
}

const rulesOf = (facts: Facts): readonly string[] => judge(facts).map((violation) => violation.split(': ')[0] ?? '')
const withChange = (change: Partial<ChangeFact>): Facts => ({ ...GOOD, changes: [{ ...CHANGE, ...change }] })

const withMessages = (text: string, count: number, facts: Partial<Facts>): Facts => ({
  ...GOOD,
  ...facts,
  messages: [...GOOD.messages, ...Array.from({ length: count }, (_, n) => ({ channel: 'C1', ts: `2.${n}`, text }))],
})

describe('the judge', () => {
  test('finds nothing in a good run', () => {
    expect(judge(GOOD)).toEqual([])
    expect(duplicateCards(GOOD)).toBe(0)
  })

  test.each<readonly [string, Facts]>([
    ['sent twice', { ...GOOD, requests: [...GOOD.requests, { name: 'k1x', atMs: 5 }] }],
    ['created twice', { ...GOOD, created: ['k1x', 'k1x'] }],
    ['sent without record', { ...GOOD, audit: GOOD.audit.filter(({ event }) => event !== 'sending') }],
    ['sent without record', { ...GOOD, requests: [{ name: 'k1x', atMs: 1 }] }],
    ['sent without record', { ...GOOD, requests: [...GOOD.requests, { name: 'k2x', atMs: 9 }] }],
    ['lost', { ...GOOD, accepted: [...GOOD.accepted, { name: 'k2x', what: 'asked' }] }],
    ['lost', { ...GOOD, accepted: [{ name: 'k1x', what: 'approved' }] }],
    ['unsettled', withChange({ state: 'sending' })],
    ['unsettled', withChange({ state: 'approved' })],
    ['said done, was not', { ...GOOD, created: [], requests: [] }],
    ['said not done, was', withChange({ state: 'cancelled' })],
    ['not shown', withChange({ isShown: false })],
    ['not shown', { ...GOOD, messages: [] }],
    ['not told', { ...GOOD, undelivered: 1 }],
    ['not told', { ...GOOD, notes: ['k7x'] }],
    ['not told', { ...GOOD, digestsDue: 1 }],
    ['noted twice', { ...GOOD, notes: ['k1x', 'k1x'] }],
    ['shown again and again', withMessages('Noted: k1x ', 2, { notes: ['k1x'] })],
    ['shown again and again', withMessages('No more digests', 2, { digestsDue: 1 })],
    ['chain broken', { ...GOOD, chain: { ok: false, entries: 1, firstBad: 2, fault: 'entry', keyed: true } }],
    ['ended or hung by itself', { ...GOOD, ownEnds: ['exit 1'] }],
  ])('sees what was %s', (rule, facts) => {
    expect(rulesOf(facts)).toContain(rule)
  })

  test('takes an approved change that still waits for lost on its way', () => {
    const audit = [...GOOD.audit, { event: 'approval', changeId: 'c1', atMs: 2 }]
    expect(rulesOf({ ...withChange({ state: 'waiting' }), audit, created: [] })).toContain('unsettled')
    expect(rulesOf({ ...withChange({ state: 'waiting' }), created: [] })).toEqual([])
  })

  test('lets unknown be unknown, whether it happened or not', () => {
    expect(judge(withChange({ state: 'unknown' }))).toEqual([])
    expect(judge({ ...withChange({ state: 'unknown' }), created: [] })).toEqual([])
  })

  test('counts messages beyond the first, which kills explain', () => {
    const again = { channel: 'C1', ts: '1.2', text: 'Change c1' }
    const twice = { ...GOOD, messages: [...GOOD.messages, again] }
    expect(duplicateCards(twice)).toBe(1)
    expect(rulesOf(twice)).toEqual(['shown again and again'])
    expect(rulesOf({ ...twice, kills: 1 })).toEqual([])
  })
})
