import * as z from 'zod'
import type { Policy } from '../execution/policy.ts'
import type { NamedZone } from '../operations/field.ts'
import { zoneName } from '../operations/zones/zones.ts'
import type { RoleGrants } from '../slack/role-sources.ts'
import type { AlertRule } from '../store/alert-records.ts'
import { MAX_ZONE_NAMES, ZONE_KINDS } from '../store/zone-names.ts'
import { alertRulesOf, Alerts } from './alert-rules.ts'
import { type Path, quoted, readConfigText } from './file-text.ts'
import { Approvals, policyOf, PolicyRules } from './policy-rules.ts'
import { groupId, listOf, ONCE_PARTS_ARE_RIGHT, runbookAddress, strict, userId, zoneId } from './values.ts'

/** More are not read by anybody; the rest is counted. */
const MAX_PROBLEMS = 20

export interface FileConfig {
  readonly roles: RoleGrants
  readonly zones: readonly NamedZone[]
  readonly policy: Policy
  /** Alert rules that no command changes. */
  readonly alertRules: readonly AlertRule[]
  /** Channels shared with other organisations in which there may be alerts. */
  readonly sharedChannels: readonly string[]
}

/** A configuration, or all that is wrong with the text, each as a sentence with place and line. */
export type ReadConfig =
  | { readonly ok: true; readonly config: FileConfig }
  | { readonly ok: false; readonly problems: readonly string[] }

export function readConfigFile(text: string): ReadConfig {
  const read = readConfigText(text)
  if (!read.ok) return read
  const parsed = WholeFile.safeParse(read.value, { error: wordsFor })
  if (parsed.success) return { ok: true, config: configOf(parsed.data) }
  const problems = parsed.error.issues.flatMap(problemsOf)
  const told = problems.slice(0, MAX_PROBLEMS).map((problem) => sentenceFor(problem, read.lineOf))
  const left = problems.length - told.length
  return { ok: false, problems: left > 0 ? [...told, `There are ${left} more.`] : told }
}

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
const NO_ALERTS = 'has no meaning for a dns zone, which no alert is about: take it out'
const Zones = z
  .array(strict({ kind: z.enum(ZONE_KINDS), id: zoneId, name, runbook: runbookAddress.optional() }))
  .max(MAX_ZONE_NAMES, `has more than ${MAX_ZONE_NAMES} entries`)
  .superRefine((zones, context) => {
    const seen = new Set<string>()
    for (const [index, zone] of zones.entries()) {
      const key = `${zone.kind}/${zone.name.toLowerCase()}`
      const message = `is already the name of another ${zone.kind} zone`
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [index, 'name'], message })
      seen.add(key)
      if (zone.kind === 'dns' && zone.runbook !== undefined)
        context.addIssue({ code: 'custom', path: [index, 'runbook'], message: NO_ALERTS })
    }
  }, ONCE_PARTS_ARE_RIGHT)

/** What is left out is as without a file. */
const WholeFile = strict({
  roles: Roles.prefault({}),
  zones: Zones.default([]),
  approvals: Approvals.default({}),
  policies: PolicyRules.default([]),
  breakGlass: strict({ groups: listOf(groupId) }).default({ groups: [] }),
  alerts: Alerts.prefault({}),
})

function configOf(file: z.output<typeof WholeFile>): FileConfig {
  const { roles, zones, approvals, policies, breakGlass, alerts } = file
  const given = ({ users, groups }: typeof roles.admin, everybody = false): RoleGrants['viewer'] => ({
    users: new Set(users),
    groups: new Set(groups),
    everybody,
  })
  return {
    roles: {
      admin: given(roles.admin),
      operator: given(roles.operator),
      viewer: given(roles.viewer, roles.viewer.everybody),
    },
    // Nobody removes these names by command.
    zones: zones.map(({ id, ...zone }) => ({ ...zone, zoneId: id, managed: true })),
    policy: policyOf({
      approvals,
      rules: policies,
      breakGlassGroups: breakGlass.groups,
      acknowledge: alerts.acknowledge,
    }),
    alertRules: alertRulesOf(alerts.rules),
    sharedChannels: alerts.sharedChannels,
  }
}

/** What the schema says where it has no words of its own, for somebody who writes the file. */
function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is not given'
  if (issue.input === null) return 'is empty: fill it or take it out'
  if (issue.code === 'invalid_value') return `is none of ${issue.values.join(', ')}`
  return issue.code === 'invalid_type' ? `is not ${EXPECTED[issue.expected] ?? issue.expected}` : undefined
}

const EXPECTED: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  object: 'a map of names and values',
  string: 'text: put it in quotes',
}

interface Problem {
  readonly path: Path
  readonly message: string
}

function problemsOf(issue: z.core.$ZodIssue): readonly Problem[] {
  const { path, message } = issue
  return issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ path: [...path, key], message }))
    : [{ path, message }]
}

function sentenceFor({ path, message }: Problem, lineOf: (path: Path) => number): string {
  const place = path.length === 0 ? 'The file' : `${placeOf(path)} (line ${lineOf(path)})`
  const said = /^\p{Lu}/u.test(message) ? `${place}: ${message}` : `${place} ${message}`
  return /[.?]$/.test(said) ? said : `${said}.`
}

function placeOf(path: Path): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${quoted(String(key))}`))
    .join('')
}
