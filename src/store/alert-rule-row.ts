import type { Kysely } from 'kysely'
import * as z from 'zod'
import type { AlertRule, AlertSubject } from './alert-records.ts'
import type { AlertRulesTable } from './alert-tables.ts'
import { jsonColumn } from './bounded-columns.ts'
import { Instant, Json, optional, readRow } from './rows.ts'
import type { Tables } from './tables.ts'

/** Who has made the rules that stand in the configuration file. */
export const MANAGED_BY = 'configuration'

const EVERY_STORAGE_ZONE = 'storage/*'
/** Of the parameters of a rule as JSON: there are a dozen numbers. */
const MAX_PARAMETERS_BYTES = 4 * 1_024

/** What rules and silences can be about so that they hold for this subject: itself, and every storage zone for one of them. */
export function subjectsCovering(subject: AlertSubject): readonly AlertSubject[] {
  return subject.startsWith('storage/') && subject !== EVERY_STORAGE_ZONE ? [subject, EVERY_STORAGE_ZONE] : [subject]
}

/** Throws `StoreError` when the row is not what this program writes. */
export function toRule(row: AlertRulesTable): AlertRule {
  return readRow('alert_rules', StoredRule, row)
}

/** Throws RangeError when its parameters are larger than 4 KB. */
export function toRuleRow(rule: AlertRule): AlertRulesTable {
  return {
    id: rule.id,
    kind: rule.kind,
    subject: rule.subject,
    channelId: rule.channelId,
    parameters: parametersColumn(rule.parameters),
    mention: rule.mention ?? null,
    createdBy: rule.createdBy,
    createdAt: rule.createdAt.getTime(),
    pausedWhy: rule.pausedWhy ?? null,
    pausedAt: rule.pausedAt?.getTime() ?? null,
  }
}

/** The rule of the same kind for the same subject and channel, of which there is one at most. */
export async function findAlike(
  rows: Kysely<Tables>,
  { kind, subject, channelId }: Pick<AlertRule, 'kind' | 'subject' | 'channelId'>,
): Promise<AlertRule | undefined> {
  const row = await rows
    .selectFrom('alertRules')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('channelId', '=', channelId)
    .executeTakeFirst()
  return row === undefined ? undefined : toRule(row)
}

/** By name, so that the same parameters have one spelling. */
export function parametersColumn(parameters: AlertRule['parameters']): string {
  const entries = Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return jsonColumn('The parameters of a rule', Object.fromEntries(entries), MAX_PARAMETERS_BYTES)
}

const StoredRule = z.object({
  id: z.string(),
  kind: z.string(),
  subject: z.string(),
  channelId: z.string(),
  parameters: Json.pipe(z.record(z.string(), z.number())),
  mention: optional(z.string()),
  createdBy: z.string(),
  createdAt: Instant,
  pausedWhy: optional(z.string()),
  pausedAt: optional(Instant),
})
