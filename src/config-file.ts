import type * as z from 'zod'
import { alertProblems, alertRulesOf } from './config-file-alerts.ts'
import { type Problem, policyOf, policyProblems, type RuledOperation } from './config-file-policy.ts'
import { ConfigShape, type ShapedParts, shapedParts } from './config-file-shape.ts'
import { type Path, quoted, readConfigText } from './config-file-text.ts'
import type { Policy } from './execution/policy.ts'
import type { NamedZone } from './operations/field.ts'
import type { RoleGrants } from './slack/role-sources.ts'
import type { AlertRule } from './store/alert-records.ts'

/** More are not read by anybody; the rest is counted. */
const MAX_PROBLEMS = 20

/** What a configuration file says. */
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

/**
 * Reads the text of a configuration file. Pure; `operations` are what its rules can be about, and `opsChannel` is told of
 * what concerns whoever runs the bot.
 */
export function readConfigFile(
  text: string,
  operations: readonly RuledOperation[],
  { opsChannel }: { readonly opsChannel?: string | undefined } = {},
): ReadConfig {
  const read = readConfigText(text)
  if (!read.ok) return read
  const parsed = ConfigShape.safeParse(read.value)
  const misshapen = parsed.success ? [] : parsed.error.issues.flatMap((issue) => shapeProblems(issue, read.value))
  const parts = shapedParts(read.value)
  const problems = [
    ...misshapen,
    ...zoneProblems(parts),
    ...policyProblems(parts, operations),
    ...alertProblems(parts.alertRules),
  ]
  if (parsed.success && problems.length === 0) return { ok: true, config: configOf(parsed.data, opsChannel) }
  const told = problems.map((problem) => sentence(problem, read.lineOf))
  const left = told.length - MAX_PROBLEMS
  return { ok: false, problems: left > 0 ? [...told.slice(0, MAX_PROBLEMS), `There are ${left} more.`] : told }
}

function configOf(shape: ConfigShape, opsChannel: string | undefined): FileConfig {
  const { admin, operator, viewer } = shape.roles
  const grant = ({ users, groups }: typeof admin, everybody = false): RoleGrants['viewer'] => ({
    users: new Set(users),
    groups: new Set(groups),
    everybody,
  })
  return {
    roles: { admin: grant(admin), operator: grant(operator), viewer: grant(viewer, viewer.everybody) },
    zones: shape.zones.map(({ kind, id, name }) => ({ kind, name, zoneId: id })),
    policy: policyOf(shape),
    alertRules: alertRulesOf(shape.alerts, opsChannel),
    sharedChannels: shape.alerts.sharedChannels,
  }
}

function zoneProblems({ zones }: Pick<ShapedParts, 'zones'>): readonly Problem[] {
  const seen = new Set<string>()
  return zones.flatMap((zone, index) => {
    if (zone === undefined) return []
    const { kind, name } = zone
    const key = `${kind}/${name.toLowerCase()}`
    if (seen.has(key)) return [{ path: ['zones', index, 'name'], told: `is already the name of another ${kind} zone` }]
    seen.add(key)
    return []
  })
}

/** What the schema says, in words for somebody who writes the file. */
function shapeProblems(issue: z.core.$ZodIssue, value: unknown): readonly Problem[] {
  const { path } = issue
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], told: issue.message }))
    case 'invalid_type':
    case 'invalid_value': {
      const given = valueAt(value, path)
      if (given === undefined) return [{ path, told: 'is not given' }]
      if (given === null) return [{ path, told: 'is empty: fill it or take it out' }]
      return [{ path, told: issue.message.startsWith('Invalid') ? wrongKind(issue) : issue.message }]
    }
    default:
      return [{ path, told: issue.message }]
  }
}

function wrongKind(issue: z.core.$ZodIssueInvalidType | z.core.$ZodIssueInvalidValue): string {
  if (issue.code === 'invalid_value') return `is none of ${issue.values.join(', ')}`
  return `is not ${EXPECTED[issue.expected] ?? issue.expected}`
}

const EXPECTED: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'a map of names and values',
  string: 'text: put it in quotes',
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Object.getOwnPropertyDescriptor(at, key)?.value : undefined),
    value,
  )
}

function sentence({ path, told }: Problem, lineOf: (path: Path) => number): string {
  const place = path.length === 0 ? 'The file' : `${placeOf(path)} (line ${lineOf(path)})`
  const said = /^\p{Lu}/u.test(told) ? `${place}: ${told}` : `${place} ${told}`
  return /[.?]$/.test(said) ? said : `${said}.`
}

function placeOf(path: Path): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${quoted(String(key))}`))
    .join('')
}
