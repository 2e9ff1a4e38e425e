import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml'
import * as z from 'zod'
import { DEFAULT_POLICY } from '../execution/policy/policy.ts'
import { zoneName } from '../operations/zones/zones.ts'
import { ProblemsError } from '../shared/errors.ts'
import { NO_GRANTS, type RoleGrants } from '../slack/people/role-sources.ts'
import { MAX_ZONE_NAMES } from '../store/zone-names.ts'
import { ZONE_KINDS } from '../store/schema/tables.ts'
import { buildAlertRules, Alerts } from './alert-rules.ts'
import { Approvals, buildPolicy, PolicyRules } from './policy-rules.ts'
import {
  groupId,
  listOf,
  ONCE_PARTS_ARE_RIGHT,
  quoted,
  runbookAddress,
  strict,
  userId,
  zoneId,
} from './setting-values.ts'

/** Larger than any configuration that people write by hand. */
const MAX_BYTES = 262_144
/** After the first mistakes the others are often their consequence. */
const MAX_SYNTAX_ERRORS = 3
const MAX_PROBLEMS = 20

export type FileConfig = ReturnType<typeof toConfig>

const NO_FILE: FileConfig = {
  roles: NO_GRANTS,
  zones: [],
  policy: DEFAULT_POLICY,
  alertRules: [],
  sharedChannels: [],
}

export class ConfigurationError extends ProblemsError {
  override readonly name = 'ConfigurationError'
}

/** Throws `ConfigurationError` when the file cannot be read or used. */
export function loadConfigFile(path: string | undefined, readFile: (path: string) => string): FileConfig {
  if (path === undefined) return NO_FILE
  let text
  try {
    text = readFile(path)
  } catch {
    throw new ConfigurationError([`CONFIG_FILE names ${path}, which cannot be read.`])
  }
  return parseConfig(text)
}

/** Throws `ConfigurationError`. An empty text is refused, since it may be one half written. */
export function parseConfig(text: string): FileConfig {
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw new ConfigurationError([`The file is larger than ${MAX_BYTES / 1_024} KiB.`])
  if (text.includes('\u{FFFD}')) throw new ConfigurationError(['The file is not in UTF-8.'])
  const { value, lineOf } = parseYaml(text)
  const parsed = WholeFile.safeParse(value, { error: messageFor })
  if (parsed.success) return toConfig(parsed.data)
  const problems = parsed.error.issues.flatMap(withEachKey).map((problem) => sentenceFor(problem, lineOf))
  const left = problems.length - MAX_PROBLEMS
  throw new ConfigurationError([...problems.slice(0, MAX_PROBLEMS), ...(left > 0 ? [`There are ${left} more.`] : [])])
}

type Path = readonly PropertyKey[]

function parseYaml(text: string): { readonly value: unknown; readonly lineOf: (path: Path) => number } {
  const lineCounter = new LineCounter()
  // With a log level of silence, the library would leave out a second document without a word.
  const document = parseDocument(text, { schema: 'core', stringKeys: true, logLevel: 'error', lineCounter })
  const errors = [...document.errors, ...document.warnings].slice(0, MAX_SYNTAX_ERRORS)
  // Below its first line the library quotes the text.
  if (errors.length > 0)
    throw new ConfigurationError(errors.map(({ message }) => `${quoted(message.replace(/:\n.*/s, ''))}.`))
  if (document.contents === null)
    throw new ConfigurationError(['The file holds nothing. For no rules at all, write {}.'])
  const lineOf = (path: Path): number => {
    const parent = document.getIn(path.slice(0, -1), true)
    const pair = isMap(parent) && parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
    const node = pair ? pair.key : document.getIn(path, true)
    if (isNode(node) && node.range) return lineCounter.linePos(node.range[0]).line
    // What is missing has the line of what it should be in.
    return lineOf(path.slice(0, -1))
  }
  try {
    return { value: document.toJS(), lineOf }
  } catch (error) {
    // An alias of nothing, or of too much.
    throw new ConfigurationError([`${quoted(error instanceof Error ? error.message : 'It cannot be read')}.`])
  }
}

const grant = { users: listOf(userId).default([]), groups: listOf(groupId).default([]) }
const Roles = strict({
  admin: strict(grant).prefault({}),
  operator: strict(grant).prefault({}),
  viewer: strict({ ...grant, everybody: z.boolean().default(false) }).prefault({}),
})

const name = z.string().transform((typed, context): string => {
  const read = zoneName.read([typed], { now: new Date(0), zones: [], timeZone: 'UTC' })
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

function toConfig({ roles, zones, approvals, policies, breakGlass, alerts }: z.output<typeof WholeFile>) {
  const toGrant = ({ users, groups }: typeof roles.admin, everybody = false): RoleGrants['viewer'] => ({
    users: new Set(users),
    groups: new Set(groups),
    everybody,
  })
  return {
    roles: {
      admin: toGrant(roles.admin),
      operator: toGrant(roles.operator),
      viewer: toGrant(roles.viewer, roles.viewer.everybody),
    },
    // Nobody removes these names by command.
    zones: zones.map(({ id, ...zone }) => ({ ...zone, zoneId: id, managed: true as const })),
    policy: buildPolicy(approvals, policies, breakGlass.groups, alerts.acknowledge),
    alertRules: buildAlertRules(alerts.rules),
    sharedChannels: alerts.sharedChannels,
  }
}

/** What the schema says where it has no words of its own, for somebody who writes the file. */
function messageFor(issue: z.core.$ZodRawIssue): string | undefined {
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

type Problem = Pick<z.core.$ZodIssue, 'path' | 'message'>

function withEachKey(issue: z.core.$ZodIssue): readonly Problem[] {
  const { path, message } = issue
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ({ path: [...path, key], message })) : [issue]
}

function sentenceFor({ path, message }: Problem, lineOf: (path: Path) => number): string {
  const keys = path.map((key) => (typeof key === 'number' ? key : quoted(String(key))))
  const place = path.length === 0 ? 'The file' : `${z.core.toDotPath(keys)} (line ${lineOf(path)})`
  const sentence = /^\p{Lu}/u.test(message) ? `${place}: ${message}` : `${place} ${message}`
  return /[.?]$/.test(sentence) ? sentence : `${sentence}.`
}
