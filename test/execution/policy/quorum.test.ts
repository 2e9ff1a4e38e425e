import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { countsFor, lapsed, missing } from '../../../src/execution/policy/quorum.ts'
import type { Actor, Quorum, Role } from '../../../src/operations/declaration/role.ts'
import { actor } from '../../support/execution-bench.ts'

const OPERATORS: Quorum = { count: 2, roles: ['operator', 'admin'], groups: [] }
const LAWYERS: Quorum = { count: 1, roles: [], groups: ['SLAW'] }
const ADMIN: Quorum = { count: 1, roles: ['admin'], groups: [] }
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
    missing(quorums, approvers).map(({ count }) => count)

  it('is as many as each quorum takes beyond those who count for it', () => {
    expect(more([LAWYERS, OPERATORS])).toEqual([1, 2])
    expect(more([LAWYERS, OPERATORS], actor('admin'))).toEqual([1, 1])
    expect(more([OPERATORS, LAWYERS], actor('admin'), lawyer)).toEqual([1])
    expect(more([OPERATORS, LAWYERS], actor('admin'), lawyer, actor('operator'))).toEqual([])
  })

  it('lets each person count for one quorum only: both take two, in whatever order they come', () => {
    const anybody: Quorum = { ...OPERATORS, count: 1 }
    for (const quorums of [
      [anybody, ADMIN],
      [ADMIN, anybody],
    ]) {
      expect(missing(quorums, [actor('admin')])).toEqual([anybody])
      expect(missing(quorums, [actor('operator')])).toEqual([ADMIN])
      expect(missing(quorums, [actor('admin'), actor('operator')])).toEqual([])
      expect(missing(quorums, [actor('operator'), actor('admin')])).toEqual([])
      expect(missing(quorums, [actor('operator', 'UA'), actor('operator', 'UB')])).toEqual([ADMIN])
    }
  })

  it('adds up where a rule asks for the same people, and more of them, once again', () => {
    expect(more([{ ...OPERATORS, count: 1 }, OPERATORS], actor('admin', 'UA'), actor('operator', 'UB'))).toEqual([1])
  })

  it('is the least that anybody could make of these approvals', () => {
    const someRoles = fc.subarray<Quorum['roles'][number]>(['viewer', 'operator', 'admin'])
    const someGroups = fc.subarray(['SLAW', 'STAX'])
    const quorum = fc.record({ count: fc.integer({ min: 1, max: 3 }), roles: someRoles, groups: someGroups })
    const person = fc.record({ role: fc.constantFrom<Role>('viewer', 'operator', 'admin'), groups: someGroups })
    fc.assert(
      fc.property(fc.array(quorum, { maxLength: 3 }), fc.array(person, { maxLength: 5 }), (quorums, people) => {
        const asked = quorums.reduce((sum, { count }) => sum + count, 0)
        const left = more(quorums, ...people).reduce((sum, count) => sum + count, 0)
        expect(left).toBe(asked - mostMet(quorums, people))
      }),
    )
  })

  it('names the quorum that is open, and nothing where none is asked for', () => {
    expect(missing([OPERATORS, LAWYERS], [lawyer])).toEqual([OPERATORS])
    const wider = { ...ADMIN, groups: ['SLAW'] }
    expect(missing([wider, ADMIN], [actor('admin')])).toEqual([wider])
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

/** How many places people can fill, by trying every one for each: the first person takes each of them, or none. */
function mostMet(quorums: readonly Quorum[], [first, ...others]: readonly Pick<Actor, 'role' | 'groups'>[]): number {
  if (first === undefined) return 0
  const taken = quorums
    .filter((quorum) => quorum.count > 0 && countsFor(quorum, first))
    .map((quorum) => quorums.map((each) => (each === quorum ? { ...each, count: each.count - 1 } : each)))
  return Math.max(mostMet(quorums, others), ...taken.map((left) => 1 + mostMet(left, others)))
}
