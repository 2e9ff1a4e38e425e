import { parseEnv } from 'node:util'
import * as z from 'zod'
import { defaultDialect } from '../cdn/contract/dialect.ts'
import { LOG_FIELDS } from '../cdn/contract/log-entry.ts'
import { ProblemsError } from '../shared/errors.ts'
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
} from './setting-values.ts'

/** A misspelt scheme would otherwise become the name of a file. */
function isStoreUrl(text: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text))
}

const longSecret = secret().refine((key) => key.reveal().length >= 16, 'is shorter than 16 characters')

/** By these alerts count lines. */
const COUNTED_FIELDS = ['cacheStatus', 'timestamp', 'statusCode'] as const

/** Every setting there is: name, meaning, rule and default. `.github/docs/configuration.md` lists them from this. */
export const Settings = z.object({
  SLACK_BOT_TOKEN: secret(/^xoxb-[\x21-\x7e]+$/, 'does not start with xoxb-').describe('Bot token of the Slack app.'),
  SLACK_APP_TOKEN: secret(/^xapp-[\x21-\x7e]+$/, 'does not start with xapp-')
    .optional()
    .describe('App-level token with `connections:write`, for Socket Mode. This or SLACK_SIGNING_SECRET.'),
  SLACK_SIGNING_SECRET: longSecret
    .optional()
    .describe('Signing secret of the Slack app, for requests over HTTP, which need PORT. This or SLACK_APP_TOKEN.'),
  PORT: listenAddress
    .optional()
    .describe('`port` or `host:port` where Slack’s requests come, behind something that ends TLS.'),
  SLACK_TEAM_ID: z
    .string()
    .regex(/^T[A-Z0-9]{2,20}$/, 'is not the id of a Slack workspace, such as T0123456789')
    .optional()
    .describe('Id of the one workspace to serve, where the app is installed for an organisation with several.'),
  SLACK_API_URL: baseUrl.prefault('https://slack.com/api/').describe('Where Slack’s Web API is.'),
  CDN_API_URL: baseUrl.describe('Base address of the CDN’s management interface.'),
  CDN_LOGGING_URL: baseUrl.describe('Base address of the CDN’s logging interface.'),
  CDN_API_KEY: secret().optional().describe('API key, sent as `AccessKey`. This or CDN_BEARER_TOKEN.'),
  CDN_BEARER_TOKEN: secret().optional().describe('Token sent as `Authorization: Bearer …`. This or CDN_API_KEY.'),
  CDN_PANEL_URL: panelTemplate
    .optional()
    .describe(
      'Template of links into the CDN’s panel: `{place}` is storage-zone, pull-zone, dns-zone or video-library, `{id}` its id.',
    ),
  STORE_URL: z
    .string()
    .refine(isStoreUrl, 'is neither the path of a file nor postgres://…')
    .default('./.data/cdn-ops.sqlite')
    .describe('Where the record is kept: a path for SQLite, or `postgres://…`.'),
  AUDIT_KEY: longSecret
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
  ALERT_ROUTING_KEY: secret()
    .optional()
    .describe('A `routing_key`: ALERT_WEBHOOK_URL gets the form of PagerDuty’s Events API v2 then.'),
  HEARTBEAT_URL: secretAddress
    .optional()
    .describe('Dead man’s switch: an address that is called every minute while all watched zones are read.'),
  ENV_FILE: z
    .string()
    .optional()
    .describe('Path of a file of settings, one `NAME=value` a line. What the environment has counts before it.'),
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
      'Path of the day file, which the CDN’s contract does not show. `{YYYY}`, `{YY}`, `{MM}`, `{DD}`, `{pullZoneId}`.',
    ),
  CDN_V2_PAGING: z
    .enum(['limit', 'returned'])
    .default(defaultDialect.pageStep)
    .describe('What the next page of log lines is counted by, which the contract does not show.'),
  CDN_LOG_FIELDS: someOf(LOG_FIELDS)
    .refine(
      (fields) => COUNTED_FIELDS.every((name) => fields.includes(name)),
      `lacks one of ${COUNTED_FIELDS.join(', ')}, without which alerts would see nothing`,
    )
    .default(defaultDialect.logFields)
    .describe(
      'Fields of a log line that may be read; the others are dropped at the border. Alerts need the first three.',
    ),
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
  'ALERT_ROUTING_KEY',
  'HEARTBEAT_URL',
  // The address of a database has its password in it.
  'STORE_URL',
] as const satisfies readonly SettingName[]

/** Every value in the settings that must not reach a log: keys and tokens, and the password of the store. */
export function listSecrets(settings: Settings): readonly string[] {
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

/** All that is wrong with the settings at once. Holds no value. */
export class SettingsError extends ProblemsError {
  override readonly name = 'SettingsError'
  /** Not one setting is there: somebody is looking for the first time. */
  readonly nothingSet: boolean

  constructor(problems: readonly string[], nothingSet: boolean) {
    super(problems)
    this.nothingSet = nothingSet
  }
}

/** Reads and checks all settings. Throws `SettingsError`. Empty variables count as not set. */
export function readSettings(environment: Environment): Settings {
  return read(Settings, environment, findConflicts)
}

/** The settings of a tool for the store alone: mistakes in others do not matter to it. */
export function readToolSettings(environment: Environment) {
  return read(Settings.pick({ STORE_URL: true, AUDIT_KEY: true, CONFIG_FILE: true }), environment)
}

/** The settings of a tool that only speaks with Slack, over a link. */
export function readSlackSettings(environment: Environment) {
  const names = { SLACK_BOT_TOKEN: true, SLACK_APP_TOKEN: true, SLACK_API_URL: true, COMMAND: true } as const
  return read(Settings.pick(names).required({ SLACK_APP_TOKEN: true }), environment)
}

function read<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Environment,
  checkTogether: typeof findConflicts = () => [],
): z.output<z.ZodObject<Shape>> {
  const values: Record<string, string> = {}
  const variables = readEnvFile(environment)
  for (const name of Object.keys(schema.shape)) {
    const value = variables[name]?.trim()
    if (value !== undefined && value !== '') values[name] = value
  }
  const problems: string[] = []
  /** Their file is what is wrong, so nothing more can be said of them. */
  const failed = new Set<string>()
  for (const name of SECRET_SETTINGS.filter((secret) => secret in schema.shape)) {
    const problem = readSecretFile(name, { ...environment, variables }, values)
    if (problem === undefined) continue
    failed.add(name)
    problems.push(problem)
  }
  const parsed = schema.safeParse(values)
  const issues = (parsed.error?.issues ?? []).filter(({ path }) => !failed.has(String(path[0])))
  problems.push(...issues.map((issue) => sentenceFor(issue, values)), ...checkTogether(values, failed))
  if (parsed.success && problems.length === 0) return parsed.data
  throw new SettingsError(problems, Object.keys(values).length === 0 && failed.size === 0)
}

/** The variables, with what ENV_FILE has of those that are not set. Throws `SettingsError` when it cannot be read. */
export function readEnvFile({ variables, readFile }: Environment): Environment['variables'] {
  const path = variables['ENV_FILE']?.trim()
  if (path === undefined || path === '') return variables
  try {
    const set = Object.entries(variables).filter(([, value]) => (value ?? '').trim() !== '')
    // A mark of UTF-8 would be part of the first name.
    const text = readFile(path).replace(/^\uFEFF/, '')
    return { ...parseEnv(text), ...Object.fromEntries(set) }
  } catch {
    throw new SettingsError(['ENV_FILE names a file that cannot be read.'], false)
  }
}

function readSecretFile(name: string, environment: Environment, values: Record<string, string>): string | undefined {
  const path = environment.variables[`${name}_FILE`]?.trim()
  if (path === undefined || path === '') return undefined
  if (values[name] !== undefined) return `${name} and ${name}_FILE are both set: keep one.`
  try {
    values[name] = environment.readFile(path).trim()
    return values[name] === '' ? `${name}_FILE names an empty file.` : undefined
  } catch {
    return `${name}_FILE names a file that cannot be read.`
  }
}

function findConflicts(values: Readonly<Record<string, string>>, failed: ReadonlySet<string>): readonly string[] {
  const isSet = (name: string): boolean => values[name] !== undefined || failed.has(name)
  const needsPort = isSet('SLACK_SIGNING_SECRET') && !isSet('PORT')
  const pagesNobody = isSet('ALERT_ROUTING_KEY') && !isSet('ALERT_WEBHOOK_URL')
  return [
    ...oneOf('SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET', isSet),
    ...(needsPort ? ['PORT is not set: requests that SLACK_SIGNING_SECRET signs need a port.'] : []),
    ...(isSet('SLACK_SIGNING_SECRET') && isSamePort(values['PORT'], values['HEALTH_PORT']) ? [SAME_PORT] : []),
    ...oneOf('CDN_API_KEY', 'CDN_BEARER_TOKEN', isSet),
    ...(pagesNobody ? ['ALERT_ROUTING_KEY is set without ALERT_WEBHOOK_URL, which it is for: set both.'] : []),
  ]
}

const SAME_PORT =
  'PORT and HEALTH_PORT are the same port: give each its own. HEALTH_PORT is 8080 in a container unless it is set.'

/** Whether only one of them could be listened at. A port of 0 is any free one. */
function isSamePort(...texts: readonly (string | undefined)[]): boolean {
  const [one, other] = texts.map((text) => listenAddress.safeParse(text).data)
  if (one === undefined || one.port === 0 || one.port !== other?.port) return false
  return one.host === other.host || [one, other].some(({ host }) => host === '0.0.0.0')
}

function oneOf(first: SettingName, second: SettingName, isSet: (name: string) => boolean): readonly string[] {
  if (isSet(first) && isSet(second)) return [`${first} and ${second} are both set: keep the one that is meant.`]
  if (!isSet(first) && !isSet(second)) return [`${first} is not set (nor is ${second}): set one of them.`]
  return []
}

/** Never quotes a value: it may be a secret in the wrong place. */
function sentenceFor(issue: z.core.$ZodIssue, values: Readonly<Record<string, string>>): string {
  const name = String(issue.path[0])
  const meaning = Settings.shape[name as SettingName]?.description // the path of an issue begins with a key of the schema
  if (values[name] === undefined) return `${name} is not set. ${meaning ?? ''}`.trim()
  return `${name} ${issue.code === 'invalid_value' ? `is none of ${issue.values.join(', ')}` : issue.message}.`
}
