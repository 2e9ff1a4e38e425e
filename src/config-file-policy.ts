import { createHash } from 'node:crypto'
import type { ConfigShape, QuorumShape, RuleShape, ShapedParts, WrittenRule } from './config-file-shape.ts'
import { type Path, quoted } from './config-file-text.ts'
import { decide, DEFAULT_POLICY, type Policy, type PolicyRule, TABLE_VERSION } from './execution/policy.ts'
import { nearestWord } from './operations/nearest-word.ts'
import type { Operation } from './operations/operation.ts'
import { type Effect, type Quorum, type Role, ROLES } from './operations/role.ts'

/** What of an operation tells whether a rule can concern it. */
export type RuledOperation = Pick<Operation, 'name' | 'baseEffect' | 'minimumRole' | 'fields'>

/** Something wrong with the file, where it is. */
export interface Problem {
  readonly path: Path
  /** Completes the place: “names nothing”. */
  readonly told: string
}

/** The policy that the file asks for. Order of rules counts; order within a list, comments and spelling do not. */
export function policyOf({ approvals, policies, breakGlass, alerts }: ConfigShape): Policy {
  const quorum = quorumOf(approvals, DEFAULT_POLICY.quorum)
  const content: Omit<Policy, 'version'> = {
    rules: policies.map((rule, index) => ruleOf(rule, index, quorum)),
    quorum,
    approvalMs: approvals.expireAfter ?? DEFAULT_POLICY.approvalMs,
    breakGlassGroups: sorted(breakGlass.groups),
    acknowledge: alerts.acknowledge,
  }
  return { ...content, version: versionOf(content) }
}

/** Over everything of the policy, in the one spelling that it has by now: a property that is added is in it by itself. */
function versionOf(content: Omit<Policy, 'version'>): string {
  return createHash('sha256')
    .update(JSON.stringify([TABLE_VERSION, content]))
    .digest('hex')
}

function ruleOf(rule: RuleShape, index: number, standard: Quorum): PolicyRule {
  const { operations, roles, channels, outside, zones, decision, approvals, reason } = rule
  return {
    name: `policies[${index}]`,
    decision,
    operations: operations && sorted(operations),
    roles: roles && byRank(roles),
    channels: channels && sorted(channels),
    outside: outside && sorted(outside),
    zones: zones && sorted(zones),
    quorum: approvals && quorumOf(approvals, standard),
    reason,
  }
}

/** Who names roles or groups names all who approve; who names neither leaves that as it is. */
function quorumOf(given: NonNullable<QuorumShape>, standard: Quorum): Quorum {
  const { count = standard.count, roles, groups } = given
  if (roles === undefined && groups === undefined) return { ...standard, count }
  return { count, roles: byRank(roles ?? []), groups: sorted(groups ?? []) }
}

function byRank(roles: readonly Role[]): readonly Role[] {
  return ROLES.filter((role) => roles.includes(role))
}

function sorted<T extends string>(list: readonly T[]): readonly T[] {
  return [...new Set(list)].toSorted()
}

/** Rules that span values: what is named exists, and every rule and quorum can have an effect. */
export function policyProblems(
  { approvals, policies }: Pick<ShapedParts, 'approvals' | 'policies'>,
  operations: readonly RuledOperation[],
): readonly Problem[] {
  return [
    ...quorumProblems(approvals, ['approvals']),
    ...policies.flatMap(({ operations: named, rule }, index) => {
      const at = (...rest: readonly PropertyKey[]): Path => ['policies', index, ...rest]
      const unknown = unknownOperations(named, operations, at)
      if (rule === undefined) return unknown
      return [
        ...quorumProblems(rule.approvals, at('approvals')),
        ...(unknown.length > 0 ? unknown : idle(rule, operations, at)),
      ]
    }),
  ]
}

function quorumProblems(quorum: QuorumShape, path: Path): readonly Problem[] {
  const { roles, groups } = quorum ?? {}
  const nobody = (roles !== undefined || groups !== undefined) && (roles ?? []).length + (groups ?? []).length === 0
  return nobody ? [{ path, told: 'leaves nobody to approve: name a role or a user group' }] : []
}

type At = (...rest: readonly PropertyKey[]) => Path

function unknownOperations(named: WrittenRule['operations'], operations: readonly RuledOperation[], at: At) {
  const known = operations.map(({ name }) => name)
  return named.flatMap((name, index): readonly Problem[] => {
    if (name === undefined || known.includes(name)) return []
    const close = nearestWord(name, known)
    const told = `is no operation: ${quoted(name)}${close === undefined ? '' : `. Did you mean ${close}?`}`
    return [{ path: at('operations', index), told }]
  })
}

/** What of a rule can never have an effect, so that nobody relies on it. */
function idle(rule: RuleShape, operations: readonly RuledOperation[], at: At): readonly Problem[] {
  const { decision, channels, outside, zones = [] } = rule
  const roles = rule.roles ?? (['viewer', 'operator', 'admin'] as const)
  const named = operations.filter(({ name }) => rule.operations?.includes(name) ?? true)
  const concerned = named.filter((operation) => roles.some((role) => concerns(decision, operation, role)))
  const problems: Problem[] = (rule.operations ?? []).flatMap((name, index) => {
    const operation = named.find((each) => each.name === name)
    if (operation === undefined || concerned.includes(operation)) return []
    return [{ path: at('operations', index), told: whyIdle(decision, operation) }]
  })
  if (concerned.length === 0 && problems.length === 0) {
    problems.push({ path: at('roles'), told: 'names nobody who could do what the rule is about anyway' })
  }
  for (const [index, pair] of zones.entries()) {
    const kind = pair.replace(/\/.*$/, '')
    if (!concerned.some(({ fields }) => hasZone(fields, kind)))
      problems.push({
        path: at('zones', index),
        told: `is met by no operation of the rule: none is about a ${kind} zone`,
      })
  }
  if (channels !== undefined && channels.every((channel) => outside?.includes(channel)))
    problems.push({ path: at('outside'), told: 'leaves out every channel that the rule is for' })
  if (decision === 'deny' && rule.approvals !== undefined)
    problems.push({ path: at('approvals'), told: 'has no meaning in a rule that denies: take it out' })
  return problems
}

const APPROVED: ReadonlySet<Effect> = new Set(['write', 'billed or irreversible'])

/** Whether a rule could change what the table says to this role about this operation. */
function concerns(decision: RuleShape['decision'], operation: RuledOperation, role: Role): boolean {
  const { name, baseEffect: effect, minimumRole } = operation
  if (isForAll(operation)) return false
  const asked = { actor: { role, groups: [] }, operation: name, effect, minimumRole, channelId: undefined, zones: [] }
  if (decide({ ...DEFAULT_POLICY, acknowledge: 'viewer' }, asked).kind === 'deny') return false
  return decision === 'deny' || APPROVED.has(effect)
}

function isForAll({ baseEffect, minimumRole }: RuledOperation): boolean {
  return minimumRole === 'none' && baseEffect === 'read'
}

function whyIdle(decision: RuleShape['decision'], operation: RuledOperation): string {
  const { name, baseEffect } = operation
  if (isForAll(operation)) return `is for everybody, which no rule changes: ${name}`
  if (decision === 'approve' && !APPROVED.has(baseEffect))
    return `does not write to the platform, so nobody is asked to approve it: ${name}`
  return `is nothing that the roles of the rule may do anyway: ${name}`
}

function hasZone(fields: RuledOperation['fields'], kind: string): boolean {
  return Object.values(fields).some(({ control }) => control.kind === 'zone' && control.zoneKind === kind)
}
