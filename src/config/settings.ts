import * as z from 'zod'
import { defaultDialect } from '../cdn/dialect.ts'
import { LOG_FIELDS } from '../cdn/log-entry.ts'
import { LOG_LEVELS } from '../shared/log.ts'
import {
  baseUrl,
  channelId,
  fieldAliases,
  listenAddress,
  onlyPlaceholders,
  panelTemplate,
  peopleList,
  peopleOrEverybody,
  seconds,
  secret,
  secretAddress,
  someOf,
} from './values.ts'

/** A misspelt scheme would otherwise become the name of a file. */
function isStoreUrl(text: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text))
}

/** Every setting there is: name, meaning, rule and default. `.github/docs/configuration.md` lists them from this. */
export const Settings = z.object({
  SLACK_BOT_TOKEN: secret(/^xoxb-[\x21-\x7e]+$/, 'does not start with xoxb-').describe('Bot token of the Slack app.'),
  SLACK_APP_TOKEN: secret(/^xapp-[\x21-\x7e]+$/, 'does not start with xapp-')
    .optional()
    .describe('App-level token with `connections:write`, for Socket Mode. This or SLACK_SIGNING_SECRET.'),
  SLACK_SIGNING_SECRET: secret()
    .refine((key) => key.reveal().length >= 16, 'is shorter than 16 characters')
    .optional()
    .describe('Signing secret of the Slack app, for requests over HTTP, which need PORT. This or SLACK_APP_TOKEN.'),
  PORT: listenAddress
    .optional()
    .describe('`port` or `host:port` where Slack’s requests come, behind something that ends TLS.'),
  SLACK_API_URL: baseUrl.prefault('https://slack.com/api/').describe('Where Slack’s Web API is.'),
  CDN_API_URL: baseUrl.describe('Base address of the platform’s management interface.'),
  CDN_LOGGING_URL: baseUrl.describe('Base address of the platform’s logging interface.'),
  CDN_API_KEY: secret().optional().describe('API key, sent as `AccessKey`. This or CDN_BEARER_TOKEN.'),
  CDN_BEARER_TOKEN: secret().optional().describe('Token sent as `Authorization: Bearer …`. This or CDN_API_KEY.'),
  CDN_PANEL_URL: panelTemplate
    .optional()
    .describe(
      'Template of links into the platform’s panel: `{place}` is storage-zone, pull-zone, dns-zone or video-library, `{id}` its id.',
    ),
  STORE_URL: z
    .string()
    .refine(isStoreUrl, 'is neither the path of a file nor postgres://…')
    .default('./.data/cdn-ops.sqlite')
    .describe('Where the record is kept: a path for SQLite, or `postgres://…`.'),
  AUDIT_KEY: secret()
    .refine((key) => key.reveal().length >= 16, 'is shorter than 16 characters')
    .optional()
    .describe(
      'Key of the audit log’s chain, kept out of the database. Without it the log can be checked for accidents only.',
    ),
  OPS_CHANNEL: channelId
    .optional()
    .describe('Channel id for approvals, unknown outcomes and warnings. Needed for approvals; invite the bot.'),
  COMMAND: z
    .string()
    .regex(/^\/[a-z0-9_-]{1,31}$/, 'is not a slash command of at most 32 lower-case letters, digits, - and _')
    .default('/cdn')
    .describe('The slash command, as in the manifest.'),
  ADMINS: peopleList.prefault('').describe('Slack user ids with the role admin, separated by commas.'),
  OPERATORS: peopleList.prefault('').describe('Slack user ids with the role operator.'),
  VIEWERS: peopleOrEverybody
    .prefault('')
    .describe('Slack user ids with the role viewer, or `*` for every full member.'),
  CONFIG_FILE: z
    .string()
    .optional()
    .describe('Path of the configuration file: more roles, names of zones, and rules for who approves what.'),
  CHANGE_LEASE: seconds(2, 3_600)
    .prefault('60')
    .describe(
      'Seconds after which a write that is being sent, and of which nothing is heard, counts as unknown. Longer than the 30 that a call may take.',
    ),
  MARK_RECORDS: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      '`on` or `off`: whether a DNS record whose comment was left empty gets the id of the change as its comment.',
    ),
  ALERT_WEBHOOK_URL: secretAddress
    .optional()
    .describe('Address that gets every alert as JSON in the form Alertmanager sends, beside Slack.'),
  HEARTBEAT_URL: secretAddress
    .optional()
    .describe('Dead man’s switch: an address that is called every minute while all watched zones are read.'),
  HEALTH_PORT: listenAddress
    .optional()
    .describe('`port` or `host:port` for /healthz, /readyz and /metrics. Unset: not served.'),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info').describe('Least level that is logged.'),
  CDN_V1_PATH: z
    .string()
    .regex(/^\/(?=.*\{MM\})(?=.*\{DD\}).*\{pullZoneId\}/, 'is not a path with {MM}, {DD} and {pullZoneId} in it')
    .check(onlyPlaceholders('{YYYY}', '{YY}', '{MM}', '{DD}', '{pullZoneId}'))
    .default(defaultDialect.dayFilePath)
    .describe(
      'Path of the day file, which the platform’s contract does not show. `{YYYY}`, `{YY}`, `{MM}`, `{DD}`, `{pullZoneId}`.',
    ),
  CDN_V2_PAGING: z
    .enum(['limit', 'returned'])
    .default(defaultDialect.pageStep)
    .describe('What the next page of log lines is counted by, which the contract does not show.'),
  CDN_LOG_FIELDS: someOf(LOG_FIELDS)
    .default(defaultDialect.logFields)
    .describe('Fields of a log line that may be read; the others are dropped at the border.'),
  CDN_FIELD_ALIASES: fieldAliases
    .prefault('')
    .describe('`TheirName=ContractName,…` for fields that the contract names neutrally.'),
})

export type Settings = z.output<typeof Settings>
export type SettingName = keyof Settings

/** Settings whose value may stand in a file instead, named by the same setting with `_FILE` behind it. */
export const SECRET_SETTINGS = [
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'CDN_API_KEY',
  'CDN_BEARER_TOKEN',
  'AUDIT_KEY',
  // Addresses that anybody could call who knows them.
  'ALERT_WEBHOOK_URL',
  'HEARTBEAT_URL',
  // The address of a database has its password in it.
  'STORE_URL',
] as const satisfies readonly SettingName[]

/** Every value in the settings that must not reach a log: keys and tokens, and the password of the store. */
export function secretsOf(settings: Settings): readonly string[] {
  return SECRET_SETTINGS.flatMap((name) => {
    const value = settings[name]
    if (value === undefined) return []
    return typeof value === 'string' ? passwordsIn(value) : [value.reveal()]
  })
}

/** As they stand in an address and as they are meant: that of the user, and parameters such as `?password=`. */
function passwordsIn(address: string): readonly string[] {
  const [, user = ''] = /^[a-z]+:\/\/[^/?#:]*:([^/?#]*)@/i.exec(address) ?? []
  const pairs = [`password=${user.replaceAll('+', '%2B')}`, ...(address.split('?')[1]?.split('&') ?? [])]
  const asked = pairs.filter((pair) => [...new URLSearchParams(pair).keys()].some((name) => /pass/i.test(name)))
  const spelled = asked.flatMap((pair) => [...new URLSearchParams(pair).values(), pair.slice(pair.indexOf('=') + 1)])
  return [...new Set(spelled)].filter((text) => text !== '')
}

export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Throws when the file cannot be read. */
  readonly readFile: (path: string) => string
}

/** All that is wrong with the settings at once, each as a sentence that says how to mend it. Holds no value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly problems: readonly string[]
  /** Not one setting is there: somebody is looking for the first time. */
  readonly nothingSet: boolean

  constructor(problems: readonly string[], nothingSet: boolean) {
    super(`${problems.length} settings are missing or wrong`)
    this.problems = problems
    this.nothingSet = nothingSet
  }
}

/** Reads and checks all settings. Throws `SettingsError`. Empty variables count as not set. */
export function readSettings(environment: Environment): Settings {
  return read(Settings, environment, rulesAcross)
}

/** The settings of a tool that needs the record alone; what is wrong with the others does not matter to it. */
export function readStoreSettings(environment: Environment) {
  return read(Settings.pick({ STORE_URL: true, AUDIT_KEY: true }), environment)
}

/** The settings of a tool that looks at a zone's past in the store, by the name that people know it by. */
export function readPastSettings(environment: Environment) {
  return read(Settings.pick({ STORE_URL: true, CONFIG_FILE: true }), environment)
}

function read<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Environment,
  across: typeof rulesAcross = () => [],
): z.output<z.ZodObject<Shape>> {
  const given: Record<string, string> = {}
  const problems: string[] = []
  for (const name of Object.keys(schema.shape)) {
    const value = environment.variables[name]?.trim()
    if (value !== undefined && value !== '') given[name] = value
  }
  const failed = new Set<string>()
  for (const name of SECRET_SETTINGS.filter((secret) => secret in schema.shape)) {
    const wrong = readSecretFile(name, environment, given)
    if (wrong.length > 0) failed.add(name)
    problems.push(...wrong)
  }
  const parsed = schema.safeParse(given)
  // Of a setting whose file is what is wrong, nothing more can be said.
  const issues = parsed.success ? [] : parsed.error.issues.filter(({ path }) => !failed.has(String(path[0])))
  problems.push(...issues.map((issue) => sentenceFor(issue, given)), ...across(given, failed))
  if (parsed.success && problems.length === 0) return parsed.data
  throw new SettingsError(problems, Object.keys(given).length === 0 && failed.size === 0)
}

function readSecretFile(name: string, environment: Environment, given: Record<string, string>): readonly string[] {
  const path = environment.variables[`${name}_FILE`]?.trim()
  if (path === undefined || path === '') return []
  if (given[name] !== undefined) return [`${name} and ${name}_FILE are both set: keep one.`]
  try {
    given[name] = environment.readFile(path).trim()
    return given[name] === '' ? [`${name}_FILE names an empty file.`] : []
  } catch {
    return [`${name}_FILE names a file that cannot be read.`]
  }
}

function rulesAcross(given: Readonly<Record<string, string>>, failed: ReadonlySet<string>): readonly string[] {
  const isThere = (name: string): boolean => given[name] !== undefined || failed.has(name)
  const signed = isThere('SLACK_SIGNING_SECRET')
  return [
    ...oneOf('SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET', isThere),
    ...(signed && !isThere('PORT') ? ['PORT is not set: requests that SLACK_SIGNING_SECRET signs need a port.'] : []),
    ...oneOf('CDN_API_KEY', 'CDN_BEARER_TOKEN', isThere),
  ]
}

function oneOf(first: SettingName, second: SettingName, isThere: (name: string) => boolean): readonly string[] {
  if (isThere(first) && isThere(second)) return [`${first} and ${second} are both set: keep the one that is meant.`]
  if (!isThere(first) && !isThere(second)) return [`${first} is not set (nor is ${second}): set one of them.`]
  return []
}

/** Never quotes a value: it may be a secret in the wrong place. */
function sentenceFor(issue: z.core.$ZodIssue, given: Readonly<Record<string, string>>): string {
  const name = String(issue.path[0])
  const meaning = Settings.shape[name as SettingName]?.description // the path of an issue begins with a key of the schema
  if (given[name] === undefined) return `${name} is not set. ${meaning ?? ''}`.trim()
  const told = issue.code === 'invalid_value' ? `is none of ${issue.values.join(', ')}` : issue.message
  return `${name} ${told}.`
}
