import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { ConfigurationError, parseConfig } from '../../src/config/config-file.ts'
import { decide, DEFAULT_POLICY } from '../../src/execution/policy/policy.ts'

function problems(text: string): readonly string[] {
  try {
    parseConfig(text)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
}
const rule = (text: string): string => `policies: [{${text}}]`

describe('what a configuration file says', () => {
  it('is nothing where it holds nothing', () => {
    const { roles, zones, policy } = parseConfig('{}')
    const nobody = { users: new Set(), groups: new Set(), everybody: false }
    expect({ roles, zones }).toEqual({ roles: { admin: nobody, operator: nobody, viewer: nobody }, zones: [] })
    expect(policy).toEqual({ ...DEFAULT_POLICY, version: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  it('is who has which role, by user and by user group', () => {
    const { roles } = parseConfig(
      'roles: {admin: {users: [U01, W02]}, operator: {groups: [S01]}, viewer: {everybody: true}}',
    )
    expect(roles.admin).toEqual({ users: new Set(['U01', 'W02']), groups: new Set(), everybody: false })
    expect(roles.operator.groups).toEqual(new Set(['S01']))
    expect(roles.viewer.everybody).toBe(true)
  })

  it('is names of zones, with every digit of their ids', () => {
    const { zones } = parseConfig(
      "zones: [{kind: dns, id: 9007199254740991, name: a}, {kind: pull, id: '9223372036854775807', name: a}]",
    )
    expect(zones).toEqual([
      { kind: 'dns', name: 'a', zoneId: '9007199254740991', managed: true },
      { kind: 'pull', name: 'a', zoneId: '9223372036854775807', managed: true },
    ])
  })

  it('is how many have to approve, and how long they may take', () => {
    const given = 'approvals: {count: 2, groups: [S02, S01, S02], expireAfter: 1h 30m}\nbreakGlass: {groups: [S09]}'
    expect(parseConfig(given).policy).toMatchObject({
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
    const { rules } = parseConfig(`${all}\n${rule(`decision: approve, approvals: {${given}}`)}`).policy
    expect(rules).toMatchObject([{ name: 'policies[0]', quorum }])
  })

  it('is rules with all that they say, each list in one order', () => {
    const lists = 'operations: [logs, dns add], roles: [admin, viewer], channels: [C02, C01], outside: [C04, C03]'
    const { rules } = parseConfig(rule(`${lists}, zones: [pull/2, dns/1], decision: deny, reason: Two eyes.`)).policy
    expect(rules).toEqual([
      {
        name: 'policies[0]',
        decision: 'deny',
        operations: ['dns add', 'logs'],
        roles: ['viewer', 'admin'],
        channels: ['C01', 'C02'],
        outside: ['C03', 'C04'],
        zones: ['dns/1', 'pull/2'],
        quorum: undefined,
        reason: 'Two eyes.',
      },
    ])
  })

  it('is rules that decide as they are written', () => {
    const { policy } = parseConfig(
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
      reason: 'Two eyes.',
    })
  })
})

describe('the version of a policy', () => {
  const version = (text: string): string => parseConfig(text).policy.version
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
    const { roles, zones, policy, alertRules, sharedChannels } = parseConfig(sample)
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

describe('the line of a mistake', () => {
  it('is that of the key whose value is wrong, which may stand above the value', () => {
    const text = 'roles:\n  viewer:\n    users: []\n    everybody:\n      yes\n'
    expect(problems(text)).toEqual(['roles.viewer.everybody (line 4) is not true or false.'])
  })
})

const UNKNOWN_IN_RULE = 'operations, roles, channels, outside, zones, decision, approvals, reason'

describe('mistakes of a configuration file', () => {
  /** What is written, and the one problem with it. */
  const MISTAKES = [
    '[] → The file is not a map of names and values.',
    'roles: [] → roles (line 1) is not a map of names and values.',
    'roles: → roles (line 1) is empty: fill it or take it out.',
    '__proto__: {} → __proto__ (line 1) is not known here; known are roles, zones, approvals, policies, breakGlass, alerts.',
    'roles: {viewer: {everybody: yes}} → roles.viewer.everybody (line 1) is not true or false.',
    'roles: {admin: {users: U01}} → roles.admin.users (line 1) is not a list.',
    'roles: {admin: {users: [5]}} → roles.admin.users[0] (line 1) is not text: put it in quotes.',
    'roles: {admin: {groups: [U01]}} → roles.admin.groups[0] (line 1) is not the id of a Slack user group, such as S0123456789.',
    'zones: [{kind: dns, name: a}] → zones[0].id (line 1) is not given.',
    'zones: [{kind: cdn, id: 1, name: a}] → zones[0].kind (line 1) is none of pull, storage, dns.',
    'zones: [{kind: dns, id: 1.5, name: a}] → zones[0].id (line 1) is not the id of a zone, such as 201.',
    'zones: [{kind: dns, id: [1], name: a}] → zones[0].id (line 1) is not the id of a zone, such as 201.',
    'zones: [{kind: dns, id: 9007199254740993, name: a}] → zones[0].id (line 1) is too long for a number, which would lose its last digits: put it in quotes.',
    'zones: [{kind: dns, id: 1, name: "12"}] → zones[0].name (line 1): A name cannot be digits only: it would be taken for an id.',
    'zones: [{kind: dns, id: 1, name: a}, {kind: dns, id: 2, name: A}] → zones[1].name (line 1) is already the name of another dns zone.',
    'approvals: {count: 0} → approvals.count (line 1) is less than 1.',
    'approvals: {count: 11} → approvals.count (line 1) is more than 10.',
    'approvals: {roles: [viewer]} → approvals.roles[0] (line 1) is none of operator, admin.',
    'approvals: {expireAfter: 4m} → approvals.expireAfter (line 1) is not a time from 5m to 7d, such as 8h.',
    'breakGlass: {} → breakGlass.groups (line 1) is not given.',
    'policies: [{decision: deny, roles: [none]}] → policies[0].roles[0] (line 1) is none of viewer, operator, admin.',
    'policies: [{decision: deny, zones: [shop/1]}] → policies[0].zones[0] (line 1) is not a kind and an id such as dns/201.',
    'policies: [{decision: deny, zones: [5]}] → policies[0].zones[0] (line 1) is not a kind and an id such as dns/201.',
    'policies: [{decision: deny, operations: [xyzzy]}] → policies[0].operations[0] (line 1) is no operation: xyzzy.',
    'policies: [{decision: deny, operations: ["dns \\n ad."]}] → policies[0].operations[0] (line 1) is no operation: dns ad.',
    `policies: [{decision: deny, operations: [${'x'.repeat(121)}]}] → policies[0].operations[0] (line 1) is no operation: ${'x'.repeat(119)}….`,
    `policies: [{decision: deny, reason: ${'x'.repeat(301)}}] → policies[0].reason (line 1) is longer than 300 characters.`,
    `policies: [${'{decision: deny}, '.repeat(201)}] → policies (line 1) has more than 200 rules.`,
    `roles: {admin: {users: [${'U01, '.repeat(1_001)}]}} → roles.admin.users (line 1) has more than 1000 entries.`,
    `zones: [${Array.from({ length: 501 }, (_, id) => `{kind: dns, id: ${id + 1}, name: a${id}}`).join(', ')}] → zones (line 1) has more than 500 entries.`,
    'zones: [{kind: dns, id: 1, name: a, x: 1}] → zones[0].x (line 1) is not known here; known are kind, id, name, runbook.',
    'approvals: {count: 1.5} → approvals.count (line 1) is not a whole number from 1 to 10.',
    'approvals: {roles: []} → approvals (line 1) leaves nobody to approve: name a role or a user group.',
    'approvals: {expireAfter: 8d} → approvals.expireAfter (line 1) is not a time from 5m to 7d, such as 8h.',
    'approvals: {expireAfter: 1h 30mn} → approvals.expireAfter (line 1) is not a time from 5m to 7d, such as 8h.',
    'approvals: {expireAfter: -8h} → approvals.expireAfter (line 1) is not a time from 5m to 7d, such as 8h.',
    'policies: [{operations: [dns add]}] → policies[0].decision (line 1) is not given.',
    'policies: [{decision: run}] → policies[0].decision (line 1) is none of approve, deny.',
    `policies: [{decision: deny, operation: [logs]}] → policies[0].operation (line 1) is not known here; known are ${UNKNOWN_IN_RULE}.`,
    'policies: [{decision: deny, operations: []}] → policies[0].operations (line 1) is an empty list: fill it or take it out.',
    'policies: [{decision: deny, operations: [dns ad]}] → policies[0].operations[0] (line 1) is no operation: dns ad. Did you mean dns add?',
    'policies: [{decision: deny, channels: [general]}] → policies[0].channels[0] (line 1) is not a channel id such as C0123456789.',
    'policies: [{decision: deny, zones: [dns/0201]}] → policies[0].zones[0] (line 1) is not a kind and an id such as dns/201.',
    'policies: [{decision: deny, reason: "a\\nb"}] → policies[0].reason (line 1) is not one line of text.',
    'policies: [{decision: approve, approvals: {groups: []}}] → policies[0].approvals (line 1) leaves nobody to approve: name a role or a user group.',
  ]
  test.each(MISTAKES.map((line) => line.split(' → ').toReversed()))('are told: %s', (problem = '', text = '') => {
    expect(problems(text)).toEqual([problem])
  })

  it.each(['count: 10, expireAfter: 5m', 'count: 1, expireAfter: 7d', 'roles: [admin], groups: []', 'groups: [S01]'])(
    'are none of approvals at their bounds: {%s}',
    (text) =>
      expect(problems(`approvals: {${text}}\npolicies: [{decision: deny, reason: ${'x'.repeat(300)}}]`)).toEqual([]),
  )

  /** Rules that are well written and could never have an effect: somebody would rely on them. */
  const EFFECTLESS = [
    'decision: approve, operations: [dns add, logs] → operations[1] (line 1) does not write to the CDN, so nobody is asked to approve it: logs.',
    'decision: deny, operations: [help] → operations[0] (line 1) is for everybody, which no rule changes: help.',
    'decision: approve, roles: [viewer] → roles (line 1) names nobody who could do what the rule is about anyway.',
    'decision: deny, roles: [viewer], operations: [dns add] → operations[0] (line 1) is nothing that the roles of the rule may do anyway: dns add.',
    'decision: deny, operations: [logs], zones: [pull/1, dns/1] → zones[1] (line 1) is met by no operation of the rule: none is about a dns zone.',
    'decision: deny, channels: [C01], outside: [C02, C01] → outside (line 1) leaves out every channel that the rule is for.',
    'decision: deny, approvals: {count: 2} → approvals (line 1) has no meaning in a rule that denies: take it out.',
  ]
  test.each(EFFECTLESS.map((line) => line.split(' → ')))('a rule without effect: %s → %s', (text = '', problem) => {
    expect(problems(rule(text))).toEqual([`policies[0].${problem}`])
  })

  test.each([
    'decision: deny',
    'decision: approve',
    'decision: deny, roles: [viewer], operations: [logs]',
    'decision: deny, channels: [C01, C02], outside: [C02]',
    'decision: deny, zones: [pull/1, dns/1, storage/1]',
  ])('are none of a rule with effect: %s', (text) => {
    expect(problems(rule(text))).toEqual([])
  })

  it('are all told at once, with place and line, up to a number', () => {
    expect(problems('roles:\n  admn: {}\n  admin:\n    users:\n      - U01\n      - ada\n')).toEqual([
      'roles.admin.users[1] (line 6) is not a Slack user id such as U0123456789.',
      'roles.admn (line 2) is not known here; known are admin, operator, viewer.',
    ])
    const text = `zones: [{kind: dns, id: 1, name: a}, {kind: dns, id: x, name: b}]
policies:
  - {decision: allow, operations: [dns ad, 7]}
  - {decision: approve, roles: [viewer]}
  - nonsense`
    expect(problems(text).toSorted()).toEqual([
      'policies[0].decision (line 3) is none of approve, deny.',
      'policies[0].operations[0] (line 3) is no operation: dns ad. Did you mean dns add?',
      'policies[0].operations[1] (line 3) is not text: put it in quotes.',
      'policies[1].roles (line 4) names nobody who could do what the rule is about anyway.',
      'policies[2] (line 5) is not a map of names and values.',
      'zones[1].id (line 1) is not the id of a zone, such as 201.',
    ])
    const many = problems(`roles: {admin: {users: [${'x, '.repeat(30)}]}}`)
    expect([many.length, many.at(-1)]).toEqual([21, 'There are 10 more.'])
  })

  it('have the line of their value, and where that is missing the line of what it should be in', () => {
    const lines = problems('# a comment\nroles:\n  admin:\n    users:\n\n\nzones: [\n {kind: dns, id: 1},\n 5]\n')
    expect(lines.map((line) => /\S+ \(line \d\)/.exec(line)?.[0])).toEqual([
      'roles.admin.users (line 4)',
      'zones[0].name (line 8)',
      'zones[1] (line 9)',
    ])
  })

  it('show hidden characters of what they quote', () => {
    expect(problems('"ro\\u202Eles": {}')[0]).toContain('u{202E}les')
    expect(problems(rule('operations: ["dns\\u202E add"], decision: deny'))[0]).toContain('dns\\u{202E} add')
  })
})

describe('the text of a configuration file', () => {
  test.each([
    ['nothing', '', 'The file holds nothing. For no rules at all, write {}.'],
    ['only comments', '# roles:\n\n', 'The file holds nothing. For no rules at all, write {}.'],
    ['an alias of nothing', 'a: *x', 'Unresolved alias (the anchor must be set before the alias): x.'],
    ['an unknown tag', 'a: !run x', 'Unresolved tag: !run at line 1, column 4.'],
    ['a name twice', 'a: 1\n"a": 2', 'Map keys must be unique at line 2, column 1.'],
    ['two documents', 'a: 1\n---\nb: 2', expect.stringMatching(/multiple documents.* at line 2, column 1\.$/)],
    ['too many mistakes', 'a: !w x\nb: !w x\nc: !w x\nd: !w x', 'Unresolved tag: !w at line 3, column 4.'],
    ['no end of a quote', 'a: "b', 'Missing closing "quote at line 1, column 6.'],
    ['what is no UTF-8', 'a: \uFFFD', 'The file is not in UTF-8.'],
    ['hidden characters', 'a: *\u202Ex', 'Unresolved alias (the anchor must be set before the alias): \\u{202E}x.'],
  ])('is refused with %s', (_, text, problem) => {
    const all = problems(text)
    expect(all).toContainEqual(problem)
    expect(all.length).toBeLessThanOrEqual(3)
  })

  it('is at most as large as people write', () => {
    expect(problems(`{}\n${'#'.repeat(262_141)}`)).toEqual([])
    for (const comment of ['#'.repeat(262_142), `#${'é'.repeat(131_071)}`])
      expect(problems(`{}\n${comment}`)).toEqual(['The file is larger than 256 KiB.'])
  })

  it.each(['[', '{'])('is refused where %s opens too deeply, and at once', (bracket) => {
    expect(problems(bracket.repeat(20_000))).not.toEqual([])
  })

  it('is refused where its aliases would make much of little', () => {
    const tenOf = (name: string): string => `[${Array.from({ length: 10 }, () => `*${name}`).join(', ')}]`
    const text = `a: &a [1]\nb: &b ${tenOf('a')}\nc: &c ${tenOf('b')}\nd: &d ${tenOf('c')}`
    expect(problems(text)).toEqual(['Excessive alias count indicates a resource exhaustion attack.'])
  })
})
