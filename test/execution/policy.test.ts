import { describe, expect, it, test } from 'vitest'
import { type Asked, decide, DEFAULT_POLICY } from '../../src/execution/policy.ts'
import { type Decision, type Effect, EFFECTS, type Role, ROLES, writesToBot } from '../../src/operations/role.ts'

type Row = Readonly<Record<Effect, Decision['kind']>>

/** The table of the design, for operations that ask for no more than the effect itself does. */
const TABLE: Readonly<Record<Role, Row>> = {
  none: row('deny', 'deny', 'deny', 'deny', 'deny', 'deny'),
  viewer: row('run', 'deny', 'deny', 'deny', 'deny', 'deny'),
  operator: row('run', 'run', 'run', 'run', 'confirm', 'approve'),
  admin: row('run', 'run', 'run', 'run', 'confirm', 'confirm'),
}

function row(...kinds: readonly [Kind, Kind, Kind, Kind, Kind, Kind]): Row {
  const [read, sensitive, acknowledge, bot, write, billed] = kinds
  return {
    read,
    'sensitive read': sensitive,
    acknowledge,
    'write to the bot': bot,
    write,
    'billed or irreversible': billed,
  }
}
type Kind = Decision['kind']

const ask = (role: Role, minimumRole: Role, effect: Effect, operation = 'x'): Decision => {
  const asked: Asked = { actor: { role, groups: [] }, operation, effect, minimumRole, zones: [], channelId: 'C1' }
  return decide(DEFAULT_POLICY, asked)
}

describe('the policy', () => {
  test.each(ROLES.flatMap((role) => EFFECTS.map((effect) => ({ role, effect }))))(
    'gives $role for a $effect what the table says',
    ({ role, effect }) => {
      const { kind, reason } = ask(role, 'viewer', effect)
      expect(kind).toBe(TABLE[role][effect])
      expect(reason).toMatch(/\.$/)
      expect(reason).toContain(role)
    },
  )

  it.each(ROLES)('keeps to what the operation itself asks for: %s', (role) => {
    const { kind, reason } = ask(role, 'admin', 'read', 'audit list')
    expect(kind).toBe(role === 'admin' ? 'run' : 'deny')
    const has = role === 'none' ? 'you have none' : `yours is ${role}`
    if (role !== 'admin') expect(reason).toBe(`audit list needs the role admin; ${has}.`)
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

  it('takes an acknowledgement for a write to the bot, which has its effect once', () => {
    expect(EFFECTS.filter(writesToBot)).toEqual(['acknowledge', 'write to the bot'])
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

  it('asks one other operator or admin for what takes an approval, within eight hours, and lets nobody go alone', () => {
    expect(ask('operator', 'operator', 'billed or irreversible')).toEqual({
      kind: 'approve',
      reason:
        'For the role operator, a write that may be billed or cannot be undone takes the approval of somebody else.',
      quorums: [{ count: 1, roles: ['operator', 'admin'], groups: [] }],
      breakGlass: false,
    })
    expect(DEFAULT_POLICY).toMatchObject({ approvalMs: 8 * 3_600_000, breakGlassGroups: [], rules: [] })
  })
})
