import { DEFAULT_POLICY, type Policy } from '../../../src/execution/policy/policy.ts'
import { BREAK_GLASS } from './town.ts'

const QUORUM = DEFAULT_POLICY.quorum

/** What the configuration says by turns. Each differs in its version, as every configuration does. */
export const POLICIES: readonly Policy[] = [
  DEFAULT_POLICY,
  { ...DEFAULT_POLICY, version: 'two of them', quorum: { ...QUORUM, count: 2 } },
  { ...DEFAULT_POLICY, version: 'break glass', breakGlassGroups: [BREAK_GLASS] },
  {
    ...DEFAULT_POLICY,
    version: 'all by an admin',
    rules: [{ name: 'all', decision: 'approve', quorum: { count: 1, roles: ['admin'], groups: [] } }],
    breakGlassGroups: [BREAK_GLASS],
  },
]

/** So many people of these roles have to be for it. */
export interface Needed {
  readonly count: number
  readonly roles: readonly string[]
}

/** Whether there are people enough for whatever is picked of what is needed: then each of them can count for one only. */
export function meets(roles: readonly string[], takes: readonly Needed[]): boolean {
  const picks = takes.reduce<readonly (readonly Needed[])[]>(
    (some, each) => [...some, ...some.map((pick) => [...pick, each])],
    [[]],
  )
  return picks.every((pick) => {
    const counting = roles.filter((role) => pick.some((each) => each.roles.includes(role)))
    return counting.length >= pick.reduce((sum, { count }) => sum + count, 0)
  })
}

/** Whose approvals it takes for a write, each of them, by a reading that shares nothing with the program's. */
export function needed({ version }: Policy, role: string, billed: boolean): readonly Needed[] {
  const anybody = { count: version === 'two of them' ? 2 : 1, roles: ['operator', 'admin'] }
  return [
    ...(version === 'all by an admin' ? [{ count: 1, roles: ['admin'] }] : []),
    ...(billed && role === 'operator' ? [anybody] : []),
  ]
}
