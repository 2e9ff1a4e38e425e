import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { type FileConfig, readConfigFile } from '../../src/config/file.ts'
import { decide, DEFAULT_POLICY } from '../../src/execution/policy.ts'

function config(text: string): FileConfig {
  const read = readConfigFile(text)
  if (read.ok) return read.config
  throw new Error(read.problems.join('\n'))
}
function problems(text: string): readonly string[] {
  const read = readConfigFile(text)
  return read.ok ? [] : read.problems
}
const rule = (text: string): string => `policies: [{${text}}]`

describe('what a configuration file says', () => {
  it('is nothing where it holds nothing', () => {
    const { roles, zones, policy } = config('{}')
    const nobody = { users: new Set(), groups: new Set(), everybody: false }
    expect({ roles, zones }).toEqual({ roles: { admin: nobody, operator: nobody, viewer: nobody }, zones: [] })
    expect(policy).toEqual({ ...DEFAULT_POLICY, version: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  it('is who has which role, by user and by user group', () => {
    const { roles } = config(
      'roles: {admin: {users: [U01, W02]}, operator: {groups: [S01]}, viewer: {everybody: true}}',
    )
    expect(roles.admin).toEqual({ users: new Set(['U01', 'W02']), groups: new Set(), everybody: false })
    expect(roles.operator.groups).toEqual(new Set(['S01']))
    expect(roles.viewer.everybody).toBe(true)
  })

  it('is names of zones, with every digit of their ids', () => {
    const { zones } = config(
      "zones: [{kind: dns, id: 9007199254740991, name: a}, {kind: pull, id: '9223372036854775807', name: a}]",
    )
    expect(zones).toEqual([
      { kind: 'dns', name: 'a', zoneId: '9007199254740991', managed: true },
      { kind: 'pull', name: 'a', zoneId: '9223372036854775807', managed: true },
    ])
  })

  it('is how many have to approve, and how long they may take', () => {
    const given = 'approvals: {count: 2, groups: [S02, S01, S02], expireAfter: 1h 30m}\nbreakGlass: {groups: [S09]}'
    expect(config(given).policy).toMatchObject({
      quorum: { count: 2, roles: [], groups: ['S01', 'S02'] },
      approvalMs: 5_400_000,
      breakGlassGroups: ['S09'],
    })
  })

  test.each([
    ['', { count: 3, roles: ['admin'], groups: ['S01'] }],
    ['count: 2', { count: 2, roles: ['admin'], groups: ['S01'] }],
    ['groups: [S02]', { count: 3, roles: [], groups: ['S02'] }],
    ['roles: [admin, operator], count: 1', { count: 1, roles: ['operator', 'admin'], groups: [] }],
  ])('is for a rule what it says of approvals, else what holds for all: {%s}', (given, quorum) => {
    const all = 'approvals: {count: 3, roles: [admin], groups: [S01]}'
    const { rules } = config(`${all}\n${rule(`decision: approve, approvals: {${given}}`)}`).policy
    expect(rules).toMatchObject([{ name: 'policies[0]', quorum }])
  })

  it('is rules that decide as they are written', () => {
    const { policy } = config(
      'policies: [{operations: [dns add], zones: [dns/201], decision: approve, reason: Two eyes.}]',
    )
    const asked = (id: bigint) => ({
      actor: { role: 'admin', groups: [] } as const,
      operation: 'dns add',
      effect: 'write' as const,
      minimumRole: 'operator' as const,
      channelId: 'C01',
      zones: [{ kind: 'dns' as const, id }],
    })
    expect(decide(policy, asked(202n)).kind).toBe('confirm')
    expect(decide(policy, asked(201n))).toMatchObject({
      kind: 'approve',
      reason: 'Two eyes. (policies[0] of the configuration)',
    })
  })
})

describe('the version of a policy', () => {
  const version = (text: string): string => config(text).policy.version
  const base = 'policies: [{channels: [C01, C02], decision: deny}, {operations: [dns add], decision: approve}]'

  test.each([
    ['comments', `# why\n${base}`],
    ['order in a list', base.replace('C01, C02', 'C02, C01, C02')],
    ['roles and zones', `roles: {admin: {users: [U01]}}\nzones: [{kind: dns, id: 1, name: a}]\n${base}`],
    ['what holds anyway', `approvals: {expireAfter: 480m, roles: [admin, operator]}\n${base}`],
  ])('does not depend on %s', (_, text) => {
    expect(version(text)).toBe(version(base))
  })

  it('depends on everything else', () => {
    const others = [
      '{}',
      'policies: [{operations: [dns add], decision: approve}, {channels: [C01, C02], decision: deny}]',
      base.replace('C01', 'C03'),
      base.replace('channels', 'outside'),
      base.replace('deny', 'approve'),
      base.replace('deny', 'deny, reason: No.'),
      base.replace('deny', 'deny, zones: [dns/1]'),
      base.replace('deny', 'deny, roles: [operator]'),
      base.replace('approve}', 'approve, approvals: {count: 2}}'),
      `approvals: {count: 2}\n${base}`,
      `approvals: {expireAfter: 7h}\n${base}`,
      `breakGlass: {groups: [S01]}\n${base}`,
    ]
    expect(new Set([base, ...others].map(version)).size).toBe(others.length + 1)
  })
})

describe('the sample in the documentation', () => {
  it('is one that the bot takes, with every part in use', () => {
    const [, sample = ''] =
      /```yaml\n(# cdn-ops\.yaml\n[\s\S]*?)```/.exec(readFileSync('.github/docs/configuration.md', 'utf8')) ?? []
    const { roles, zones, policy, alertRules, sharedChannels } = config(sample)
    expect([roles.admin.users.size, roles.operator.groups.size, roles.viewer.everybody]).toEqual([1, 1, true])
    expect(zones.map(({ zoneId }) => zoneId)).toEqual(['201', '9007199254740993'])
    expect(policy.rules.map(({ decision }) => decision)).toEqual(['approve', 'deny'])
    expect(policy.breakGlassGroups).toHaveLength(1)
    expect(sharedChannels).toEqual(['C0345678901'])
    expect(alertRules.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['cache-not-working', 'origin-failing']))
    // What the sample says of approvals is what it claims to be: as without a file.
    expect(policy).toMatchObject({ quorum: DEFAULT_POLICY.quorum, approvalMs: DEFAULT_POLICY.approvalMs })
  })
})

describe('mistakes of a configuration file', () => {
  it('are all told at once, with place and line, up to a number', () => {
    expect(problems('roles:\n  admn: {}\n  admin:\n    users:\n      - U01\n      - ada\n')).toEqual([
      'roles.admin.users[1] (line 6) is not a Slack user id such as U0123456789.',
      'roles.admn (line 2) is not known here; known are admin, operator, viewer.',
    ])
    const many = problems(`roles: {admin: {users: [${'x, '.repeat(30)}]}}`)
    expect([many.length, many.at(-1)]).toEqual([21, 'There are 10 more.'])
  })

  it('show hidden characters of what they quote', () => {
    expect(problems('"ro\\u202Eles": {}')[0]).toMatch(/^ro\\u\{202E\}les \(line 1\) is not known/)
    expect(problems(rule('operations: ["dns\\u202E add"], decision: deny'))[0]).toContain('dns\\u{202E} add')
  })
})
