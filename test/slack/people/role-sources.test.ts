import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY, type PolicyRule } from '../../../src/execution/policy/policy.ts'
import { namedGroups, NO_GRANTS, roleSources } from '../../../src/slack/people/role-sources.ts'
import { grant, LISTS } from '../../support/scripted-directory.ts'

const rule = (index: number, groups: readonly string[]): PolicyRule => ({
  name: `policies[${index}]`,
  decision: 'approve',
  quorum: { count: 1, roles: [], groups },
})

describe('the user groups that Slack is asked for', () => {
  it('are those that give a role, approve anywhere, or may go without approval', () => {
    const policy = {
      ...DEFAULT_POLICY,
      quorum: { ...DEFAULT_POLICY.quorum, groups: ['S3'] },
      rules: [rule(0, ['S4', 'S1']), { ...rule(1, []), quorum: undefined }, rule(2, ['S5'])],
      breakGlassGroups: ['S6'],
    }
    const roles = { ...NO_GRANTS, admin: grant({ groups: ['S1'] }), viewer: grant({ groups: ['S2'] }) }
    const named = namedGroups(roleSources(LISTS, { roles, policy }))
    expect([...named].toSorted()).toEqual(['S1', 'S2', 'S3', 'S4', 'S5', 'S6'])
  })

  it('are none without a configuration file, or with one that names none', () => {
    expect(namedGroups(roleSources(LISTS)).size).toBe(0)
    expect(namedGroups(roleSources(LISTS, { roles: NO_GRANTS, policy: DEFAULT_POLICY })).size).toBe(0)
  })
})
