import { createHash } from 'node:crypto'
import parseDuration from 'parse-duration'
import * as z from 'zod'
import { decide, DEFAULT_POLICY, type Policy, type PolicyRule, TABLE_VERSION } from '../execution/policy.ts'
import { readId } from '../operations/fields.ts'
import { OPERATIONS } from '../operations/index.ts'
import { nearestWord } from '../operations/nearest-word.ts'
import type { Operation } from '../operations/operation.ts'
import { type Effect, type Quorum, type Role, ROLES } from '../operations/role.ts'
import { DAY_MS, MINUTE_MS } from '../shared/durations.ts'
import { ZONE_KINDS } from '../store/zone-names.ts'
import { quoted } from './file-text.ts'
import { channelId, groupId, listOf, ONCE_PARTS_ARE_RIGHT, otherType, strict, textAs } from './values.ts'

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

const wait = textAs((text) => {
  const ms = /^(\d+\s*[a-z]+\s*)+$/i.test(text) ? parseDuration(text) : undefined
  return typeof ms === 'number' && ms >= LEAST_WAIT_MS && ms <= LONGEST_WAIT_MS ? ms : undefined
}, 'is not a time from 5m to 7d, such as 8h')

/** How many have to approve, who may, and how long that may take. */
export const Approvals = strict({ ...quorum, expireAfter: wait.optional() }).refine(hasSomebody, NOBODY)
type Approvals = Readonly<z.output<typeof Approvals>>

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
  decision: z.enum(
    ['approve', 'deny'],
    otherType('is neither approve nor deny: a rule only tightens what roles allow'),
  ),
  approvals: strict(quorum).refine(hasSomebody, NOBODY).optional(),
  reason: z
    .string()
    .trim()
    .regex(/^[^\n]+$/, 'is not one line of text')
    .max(MAX_REASON_CHARACTERS, `is longer than ${MAX_REASON_CHARACTERS} characters`)
    .optional(),
}).superRefine((rule, context) => {
  for (const { path, message } of idle(rule)) context.addIssue({ code: 'custom', path: [...path], message })
}, ONCE_PARTS_ARE_RIGHT)
type WrittenRule = Readonly<z.output<typeof WrittenRule>>

/** Rules that make the policy stricter, in the order in which they are asked. */
export const PolicyRules = z.array(WrittenRule).max(MAX_RULES, `has more than ${MAX_RULES} rules`)

interface Idle {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** What of a rule can never have an effect, so that nobody relies on it. */
function idle(rule: WrittenRule): readonly Idle[] {
  const { decision, channels, outside, zones = [] } = rule
  const roles = rule.roles ?? (['viewer', 'operator', 'admin'] as const)
  const named = OPERATIONS.filter(({ name }) => rule.operations?.includes(name) ?? true)
  const concerned = named.filter((operation) => roles.some((role) => concerns(decision, operation, role)))
  const problems: Idle[] = (rule.operations ?? []).flatMap((name, index) => {
    const operation = named.find((each) => each.name === name)
    if (operation === undefined || concerned.includes(operation)) return []
    return [{ path: ['operations', index], message: whyIdle(decision, operation) }]
  })
  if (concerned.length === 0 && problems.length === 0) {
    problems.push({ path: ['roles'], message: 'names nobody who could do what the rule is about anyway' })
  }
  for (const [index, pair] of zones.entries()) {
    const kind = pair.replace(/\/.*$/, '')
    if (!concerned.some(({ fields }) => hasZone(fields, kind)))
      problems.push({
        path: ['zones', index],
        message: `is met by no operation of the rule: none is about a ${kind} zone`,
      })
  }
  if (channels !== undefined && channels.every((channel) => outside?.includes(channel)))
    problems.push({ path: ['outside'], message: 'leaves out every channel that the rule is for' })
  if (decision === 'deny' && rule.approvals !== undefined)
    problems.push({ path: ['approvals'], message: 'has no meaning in a rule that denies: take it out' })
  return problems
}

const APPROVED: ReadonlySet<Effect> = new Set(['write', 'billed or irreversible'])

/** Whether a rule could change what the table says to this role about this operation. */
function concerns(decision: WrittenRule['decision'], operation: Operation, role: Role): boolean {
  const { name, baseEffect: effect, minimumRole } = operation
  if (isForAll(operation)) return false
  const asked = { actor: { role, groups: [] }, operation: name, effect, minimumRole, channelId: undefined, zones: [] }
  if (decide({ ...DEFAULT_POLICY, acknowledge: 'viewer' }, asked).kind === 'deny') return false
  return decision === 'deny' || APPROVED.has(effect)
}

function isForAll({ baseEffect, minimumRole }: Operation): boolean {
  return minimumRole === 'none' && baseEffect === 'read'
}

function whyIdle(decision: WrittenRule['decision'], operation: Operation): string {
  const { name, baseEffect } = operation
  if (isForAll(operation)) return `is for everybody, which no rule changes: ${name}`
  if (decision === 'approve' && !APPROVED.has(baseEffect))
    return `does not write to the platform, so nobody is asked to approve it: ${name}`
  return `is nothing that the roles of the rule may do anyway: ${name}`
}

function hasZone(fields: Operation['fields'], kind: string): boolean {
  return Object.values(fields).some(({ control }) => control.kind === 'zone' && control.zoneKind === kind)
}

export interface WrittenPolicy {
  readonly approvals: Approvals
  readonly rules: readonly WrittenRule[]
  readonly breakGlassGroups: readonly string[]
  readonly acknowledge: Policy['acknowledge']
}

/** The policy that the file asks for. Order of rules counts; order within a list, comments and spelling do not. */
export function policyOf({ approvals, rules, breakGlassGroups, acknowledge }: WrittenPolicy): Policy {
  const standard = quorumOf(approvals, DEFAULT_POLICY.quorum)
  const content: Omit<Policy, 'version'> = {
    rules: rules.map((rule, index) => ruleOf(rule, index, standard)),
    quorum: standard,
    approvalMs: approvals.expireAfter ?? DEFAULT_POLICY.approvalMs,
    breakGlassGroups: sorted(breakGlassGroups),
    acknowledge,
  }
  return { ...content, version: versionOf(content) }
}

/** Over everything of the policy, in the one spelling that it has by now: a property that is added is in it by itself. */
function versionOf(content: Omit<Policy, 'version'>): string {
  return createHash('sha256')
    .update(JSON.stringify([TABLE_VERSION, content]))
    .digest('hex')
}

function ruleOf(rule: WrittenRule, index: number, standard: Quorum): PolicyRule {
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
function quorumOf({ count, roles, groups }: WrittenQuorum, standard: Quorum): Quorum {
  const counted = { ...standard, count: count ?? standard.count }
  if (roles === undefined && groups === undefined) return counted
  return { ...counted, roles: byRank(roles ?? []), groups: sorted(groups ?? []) }
}

function byRank(roles: readonly Role[]): readonly Role[] {
  return ROLES.filter((role) => roles.includes(role))
}

function sorted<T extends string>(list: readonly T[]): readonly T[] {
  return [...new Set(list)].toSorted()
}
