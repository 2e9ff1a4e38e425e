import { describe, expect, it } from 'vitest'
import {
  ADA,
  ADMINS_GROUP,
  ATTIC,
  BOT_USER_ID,
  CDN_PRIVATE,
  DORA,
  ENTERPRISE,
  GRETA,
  GUS,
  NORA,
  OLGA,
  OPERATORS_GROUP,
  OPS,
  OTTO,
  PIA,
  RANDOM,
  SAM,
  SCOPES,
  SECRET,
  SISTER_TEAM_ID,
  SLACKBOT,
  TEAM,
  UMA,
  VERA,
  WORKFLOW_BOT,
} from '../../../../src/playground/slack/seed.ts'
import { scene } from '../scripted-app.ts'

const error = (code: string) => expect.objectContaining({ ok: false, error: code })

describe('users.info', () => {
  it.each([
    [VERA, { team_id: TEAM.id, tz: 'Europe/Ljubljana', tz_offset: 3_600, is_restricted: false, deleted: false }],
    [OLGA, { tz_offset: -18_000 }],
    [ADA, { is_admin: true, tz_offset: 0 }],
    [GUS, { is_restricted: true }],
    [SAM, { is_stranger: true, team_id: 'T0PARTNER1' }],
    [PIA, { team_id: 'T0PARTNER1', is_restricted: false }],
    [DORA, { deleted: true }],
    [UMA, { is_restricted: true, is_ultra_restricted: true }],
    [NORA, { team_id: TEAM.id, is_admin: false }],
    [GRETA, { team_id: SISTER_TEAM_ID, enterprise_user: { enterprise_id: ENTERPRISE.id, teams: [SISTER_TEAM_ID] } }],
    [BOT_USER_ID, { is_bot: true }],
    [WORKFLOW_BOT, { is_bot: true, is_workflow_bot: true }],
    [SLACKBOT, { is_bot: false, team_id: TEAM.id }],
  ])('tells who %s is', (user, known) => {
    expect(scene().call('users.info', { user })).toMatchObject({ ok: true, user: { id: user, ...known } })
  })

  it('sees at once that somebody left', () => {
    const { call, parts } = scene()
    parts.workspace.changeMember(OLGA, { kind: 'deactivated' })
    const left = call('users.info', { user: OLGA })
    expect(left).toMatchObject({ user: { deleted: true } })
    expect(left['user']).not.toHaveProperty('is_restricted')
  })

  it('says in which workspaces of an organisation somebody is, where there is one', () => {
    const { call, parts } = scene()
    const teams = (user: string) => call('users.info', { user })['user']
    expect(teams(OLGA)).not.toHaveProperty('enterprise_user')
    parts.workspace.changeMember(GRETA, { gridTeams: [SISTER_TEAM_ID, TEAM.id] })
    expect(teams(GRETA)).toMatchObject({ enterprise_user: { teams: [SISTER_TEAM_ID, TEAM.id] } })
  })

  it('knows nobody else', () => {
    expect(scene().call('users.info', { user: 'U0NOBODY01' })).toEqual(error('user_not_found'))
  })
})

describe('User groups', () => {
  it('list their people when asked to, as form text too', () => {
    const { call } = scene()
    expect(call('usergroups.list', { include_users: 'true' })).toMatchObject({
      usergroups: [
        { id: OPERATORS_GROUP, handle: 'cdn-operators', users: [OLGA, OTTO] },
        { id: ADMINS_GROUP, users: [ADA] },
      ],
    })
    expect(JSON.stringify(call('usergroups.list'))).not.toContain('"users"')
    expect(call('usergroups.users.list', { usergroup: OPERATORS_GROUP })).toMatchObject({ users: [OLGA, OTTO] })
    expect(call('usergroups.users.list', { usergroup: 'S0NONE' })).toEqual(error('no_such_subteam'))
  })

  it('change while people play, and do not exist on a free plan', () => {
    const { call, parts } = scene()
    parts.workspace.setGroupUsers(OPERATORS_GROUP, [OTTO])
    expect(call('usergroups.users.list', { usergroup: OPERATORS_GROUP })).toMatchObject({ users: [OTTO] })
    parts.switches.paidPlan = false
    expect(call('usergroups.list')).toEqual(error('plan_upgrade_required'))
  })

  it('keep their people while they are disabled, but are listed only on demand', () => {
    const { call, parts } = scene()
    parts.workspace.setGroupDisabled(OPERATORS_GROUP, 1_790_000_000)
    expect(call('usergroups.list', { include_users: 'true' })).toMatchObject({ usergroups: [{ id: ADMINS_GROUP }] })
    expect(call('usergroups.list', { include_users: 'true', include_disabled: 'true' })).toMatchObject({
      usergroups: [{ id: OPERATORS_GROUP, date_delete: 1_790_000_000, users: [OLGA, OTTO] }, { date_delete: 0 }],
    })
    expect(call('usergroups.users.list', { usergroup: OPERATORS_GROUP })).toEqual(error('no_such_subteam'))
  })
})

describe('Conversations', () => {
  it.each([
    ['no', { is_shared: false, is_ext_shared: false, is_pending_ext_shared: false, shared_team_ids: [TEAM.id] }],
    ['invited', { is_shared: false, is_ext_shared: false, is_pending_ext_shared: true }],
    ['yes', { is_shared: true, is_ext_shared: true, is_pending_ext_shared: false, is_org_shared: false }],
  ] as const)('say whether another organisation is there: %s', (shared, fields) => {
    const { call, parts } = scene()
    parts.workspace.setShared(OPS, shared)
    expect(call('conversations.info', { channel: OPS })).toMatchObject({ channel: fields })
  })

  it('are seen as far as the bot can see', () => {
    const { call } = scene()
    expect(call('conversations.info', { channel: OPS })).toMatchObject({ channel: { name: 'ops', is_member: true } })
    expect(call('conversations.info', { channel: RANDOM })).toMatchObject({ channel: { is_member: false } })
    expect(call('conversations.info', { channel: CDN_PRIVATE })).toMatchObject({ channel: { is_private: true } })
    expect(call('conversations.info', { channel: SECRET })).toEqual(error('channel_not_found'))
    expect(call('conversations.info', { channel: ATTIC })).toMatchObject({ channel: { is_archived: true } })
    const { channels } = call('conversations.list', {
      types: 'public_channel,private_channel',
      exclude_archived: 'true',
    })
    expect((channels as { name: string }[]).map(({ name }) => name)).toEqual([
      'ops',
      'general',
      'cdn-private',
      'random',
    ])
    expect(call('conversations.list', { types: 'secret_channel' })).toEqual(error('invalid_types'))
  })

  it('list members page by page', () => {
    const { call } = scene()
    const first = call('conversations.members', { channel: OPS, limit: '6' })
    const { next_cursor: cursor } = first['response_metadata'] as { next_cursor: string }
    const second = call('conversations.members', { channel: OPS, limit: '6', cursor })
    expect([...(first['members'] as string[]), ...(second['members'] as string[])]).toHaveLength(11)
    expect(second).toMatchObject({ response_metadata: { next_cursor: '' } })
    expect(call('conversations.members', { channel: OPS, cursor: 'bogus' })).toEqual(error('invalid_cursor'))
  })

  it('are opened with one person, by whoever may', () => {
    expect(scene().call('conversations.open', { users: VERA })).toMatchObject({
      error: 'missing_scope',
      needed: 'im:write',
    })
    const { call, person } = scene(undefined, { scopes: [...SCOPES, 'im:write'] })
    expect(call('conversations.open', { users: VERA })).toMatchObject({ channel: { id: person(VERA).direct() } })
    expect(call('conversations.open', { users: 'U0NOBODY01' })).toEqual(error('user_not_found'))
    expect(call('conversations.open', {})).toEqual(error('users_list_not_supplied'))
  })

  it('end when the bot is taken out', () => {
    const { call, parts } = scene()
    parts.workspace.setMembership(OPS, BOT_USER_ID, false)
    expect(call('chat.postMessage', { channel: OPS, text: 'x' })).toEqual(error('not_in_channel'))
  })
})

describe('Files', () => {
  it('are announced, received, completed and then seen where they were shared', () => {
    const { call, parts, person } = scene()
    const { file_id: id } = call('files.getUploadURLExternal', { filename: 'day.csv', length: '3' })
    expect(call('files.completeUploadExternal', { files: [{ id }] })).toEqual(error('file_not_found'))
    expect(parts.files.receive(String(id), Buffer.from('a,b'))).toBe(true)
    expect(parts.files.receive(String(id), Buffer.from('c,d'))).toBe(false)
    const { channel } = call('chat.postMessage', { channel: VERA, text: 'your file follows' })
    expect(
      call('files.completeUploadExternal', { files: [{ id, title: 'A day' }], channel_id: channel }),
    ).toMatchObject({
      ok: true,
      files: [{ id, title: 'A day', size: 3, ims: [channel] }],
    })
    expect(person(VERA).files()).toEqual([{ id, name: 'day.csv', title: 'A day', channel, content: 'a,b' }])
    expect(person(OLGA).files()).toEqual([])
  })

  it('obey membership and take no user id for a channel', () => {
    const { call, parts } = scene()
    const { file_id: id } = call('files.getUploadURLExternal', { filename: 'a', length: 1 })
    parts.files.receive(String(id), Buffer.from('a'))
    const complete = (channel_id: string) => call('files.completeUploadExternal', { files: [{ id }], channel_id })
    expect(complete(RANDOM)).toEqual(error('not_in_channel'))
    expect(complete(SECRET)).toEqual(error('channel_not_found'))
    expect(complete(VERA)).toEqual(error('channel_not_found'))
    expect(complete(OPS)).toMatchObject({ ok: true })
    expect(complete(OPS)).toEqual(error('invalid_arguments'))
  })

  it('are refused when they are announced too large or empty', () => {
    const { call } = scene()
    expect(call('files.getUploadURLExternal', { filename: 'a', length: 50_000_001 })).toEqual(
      error('file_upload_size_restricted'),
    )
    expect(call('files.getUploadURLExternal', { filename: 'a', length: 0 })).toEqual(error('invalid_arguments'))
  })
})
