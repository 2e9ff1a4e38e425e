import type * as z from 'zod'
import { ALERT_KINDS } from '../../src/alerts/kinds.ts'
import { SECRET_SETTINGS, Settings } from '../../src/config.ts'
import { Metrics } from '../../src/metrics.ts'
import { accountSet, watchSet } from '../../src/operations/alerts/watch-set.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import { commandTable } from '../../src/operations/usage.ts'
import { FEATURE_SCOPES, manifest, METHOD_SCOPES, SCOPE_REASONS } from './slack-scopes.ts'

/** The README with each of its generated parts, between `<!-- name:start -->` and `<!-- name:end -->`, made anew. */
export async function withTables(readme: string): Promise<string> {
  let text = readme
  for (const [name, table] of Object.entries(await readmeTables())) {
    const part = new RegExp(`(<!-- ${name}:start[^>]*-->\n)[\\s\\S]*?(<!-- ${name}:end -->)`)
    if (!part.test(text)) throw new Error(`The README has no markers for ${name}`)
    text = text.replace(part, (_, start: string, end: string) => `${start}${table}\n${end}`)
  }
  return text
}

async function readmeTables(): Promise<Readonly<Record<string, string>>> {
  return {
    commands: commandTable(OPERATIONS, Settings.shape.COMMAND.parse(undefined)),
    alerts: alertsTable(),
    settings: settingsTable(),
    scopes: scopesTable(),
    metrics: await metricsTable(),
  }
}

function alertsTable(): string {
  const watched = new Set([...watchSet(1n, 'C0', undefined), ...accountSet('C0', [])].map(({ kind }) => kind))
  const rows = ALERT_KINDS.map(({ name, summary }) => [`\`${name}\``, summary, watched.has(name) ? 'yes' : ''])
  return table(['Kind', 'What it tells', 'On with `alerts watch`'], rows)
}

const SECRETS: readonly string[] = SECRET_SETTINGS

function settingsTable(): string {
  const rows = Object.entries(Settings.shape).map(([name, schema]) => [
    `\`${name}\`${SECRETS.includes(name) ? ' 🔑' : ''}`,
    schema.description ?? '',
    defaultOf(schema),
  ])
  return table(['Setting', 'Meaning', 'Default'], rows)
}

function defaultOf(schema: z.ZodType): string {
  const unset = schema.safeParse(undefined)
  if (!unset.success) return '**needed**'
  const value = unset.data
  if (value === undefined) return '–'
  if (value instanceof URL) return `\`${value.href}\``
  if (value instanceof Set) return 'nobody'
  if (Array.isArray(value)) return value.map((each) => `\`${String(each)}\``).join(', ')
  if (typeof value === 'string' || typeof value === 'number') return `\`${value}\``
  if (Object.keys(value as object).length === 0) return 'none' // Only the aliases are left, a record.
  throw new Error('A kind of default that the table cannot show')
}

function scopesTable(): string {
  const rows = manifest().oauth_config.scopes.bot.map((scope) => {
    const methods = Object.keys(METHOD_SCOPES).filter((method) => METHOD_SCOPES[method]?.includes(scope))
    const feature = FEATURE_SCOPES[scope]
    const uses = feature === undefined ? methods.map((method) => `\`${method}\``) : [feature]
    return [`\`${scope}\``, SCOPE_REASONS[scope] ?? '', uses.join(', ')]
  })
  return table(['Scope', 'What it is for', 'Used by'], rows)
}

async function metricsTable(): Promise<string> {
  const metrics = await new Metrics().registry.getMetricsAsJSON()
  const rows = metrics.map(({ name, type, help }) => [`\`${name}\``, String(type), help])
  return table(['Metric', 'Kind', 'What it counts'], rows)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  return [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
