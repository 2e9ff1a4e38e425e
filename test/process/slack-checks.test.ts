import { describe, expect, it } from 'vitest'
import { SCOPES } from '../../src/process/doctor/slack-checks.ts'
import { SlackError } from '../../src/slack/out/web-api.ts'
import { NoWorkspaceError } from '../../src/slack/people/identity.ts'
import { StoreError } from '../../src/store/schema/store-error.ts'
import { IDENTITY, listing, look, refusing, type Row, slack } from './check-looks.ts'

const failed = (error: Error) => ({ identity: refusing(error) })
const noAnswer = (code: string) =>
  `✗ slack:no-answer: Slack gives no answer at https://slack.example (${code}), so nothing in Slack works. → Allow HTTPS and WebSockets to it, or see Slack’s status page.`

describe('the check of the bot token', () => {
  it.each<Row>([
    [{}, '✓ for the workspace T1'],
    [
      { identity: async () => ({ teamId: 'T2', isOrgWide: true }) },
      '✓ for the workspace T2, granted by its organisation',
    ],
    [failed(new NoWorkspaceError('Alas.', 'Do.')), '✗ bot-token:workspace: Alas. → Do.'],
    [
      failed(new SlackError('auth.test', 'token_revoked')),
      '✗ bot-token:token_revoked: Slack refuses SLACK_BOT_TOKEN (token_revoked), so nothing in Slack works. → Put in the token that OAuth & Permissions of the app shows, then start again.',
    ],
    [failed(new SlackError('auth.test', 'no_answer')), noAnswer('no_answer')],
    [failed(new TypeError('fault')), noAnswer('unreadable answer')],
  ])('tells what there is (%#)', async (parts, told) => expect(await look('bot token', parts)).toBe(told))

  it.each(['scopes', 'OPS_CHANNEL', 'user groups', 'people', 'mentioned by alerts'])(
    'is needed for that of %s',
    async (name) => expect(await look(name, failed(new Error('none')))).toBe('? the bot token does not work'),
  )
})

describe('the check of the app token', () => {
  const opening = (code?: string) => ({ slackApp: slack({ 'apps.connections.open': code ?? {} }) })
  it.each<Row>([
    [{}, '✓ not needed: Slack sends requests to PORT'],
    [opening(), '✓ opens connections'],
    [opening('ratelimited'), '? Slack asks to wait'],
    [opening('no_answer'), noAnswer('no_answer')],
    [opening('http_error'), noAnswer('http_error')],
    [
      opening('invalid_auth'),
      '✗ app-token:invalid_auth: Slack opens no connection with SLACK_APP_TOKEN (invalid_auth), so nothing reaches CDN Ops. → Turn Socket Mode on, and put in an app-level token with connections:write from Basic Information.',
    ],
  ])('tells what there is (%#)', async (parts, told) => expect(await look('app token', parts)).toBe(told))
})

const roles = (users: readonly string[], groups: readonly string[] = []) => ({
  configuration: { roles: listing(users, groups), file: { alertRules: [] } },
})

describe('the check of scopes', () => {
  const granted = (...without: readonly string[]) => {
    const scopes = Object.keys(SCOPES).filter((scope) => !without.includes(scope))
    return { identity: async () => ({ ...IDENTITY, scopes }) }
  }
  const missing = (mark: string, scope: string, without: string): Row => [
    { ...granted(scope), ...roles([], ['S1']) },
    `${mark} scope:${scope}: The Slack app was not granted the scope ${scope}, so ${without}. → Add it under OAuth & Permissions of the app, then install the app again.`,
  ]
  it.each<Row>([
    [{}, '? Slack does not say which are granted'],
    [{ ...granted(), ...roles([], ['S1']) }, '✓ all 9 that are needed here'],
    [granted('usergroups:read'), '✓ all 8 that are needed here'],
    missing('✗', 'app_mentions:read', 'mentions of CDN Ops are not heard'),
    missing('✗', 'channels:read', 'alerts cannot be turned on in channels'),
    missing('✗', 'chat:write', 'nothing can be posted'),
    missing('✗', 'commands', 'Slack does not know its command'),
    missing('!', 'files:write', 'CSV files cannot be sent'),
    missing('!', 'groups:read', 'alerts cannot be turned on in private channels'),
    missing('!', 'im:history', 'direct messages to CDN Ops are not heard'),
    missing('✗', 'usergroups:read', 'the user groups that are named give no role'),
    missing('✗', 'users:read', 'nobody has a role'),
  ])('tells what there is (%#)', async (parts, told) => expect(await look('scopes', parts)).toBe(told))

  it('names each that is missing', async () => {
    expect(await look('scopes', granted('commands', 'users:read'))).toMatch(
      /^✗ scope:commands: .*\n✗ scope:users:read: /,
    )
  })
})

describe('the check of OPS_CHANNEL', () => {
  const channel = (info: unknown) => ({ channels: { info: async (id: string) => (id === 'COPS' ? info : 'absent') } })
  const closed = (why: string, next: string) => `✗ ops-channel:COPS:${why}: ${why}; it names COPS. → ${next}`
  it.each<Row>([
    [channel({ isMember: true, isArchived: false }), '✓ CDN Ops is in COPS'],
    [channel('unknown'), '? Slack does not say what this channel is'],
    [
      { settings: { OPS_CHANNEL: undefined } },
      '! ops-channel:unset: OPS_CHANNEL is not set, so nobody can be asked for an approval, and warnings go to the log alone. → Name a channel by its id, and invite CDN Ops there.',
    ],
    [
      channel({ isMember: false }),
      closed('CDN Ops is not in OPS_CHANNEL, where approvals are asked for', 'Invite CDN Ops there with /invite.'),
    ],
  ])('tells what there is (%#)', async (parts, told) => expect(await look('OPS_CHANNEL', parts)).toBe(told))
})

/** User groups as Slack lists them, the last of which is disabled. */
const groups = (...ids: readonly string[]) => ({
  'usergroups.list': { usergroups: [...ids.map((id) => ({ id })), { id: 'SOFF', date_delete: 1 }] },
})

describe('the check of user groups', () => {
  const naming = (ids: readonly string[], answer: object) => ({ ...roles([], ids), slack: slack({ ...answer }) })
  const gone = (cause: string, ids: string) =>
    `✗ groups:${cause}: Slack has no user group ${ids}, or it is disabled, so it gives no role. → Correct the id in the configuration file, or enable the group in Slack.`
  it.each<Row>([
    [roles(['U1']), '✓ none is named for a role'],
    [naming(['S1', 'S2'], groups('S1', 'S2')), '✓ 2 named, all there'],
    [naming(['S1', 'S2'], groups('S2')), gone('S1', 'S1')],
    [naming(['S1', 'SOFF'], groups('S1')), gone('SOFF', 'SOFF')],
    [
      naming(['S1', 'S2', 'S3', 'S4', 'S5', 'S6'], groups()),
      gone('S1,S2,S3,S4,S5,S6', 'S1, S2, S3, S4, S5 and 1 more'),
    ],
    [
      naming(['S1'], { 'usergroups.list': 'plan_upgrade_required' }),
      '✗ groups:plan: The plan of this Slack workspace has no user groups, so those that are named give no role. → List people by their ids instead.',
    ],
    [naming(['S1'], { 'usergroups.list': 'ratelimited' }), '? Slack does not list user groups (ratelimited)'],
    [naming(['S1'], { 'usergroups.list': {} }), '? Slack does not list user groups (unreadable answer)'],
  ])('tells what there is (%#)', async (parts, told) => expect(await look('user groups', parts)).toBe(told))

  it.each([true, false])('names the workspace where the token is of an organisation: %s', async (isOrgWide) => {
    const asked: unknown[] = []
    const call = async (...args: readonly unknown[]) => void asked.push(args)
    await look('user groups', {
      ...roles([], ['S1']),
      slack: { call },
      identity: async () => ({ ...IDENTITY, isOrgWide }),
    })
    expect(asked).toEqual([['lookup', 'usergroups.list', isOrgWide ? { team_id: 'T1' } : {}]])
  })
})

const member = (id: string, more = {}) => ({
  user: { id, team_id: 'T1', is_bot: false, is_restricted: false, is_ultra_restricted: false, ...more },
})
const upTo = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `U${index + 1}`)
const members = (ids: readonly string[]) => slack(Object.fromEntries(ids.map((id) => [id, member(id)])))

describe('the check of people', () => {
  const listed = (answer: unknown) => ({ ...roles(['U1']), slack: slack({ U1: answer }) })
  const wrong = (who: string) =>
    `! people:${who}: Some who are listed for a role can have none: ${who}. → Correct these ids in ADMINS, OPERATORS, VIEWERS or the configuration file, or take them out.`
  it.each<Row>([
    [listed(member('U1')), '✓ 1 of 1 looked up, all full members'],
    [{ ...roles(upTo(60)), slack: members(upTo(50)) }, '✓ 50 of 60 looked up, all full members'],
    [listed(member('U1', { is_restricted: true })), wrong('U1 (guests have no role)')],
    [listed('user_not_found'), wrong('U1 (Slack knows nobody by this id)')],
    [listed('user_not_visible'), wrong('U1 (Slack knows nobody by this id)')],
    [listed('no_answer'), '? Slack does not say who they are (no_answer)'],
  ])('tells what there is (%#)', async (parts, told) => expect(await look('people', parts)).toBe(told))
})

describe('the check of whom alerts mention', () => {
  const inFile = (answers: object) => ({
    configuration: { roles: listing([]), file: { alertRules: [{ mention: 'U1', escalate: 'S2' }] } },
    slack: slack({ ...answers }),
  })
  const kept = (...all: readonly object[]) => ({
    store: { alertRules: { list: async () => all } },
    slack: members(upTo(50)),
  })
  const unread = { store: { alertRules: { list: refusing(new StoreError('busy')) } } }
  const gone = 'S2 (no such user group, or it is disabled)'
  const left = 'U1 (this account is deactivated)'
  const wrong = `✗ pinged:${gone},${left}: Alerts mention somebody who cannot hear it: ${gone}, ${left}. → Name somebody else with alerts watch or alerts add, or in the configuration file.`
  const offline = { U1: member('U1', { deleted: true }), ...groups('S1') }
  const silent = '? Slack does not say who they are (no_answer)'
  it.each<Row>([
    [kept({}), '✓ nobody is named'],
    [kept({ mention: 'U1' }, { escalate: 'U1' }, { escalate: 'U2' }), '✓ 2 of 2 looked up, all there'],
    [kept(...upTo(60).map((mention) => ({ mention }))), '✓ 50 of 60 looked up, all there'],
    [inFile(offline), wrong],
    [{ ...inFile(offline), ...unread }, wrong],
    [inFile({ ...groups('S2'), U1: member('U1') }), '? no store'],
    [{ store: new StoreError('full') }, '? whom alerts mention stands in the store'],
    [inFile({ ...groups('S2'), U1: 'no_answer' }), silent],
    [inFile({ 'usergroups.list': 'no_answer', U1: member('U1') }), silent],
  ])('tells what there is (%#)', async (parts, told) => expect(await look('mentioned by alerts', parts)).toBe(told))
})

it('what Slack refused to draw is told, where it is known', async () => {
  const refusal = { place: 'post', drawing: 'chart', code: 'invalid_blocks' }
  expect(await look('charts and tables', {})).toBe('✓ nothing was refused within the last hour')
  expect(await look('charts and tables', { blockRefusals: () => [refusal, { ...refusal, place: 'edit' }] })).toBe(
    '! drawings: Slack refused chart (post: invalid_blocks), chart (edit: invalid_blocks), so messages there show the numbers as text. → See what this workspace takes with npm run live-check; each is tried again after an hour.',
  )
})
