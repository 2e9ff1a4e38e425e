import { readdirSync } from 'node:fs'
import type * as z from 'zod'
import { ALERT_KINDS } from '../../src/alerts/kinds/kinds.ts'
import { SECRET_SETTINGS, Settings } from '../../src/config/settings.ts'
import { Metrics } from '../../src/process/metrics.ts'
import { accountSet, watchSet } from '../../src/operations/alerts/watch-set.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import type { Operation } from '../../src/operations/declaration/operation.ts'
import { usageLine } from '../../src/operations/declaration/usage.ts'
import { FEATURE_SCOPES, manifest, METHOD_SCOPES, SCOPE_REASONS } from './slack-scopes.ts'

/** The README, and every page of `.github/docs/`. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync('.github/docs')
    .toSorted()
    .map((name) => `.github/docs/${name}`),
]

/** A generated part of a page: its start, its name, and its end. */
export const PART = /(<!-- (\w+):start[^>]*-->\n)[\s\S]*?(<!-- \2:end -->)/g

/** A page with each of its generated parts, between `<!-- name:start -->` and `<!-- name:end -->`, made anew. */
export async function withTables(page: string): Promise<string> {
  const tables: Readonly<Record<string, string>> = await docsTables()
  return page.replace(PART, (_, start: string, name: string, end: string) => {
    const table = tables[name]
    if (table === undefined) throw new Error(`There is no table ${name}`)
    return `${start}${table}\n${end}`
  })
}

/** Every table that is made from the code, by its name. */
export async function docsTables() {
  return {
    commands: commandsTable(OPERATIONS, Settings.shape.COMMAND.parse(undefined)),
    alerts: alertsTable(),
    settings: settingsTable(),
    scopes: scopesTable(),
    metrics: await metricsTable(),
  }
}

/** The role is the least that may ask; what an input costs or cannot undo may ask for more. */
function commandsTable(operations: readonly Operation[], command: string): string {
  const rows = operations.map((operation) => [
    `\`${command} ${usageLine(operation)}\``,
    operation.summary,
    operation.baseEffect,
    operation.minimumRole === 'none' ? 'anyone' : operation.minimumRole,
    operation.shareable ? `${operation.audience}, Share` : operation.audience,
  ])
  return table(['Command', 'What it does', 'Effect', 'Least role', 'Who sees the answer'], rows)
}

function alertsTable(): string {
  const watched = new Map([
    ...watchSet(1n, 'C0').map(({ kind }) => [kind, 'yes'] as const),
    ...accountSet('C0', []).map(({ kind }) => [kind, 'with `--account`'] as const),
  ])
  const rows = ALERT_KINDS.map(({ name, summary }) => [`\`${name}\``, summary, watched.get(name) ?? ''])
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
