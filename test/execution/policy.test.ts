import { describe, expect, it, test } from 'vitest'
import { decide } from '../../src/execution/policy.ts'
import { type Decision, type Effect, EFFECTS, type Role, ROLES } from '../../src/operations/role.ts'

type Row = Readonly<Record<Effect, Decision['kind']>>

/** The table of the design, for operations that ask for no more than the effect itself does. */
const TABLE: Readonly<Record<Role, Row>> = {
  none: row('deny', 'deny', 'deny', 'deny', 'deny'),
  viewer: row('run', 'deny', 'deny', 'deny', 'deny'),
  operator: row('run', 'run', 'run', 'confirm', 'approve'),
  admin: row('run', 'run', 'run', 'confirm', 'confirm'),
}

function row(...kinds: readonly [Kind, Kind, Kind, Kind, Kind]): Row {
  const [read, sensitive, bot, write, billed] = kinds
  return { read, 'sensitive read': sensitive, 'write to the bot': bot, write, 'billed or irreversible': billed }
}
type Kind = Decision['kind']

describe('the policy', () => {
  test.each(ROLES.flatMap((role) => EFFECTS.map((effect) => ({ role, effect }))))(
    'gives $role for a $effect what the table says',
    ({ role, effect }) => {
      const { kind, reason } = decide(role, { name: 'x', minimumRole: 'viewer' }, effect)
      expect(kind).toBe(TABLE[role][effect])
      expect(reason).toMatch(/\.$/)
    },
  )

  it.each(ROLES)('keeps to what the operation itself asks for: %s', (role) => {
    const { kind, reason } = decide(role, { name: 'audit list', minimumRole: 'admin' }, 'read')
    expect(kind).toBe(role === 'admin' ? 'run' : 'deny')
    if (role !== 'admin') expect(reason).toBe(`audit list needs the role admin; yours is ${role}.`)
  })

  it('runs a read that asks for no role for everybody, and nothing else', () => {
    const everybody = { name: 'help', minimumRole: 'none' } as const
    expect(EFFECTS.map((effect) => decide('none', everybody, effect).kind)).toEqual([
      'run',
      'deny',
      'deny',
      'deny',
      'deny',
    ])
    expect(decide('operator', everybody, 'write').kind).toBe('confirm')
  })

  it('never lets a write to the platform go unconfirmed, whoever asks', () => {
    for (const role of ROLES) {
      for (const minimumRole of ROLES) {
        for (const effect of ['write', 'billed or irreversible'] as const) {
          expect(decide(role, { name: 'x', minimumRole }, effect).kind).not.toBe('run')
        }
      }
    }
  })
})
