import type { Invocation } from '../operations/operation.ts'
import { type Actor, atLeast, type Decision, type Effect, type Quorum, type Role } from '../operations/role.ts'

type Kind = Decision['kind']

/** Who may do what, and which prompt they get, where the configuration asks for no more. */
const TABLE: Readonly<Record<Role, Readonly<Record<Effect, Kind>>>> = {
  none: {
    read: 'deny',
    'sensitive read': 'deny',
    acknowledge: 'deny',
    'write to the bot': 'deny',
    write: 'deny',
    'billed or irreversible': 'deny',
  },
  viewer: {
    read: 'run',
    'sensitive read': 'deny',
    acknowledge: 'run',
    'write to the bot': 'deny',
    write: 'deny',
    'billed or irreversible': 'deny',
  },
  operator: {
    read: 'run',
    'sensitive read': 'run',
    acknowledge: 'run',
    'write to the bot': 'run',
    write: 'confirm',
    'billed or irreversible': 'approve',
  },
  admin: {
    read: 'run',
    'sensitive read': 'run',
    acknowledge: 'run',
    'write to the bot': 'run',
    write: 'confirm',
    'billed or irreversible': 'confirm',
  },
}

/** Grows with the table above, so that a change reviewed under another one is reviewed again. */
export const TABLE_VERSION = 2

/** A rule of the configuration. It can only ask for more than the table, never for less. */
export interface PolicyRule {
  /** How it is called in a reason, as a place in the configuration: "policies[2]". */
  readonly name: string
  readonly operations?: readonly string[] | undefined
  readonly roles?: readonly Role[] | undefined
  readonly channels?: readonly string[] | undefined
  readonly outside?: readonly string[] | undefined
  /** Only for these zones, as `dns/201`. */
  readonly zones?: readonly string[] | undefined
  /** `approve` concerns writes to the platform; `deny` everything but what everybody may do. */
  readonly decision: 'approve' | 'deny'
  /** Who has to approve; the policy's own quorum when absent. */
  readonly quorum?: Quorum | undefined
  /** Shown to people, as a sentence. */
  readonly reason?: string | undefined
}

/** All that decides who may do what, as it stands now. */
export interface Policy {
  /** Part of what a change is bound to. Differs whenever anything of the policy does. */
  readonly version: string
  readonly rules: readonly PolicyRule[]
  readonly quorum: Quorum
  readonly approvalMs: number
  /** Whose members may go without approval, with a reason. */
  readonly breakGlassGroups: readonly string[]
  /** The least role that acknowledges alerts: the table would let viewers, but that stops the reminder for all. */
  readonly acknowledge: 'viewer' | 'operator'
}

export const DEFAULT_POLICY: Policy = {
  version: String(TABLE_VERSION),
  rules: [],
  quorum: { count: 1, roles: ['operator', 'admin'], groups: [] },
  approvalMs: 8 * 3_600_000,
  breakGlassGroups: [],
  acknowledge: 'operator',
}

/** Somebody asks for something, somewhere. `effect` and zones follow from the input where there is one. */
export interface Asked extends Pick<Invocation, 'effect' | 'zones' | 'minimumRole'> {
  readonly actor: Pick<Actor, 'role' | 'groups' | 'writesBarred'>
  /** The operation's name. */
  readonly operation: string
  /** Undefined outside of any channel: Home, shortcuts. */
  readonly channelId: string | undefined
}

const PLATFORM_WRITES: ReadonlySet<Effect> = new Set(['write', 'billed or irreversible'])
const READS: ReadonlySet<Effect> = new Set(['read', 'sensitive read'])

/**
 * What somebody gets who asks for this, here: the gravest of what the table and the matching rules say. Pure; says the
 * rule behind it as a sentence. A read that asks for no role, such as help, runs for everybody; nothing else does.
 */
export function decide(policy: Policy, asked: Asked): Decision {
  const { actor, effect } = asked
  const { role } = actor
  const minimumRole = effect === 'acknowledge' ? policy.acknowledge : asked.minimumRole
  if (minimumRole === 'none' && effect === 'read') return { kind: 'run', reason: 'Everybody may do this.' }
  if (!atLeast(role, minimumRole)) {
    return { kind: 'deny', reason: lacksRole({ ...asked, minimumRole }, 'yours') }
  }
  if (actor.writesBarred !== undefined && !READS.has(effect)) return { kind: 'deny', reason: actor.writesBarred }
  const kind = TABLE[role][effect]
  const byTable = { kind, reason: REASONS[kind](role, effect) }
  if (kind === 'deny') return byTable
  const matching = policy.rules.filter((rule) => matches(rule, asked))
  const denying = matching.find((rule) => rule.decision === 'deny')
  if (denying !== undefined) return { kind: 'deny', reason: reasonsOf([denying], 'denies this here') }
  const approving = PLATFORM_WRITES.has(effect) ? matching.filter((rule) => rule.decision === 'approve') : []
  if (kind !== 'approve' && approving.length === 0) return byTable
  // What a rule names comes on top of the usual approval; a rule that names none asks for that one.
  const isUsual = kind === 'approve' || approving.some((rule) => rule.quorum === undefined)
  const named = distinct(approving.flatMap((rule) => rule.quorum ?? []))
  return {
    kind: 'approve',
    reason: approving.length === 0 ? byTable.reason : reasonsOf(approving, 'asks for the approval of somebody else'),
    quorums: isUsual ? [policy.quorum, ...named] : named,
    breakGlass: actor.groups.some((group) => policy.breakGlassGroups.includes(group)),
  }
}

/** That somebody's role is too low, said to them, or of them to others. */
export function lacksRole(
  { operation, minimumRole, actor }: Pick<Asked, 'operation' | 'minimumRole'> & { readonly actor: Pick<Actor, 'role'> },
  whose: 'yours' | 'theirs',
): string {
  const none = whose === 'yours' ? 'you have none' : 'they have none'
  return `${operation} needs the role ${minimumRole}; ${actor.role === 'none' ? none : `${whose} is ${actor.role}`}.`
}

function matches(rule: PolicyRule, { operation, actor, channelId, zones }: Asked): boolean {
  return (
    (rule.operations?.includes(operation) ?? true) &&
    (rule.roles?.includes(actor.role) ?? true) &&
    (rule.channels === undefined || (channelId !== undefined && rule.channels.includes(channelId))) &&
    (rule.outside === undefined || channelId === undefined || !rule.outside.includes(channelId)) &&
    (rule.zones === undefined || zones.some(({ kind, id }) => rule.zones?.includes(`${kind}/${id}`)))
  )
}

/** Rules that say the same say it once, with the names of all of them. */
function reasonsOf(rules: readonly PolicyRule[], does: string): string {
  const byReason = Map.groupBy(rules, ({ reason }) => reason)
  return [...byReason]
    .map(([reason, alike]) => {
      const names = alike.map(({ name }) => name).join(', ')
      return reason === undefined
        ? `The configuration ${does} (${names}).`
        : `${reason} (${names} of the configuration)`
    })
    .join(' ')
}

function distinct(quorums: readonly Quorum[]): readonly Quorum[] {
  return [...new Map(quorums.map((quorum) => [JSON.stringify(quorum), quorum])).values()]
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
  acknowledge: 'an acknowledgement of an alert',
  'write to the bot': 'a write to the bot itself',
  write: 'a write to the platform',
  'billed or irreversible': 'a write that may be billed or cannot be undone',
}
