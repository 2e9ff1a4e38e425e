import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StoreError } from './store-error.ts'
import type { Tables } from './tables.ts'

/**
 * Brings the tables to the newest form, all steps or none, and returns the names of the steps taken. Several processes
 * may do this at once: Kysely takes PostgreSQL's advisory lock, and a SQLite file has one process.
 *
 * Throws `StoreError` when a newer version has changed the tables, because this one would misread them.
 */
export async function migrate(kysely: Kysely<Tables>): Promise<readonly string[]> {
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => MIGRATIONS } })
  const { error, results } = await migrator.migrateToLatest()
  if (error instanceof Error && NEWER.test(error.message)) {
    throw new StoreError('other', undefined, 'The store was last used by a newer version of CDN Ops: run that one')
  }
  if (error !== undefined) throw error
  return (results ?? []).map(({ migrationName }) => migrationName)
}

/** How Kysely says that the database holds a step this program does not have. */
const NEWER = /^corrupted migrations: previously executed migration .* is missing$/

/** Steps that have been released are never edited: a new step is added, and its name sorts after the last. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001_first': { up: first },
}

async function first(db: Kysely<unknown>): Promise<void> {
  await createChanges(db)
  await createAudit(db)
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
    .addColumn('view_external_id', 'text')
    .addColumn('message_channel', 'text')
    .addColumn('message_ts', 'text')
    .execute()
  await db.schema.createIndex('changes_by_age').on('changes').columns(['created_at', 'id']).execute()
  await db.schema.createIndex('changes_by_state').on('changes').columns(['state', 'expires_at']).execute()
  await db.schema.createIndex('changes_by_person').on('changes').columns(['requested_by', 'created_at']).execute()
  await db.schema.createIndex('changes_by_hash').on('changes').columns(['hash', 'updated_at']).execute()
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
  await db.schema
    .createTable('audit_head')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute()
  await sql`insert into audit_head (id, seq, hash) values (1, 0, '')`.execute(db)
}
