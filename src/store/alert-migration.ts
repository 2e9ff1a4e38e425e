import { type Kysely, sql } from 'kysely'
import { COUNTS } from './minute-counts.ts'

/** The step `003_alerts`: minutes, rules and where they stand, incidents and what is told about them. */
export async function createAlertTables(db: Kysely<unknown>): Promise<void> {
  await createMinutes(db)
  await createRules(db)
  await createIncidents(db)
  await createPosts(db)
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
    .execute()
  await db.schema.createIndex('incidents_by_subject').on('incidents').columns(['subject', 'opened_at', 'id']).execute()
  await db.schema.createIndex('incidents_by_age').on('incidents').columns(['opened_at', 'id']).execute()
  await db.schema.createIndex('incidents_by_end').on('incidents').column('ended_at').execute()
  // Few are open, of all that are kept: each look asks for them.
  await sql`create index incidents_open on incidents (channel_id, subject) where ended_at is null`.execute(db)
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
