import { createHash } from 'node:crypto'
import * as z from 'zod'
import { decide, DEFAULT_POLICY, type Policy, type PolicyRule, TABLE_VERSION } from '../execution/policy/policy.ts'
import { readId } from '../operations/declaration/fields.ts'
import { OPERATIONS } from '../operations/index.ts'
import { nearestWord } from '../operations/declaration/nearest-word.ts'
import type { Operation } from '../operations/declaration/operation.ts'
import { type Effect, type Quorum, type Role, ROLES } from '../operations/declaration/role.ts'
import { DAY_MS, MINUTE_MS } from '../shared/durations.ts'
import { ZONE_KINDS } from '../store/schema/tables.ts'
import { channelId, groupId, lengthOfTime, listOf, ONCE_PARTS_ARE_RIGHT, quoted, strict } from './setting-values.ts'

const MAX_RULES = 200
/** More approvals than anybody gathers in time. */
const MAX_COUNT = 10
const MAX_REASON_CHARACTERS = 300
const LEAST_WAIT_MS = 5 * MINUTE_MS
const LONGEST_WAIT_MS = 7 * DAY_MS

/** The roles that may approve. Somebody in one of the user groups may besides, whatever their role. */
const quorum = {
  count: z
    .int(`is not a whole number from 1 to ${MAX_COUNT}`)
    .min(1, 'is less than 1')
    .max(MAX_COUNT, `is more than ${MAX_COUNT}`)
    .optional(),
  roles: listOf(z.enum(['operator', 'admin'])).optional(),
  groups: listOf(groupId).optional(),
}
type WrittenQuorum = Readonly<z.output<z.ZodObject<typeof quorum>>>

function hasSomebody({ roles, groups }: WrittenQuorum): boolean {
  return (roles === undefined && groups === undefined) || (roles ?? []).length + (groups ?? []).length > 0
}
const NOBODY = 'leaves nobody to approve: name a role or a user group'

const wait = lengthOfTime(LEAST_WAIT_MS, LONGEST_WAIT_MS, 'is not a time from 5m to 7d, such as 8h')

export const Approvals = strict({ ...quorum, expireAfter: wait.optional() }).refine(hasSomebody, NOBODY)

const NAMES = OPERATIONS.map(({ name }) => name)
const operationName = z.string().refine((name) => NAMES.includes(name), {
  error: ({ input }) => {
    const close = nearestWord(String(input), NAMES)
    return `is no operation: ${quoted(String(input))}${close === undefined ? '' : `. Did you mean ${close}?`}`
  },
})

const ZONE_PAIR = new RegExp(`^(?:${ZONE_KINDS.join('|')})/(\\d+)$`)
const NO_ZONE = 'is not a kind and an id such as dns/201'
const zonePair = z.string(NO_ZONE).refine((pair) => readId(ZONE_PAIR.exec(pair)?.[1] ?? '') !== undefined, NO_ZONE)

const WrittenRule = strict({
  operations: listOf(operationName, 1).optional(),
  roles: listOf(z.enum(['viewer', 'operator', 'admin']), 1).optional(),
  channels: listOf(channelId, 1).optional(),
  outside: listOf(channelId, 1).optional(),
  zones: listOf(zonePair, 1).optional(),
  /** A rule only tightens what roles allow. */
  decision: z.enum(['approve', 'deny']),
  approvals: strict(quorum).refine(hasSomebody, NOBODY).optional(),
  reason: z
    .string()
    .trim()
    .regex(/^[^\n]+$/, 'is not one line of text')
    .max(MAX_REASON_CHARACTERS, `is longer than ${MAX_REASON_CHARACTERS} characters`)
    .optional(),
}).superRefine((rule, context) => {
  for (const { path, message } of findEffectless(rule)) context.addIssue({ code: 'custom', path: [...path], message })
}, ONCE_PARTS_ARE_RIGHT)
type WrittenRule = Readonly<z.output<typeof WrittenRule>>

export const PolicyRules = z.array(WrittenRule).max(MAX_RULES, `has more than ${MAX_RULES} rules`)

/** Parts of a rule that can never have an effect: somebody would rely on them. */
function findEffectless(rule: WrittenRule): readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[] {
  const { decision, channels, outside, zones = [], roles = ['viewer', 'operator', 'admin'] } = rule
  const named = OPERATIONS.filter(({ name }) => rule.operations?.includes(name) ?? true)
  const affected = named.filter((operation) => roles.some((role) => isAffected(operation, role, decision)))
  const problems = (rule.operations ?? []).flatMap((name, index) => {
    const operation = named.find((each) => each.name === name)
    if (operation === undefined || affected.includes(operation)) return []
    return [{ path: ['operations', index], message: whyUnaffected(operation, decision) }]
  })
  if (affected.length === 0 && problems.length === 0)
    problems.push({ path: ['roles'], message: 'names nobody who could do what the rule is about anyway' })
  for (const [index, pair] of zones.entries()) {
    const kind = pair.replace(/\/.*$/, '')
    const message = `is met by no operation of the rule: none is about a ${kind} zone`
    if (!affected.some(({ fields }) => hasZone(fields, kind))) problems.push({ path: ['zones', index], message })
  }
  if (channels !== undefined && channels.every((channel) => outside?.includes(channel)))
    problems.push({ path: ['outside'], message: 'leaves out every channel that the rule is for' })
  if (decision === 'deny' && rule.approvals !== undefined)
    problems.push({ path: ['approvals'], message: 'has no meaning in a rule that denies: take it out' })
  return problems
}

const APPROVED: ReadonlySet<Effect> = new Set(['write', 'billed or irreversible'])

function isAffected(operation: Operation, role: Role, decision: WrittenRule['decision']): boolean {
  const { name, baseEffect: effect, minimumRole } = operation
  if (isForAll(operation)) return false
  const request = { actor: { role, groups: [] }, operation: name, effect, minimumRole, channelId: undefined, zones: [] }
  if (decide({ ...DEFAULT_POLICY, acknowledge: 'viewer' }, request).kind === 'deny') return false
  return decision === 'deny' || APPROVED.has(effect)
}

function isForAll({ baseEffect, minimumRole }: Operation): boolean {
  return minimumRole === 'none' && baseEffect === 'read'
}

function whyUnaffected(operation: Operation, decision: WrittenRule['decision']): string {
  const { name, baseEffect } = operation
  if (isForAll(operation)) return `is for everybody, which no rule changes: ${name}`
  if (decision === 'approve' && !APPROVED.has(baseEffect))
    return `does not write to the CDN, so nobody is asked to approve it: ${name}`
  return `is nothing that the roles of the rule may do anyway: ${name}`
}

function hasZone(fields: Operation['fields'], kind: string): boolean {
  return Object.values(fields).some(({ control }) => control.kind === 'zone' && control.zoneKind === kind)
}

/** The policy that the file asks for. Order of rules counts; order within a list, comments and spelling do not. */
export function buildPolicy(
  approvals: z.output<typeof Approvals>,
  rules: readonly WrittenRule[],
  breakGlassGroups: readonly string[],
  acknowledge: Policy['acknowledge'],
): Policy {
  const quorum = buildQuorum(approvals, DEFAULT_POLICY.quorum)
  const content: Omit<Policy, 'version'> = {
    rules: rules.map((rule, index) => buildRule(rule, index, quorum)),
    quorum,
    approvalMs: approvals.expireAfter ?? DEFAULT_POLICY.approvalMs,
    breakGlassGroups: sorted(breakGlassGroups),
    acknowledge,
  }
  // Over everything of the policy: a property that is added is in the version by itself.
  const version = createHash('sha256')
    .update(JSON.stringify([TABLE_VERSION, content]))
    .digest('hex')
  return { ...content, version }
}

function buildRule(rule: WrittenRule, index: number, standard: Quorum): PolicyRule {
  const { operations, roles, channels, outside, zones, decision, approvals, reason } = rule
  return {
    name: `policies[${index}]`,
    decision,
    operations: operations && sorted(operations),
    roles: roles && byRank(roles),
    channels: channels && sorted(channels),
    outside: outside && sorted(outside),
    zones: zones && sorted(zones),
    quorum: approvals && buildQuorum(approvals, standard),
    reason,
  }
}

/** Who names roles or groups names all who approve; who names neither leaves that as it is. */
function buildQuorum({ count, roles, groups }: WrittenQuorum, standard: Quorum): Quorum {
  const counted = { ...standard, count: count ?? standard.count }
  if (roles === undefined && groups === undefined) return counted
  return { ...counted, roles: byRank(roles ?? []), groups: sorted(groups ?? []) }
}

function byRank<Named extends Role>(roles: readonly Named[]): readonly Named[] {
  return [...new Set(roles)].toSorted((a, b) => ROLES.indexOf(a) - ROLES.indexOf(b))
}

function sorted<T extends string>(list: readonly T[]): readonly T[] {
  return [...new Set(list)].toSorted()
}
