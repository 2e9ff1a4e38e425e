import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration'
import { COUNTS } from './minute-counts.ts'
import { StoreError } from './store-error.ts'
import type { Tables } from './tables.ts'

/**
 * Brings the tables to the newest form, all steps or none. Several processes may do this at once: Kysely takes PostgreSQL's
 * advisory lock, and a SQLite file has one process.
 *
 * Throws `StoreError` when a newer version has changed the tables, because this one would misread them.
 */
export async function migrate(kysely: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error instanceof Error && NEWER.test(error.message)) throw usedByNewer()
  if (error !== undefined) throw error
}

/** Throws `StoreError` unless the tables are those of this program. Changes nothing, whatever it finds. */
export async function assertMigrated(kysely: Kysely<Tables>): Promise<void> {
  const tables = await kysely.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE))
    throw new StoreError('other', undefined, 'There is no store of CDN Ops in it')
  const taken = await sql<{ readonly name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(
    kysely,
  )
  const names = new Set(taken.rows.map(({ name }) => name))
  if ([...names].some((name) => !(name in MIGRATIONS))) throw usedByNewer()
  if (Object.keys(MIGRATIONS).some((name) => !names.has(name)))
    throw new StoreError(
      'other',
      undefined,
      'The store was last used by an older version of CDN Ops: start the bot of this version on it once, or use the tool of that version',
    )
}

function usedByNewer(): StoreError {
  return new StoreError('other', undefined, 'The store was last used by a newer version of CDN Ops: run that one')
}

/** How Kysely says that the database holds a step this program does not have. */
const NEWER = /^corrupted migrations: previously executed migration .* is missing$/

/** A step that has been released is never edited: a new one is added, and its name sorts after the last. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001_initial': { up: createTables },
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await createChanges(db)
  await createApprovals(db)
  await createAudit(db)
  await createZoneNames(db)
  await createAnswers(db)
  await createNotices(db)
  await createMinutes(db)
  await createRules(db)
  await createIncidents(db)
  await createPosts(db)
  await createSilencesAndMarks(db)
}

async function createChanges(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('changes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('values', 'text', (column) => column.notNull())
    .addColumn('sentence', 'text')
    .addColumn('hash', 'text')
    .addColumn('requested_by', 'text', (column) => column.notNull())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('lease_holder', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('sent_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('outcome', 'text')
    .addColumn('detail', 'text')
    .addColumn('message_channel', 'text')
    .addColumn('message_ts', 'text')
    .addColumn('announcing_until', 'bigint')
    .addColumn('request_hash', 'text')
    .addColumn('requested_at', 'bigint')
    .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('shown_revision', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('break_glass', 'text')
    .addColumn('ended_by', 'text')
    .addColumn('answer', 'text')
    .execute()
  await db.schema.createIndex('changes_by_age').on('changes').columns(['created_at', 'id']).execute()
  await db.schema.createIndex('changes_by_state').on('changes').columns(['state', 'expires_at']).execute()
  await db.schema.createIndex('changes_by_person').on('changes').columns(['requested_by', 'created_at']).execute()
  await db.schema.createIndex('changes_by_request').on('changes').columns(['request_hash', 'updated_at']).execute()
  await db.schema.createIndex('changes_by_requester').unique().on('changes').columns(['id', 'requested_by']).execute()
  await db.schema.createIndex('changes_by_end').on('changes').column('ended_at').execute()
  // Of all changes ever asked for, few have something new to tell: an index of those alone, in the words of the query.
  await sql`create index changes_unshown on changes (updated_at, id)
    where requested_at is not null and shown_revision < revision`.execute(db)
}

async function createAudit(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_entries')
    .addColumn('seq', 'bigint', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('change_id', 'text')
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('detail', 'text')
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('audit_entries_by_change').on('audit_entries').columns(['change_id', 'seq']).execute()
  await db.schema.createIndex('audit_entries_by_actor').on('audit_entries').columns(['actor', 'seq']).execute()
  await db.schema
    .createTable('audit_head')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute()
  await sql`insert into audit_head (id, seq, hash) values (1, 0, '')`.execute(db)
}

async function createZoneNames(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('zone_names')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('folded_name', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('zone_id', 'text', (column) => column.notNull())
    .addColumn('added_by', 'text', (column) => column.notNull())
    .addColumn('added_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('zone_names_key', ['kind', 'folded_name'])
    .execute()
}

async function createAnswers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('answers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('values', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text', (column) => column.notNull())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text')
    .addColumn('message', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('answers_by_age').on('answers').columns(['created_at', 'id']).execute()
  await db.schema.createIndex('answers_by_expiry').on('answers').column('expires_at').execute()
}

/** What is told, what may act only once, and what was known last. */
async function createNotices(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('notices')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('recipient', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('notices_by_due').on('notices').column('due_at').execute()
  await db.schema.createIndex('notices_by_age').on('notices').columns(['created_at', 'id']).execute()
  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('deliveries_by_age').on('deliveries').column('at').execute()
  await db.schema
    .createTable('remembered')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
}

/** Who asked stands beside who approved, and the key makes it the one who did: no statement can approve one's own. */
async function createApprovals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('approvals')
    .addColumn('change_id', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('requested_by', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('approvals_key', ['change_id', 'person'])
    .addCheckConstraint('approvals_by_another', sql`person <> requested_by`)
    .addForeignKeyConstraint(
      'approvals_of_change',
      ['change_id', 'requested_by'],
      'changes',
      ['id', 'requested_by'],
      (key) => key.onDelete('cascade'),
    )
    .execute()
}

/** Small integers, so that PostgreSQL adds them up to an integer and not to a decimal. */
async function createMinutes(db: Kysely<unknown>): Promise<void> {
  let table = db.schema
    .createTable('minutes')
    .addColumn('pull_zone_id', 'text', (column) => column.notNull())
    .addColumn('minute', 'integer', (column) => column.notNull())
    .addColumn('covered_ms', 'integer', (column) => column.notNull())
  for (const count of COUNTS) table = table.addColumn(count, 'integer', (column) => column.notNull())
  await table.addPrimaryKeyConstraint('minutes_key', ['pull_zone_id', 'minute']).execute()
  await db.schema.createIndex('minutes_by_age').on('minutes').column('minute').execute()
}

async function createRules(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_rules')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('parameters', 'text', (column) => column.notNull())
    .addColumn('mention', 'text')
    .addColumn('runbook', 'text')
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('paused_why', 'text')
    .addColumn('paused_at', 'bigint')
    .addUniqueConstraint('alert_rules_same', ['subject', 'channel_id', 'kind'])
    .execute()
  await db.schema.createIndex('alert_rules_by_channel').on('alert_rules').column('channel_id').execute()
  await db.schema
    .createTable('alert_states')
    .addColumn('rule_id', 'text', (column) => column.notNull().references('alert_rules.id').onDelete('cascade'))
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_states_key', ['rule_id', 'subject'])
    .execute()
  await db.schema.createIndex('alert_states_by_subject').on('alert_states').column('subject').execute()
  await db.schema
    .createTable('alert_watches')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
}

async function createIncidents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('incidents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('opened_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('doc', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('shown_revision', 'integer', (column) => column.notNull())
    .addColumn('message_ts', 'text')
    .addColumn('posted_at', 'bigint')
    .addColumn('acknowledged_by', 'text')
    .addColumn('acknowledged_at', 'bigint')
    .addColumn('dismissed_by', 'text')
    .execute()
  await db.schema.createIndex('incidents_by_subject').on('incidents').columns(['subject', 'opened_at', 'id']).execute()
  await db.schema.createIndex('incidents_by_age').on('incidents').columns(['opened_at', 'id']).execute()
  await db.schema.createIndex('incidents_by_end').on('incidents').column('ended_at').execute()
  // Few are open, of all that are kept: each look asks for them.
  await sql`create index incidents_open on incidents (channel_id, subject) where ended_at is null`.execute(db)
  // Each look asks for the newest of these as well.
  await sql`create index incidents_dismissed on incidents (subject, ended_at, id) where dismissed_by is not null`.execute(
    db,
  )
}

async function createPosts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_posts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('incident_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('what', 'text', (column) => column.notNull())
    .addColumn('body', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('again_at', 'bigint')
    .addColumn('held_until', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('alert_posts_by_age').on('alert_posts').columns(['created_at', 'seq', 'id']).execute()
  await db.schema.createIndex('alert_posts_by_seq').on('alert_posts').column('seq').execute()
  await db.schema.createIndex('alert_posts_by_hold').on('alert_posts').column('held_until').execute()
  // An incident has one message, so one card at most waits for it, whoever asks for it.
  await sql`create unique index alert_posts_card on alert_posts (incident_id) where what = 'card'`.execute(db)
  await db.schema
    .createTable('dead_alert_posts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('incident_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('what', 'text', (column) => column.notNull())
    .addColumn('body', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('dead_at', 'bigint', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('dead_alert_posts_by_age').on('dead_alert_posts').columns(['dead_at', 'id']).execute()
}

async function createSilencesAndMarks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('silences')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('kind', 'text')
    .addColumn('channel_id', 'text')
    .addColumn('from_at', 'bigint', (column) => column.notNull())
    .addColumn('until_at', 'bigint', (column) => column.notNull())
    .addColumn('set_by', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .execute()
  await db.schema.createIndex('silences_by_end').on('silences').column('until_at').execute()
  await db.schema
    .createTable('marks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('pull_zone_id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('set_by', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('marks_by_zone').on('marks').columns(['pull_zone_id', 'at', 'id']).execute()
  await db.schema.createIndex('marks_by_age').on('marks').column('at').execute()
}
