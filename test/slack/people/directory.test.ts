import { describe, expect, it, test } from 'vitest'
import { NO_GRANTS, roleSources } from '../../../src/slack/people/role-sources.ts'
import { SlackError } from '../../../src/slack/out/web-api.ts'
import { grant, LISTS, MEMBER, scriptedDirectory } from '../../support/scripted-directory.ts'

const FILE = { ...NO_GRANTS, admin: grant({ users: ['UVERA'] }), operator: grant({ users: ['UFILE', 'UADA'] }) }
const bothSources = { ...roleSources(LISTS), file: FILE }

describe('roles', () => {
  test.each([
    ['UADA', 'admin', 'listed in ADMINS'],
    ['UOLGA', 'operator', 'listed in OPERATORS'],
    ['UBOTH', 'admin', 'listed in ADMINS'],
    ['UVERA', 'admin', 'listed as admin in the configuration file'],
    ['UFILE', 'operator', 'listed as operator in the configuration file'],
    ['UNOBODY', 'none', 'nothing gives this id a role'],
  ])('come from settings and file, the highest wins: %s is %s', async (id, role, roleSource) => {
    const { directory } = scriptedDirectory({ sources: bothSources })
    const expected = { id, team: 'T1', role, roleSource, groups: [], timeZone: 'Europe/Ljubljana' }
    expect(await directory.actor(id)).toEqual(expected)
  })

  it('are at least viewer for every full member where settings or file say so', async () => {
    const { directory, script } = scriptedDirectory({ sources: roleSources({ ...LISTS, viewers: 'everybody' }) })
    expect(await directory.actor('UNOBODY')).toMatchObject({
      role: 'viewer',
      roleSource: 'as every full member is, by VIEWERS',
    })
    expect(await directory.actor('UOLGA')).toMatchObject({ role: 'operator' })
    script.sources = { ...roleSources(LISTS), file: { ...NO_GRANTS, viewer: grant({ everybody: true }) } }
    const roleSource = 'as every full member is, by the configuration file'
    expect(await directory.actor('UNOBODY')).toMatchObject({ role: 'viewer', roleSource })
    script.sources = roleSources({ ...LISTS, operators: 'everybody' })
    const demonstrated = { role: 'operator', roleSource: 'as every full member is, in a demonstration' }
    expect(await directory.actor('UNOBODY')).toMatchObject(demonstrated)
  })

  it('change with the configuration, without Slack being asked again', async () => {
    const { directory, script, asked } = scriptedDirectory()
    expect((await directory.actor('UFILE')).role).toBe('none')
    script.sources = bothSources
    expect((await directory.actor('UFILE')).role).toBe('operator')
    expect(asked).toEqual(['UFILE'])
  })

  it('that were higher lately are remembered for a week, but not where Slack is only silent about groups', async () => {
    const { directory, script, clock } = scriptedDirectory({ groups: () => [{ id: 'S1', users: ['UGROUP'] }] })
    script.sources = { ...roleSources(LISTS), file: { ...NO_GRANTS, admin: grant({ groups: ['S1'] }) } }
    for (const id of ['UOLGA', 'UGROUP']) expect((await directory.actor(id)).formerRole).toBeUndefined()
    script.sources = { ...roleSources({ ...LISTS, operators: new Set() }), file: NO_GRANTS }
    for (const _ of [1, 2])
      expect(await directory.actor('UOLGA')).toMatchObject({ role: 'none', formerRole: 'operator' })
    script.sources = { ...script.sources, file: { ...NO_GRANTS, admin: grant({ groups: ['S2'] }) } }
    script.groups = () => Promise.reject(new SlackError('usergroups', 'no_answer'))
    const silent = await directory.actor('UGROUP')
    expect(silent.unsure).toBeDefined()
    expect(silent.formerRole).toBeUndefined()
    script.sources = roleSources({ ...LISTS, operators: new Set() })
    clock.turn(7 * 24 * 3_600_000)
    expect((await directory.actor('UOLGA')).formerRole).toBeUndefined()
  })

  it('are for nobody who is barred, listed or not, and go with no user group', async () => {
    const { directory, script } = scriptedDirectory({
      person: (id) => ({ user: { ...MEMBER, id, is_restricted: true } }),
      groups: () => [{ id: 'S1', users: ['UADA', 'UNOBODY'] }],
    })
    for (const viewer of [grant({}), grant({ everybody: true })]) {
      script.sources = { ...bothSources, file: { ...FILE, viewer, admin: grant({ groups: ['S1'] }) } }
      for (const id of ['UADA', 'UNOBODY']) {
        const nobody = { role: 'none', roleSource: 'guests have no role', groups: [], barred: true }
        expect(await directory.actor(id)).toMatchObject(nobody)
      }
    }
  })

  it('are out of reach for those alone who are known to be no full members', async () => {
    const { directory, script } = scriptedDirectory()
    expect((await directory.actor('UNOBODY')).barred).toBeUndefined()
    script.own = undefined
    script.person = (id) => ({ user: { ...MEMBER, id, team_id: undefined } })
    const [known, unknown] = [await directory.actor('UNOBODY'), await directory.actor('UADA')]
    expect([known.team, unknown.team, unknown.role, unknown.barred]).toEqual(['T1', '', 'none', undefined])
    script.own = { teamId: 'T1', enterpriseId: undefined }
    script.person = (id) => ({ user: { ...MEMBER, id, team_id: 'T9' } })
    expect((await directory.actor('UVERA')).team).toBe('T9')
  })

  it('let nobody write while it is barred, which makes nothing sure', async () => {
    let why: string | undefined = 'The record is full'
    const { directory } = scriptedDirectory({ writesBarred: () => why })
    expect(await directory.actor('UADA')).toMatchObject({ role: 'admin', writesBarred: `${why}.`, unsure: why })
    why = undefined
    expect(await directory.actor('UADA')).not.toHaveProperty('writesBarred')
  })

  it('are for nobody whom a delivery gives another workspace than Slack does', async () => {
    const { directory } = scriptedDirectory()
    expect((await directory.actor('UADA', { team: 'T1' })).role).toBe('admin')
    expect((await directory.actor('UADA', { team: null })).role).toBe('admin')
    const roleSource = 'the request came from another workspace than Slack names for this person'
    expect(await directory.actor('UADA', { team: 'T2' })).toMatchObject({ role: 'none', roleSource })
  })

  test.each([['Mars/Olympus'], [''], [undefined]])('come with UTC where the time zone is %s', async (tz) => {
    const { directory } = scriptedDirectory({ person: (id) => ({ user: { ...MEMBER, id, tz } }) })
    expect((await directory.actor('UADA')).timeZone).toBe('UTC')
  })
})

describe('asking Slack', () => {
  it('happens once a minute for each person, and for no user groups where none is named', async () => {
    const { clock, asked, directory } = scriptedDirectory()
    await directory.actor('UADA')
    await directory.actor('UOLGA')
    clock.turn(59_999)
    await directory.actor('UADA')
    expect(asked).toEqual(['UADA', 'UOLGA'])
    clock.turn(1)
    await directory.actor('UADA')
    expect(asked).toEqual(['UADA', 'UOLGA', 'UADA'])
  })

  it('happens anew where it has to be fresh, which serves the others too', async () => {
    let deleted = false
    const person = (id: string) => ({ user: { ...MEMBER, id, deleted } })
    const { clock, asked, directory } = scriptedDirectory({ person })
    expect((await directory.actor('UADA')).role).toBe('admin')
    deleted = true
    clock.turn(3_000)
    expect((await directory.actor('UADA')).role).toBe('admin')
    expect((await directory.actor('UADA', { fresh: true })).role).toBe('none')
    expect((await directory.actor('UADA')).role).toBe('none')
    expect(asked).toHaveLength(2)
    deleted = false
    clock.turn(60_000)
    expect((await directory.actor('UADA')).role).toBe('admin')
  })

  it('happens once for the steps of one click, fresh as each has to be', async () => {
    const answer = Promise.withResolvers<undefined>()
    const person = async (id: string) => (await answer.promise, { user: { ...MEMBER, id } })
    const { clock, asked, directory } = scriptedDirectory({ person })
    const slow = directory.actor('UADA')
    clock.turn(4_000)
    const second = directory.actor('UADA', { fresh: true })
    answer.resolve(undefined)
    expect([(await slow).role, (await second).role, asked.length]).toEqual(['admin', 'admin', 2])
    await directory.actor('UADA', { fresh: true })
    clock.turn(2_999)
    await directory.actor('UADA', { fresh: true })
    expect(asked).toHaveLength(2)
    clock.turn(1)
    await directory.actor('UADA', { fresh: true })
    expect(asked).toHaveLength(3)
  })

  const UNKNOWN = ['Slack could not tell who you are, so nothing was done.', 'Ask again in a moment.']
  const NOBODY = ['Slack does not know this person, so nothing was done.', undefined]
  const REFUSED = [
    'Slack refuses the token of CDN Ops (token_revoked), so nothing was done.',
    'Tell whoever runs CDN Ops to look at SLACK_BOT_TOKEN.',
  ]
  test.each([
    ['it does not answer', UNKNOWN, () => Promise.reject(new SlackError('users.info', 'no_answer'))],
    ['it knows nobody of that id', NOBODY, () => Promise.reject(new SlackError('users.info', 'user_not_found'))],
    ['it shows nobody of that id', NOBODY, () => Promise.reject(new SlackError('users.info', 'user_not_visible'))],
    ['it refuses the token', REFUSED, () => Promise.reject(new SlackError('users.info', 'token_revoked'))],
    ['it answers something else', UNKNOWN, () => ({ ok: true })],
    ['it answers odd types', UNKNOWN, (id: string) => ({ user: { ...MEMBER, id, is_restricted: 'no' } })],
  ])('refuses when %s, and is tried again the next time', async (_, [message, hint], failing) => {
    const { asked, script, directory } = scriptedDirectory({ person: failing })
    await expect(directory.actor('UADA')).rejects.toMatchObject({ code: 'not_permitted', message, hint })
    script.person = (id) => ({ user: { ...MEMBER, id } })
    expect((await directory.actor('UADA')).role).toBe('admin')
    expect(asked).toHaveLength(2)
  })
})

describe('those who might approve', () => {
  const sources = {
    settings: roleSources(LISTS).settings,
    file: { ...NO_GRANTS, operator: grant({ users: ['UFILE'], groups: ['S1'] }) },
    approvingGroups: new Set(['S2']),
    breakGlassGroups: new Set<string>(),
  }
  const groups = () => [
    { id: 'S1', users: ['UOLGA', 'UONE'] },
    { id: 'S2', users: ['UTWO'] },
    { id: 'S3', users: ['UTHREE'] },
  ]

  test.each([
    [{ roles: ['admin'] as const, groups: [] }, ['UADA', 'UBOTH']],
    [{ roles: ['operator'] as const, groups: [] }, ['UOLGA', 'UBOTH', 'UFILE', 'UONE']],
    [{ roles: [], groups: ['S2', 'S3'] }, ['UTWO']],
    [{ roles: ['operator', 'admin'] as const, groups: ['S2'] }, ['UOLGA', 'UBOTH', 'UFILE', 'UONE', 'UADA', 'UTWO']],
  ])('are those whom lists and user groups name for it, each once: %j', async (quorum, expected) => {
    expect(await scriptedDirectory({ sources, groups }).directory.candidates({ count: 1, ...quorum })).toEqual(expected)
  })

  it('are in the user groups that give a role', () => {
    const { directory } = scriptedDirectory({ sources, groups })
    expect((['none', 'viewer', 'operator'] as const).map((role) => directory.groupsWith(role))).toEqual([
      [],
      [],
      ['S1'],
    ])
  })

  it.each([
    [true, 'T1'],
    [false, undefined],
  ])(
    'are asked for with the workspace, where the app is installed for an organisation: %s',
    async (isOrgWide, team) => {
      const named = (approvingGroups: readonly string[]) => ({ ...sources, approvingGroups: new Set(approvingGroups) })
      const own = { teamId: 'T1', enterpriseId: 'E1', isOrgWide }
      const { directory, script, calls } = scriptedDirectory({ own, groups, sources: named([]) })
      await directory.candidates({ count: 1, roles: ['operator'], groups: [] })
      script.sources = named(['S2', 'S3', 'S4', 'S5', 'S6'])
      await directory.candidates({ count: 1, roles: ['operator'], groups: [] })
      await directory.named('otto')
      expect(calls).toEqual([
        ['usergroups.users.list', { usergroup: 'S1', team_id: team }],
        ['usergroups.list', { include_users: true, team_id: team }],
        ['users.list', { limit: 500, cursor: undefined, team_id: team }],
        ['usergroups.list', { team_id: team }],
      ])
    },
  )

  it('are at most two hundred, and so are the admins', async () => {
    const users = Array.from({ length: 300 }, (_, index) => `U${index}`)
    const file = { ...NO_GRANTS, admin: grant({ groups: ['S1'] }) }
    const { directory } = scriptedDirectory({ sources: { ...sources, file }, groups: () => [{ id: 'S1', users }] })
    expect(directory.admins()).toEqual(['UADA', 'UBOTH'])
    expect(await directory.candidates({ count: 1, roles: ['admin'], groups: [] })).toHaveLength(200)
    expect(directory.admins()).toEqual(['UADA', 'UBOTH', ...users.slice(0, 198)])
  })
})
