import type { CatalogEntry, Invocation, Operation } from '../../operations/declaration/operation.ts'
import { onlyFor, ROLE_WORDS } from '../../operations/declaration/prompt-words.ts'
import {
  type Actor,
  atLeast,
  type Decision,
  type Effect,
  isRead,
  type Quorum,
  type Role,
} from '../../operations/declaration/role.ts'

type Kind = Decision['kind']

/** Who may do what, and which prompt they get, where the configuration asks for no more. */
const TABLE: Readonly<Record<Effect, Readonly<Record<Role, Kind>>>> = {
  read: { none: 'deny', viewer: 'run', operator: 'run', admin: 'run' },
  'sensitive read': { none: 'deny', viewer: 'deny', operator: 'run', admin: 'run' },
  acknowledge: { none: 'deny', viewer: 'run', operator: 'run', admin: 'run' },
  'write to the bot': { none: 'deny', viewer: 'deny', operator: 'run', admin: 'run' },
  write: { none: 'deny', viewer: 'deny', operator: 'confirm', admin: 'confirm' },
  'billed or irreversible': { none: 'deny', viewer: 'deny', operator: 'approve', admin: 'confirm' },
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
  readonly actor: Pick<Actor, 'role' | 'formerRole' | 'groups' | 'writesBarred'>
  /** The operation's name. */
  readonly operation: string
  /** Undefined outside of any channel: Home, shortcuts. */
  readonly channelId: string | undefined
  /** It takes another role than the operation usually does. */
  readonly isUnusual?: boolean
}

const PLATFORM_WRITES: ReadonlySet<Effect> = new Set(['write', 'billed or irreversible'])

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
    return { kind: 'deny', reason: wordMissingRole({ ...asked, minimumRole }, 'you'), neededRole: minimumRole }
  }
  if (actor.writesBarred !== undefined && !isRead(effect)) return { kind: 'deny', reason: actor.writesBarred }
  const kind = TABLE[effect][role]
  const byTable = { kind, reason: REASONS[kind](role) }
  if (kind === 'deny') return byTable
  const matching = policy.rules.filter((rule) => matches(rule, asked))
  const denying = matching.find((rule) => rule.decision === 'deny')
  if (denying !== undefined) return { kind: 'deny', reason: joinReasons([denying], 'denies this here') }
  const approving = PLATFORM_WRITES.has(effect) ? matching.filter((rule) => rule.decision === 'approve') : []
  if (kind !== 'approve' && approving.length === 0) return byTable
  // What a rule names comes on top of the usual approval; a rule that names none asks for that one.
  const isUsual = kind === 'approve' || approving.some((rule) => rule.quorum === undefined)
  const named = distinct(approving.flatMap((rule) => rule.quorum ?? []))
  return {
    kind: 'approve',
    reason: approving.length === 0 ? byTable.reason : joinReasons(approving, 'asks for a second person'),
    quorums: isUsual ? [policy.quorum, ...named] : named,
    breakGlass: actor.groups.some((group) => policy.breakGlassGroups.includes(group)),
  }
}

/** What this person gets for checked input, in this channel. */
export function decideInvocation(
  policy: Policy,
  actor: Actor,
  { operation, effect, zones, minimumRole }: Invocation,
  channelId: string | undefined,
): Decision {
  const isUnusual = minimumRole !== operation.minimumRole
  return decide(policy, { actor, operation: operation.name, effect, zones, minimumRole, channelId, isUnusual })
}

/** The same before there is any input. */
export function decideOperation(
  policy: Policy,
  actor: Actor,
  { name, baseEffect: effect, minimumRole }: Operation,
  channelId: string | undefined,
): Decision {
  return decide(policy, { actor, operation: name, effect, zones: [], minimumRole, channelId })
}

export function listCatalog(
  operations: readonly Operation[],
  policy: Policy,
  actor: Actor,
  channelId: string | undefined,
): readonly CatalogEntry[] {
  return operations.map((operation) => ({ operation, decision: decideOperation(policy, actor, operation, channelId) }))
}

/** That somebody's role is too low, said to them, or of them to others. */
export function wordMissingRole(
  { operation, minimumRole, actor, isUnusual }: Pick<Asked, 'operation' | 'minimumRole' | 'actor' | 'isUnusual'>,
  who: 'you' | 'they',
): string {
  const has = actor.role === 'none' ? 'have no role' : `are ${ROLE_WORDS[actor.role]}`
  return `${onlyFor(minimumRole, operation)}${isUnusual === true ? ' in this way' : ''}; ${who} ${has}${who === 'you' ? wordLostRole(actor, ', and') : ''}.`
}

/** The end of a sentence to somebody who had a higher role lately; nothing to anybody else. */
export function wordLostRole({ formerRole }: Pick<Actor, 'formerRole'>, joint = '; you'): string {
  return formerRole === undefined ? '' : `${joint} were ${ROLE_WORDS[formerRole]} until lately`
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

/** Rules that say the same say it once; those that give no reason are named. */
function joinReasons(rules: readonly PolicyRule[], does: string): string {
  const reasons = rules.map(({ reason, name }) => reason ?? `The configuration ${does} (${name}).`)
  return [...new Set(reasons)].join(' ')
}

function distinct(quorums: readonly Quorum[]): readonly Quorum[] {
  return [...new Map(quorums.map((quorum) => [JSON.stringify(quorum), quorum])).values()]
}

const REASONS: Readonly<Record<Kind, (role: Role) => string>> = {
  run: (role) => `The role ${role} may do this at once.`,
  confirm: (role) => `The role ${role} reviews and confirms this.`,
  // Whatever is billed or irreversible today is billed.
  approve: () => 'Needs a second person because it costs money.',
  deny: (role) => `The role ${role} may not do this.`,
}
