import type { Operation } from '../operations/operation.ts'
import { atLeast, type Decision, type Effect, type Role } from '../operations/role.ts'

type Kind = Decision['kind']

/** Who may do what, and which prompt they get: the whole rule is this table. Its version stands in `POLICY_VERSION`. */
const TABLE: Readonly<Record<Role, Readonly<Record<Effect, Kind>>>> = {
  none: {
    read: 'deny',
    'sensitive read': 'deny',
    'write to the bot': 'deny',
    write: 'deny',
    'billed or irreversible': 'deny',
  },
  viewer: {
    read: 'run',
    'sensitive read': 'deny',
    'write to the bot': 'deny',
    write: 'deny',
    'billed or irreversible': 'deny',
  },
  operator: {
    read: 'run',
    'sensitive read': 'run',
    'write to the bot': 'run',
    write: 'confirm',
    'billed or irreversible': 'approve',
  },
  admin: {
    read: 'run',
    'sensitive read': 'run',
    'write to the bot': 'run',
    write: 'confirm',
    'billed or irreversible': 'confirm',
  },
}

/** Part of what a change is bound to: a change reviewed under another policy is reviewed again. */
export const POLICY_VERSION = 1

/**
 * What somebody with this role gets for an operation with this effect. Pure; says the rule behind it as a sentence.
 * A read that asks for no role, such as help, runs for everybody; nothing else does, whatever its declaration says.
 */
export function decide(role: Role, operation: Pick<Operation, 'name' | 'minimumRole'>, effect: Effect): Decision {
  if (operation.minimumRole === 'none' && effect === 'read') return { kind: 'run', reason: 'Everybody may do this.' }
  if (!atLeast(role, operation.minimumRole)) {
    return { kind: 'deny', reason: `${operation.name} needs the role ${operation.minimumRole}; yours is ${role}.` }
  }
  const kind = TABLE[role][effect]
  return { kind, reason: REASONS[kind](role, effect) }
}

const REASONS: Readonly<Record<Kind, (role: Role, effect: Effect) => string>> = {
  run: (role, effect) => `The role ${role} may do ${NAMES[effect]} at once.`,
  confirm: (role, effect) => `The role ${role} reviews and confirms ${NAMES[effect]}.`,
  approve: (role, effect) => `For the role ${role}, ${NAMES[effect]} takes the approval of somebody else.`,
  deny: (role, effect) => `The role ${role} may not do ${NAMES[effect]}.`,
}

const NAMES: Readonly<Record<Effect, string>> = {
  read: 'a read',
  'sensitive read': 'a sensitive read, which is recorded,',
  'write to the bot': 'a write to the bot itself',
  write: 'a write to the platform',
  'billed or irreversible': 'a write that may be billed or cannot be undone',
}
