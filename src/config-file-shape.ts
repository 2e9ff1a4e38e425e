import parseDuration from 'parse-duration'
import * as z from 'zod'
import { AlertsShape, type AlertRuleShape, shapedAlertRules } from './config-file-alerts-shape.ts'
import { channelId, groupId, listOf, MAX_LISTED, strict, userId, zoneId } from './config-file-parts.ts'
import { DAY_MS } from './operations/time-field.ts'
import { readId } from './operations/fields.ts'
import { zoneName } from './operations/zones/zone-name-fields.ts'
import { MAX_ZONE_NAMES, ZONE_KINDS } from './store/zone-names.ts'

/** The parts of a configuration file, each checked for itself. A message completes “place (line 3) …”, or is a sentence. */

const MAX_RULES = 200
/** More approvals than anybody gathers in time. */
const MAX_COUNT = 10
const MAX_REASON_CHARACTERS = 300
const LEAST_WAIT_MS = 5 * 60_000
const LONGEST_WAIT_MS = 7 * DAY_MS

const grant = { users: listOf(userId).default([]), groups: listOf(groupId).default([]) }
const Roles = strict({
  admin: strict(grant).prefault({}),
  operator: strict(grant).prefault({}),
  viewer: strict({ ...grant, everybody: z.boolean().default(false) }).prefault({}),
})

const name = z.string().transform((given, context): string => {
  const read = zoneName.read([given], { now: new Date(0), zones: [], timeZone: 'UTC' })
  if (read.ok) return read.value
  context.addIssue({ code: 'custom', message: read.problem })
  return z.NEVER
})
const Zone = strict({ kind: z.enum(ZONE_KINDS), id: zoneId, name })

const NO_WAIT = 'is not a time from 5m to 7d, such as 8h'

/** The roles that may approve. Somebody in one of the user groups may besides, whatever their role. */
const approver = z.enum(['operator', 'admin'])
const quorum = {
  count: z
    .int(`is not a whole number from 1 to ${MAX_COUNT}`)
    .min(1, 'is less than 1')
    .max(MAX_COUNT, `is more than ${MAX_COUNT}`)
    .optional(),
  roles: listOf(approver).optional(),
  groups: listOf(groupId).optional(),
}

const wait = z.string(NO_WAIT).transform((given, context): number => {
  const ms = /^(\d+\s*[a-z]+\s*)+$/i.test(given) ? parseDuration(given) : undefined
  if (typeof ms === 'number' && ms >= LEAST_WAIT_MS && ms <= LONGEST_WAIT_MS) return ms
  context.addIssue({ code: 'custom', message: NO_WAIT })
  return z.NEVER
})

const ZONE_PAIR = new RegExp(`^(?:${ZONE_KINDS.join('|')})/(\\d+)$`)
const NO_ZONE = 'is not a kind and an id such as dns/201'
const zonePair = z.string(NO_ZONE).refine((pair) => readId(ZONE_PAIR.exec(pair)?.[1] ?? '') !== undefined, NO_ZONE)

const Rule = strict({
  operations: listOf(z.string(), 1).optional(),
  roles: listOf(z.enum(['viewer', 'operator', 'admin']), 1).optional(),
  channels: listOf(channelId, 1).optional(),
  outside: listOf(channelId, 1).optional(),
  zones: listOf(zonePair, 1).optional(),
  decision: z.enum(['approve', 'deny'], {
    error: ({ input }) =>
      input === undefined ? undefined : 'is neither approve nor deny: a rule only tightens what roles allow',
  }),
  approvals: strict(quorum).optional(),
  reason: z
    .string()
    .trim()
    .regex(/^[^\n]+$/, 'is not one line of text')
    .max(MAX_REASON_CHARACTERS, `is longer than ${MAX_REASON_CHARACTERS} characters`)
    .optional(),
})
export type RuleShape = Readonly<z.output<typeof Rule>>
export type QuorumShape = Readonly<Pick<RuleShape, 'approvals'>>['approvals']

const Approvals = strict({ ...quorum, expireAfter: wait.optional() })

/** A whole configuration file. What is left out is as without a file. */
export const ConfigShape = strict({
  roles: Roles.prefault({}),
  zones: z.array(Zone).max(MAX_ZONE_NAMES, `has more than ${MAX_ZONE_NAMES} entries`).default([]),
  approvals: Approvals.default({}),
  policies: z.array(Rule).max(MAX_RULES, `has more than ${MAX_RULES} rules`).default([]),
  breakGlass: strict({ groups: listOf(groupId) }).default({ groups: [] }),
  alerts: AlertsShape.prefault({}),
})
export type ConfigShape = Readonly<z.output<typeof ConfigShape>>

/** A rule as it is written: what it names, and all of it where its form is right. */
export interface WrittenRule {
  /** Undefined in the place of what is no text. */
  readonly operations: readonly (string | undefined)[]
  readonly rule: RuleShape | undefined
}

/** The parts that are looked at further, each where it stands, although others have mistakes of form. */
export interface ShapedParts {
  readonly zones: readonly (Readonly<z.output<typeof Zone>> | undefined)[]
  readonly approvals: QuorumShape
  readonly policies: readonly WrittenRule[]
  readonly alertRules: readonly (AlertRuleShape | undefined)[]
}

const LooseNames = z.object({ operations: z.array(z.string().optional().catch(undefined)).catch([]) })
const LooseParts = z.object({
  zones: z.array(Zone.optional().catch(undefined)).catch([]),
  approvals: Approvals.optional().catch(undefined),
  policies: z.array(z.unknown()).catch([]),
  alerts: z.unknown().optional(),
})

/** What can be looked at of a file, whatever is wrong with the form of the rest. */
export function shapedParts(value: unknown): ShapedParts {
  const nothing = { zones: [], approvals: undefined, policies: [], alerts: undefined }
  const { zones, approvals, policies, alerts } = LooseParts.catch(nothing).parse(value)
  return {
    zones: zones.slice(0, MAX_ZONE_NAMES),
    approvals,
    policies: policies.slice(0, MAX_RULES).map((written) => ({
      operations: LooseNames.catch({ operations: [] }).parse(written).operations.slice(0, MAX_LISTED),
      rule: Rule.safeParse(written).data,
    })),
    alertRules: shapedAlertRules(alerts),
  }
}
