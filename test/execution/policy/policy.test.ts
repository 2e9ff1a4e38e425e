import { describe, expect, it, test } from 'vitest'
import {
  type Asked,
  decide,
  DEFAULT_POLICY,
  type Policy,
  type PolicyRule,
} from '../../../src/execution/policy/policy.ts'
import {
  type Decision,
  type Effect,
  EFFECTS,
  type Role,
  ROLES,
  writesToBot,
  type Quorum,
} from '../../../src/operations/declaration/role.ts'

const ask = (role: Role, minimumRole: Role, effect: Effect, operation = 'x'): Decision => {
  const asked: Asked = { actor: { role, groups: [] }, operation, effect, minimumRole, zones: [], channelId: 'C1' }
  return decide(DEFAULT_POLICY, asked)
}

describe('the policy', () => {
  it('gives each role for each effect what the table says, and why', () => {
    const all = ROLES.flatMap((role) =>
      EFFECTS.map((effect) => [`${role}, ${effect}`, ask(role, 'viewer', effect)] as const),
    )
    expect(all.map(([what, { kind, reason }]) => `${what}: ${kind}. ${reason}`)).toEqual([
      ...EFFECTS.map(
        (effect) =>
          `none, ${effect}: deny. Only ${effect === 'acknowledge' ? 'operators and admins' : 'people with a role'} can use x; you have no role.`,
      ),
      'viewer, read: run. The role viewer may do this at once.',
      'viewer, sensitive read: deny. The role viewer may not do this.',
      'viewer, acknowledge: deny. Only operators and admins can use x; you are a viewer.',
      'viewer, write to the bot: deny. The role viewer may not do this.',
      'viewer, write: deny. The role viewer may not do this.',
      'viewer, billed or irreversible: deny. The role viewer may not do this.',
      ...(['operator', 'admin'] as const).flatMap((role) => [
        ...(['read', 'sensitive read', 'acknowledge', 'write to the bot'] as const).map(
          (effect) => `${role}, ${effect}: run. The role ${role} may do this at once.`,
        ),
        `${role}, write: confirm. The role ${role} reviews and confirms this.`,
        role === 'operator'
          ? 'operator, billed or irreversible: approve. Needs a second person because it costs money.'
          : 'admin, billed or irreversible: confirm. The role admin reviews and confirms this.',
      ]),
    ])
  })

  it('lets viewers acknowledge where the configuration says so, and nobody below them', () => {
    const asked = {
      operation: 'x',
      effect: 'acknowledge',
      minimumRole: 'operator',
      zones: [],
      channelId: 'C1',
    } as const
    const viewers = { ...DEFAULT_POLICY, acknowledge: 'viewer' } as const
    const of = (role: Role) => decide(viewers, { ...asked, actor: { role, groups: [] } })
    expect([of('none'), of('viewer')]).toMatchObject([{ kind: 'deny', neededRole: 'viewer' }, { kind: 'run' }])
  })

  it('says which role is missing, in which way of using it, and that they had it until lately', () => {
    const actor = { role: 'viewer', formerRole: 'admin', groups: [] } as const
    expect(decide(DEFAULT_POLICY, { ...ASKED, actor, minimumRole: 'admin', isUnusual: true })).toEqual({
      kind: 'deny',
      reason: 'Only admins can use dns add in this way; you are a viewer, and were an admin until lately.',
      neededRole: 'admin',
    })
  })

  it.each(ROLES)('keeps to what the operation itself asks for: %s', (role) => {
    const { kind, reason } = ask(role, 'admin', 'read', 'audit list')
    expect(kind).toBe(role === 'admin' ? 'run' : 'deny')
    const has = { none: 'have no role', viewer: 'are a viewer', operator: 'are an operator', admin: '' }[role]
    if (role !== 'admin') expect(reason).toBe(`Only admins can use audit list; you ${has}.`)
  })

  it('runs a read that asks for no role for everybody, and nothing else', () => {
    expect(EFFECTS.map((effect) => ask('none', 'none', effect).kind)).toEqual([
      'run',
      'deny',
      'deny',
      'deny',
      'deny',
      'deny',
    ])
    expect(ask('operator', 'none', 'write').kind).toBe('confirm')
  })

  it('never lets a write to the platform go unconfirmed, whoever asks', () => {
    for (const role of ROLES) {
      for (const minimumRole of ROLES) {
        for (const effect of ['write', 'billed or irreversible'] as const) {
          expect(ask(role, minimumRole, effect).kind).not.toBe('run')
        }
      }
    }
  })

  it('takes an acknowledgement for a write to the bot, which has its effect once', () => {
    expect(EFFECTS.filter(writesToBot)).toEqual(['acknowledge', 'write to the bot'])
  })

  it('asks one other operator or admin for what takes an approval, within eight hours, and lets nobody go alone', () => {
    expect(ask('operator', 'operator', 'billed or irreversible')).toEqual({
      kind: 'approve',
      reason: 'Needs a second person because it costs money.',
      quorums: [{ count: 1, roles: ['operator', 'admin'], groups: [] }],
      breakGlass: false,
    })
    expect(DEFAULT_POLICY).toMatchObject({ approvalMs: 8 * 3_600_000, breakGlassGroups: [], rules: [] })
  })
})

const ASKED: Asked = {
  actor: { role: 'admin', groups: [] },
  operation: 'dns add',
  effect: 'write',
  minimumRole: 'operator',
  zones: [{ kind: 'dns', id: 301n }],
  channelId: 'C1',
}
const APPROVE: PolicyRule = { name: 'policies[0]', decision: 'approve' }
const DENY: PolicyRule = { name: 'policies[1]', decision: 'deny' }
const LAWYERS: Quorum = { count: 2, roles: [], groups: ['SLAW'] }
const ADMINS: Quorum = { count: 1, roles: ['admin'], groups: [] }
const policy = (...rules: readonly PolicyRule[]): Policy => ({ ...DEFAULT_POLICY, rules })
const kind = (rule: Partial<PolicyRule>, asked: Partial<Asked> = {}): Decision['kind'] =>
  decide(policy({ ...APPROVE, ...rule }), { ...ASKED, ...asked }).kind
const NO_ZONES = { zones: [] }

describe('a rule of the configuration', () => {
  it('only ever asks for more than the table', () => {
    const gravity = ['run', 'confirm', 'approve', 'deny']
    for (const role of ROLES) {
      for (const effect of EFFECTS) {
        const asked: Asked = { ...ASKED, actor: { role, groups: [] }, effect, minimumRole: 'viewer' }
        const bare = gravity.indexOf(decide(policy(), asked).kind)
        for (const rule of [APPROVE, DENY, { ...APPROVE, quorum: ADMINS }]) {
          expect(gravity.indexOf(decide(policy(rule), asked).kind)).toBeGreaterThanOrEqual(bare)
        }
      }
    }
  })

  test.each<{ rule: Partial<PolicyRule>; asked?: Partial<Asked>; holds: boolean }>([
    { rule: {}, holds: true },
    { rule: { operations: ['dns add'] }, holds: true },
    { rule: { operations: ['library create', 'dns add'] }, holds: true },
    { rule: { operations: ['dns'] }, holds: false },
    { rule: { operations: [] }, holds: false },
    { rule: { roles: ['admin'] }, holds: true },
    { rule: { roles: ['operator'] }, holds: false },
    { rule: { channels: ['C2', 'C1'] }, holds: true },
    { rule: { channels: ['C2'] }, holds: false },
    { rule: { channels: ['C1'] }, asked: { channelId: undefined }, holds: false },
    { rule: { outside: ['C1'] }, holds: false },
    { rule: { outside: ['C2'] }, holds: true },
    { rule: { outside: ['C1'] }, asked: { channelId: undefined }, holds: true },
    { rule: { zones: ['dns/301'] }, holds: true },
    { rule: { zones: ['pull/301', 'dns/3010', 'dns/30'] }, holds: false },
    { rule: { zones: ['dns/301'] }, asked: NO_ZONES, holds: false },
    { rule: { zones: ['pull/7'] }, asked: { zones: [...ASKED.zones, { kind: 'pull', id: 7n }] }, holds: true },
    { rule: { operations: ['dns add'], channels: ['C1'], zones: ['dns/301'], roles: ['admin'] }, holds: true },
    { rule: { operations: ['dns add'], channels: ['C1'], zones: ['dns/302'], roles: ['admin'] }, holds: false },
    { rule: { operations: ['dns add'], channels: ['C2'], zones: ['dns/301'], roles: ['admin'] }, holds: false },
  ])('holds where all it names is so: $rule $asked → $holds', ({ rule, asked, holds }) => {
    expect(kind(rule, asked)).toBe(holds ? 'approve' : 'confirm')
    expect(kind({ ...rule, decision: 'deny' }, asked)).toBe(holds ? 'deny' : 'confirm')
  })

  it('to approve concerns writes to the platform, to deny everything but what everybody may do', () => {
    expect(EFFECTS.map((effect) => kind({}, { effect }))).toEqual(['run', 'run', 'run', 'run', 'approve', 'approve'])
    expect(EFFECTS.map((effect) => kind({ decision: 'deny' }, { effect }))).toEqual(EFFECTS.map(() => 'deny'))
    expect(kind({ decision: 'deny' }, { effect: 'read', minimumRole: 'none' })).toBe('run')
  })

  it('denies over all that approve', () => {
    const decision = decide(policy(APPROVE, DENY, APPROVE), ASKED)
    expect(decision).toEqual({ kind: 'deny', reason: 'The configuration denies this here (policies[1]).' })
  })

  it('says once what several rules say, with the names of all of them', () => {
    const [second, third] = [
      { ...APPROVE, name: 'policies[1]', reason: 'Two eyes.' },
      { ...APPROVE, name: 'policies[2]' },
    ]
    expect(decide(policy(APPROVE, second, third, { ...second, name: 'policies[3]' }), ASKED).reason).toBe(
      'The configuration asks for a second person (policies[0]). Two eyes. The configuration asks for a second person (policies[2]).',
    )
  })

  it('says itself in the reason, in its own words where it has some', () => {
    const reason = 'Zones of the shop are frozen.'
    expect(decide(policy({ ...DENY, reason }), ASKED).reason).toBe(reason)
    expect(decide(policy(APPROVE, { ...APPROVE, name: 'policies[4]', reason }), ASKED).reason).toBe(
      `The configuration asks for a second person (policies[0]). ${reason}`,
    )
  })
})

describe('who has to approve', () => {
  const quorums = (asked: Partial<Asked>, ...rules: readonly PolicyRule[]) =>
    decide(policy(...rules), { ...ASKED, ...asked }).quorums

  it('is everybody that any matching rule names, each quorum once', () => {
    const [lawyers, admins] = [
      { ...APPROVE, quorum: LAWYERS },
      { ...APPROVE, quorum: ADMINS },
    ]
    expect(quorums({}, lawyers, admins, { ...lawyers, name: 'again' })).toEqual([LAWYERS, ADMINS])
    expect(quorums({}, lawyers, { ...admins, channels: ['C2'] })).toEqual([LAWYERS])
  })

  it('is the quorum of the policy where a rule says nothing else', () => {
    expect(quorums({}, APPROVE)).toEqual([DEFAULT_POLICY.quorum])
    expect(quorums({}, APPROVE, { ...APPROVE, quorum: LAWYERS })).toEqual([DEFAULT_POLICY.quorum, LAWYERS])
    const other = { ...policy(APPROVE), quorum: ADMINS }
    expect(decide(other, ASKED).quorums).toEqual([ADMINS])
  })

  it('is what a rule says beside what the table asks for', () => {
    const byTable = { actor: { role: 'operator', groups: [] }, effect: 'billed or irreversible' } as const
    expect(quorums(byTable)).toEqual([DEFAULT_POLICY.quorum])
    expect(quorums(byTable, { ...APPROVE, quorum: LAWYERS })).toEqual([DEFAULT_POLICY.quorum, LAWYERS])
    expect(quorums(byTable, APPROVE, { ...APPROVE, name: 'again' })).toEqual([DEFAULT_POLICY.quorum])
    expect(quorums({}, APPROVE, { ...APPROVE, quorum: LAWYERS })).toEqual([DEFAULT_POLICY.quorum, LAWYERS])
    const asUsual = { ...APPROVE, quorum: DEFAULT_POLICY.quorum }
    expect(quorums(byTable, asUsual)).toEqual([DEFAULT_POLICY.quorum, DEFAULT_POLICY.quorum])
  })

  it('is nobody for whoever is in a group that may go alone, as the decision says', () => {
    const glass = { ...policy(APPROVE), breakGlassGroups: ['SNIGHT'] }
    const of = (groups: readonly string[]) => decide(glass, { ...ASKED, actor: { role: 'admin', groups } }).breakGlass
    expect([of([]), of(['SDAY']), of(['SDAY', 'SNIGHT'])]).toEqual([false, false, true])
    expect(decide({ ...glass, rules: [DENY] }, { ...ASKED, actor: { role: 'admin', groups: ['SNIGHT'] } }).kind).toBe(
      'deny',
    )
    expect(decide(glass, { ...ASKED, actor: { role: 'viewer', groups: ['SNIGHT'] } }).kind).toBe('deny')
  })
})

describe('somebody whose role rests on what Slack has not said for too long', () => {
  const writesBarred = 'Slack has not said for 20 minutes who is in the user group.'
  const barred = { actor: { role: 'admin', groups: [], writesBarred } } as const

  it('reads, and nothing more, and hears why', () => {
    expect(EFFECTS.map((effect) => decide(policy(), { ...ASKED, ...barred, effect }).kind)).toEqual([
      'run',
      'run',
      'deny',
      'deny',
      'deny',
      'deny',
    ])
    expect(decide(policy(), { ...ASKED, ...barred }).reason).toBe(writesBarred)
  })

  it('hears first what the role does not allow anyway', () => {
    const viewer = { ...barred.actor, role: 'viewer' } as const
    expect(decide(policy(), { ...ASKED, actor: viewer }).reason).toBe(
      'Only operators and admins can use dns add; you are a viewer.',
    )
  })
})
