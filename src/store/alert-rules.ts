import { type Kysely, type Transaction, sql } from 'kysely'
import { putAlertPosts } from './alert-posts.ts'
import { type AlertRule, AlertRuleRow, type AlertSubject, MAX_ALERT_RULES } from './alert-records.ts'
import type { AuditEntry } from './audit-entry.ts'
import { type Recording, StorePart } from './audit-log.ts'
import type { Database } from './database.ts'
import type { Once } from './deliveries.ts'
import { type NewNotice, putNotices } from './notices.ts'
import { countRows, reader, toRow } from './rows.ts'
import type { Tables } from './tables.ts'

/** Who has made the rules that stand in the configuration file. */
export const MANAGED_BY = 'configuration'

const EVERY_STORAGE_ZONE = 'storage/*'
/** Which rules: all that every given part holds for. */
export interface AlertRuleFilter {
  readonly channelId?: string | undefined
  /** Exactly as it stands in the rule: `storage/*` is a subject of its own here. */
  readonly subject?: string | undefined
  readonly kind?: string | undefined
}

export interface PauseTold {
  readonly at: Date
  readonly entry: (paused: readonly AlertRule[]) => AuditEntry
  readonly notices: (paused: readonly AlertRule[]) => readonly NewNotice[]
}

/** What is watched, and which channel hears of it: 2,000 rules at most, so few that they are read whole. */
export class AlertRules extends StorePart {
  /** By subject, channel and kind. */
  async list({ channelId, subject, kind }: AlertRuleFilter = {}): Promise<readonly AlertRule[]> {
    return this.database.list((db) => {
      let query = db.selectFrom('alertRules').selectAll()
      if (channelId !== undefined) query = query.where('channelId', '=', channelId)
      if (subject !== undefined) query = query.where('subject', '=', subject)
      if (kind !== undefined) query = query.where('kind', '=', kind)
      return query.orderBy('subject').orderBy('channelId').orderBy('kind').limit(MAX_ALERT_RULES)
    }, toRule)
  }

  async get(id: string): Promise<AlertRule | undefined> {
    return this.database.first((db) => db.selectFrom('alertRules').selectAll().where('id', '=', id), toRule)
  }

  /**
   * Adds rules, and returns all of them as they stand then. Where the same kind, subject and channel have one already,
   * only its parameters, mention and runbook are replaced, and its pause is lifted; a managed one stays as it is. `entry` is
   * made from what was written, and nothing is recorded when that is nothing. `full`, and nothing written, above 2,000.
   */
  async add(
    rules: readonly AlertRule[],
    entry: (added: readonly AlertRule[]) => AuditEntry,
    once?: Once,
  ): Promise<readonly AlertRule[] | 'full'> {
    return this.audit.record(async (recording) => {
      const before = await alikeOf(recording, rules)
      // Hundreds come at once where many zones are watched, and each statement may be a way through the network.
      const fresh = new Map<string, AlertRule>()
      for (const rule of rules) if (!before.has(same(rule)) && !fresh.has(same(rule))) fresh.set(same(rule), rule)
      if ((await countRows(recording.rows, 'alertRules')) + fresh.size > MAX_ALERT_RULES) return 'full'
      await insert(recording, [...fresh.values()])
      const standing: AlertRule[] = []
      for (const rule of rules)
        standing.push(fresh.get(same(rule)) === rule ? toRule(rowOf(rule)) : await write(recording, rule))
      const written = standing.filter(({ createdBy }) => createdBy !== MANAGED_BY)
      if (written.length > 0) await recording.append(entry(written))
      return standing
    }, once)
  }

  /** Removes rules with their states, and returns what was removed. Managed ones stay. See `removeRules`. */
  async remove(
    ids: readonly string[],
    entry: (removed: readonly AlertRule[]) => AuditEntry,
    once?: Once,
  ): Promise<readonly AlertRule[]> {
    if (ids.length === 0) return []
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

  /** Lifts the pause of those that are paused, managed ones too, and returns them. */
  async resume(
    ids: readonly string[],
    entry: (resumed: readonly AlertRule[]) => AuditEntry,
    once?: Once,
  ): Promise<readonly AlertRule[]> {
    if (ids.length === 0) return []
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
    await this.audit.record(async (recording) => {
      const { rows, append } = recording
      const found = await rows.selectFrom('alertRules').selectAll().where('createdBy', '=', MANAGED_BY).execute()
      const managed = this.database.readable(found, toRule)
      // What cannot be read stays as it is.
      const spoilt = new Set(found.map(same)).difference(new Set(managed.map(same)))
      const gone = managed.filter((rule) => !wanted.has(same(rule)))
      await removeRules(rows, gone, this.database)
      const changes = gone.map((rule) => `removed: ${words(rule)}`)
      for (const rule of rules) {
        if (spoilt.has(same(rule))) continue
        const before = await findAlike(rows, rule)
        if (before !== undefined && before.createdBy === MANAGED_BY && isAsWanted(before, rule)) continue
        changes.push(`${before === undefined ? 'added' : 'changed'}: ${words(rule)}`)
        await write(recording, { ...rule, createdBy: MANAGED_BY }, true)
      }
      if ((await countRows(recording.rows, 'alertRules')) > MAX_ALERT_RULES)
        throw new RangeError(`With those of the configuration file there are more than ${MAX_ALERT_RULES} alert rules`)
      if (changes.length > 0) await append(entry(changes))
    })
  }
}

const Pause = AlertRuleRow.pick({ pausedWhy: true, pausedAt: true })

function same({ kind, subject, channelId }: Pick<AlertRule, 'kind' | 'subject' | 'channelId'>): string {
  return JSON.stringify([kind, subject, channelId])
}

function words({ kind, subject, channelId }: AlertRule): string {
  return `${kind} of ${subject} in ${channelId}`
}

function isAsWanted(before: AlertRule, rule: AlertRule): boolean {
  const isSame = before.mention === rule.mention && before.runbook === rule.runbook
  return isSame && rowOf(before).parameters === rowOf(rule).parameters
}

const INSERTED_AT_ONCE = 500

async function insert({ rows }: Recording, rules: readonly AlertRule[]): Promise<void> {
  for (let from = 0; from < rules.length; from += INSERTED_AT_ONCE)
    await rows
      .insertInto('alertRules')
      .values(rules.slice(from, from + INSERTED_AT_ONCE).map(rowOf))
      .execute()
}

async function alikeOf({ rows }: Recording, rules: readonly AlertRule[]): Promise<ReadonlySet<string>> {
  if (rules.length === 0) return new Set()
  const subjects = [...new Set(rules.map(({ subject }) => subject))]
  const found = await rows
    .selectFrom('alertRules')
    .select(['kind', 'subject', 'channelId'])
    .where('subject', 'in', subjects)
    .execute()
  return new Set(found.map(same))
}

/** The rule as it stands afterwards. Only the configuration file changes a managed one. */
async function write({ rows }: Recording, rule: AlertRule, byFile = false): Promise<AlertRule> {
  const row = rowOf(rule)
  const before = await findAlike(rows, rule)
  if (before === undefined) await rows.insertInto('alertRules').values(row).execute()
  if (before === undefined) return toRule(row)
  if (before.createdBy === MANAGED_BY && !byFile) return before
  const { parameters, mention, runbook, createdBy } = row
  const told = { parameters, mention, runbook }
  const changed = await rows
    .updateTable('alertRules')
    .set(byFile ? { ...told, createdBy } : { ...told, pausedWhy: null, pausedAt: null })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRule(changed)
}

/** What rules and silences can be about so that they hold for this subject: itself, and every storage zone for one of them. */
export function subjectsCovering(subject: AlertSubject): readonly AlertSubject[] {
  return subject.startsWith('storage/') && subject !== EVERY_STORAGE_ZONE ? [subject, EVERY_STORAGE_ZONE] : [subject]
}

export const toRule: (row: object) => AlertRule = reader('alert_rules', AlertRuleRow)

/** Parameters by name, so that the same ones have one spelling. Throws RangeError when they are larger than 4 KB. */
function rowOf(rule: AlertRule): Tables['alertRules'] {
  const entries = Object.entries(rule.parameters).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return toRow(AlertRuleRow, { ...rule, parameters: Object.fromEntries(entries) })
}

/** The rule of the same kind for the same subject and channel, of which there is one at most. */
async function findAlike(
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
  return row && toRule(row)
}

/**
 * Inside of a transaction: removes rules with their states. An incident that no rule is left for ends with them: what
 * was told of it says so, and what was not told yet is not told any more. Webhooks that wait stay, and one more says that it
 * is over.
 *
 * A look that is under way knows the rules still, so it is made to begin anew.
 */
async function removeRules(
  rows: Transaction<Tables>,
  removed: readonly AlertRule[],
  database: Database,
): Promise<void> {
  if (removed.length === 0) return
  const subjects = [...new Set(removed.map(({ subject }) => subject))]
  await rows
    .updateTable('alertWatches')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where((eb) =>
      eb.or([
        eb('subject', 'in', subjects),
        ...(subjects.includes('storage/*') ? [eb('subject', 'like', 'storage/%')] : []),
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
                  rule('alertRules.subject', '=', 'storage/*'),
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
    await rows.deleteFrom('alertPosts').where('incidentId', '=', id).where('what', '=', 'reply').execute()
    if (messageTs === null)
      // One that is being delivered right now will find that its incident has moved on, and is due once more.
      await rows
        .deleteFrom('alertPosts')
        .where('incidentId', '=', id)
        .where('what', '=', sql.lit('card'))
        .where('heldUntil', '<=', held)
        .execute()
    else await putAlertPosts(rows, [{ incidentId: id, channelId, what: 'card', dueAt: now }], database)
    // Without a body: the incident itself says what of it was firing.
    await putAlertPosts(rows, [{ incidentId: id, channelId, what: 'webhook', dueAt: now }], database)
  }
}
