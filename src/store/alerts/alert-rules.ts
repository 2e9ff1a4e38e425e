import { sql, type Transaction } from 'kysely'
import {
  type AlertRule,
  AlertRuleRow,
  type AlertSubject,
  EVERY_STORAGE_SUBJECT,
  MAX_ALERT_RULES,
} from '../schema/alert-records.ts'
import type { AuditEntry } from '../schema/audit-entry.ts'
import { StorePart } from '../audit/audit-log.ts'
import { AS_HOLDER, type Database } from '../engine/database.ts'
import type { Once } from '../outbox/idempotency-keys.ts'
import { dropReplies, type NewNotice, putMessages, putNotices } from '../outbox/outbox.ts'
import { countRows, reader, toRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'

/** Who has made the rules that stand in the configuration file. */
export const MANAGED_BY = 'configuration'

interface PauseTold {
  readonly at: Date
  readonly entry: (paused: readonly AlertRule[]) => AuditEntry
  readonly notices: (paused: readonly AlertRule[]) => readonly NewNotice[]
}

/** What is watched, and which channel hears of it: 2,000 rules at most, so few that they are read whole. */
export class AlertRules extends StorePart {
  /** All, or those of a channel, by subject, channel and kind. */
  async list(channelId?: string): Promise<readonly AlertRule[]> {
    return this.database.list((db) => {
      const all = db.selectFrom('alertRules').selectAll()
      const meant = channelId === undefined ? all : all.where('channelId', '=', channelId)
      return meant.orderBy('subject').orderBy('channelId').orderBy('kind').limit(MAX_ALERT_RULES)
    }, toRule)
  }

  /**
   * Adds rules, and returns all of them as they stand then. Where the same kind, subject and channel have one already,
   * only its parameters and contacts are replaced, and its pause is lifted; a managed one stays as it is. `entry` is
   * made from what was written, and nothing is recorded when that is nothing. `full`, and nothing written, above 2,000.
   */
  async add(
    rules: readonly AlertRule[],
    entry: (added: readonly AlertRule[]) => AuditEntry,
    once?: Once,
  ): Promise<readonly AlertRule[] | 'full'> {
    return this.audit.record(async ({ rows, append }) => {
      const found = await findAll(rows)
      // Hundreds come at once where many zones are watched, and each statement may be a way through the network.
      const fresh = new Map<string, AlertRule>()
      for (const rule of rules) if (!found.has(same(rule)) && !fresh.has(same(rule))) fresh.set(same(rule), rule)
      if (found.size + fresh.size > MAX_ALERT_RULES) return 'full'
      const added = [...fresh.values()].map(rowOf)
      // At most 2,000 of 13 values each, and SQLite takes 32,766 in a statement.
      if (added.length > 0) await rows.insertInto('alertRules').values(added).execute()
      for (const row of added) found.set(same(row), row)
      const standing: AlertRule[] = []
      for (const rule of rules) {
        const row = found.get(same(rule)) ?? rowOf(rule)
        if (row.createdBy === MANAGED_BY || fresh.get(same(rule)) === rule) standing.push(toRule(row))
        else standing.push(await replace(rows, row.id, rule, { pausedWhy: null, pausedAt: null }))
      }
      const written = standing.filter(({ createdBy }) => createdBy !== MANAGED_BY)
      if (written.length > 0) await append(entry(written))
      return standing
    }, once)
  }

  /** Removes rules, at least one, with their states, and returns what was removed. Managed ones stay. See `removeRules`. */
  async remove(
    ids: readonly string[],
    entry: (removed: readonly AlertRule[]) => AuditEntry,
    once?: Once,
  ): Promise<readonly AlertRule[]> {
    return this.audit.record(async ({ rows, append }) => {
      const found = await rows
        .selectFrom('alertRules')
        .selectAll()
        .where('id', 'in', ids)
        .where('createdBy', '!=', MANAGED_BY)
        .orderBy('subject')
        .orderBy('kind')
        .execute()
      const removed = found.map(toRule)
      await removeRules(rows, removed, this.database)
      if (removed.length > 0) await append(entry(removed))
      return removed
    }, once)
  }

  /** Pauses all rules of a channel that are not paused, and returns them. Nothing is recorded or told when that is none. */
  async pause(channelId: string, why: string, told: PauseTold): Promise<readonly AlertRule[]> {
    const columns = toRow(Pause, { pausedWhy: why, pausedAt: told.at })
    return this.audit.record(async ({ rows, append }) => {
      const changed = await rows
        .updateTable('alertRules')
        .set(columns)
        .where('channelId', '=', channelId)
        .where('pausedAt', 'is', null)
        .returningAll()
        .execute()
      const paused = this.database.readable(changed, toRule)
      if (paused.length === 0) return paused
      await append(told.entry(paused))
      await putNotices(rows, told.notices(paused), this.database)
      return paused
    })
  }

  /** Of rules, at least one, lifts the pause of those that are paused, managed ones too, and returns them. */
  async resume(
    ids: readonly string[],
    entry: (resumed: readonly AlertRule[]) => AuditEntry,
    once?: Once,
  ): Promise<readonly AlertRule[]> {
    return this.audit.record(async ({ rows, append }) => {
      const changed = await rows
        .updateTable('alertRules')
        .set({ pausedWhy: null, pausedAt: null })
        .where('id', 'in', ids)
        .where('pausedAt', 'is not', null)
        .returningAll()
        .execute()
      const resumed = this.database.readable(changed, toRule)
      if (resumed.length > 0) await append(entry(resumed))
      return resumed
    }, once)
  }

  /**
   * Makes the managed rules exactly these; one of a person for the same becomes managed and keeps its id. `entry` is
   * made from what changed, in a few words each; none when nothing did. Throws RangeError when there is no room.
   */
  async manage(rules: readonly AlertRule[], entry: (changes: readonly string[]) => AuditEntry): Promise<void> {
    const wanted = new Set(rules.map(same))
    await this.audit.record(async ({ rows, append }) => {
      const found = await findAll(rows)
      const managed = [...found.values()].filter(({ createdBy }) => createdBy === MANAGED_BY)
      const readable = this.database.readable(managed, toRule)
      const gone = readable.filter((rule) => !wanted.has(same(rule)))
      await removeRules(rows, gone, this.database)
      const changes = gone.map((rule) => `removed: ${words(rule)}`)
      for (const rule of rules) {
        const before = found.get(same(rule))
        // What cannot be read stays as it is.
        const isUnreadable = before?.createdBy === MANAGED_BY && !readable.some(({ id }) => id === before.id)
        if (isUnreadable || (before !== undefined && isAsWanted(before, rowOf(rule)))) continue
        if (before !== undefined) await replace(rows, before.id, rule, { createdBy: MANAGED_BY })
        else
          await rows
            .insertInto('alertRules')
            .values(rowOf({ ...rule, createdBy: MANAGED_BY }))
            .execute()
        changes.push(`${before === undefined ? 'added' : 'changed'}: ${words(rule)}`)
      }
      if ((await countRows(rows, 'alertRules')) > MAX_ALERT_RULES)
        throw new RangeError(`With those of the configuration file there are more than ${MAX_ALERT_RULES} alert rules`)
      if (changes.length > 0) await append(entry(changes))
    }, AS_HOLDER)
  }
}

type Row = Tables['alertRules']

const Pause = AlertRuleRow.pick({ pausedWhy: true, pausedAt: true })

function same({ kind, subject, channelId }: Pick<AlertRule, 'kind' | 'subject' | 'channelId'>): string {
  return JSON.stringify([kind, subject, channelId])
}

function words({ kind, subject, channelId }: AlertRule): string {
  return `${kind} of ${subject} in ${channelId}`
}

/** What of a rule is set anew where there is one already. */
const REPLACED = ['parameters', 'mention', 'escalate', 'escalateAfterMs', 'runbook'] as const

function isAsWanted(before: Row, wanted: Row): boolean {
  return REPLACED.every((name) => before[name] === wanted[name]) && before.createdBy === MANAGED_BY
}

/** All there are, by what makes two of them the same. */
async function findAll(rows: Transaction<Tables>): Promise<Map<string, Row>> {
  const all = await rows.selectFrom('alertRules').selectAll().execute()
  return new Map(all.map((row) => [same(row), row]))
}

async function replace(
  rows: Transaction<Tables>,
  id: string,
  rule: AlertRule,
  also: Partial<Pick<Row, 'createdBy' | 'pausedWhy' | 'pausedAt'>>,
): Promise<AlertRule> {
  const { parameters, mention, escalate, escalateAfterMs, runbook } = rowOf(rule)
  const changed = await rows
    .updateTable('alertRules')
    .set({ parameters, mention, escalate, escalateAfterMs, runbook, ...also })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRule(changed)
}

/** What rules and silences can be about so that they hold for this subject: itself, and every storage zone for one of them. */
export function subjectsCovering(subject: AlertSubject): readonly AlertSubject[] {
  return subject.startsWith('storage/') && subject !== EVERY_STORAGE_SUBJECT
    ? [subject, EVERY_STORAGE_SUBJECT]
    : [subject]
}

export const toRule: (row: object) => AlertRule = reader('alert_rules', AlertRuleRow)

/** Parameters by name, so that the same ones have one spelling. Throws RangeError when they are larger than 4 KB. */
function rowOf(rule: AlertRule): Row {
  const entries = Object.entries(rule.parameters).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return toRow(AlertRuleRow, { ...rule, parameters: Object.fromEntries(entries) })
}

/**
 * Inside of a transaction: removes rules with their states. An incident that no rule is left for ends with them: what
 * was told of it says so, and what was not told yet is not told any more. Webhooks that wait stay, and one more says that it
 * is over.
 *
 * A look that is under way knows the rules still, so it is made to begin anew.
 */
async function removeRules(rows: Transaction<Tables>, removed: readonly AlertRule[], database: Database) {
  if (removed.length === 0) return
  const subjects = [...new Set(removed.map(({ subject }) => subject))]
  await rows
    .updateTable('alertWatches')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where((eb) =>
      eb.or([
        eb('subject', 'in', subjects),
        ...(subjects.includes(EVERY_STORAGE_SUBJECT) ? [eb('subject', 'like', 'storage/%')] : []),
      ]),
    )
    .execute()
  const ids = removed.map(({ id }) => id)
  await rows.deleteFrom('alertRules').where('id', 'in', ids).execute()
  for (const channelId of new Set(removed.map((rule) => rule.channelId))) await endForsaken(rows, channelId, database)
}

async function endForsaken(rows: Transaction<Tables>, channelId: string, database: Database): Promise<void> {
  const now = database.clock.now()
  const ended = await rows
    .updateTable('incidents')
    .set((eb) => ({ endedAt: now.getTime(), revision: eb('revision', '+', 1) }))
    .where('channelId', '=', channelId)
    .where('endedAt', 'is', null)
    .where((incident) =>
      incident.not(
        incident.exists(
          incident
            .selectFrom('alertRules')
            .select('alertRules.id')
            .whereRef('alertRules.channelId', '=', 'incidents.channelId')
            .where((rule) =>
              rule.or([
                rule('alertRules.subject', '=', rule.ref('incidents.subject')),
                rule.and([
                  rule('alertRules.subject', '=', EVERY_STORAGE_SUBJECT),
                  rule('incidents.subject', 'like', 'storage/%'),
                ]),
              ]),
            ),
        ),
      ),
    )
    .returning(['id', 'messageTs'])
    .execute()
  const held = await database.engine.nowMs(rows)
  for (const { id, messageTs } of ended) {
    await dropReplies(rows, id)
    const post = { incidentId: id, channelId, dueAt: now }
    if (messageTs !== null || (await dropCard(rows, id, held)))
      await putMessages(rows, [{ ...post, what: 'card' }], database)
    // Without a body: the incident itself says what of it was firing.
    await putMessages(rows, [{ ...post, what: 'webhook' }], database)
  }
}

/** Whether one is left, which is being delivered right now: that message will have to be edited. */
async function dropCard(rows: Transaction<Tables>, incidentId: string, now: number): Promise<boolean> {
  await rows
    .deleteFrom('outbox')
    .where('incidentId', '=', incidentId)
    .where('what', '=', 'card')
    .where('heldUntil', '<=', now)
    .execute()
  return (await countRows(rows, 'outbox', sql`incident_id = ${incidentId} and what = 'card'`)) > 0
}
