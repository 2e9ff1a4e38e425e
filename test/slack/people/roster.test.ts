import { describe, expect, it, test } from 'vitest'
import { NO_GRANTS, type RoleSources, roleSources } from '../../../src/slack/people/role-sources.ts'
import { Roster, rosterChanges, rosterText, buildRoster } from '../../../src/slack/people/roster.ts'
import { SlackError } from '../../../src/slack/out/web-api.ts'
import { grant, LISTS, scriptedDirectory } from '../../support/scripted-directory.ts'

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
const roster = buildRoster(sources, members, 'a'.repeat(64))

describe('a roster', () => {
  it('is who is named for what, in one order, and survives the store', () => {
    expect(roster).toEqual({
      members: {
        'Listed as admin': ['UADA', 'UBOTH'],
        'Listed as operator': ['UBOTH', 'UFILE', 'UOLGA'],
        'Listed as viewer': ['UBOTH', 'UVERA'],
        'User group S0 (going without approval)': [],
        'User group S1 (operator, viewer, approvals and going without approval)': ['U3', 'U4'],
        'User group S2 (approvals)': ['U9'],
      },
      everybodyIsViewer: false,
      policy: 'a'.repeat(64),
    })
    expect(Roster.parse(JSON.parse(JSON.stringify(roster)))).toEqual(roster)
  })

  it.each([
    { settings: roleSources({ ...LISTS, viewers: 'everybody' }).settings },
    { file: { ...NO_GRANTS, viewer: grant({ everybody: true }) } },
  ])('says whether everybody is viewer', (given) => {
    expect(buildRoster({ ...sources, ...given }, members, 'v').everybodyIsViewer).toBe(true)
  })

  it('is there only while Slack says who is in the groups', async () => {
    const refuses = () => Promise.reject(new SlackError('usergroups.list', 'no_answer'))
    const { clock, script, directory } = scriptedDirectory({ sources })
    expect(await directory.roster('v')).toMatchObject({ policy: 'v', members: { 'User group S2 (approvals)': [] } })
    script.groups = refuses
    clock.turn(60_000)
    expect(await directory.roster('v')).toBeUndefined()
    script.groups = () => [{ id: 'S2', users: ['U3'] }]
    clock.turn(5_000)
    expect(await directory.roster('v')).toMatchObject({
      members: { 'User group S2 (approvals)': ['U3'] },
    })
    const never = scriptedDirectory({ sources, groups: refuses })
    expect(await never.directory.roster('v')).toBeUndefined()
    expect(await scriptedDirectory().directory.roster('v')).toMatchObject({ policy: 'v' })
  })
})

describe('what changed in a roster', () => {
  const GROUP = 'User group S1 (operator)'
  const changes = (before: Partial<Roster>, after: Partial<Roster>) =>
    rosterChanges({ ...roster, members: {}, ...before }, { ...roster, members: {}, ...after })

  test.each<[string, Partial<Roster>, Partial<Roster>, readonly string[]]>([
    ['nothing', {}, {}, []],
    ['members', { members: { A: ['U1', 'U2'] } }, { members: { A: ['U2', 'U3'] } }, ['A: U3 added, U1 removed']],
    ['a group more', {}, { members: { [GROUP]: ['U9'] } }, [`${GROUP}: U9 added`]],
    ['a group less', { members: { [GROUP]: ['U9'] } }, {}, [`${GROUP}: U9 removed`]],
    ['everybody', {}, { everybodyIsViewer: true }, ['Every full member is viewer']],
    ['not everybody any more', { everybodyIsViewer: true }, {}, ['Every full member is no longer viewer']],
    ['the policy', {}, { policy: 'b'.repeat(64) }, ['The policy changed from version aaaaaaaaaaaa to bbbbbbbbbbbb']],
  ])('is told in sentences: %s', (_, before, after, sentences) => {
    expect(changes(before, after)).toEqual(sentences)
  })

  it('fits into an entry of the record, and says how many more there are', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `U${1_000_000 + index}`)
    const [sentence = ''] = changes({ members: { [GROUP]: ['U3', 'U4'] } }, { members: { [GROUP]: many } })
    // The last that is named is the first to end beyond 900 characters.
    expect(sentence).toBe(`${GROUP}: ${many.slice(0, 91).join(', ')} and 4909 more added, U3, U4 removed`)
  })

  it('is all of it when it is first recorded', () => {
    const first = { ...roster, members: { A: ['U1'], B: [] }, everybodyIsViewer: true }
    expect(rosterText(first)).toBe('A: U1 added. Every full member is viewer')
    expect(rosterText({ ...roster, members: { A: [] } })).toBe('Nobody is named')
  })

  test.each([
    [2_000, ' added'],
    [2_001, ' add…'],
  ])('is cut where an entry of the record has no room for it: %i characters', (length, end) => {
    const name = 'x'.repeat(length - ': U1 added'.length)
    const text = rosterText({ ...roster, members: { [name]: ['U1'] } })
    expect([text.length, text.slice(text.lastIndexOf(' '))]).toEqual([2_000, end])
  })
})
