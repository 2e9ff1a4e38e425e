import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration'
import { createAlertTables } from './alert-migration.ts'
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

/** Steps that have been released are never edited: a new step is added, and its name sorts after the last. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001_first': { up: first },
  '002_approvals': { up: approvals },
  '003_alerts': { up: createAlertTables },
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

/** Changes that wait for others, what is told about them, and what may act only once. */
async function approvals(db: Kysely<unknown>): Promise<void> {
  for (const column of ['request_hash', 'break_glass', 'ended_by', 'answer'])
    await db.schema.alterTable('changes').addColumn(column, 'text').execute()
  for (const column of ['requested_at', 'announcing_until'])
    await db.schema.alterTable('changes').addColumn(column, 'bigint').execute()
  for (const column of ['revision', 'shown_revision'])
    await db.schema
      .alterTable('changes')
      .addColumn(column, 'integer', (definition) => definition.notNull().defaultTo(0))
      .execute()
  // What the version before has asked for was told by it.
  await sql`update changes set requested_at = created_at where state not in ('draft', 'cancelled')`.execute(db)
  await db.schema.alterTable('changes').dropColumn('view_external_id').execute()
  await db.schema.dropIndex('changes_by_hash').execute()
  await db.schema.createIndex('changes_by_request').on('changes').columns(['request_hash', 'updated_at']).execute()
  // Of all changes ever asked for, few have something new to tell: an index of those alone, in the words of the query.
  await sql`create index changes_unshown on changes (updated_at, id)
    where requested_at is not null and shown_revision < revision`.execute(db)
  await db.schema.createIndex('changes_by_requester').unique().on('changes').columns(['id', 'requested_by']).execute()
  await db.schema.createIndex('changes_by_end').on('changes').column('ended_at').execute()
  await db.schema.createIndex('audit_entries_by_actor').on('audit_entries').columns(['actor', 'seq']).execute()
  await createApprovals(db)
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
