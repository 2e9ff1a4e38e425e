import { describe, expect, it, test } from 'vitest'
import { countsFor, lapsed, missing } from '../../src/execution/quorum.ts'
import type { Quorum } from '../../src/operations/role.ts'
import { actor } from '../support/execution-bench.ts'

const OPERATORS: Quorum = { count: 2, roles: ['operator', 'admin'], groups: [] }
const LAWYERS: Quorum = { count: 1, roles: [], groups: ['SLAW'] }
const lawyer = { ...actor('viewer', 'ULAW'), groups: ['SLAW', 'SELSE'] }

describe('whose approval counts', () => {
  test.each([
    { who: actor('operator'), quorum: OPERATORS, counts: true },
    { who: actor('admin'), quorum: OPERATORS, counts: true },
    { who: actor('viewer'), quorum: OPERATORS, counts: false },
    { who: actor('none'), quorum: OPERATORS, counts: false },
    { who: lawyer, quorum: LAWYERS, counts: true },
    { who: actor('admin'), quorum: LAWYERS, counts: false },
    { who: lawyer, quorum: { ...OPERATORS, groups: ['SLAW'] }, counts: true },
    { who: actor('admin'), quorum: { ...LAWYERS, groups: [] }, counts: false },
  ])('$who.role $who.groups for $quorum: $counts', ({ who, quorum, counts }) => {
    expect(countsFor(quorum, who)).toBe(counts)
  })

  it('is nobody whose role rests on what Slack has not said for too long', () => {
    expect(countsFor(OPERATORS, { ...actor('operator'), writesBarred: 'Slack is silent.' })).toBe(false)
  })
})

describe('what is missing', () => {
  const more = (quorums: readonly Quorum[], ...approvers: Parameters<typeof missing>[1]) =>
    missing(quorums, approvers).map((open) => open.more)

  it('is as many as each quorum takes beyond those who count for it', () => {
    expect(more([OPERATORS, LAWYERS])).toEqual([2, 1])
    expect(more([OPERATORS, LAWYERS], actor('admin'))).toEqual([1, 1])
    expect(more([OPERATORS, LAWYERS], actor('admin'), lawyer)).toEqual([1])
    expect(more([OPERATORS, LAWYERS], actor('admin'), lawyer, actor('operator'))).toEqual([])
  })

  it('lets one person count for several quorums at once', () => {
    expect(more([{ ...OPERATORS, count: 1 }, LAWYERS], { ...lawyer, role: 'operator' })).toEqual([])
  })

  it('names the quorum that is open, and nothing where none is asked for', () => {
    expect(missing([OPERATORS, LAWYERS], [lawyer])).toEqual([{ quorum: OPERATORS, more: 2 }])
    expect(missing([], [])).toEqual([])
  })
})

describe('whose approval counts no longer', () => {
  it('is who counts for none of the quorums, and never somebody of whom Slack is silent', () => {
    const approvers = [lawyer, actor('operator'), actor('viewer'), { ...actor('none'), unsure: 'Slack is silent' }]
    expect(lapsed([OPERATORS, LAWYERS], approvers)).toEqual(['UVIEWER'])
    expect(lapsed([LAWYERS], approvers)).toEqual(['UOPERATOR', 'UVIEWER'])
  })
})
