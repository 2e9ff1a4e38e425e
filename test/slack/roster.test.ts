import { describe, expect, it, test } from 'vitest'
import { NO_GRANTS, type RoleSources, roleSources } from '../../src/slack/role-sources.ts'
import { Roster, rosterChanges, rosterOf } from '../../src/slack/roster.ts'
import { SlackError } from '../../src/slack/web-api.ts'
import { grant, LISTS, scriptedDirectory } from '../support/scripted-directory.ts'

const sources: RoleSources = {
  settings: roleSources(LISTS).settings,
  file: { ...NO_GRANTS, operator: grant({ users: ['UFILE'], groups: ['S1'] }), viewer: grant({ groups: ['S1'] }) },
  approvingGroups: new Set(['S2', 'S1']),
  breakGlassGroups: new Set(['S1', 'S0']),
}
const members = new Map([
  ['S2', new Set(['U9'])],
  ['S1', new Set(['U4', 'U3'])],
])
const roster = rosterOf(sources, members, 'a'.repeat(64))

describe('a roster', () => {
  it('is who is named for what, in one order, and survives the store', () => {
    expect(roster).toEqual({
      users: { admin: ['UADA', 'UBOTH'], operator: ['UBOTH', 'UFILE', 'UOLGA'], viewer: ['UBOTH', 'UVERA'] },
      everybody: false,
      groups: {
        S0: { namedFor: ['going without approval'], members: [] },
        S1: { namedFor: ['operator', 'viewer', 'approvals', 'going without approval'], members: ['U3', 'U4'] },
        S2: { namedFor: ['approvals'], members: ['U9'] },
      },
      policy: 'a'.repeat(64),
    })
    expect(Roster.parse(JSON.parse(JSON.stringify(roster)))).toEqual(roster)
  })

  it('is there only while Slack says who is in the groups', async () => {
    const refuses = () => Promise.reject(new SlackError('usergroups.list', 'no_answer'))
    const { clock, script, directory } = scriptedDirectory({ sources })
    expect(await directory.roster('v')).toMatchObject({ policy: 'v', groups: { S1: { members: [] } } })
    script.groups = refuses
    clock.turn(60_000)
    expect(await directory.roster('v')).toBeUndefined()
    script.groups = () => [{ id: 'S1', users: ['U3'] }]
    clock.turn(5_000)
    expect(await directory.roster('v')).toMatchObject({ groups: { S1: { members: ['U3'] } } })
    const never = scriptedDirectory({ sources, groups: refuses })
    expect(await never.directory.roster('v')).toBeUndefined()
    expect(await scriptedDirectory().directory.roster('v')).toMatchObject({ groups: {} })
  })
})

describe('what changed in a roster', () => {
  const S1: Roster['groups'][string] = { namedFor: ['operator'], members: ['U3', 'U4'] }
  const S2: Roster['groups'][string] = { namedFor: ['approvals'], members: ['U9'] }

  test.each<[string, Partial<Roster>, Partial<Roster>, readonly string[]]>([
    ['nothing', {}, {}, []],
    [
      'lists',
      {},
      { users: { ...roster.users, admin: ['UADA', 'UNEW'], viewer: [] } },
      ['Listed as admin: UNEW added, UBOTH removed', 'Listed as viewer: UBOTH, UVERA removed'],
    ],
    ['everybody', {}, { everybody: true }, ['Every full member is viewer']],
    ['not everybody any more', { everybody: true }, {}, ['Every full member is no longer viewer']],
    [
      'members',
      { groups: { S1, S2 } },
      { groups: { S1: { ...S1, members: ['U3', 'U5'] }, S2: { ...S2, members: [] } } },
      ['User group S1 (operator): U5 joined, U4 left', 'User group S2 (approvals): U9 left'],
    ],
    [
      'a group more',
      { groups: { S1 } },
      { groups: { S1, S2 } },
      ['User group S2 is named for approvals and has 1 member: U9'],
    ],
    [
      'a group without members more',
      { groups: {} },
      { groups: { S1: { ...S1, members: [] } } },
      ['User group S1 is named for operator and has no members'],
    ],
    [
      'a group less',
      { groups: { S1, S2 } },
      { groups: { S2 } },
      ['User group S1 is no longer named; it was for operator'],
    ],
    [
      'what a group gives',
      { groups: { S1 } },
      { groups: { S1: { namedFor: ['admin', 'viewer'], members: ['U3'] } } },
      ['User group S1 is named for admin and viewer, before for operator', 'User group S1 (admin and viewer): U4 left'],
    ],
    [
      'that a group may go without the approvals it gave before',
      { groups: { S2 } },
      { groups: { S2: { ...S2, namedFor: ['going without approval'] } } },
      ['User group S2 is named for going without approval, before for approvals'],
    ],
    [
      'that a group with a role may go without approval, too',
      { groups: { S1 } },
      {
        groups: { S1: { namedFor: ['operator', 'approvals', 'going without approval'], members: ['U3', 'U4', 'U5'] } },
      },
      [
        'User group S1 is named for operator, approvals and going without approval, before for operator',
        'User group S1 (operator, approvals and going without approval): U5 joined',
      ],
    ],
    ['the policy', {}, { policy: 'b'.repeat(64) }, ['The policy changed from version aaaaaaaaaaaa to bbbbbbbbbbbb']],
  ])('is told in sentences: %s', (_, before, after, told) => {
    expect(rosterChanges({ ...roster, ...before }, { ...roster, ...after })).toEqual(told)
  })

  it('fits into an entry of the record, and says how many more there are', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `U${1_000_000 + index}`)
    const [told = ''] = rosterChanges(
      { ...roster, groups: { S1 } },
      { ...roster, groups: { S1: { ...S1, members: many } } },
    )
    expect(told.length).toBeLessThanOrEqual(2_000)
    expect(told).toMatch(/^User group S1 \(operator\): U1000000, .*U\d+ and 4\d{3} more joined, U3, U4 left$/)
  })
})
