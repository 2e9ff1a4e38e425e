import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration'
import { COUNTS } from './minute-counts.ts'
import { StoreError, UnpreparedStoreError } from './store-error.ts'
import type { Tables } from './tables.ts'

/**
 * Brings the tables to the newest form, all steps or none. One process at a time: on PostgreSQL a lock is held meanwhile, and
 * a SQLite file has one process.
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
    throw new UnpreparedStoreError('There is no store of CDN Ops in it')
  const taken = await sql<{ readonly name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(
    kysely,
  )
  const names = new Set(taken.rows.map(({ name }) => name))
  if ([...names].some((name) => !(name in MIGRATIONS))) throw usedByNewer()
  if (Object.keys(MIGRATIONS).some((name) => !names.has(name)))
    throw new UnpreparedStoreError(
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
  '002_history': { up: addHistory },
  '004_replicas': { up: addReplicas },
  '005_conversations': { up: (db) => create(db, CONVERSATIONS) },
  '006_digest': { up: (db) => create(db, DIGESTS) },
}

/** Columns by what they hold, and what else there is of a table. Only those in `optional` may be NULL. */
interface Table {
  readonly text?: readonly string[]
  readonly optional?: readonly string[]
  /** 64 bits: times, and numbers that grow for ever. */
  readonly bigint?: readonly string[]
  readonly optionalBigint?: readonly string[]
  readonly integer?: readonly string[]
  /** In the words of SQL; unless given, that the id is the key. */
  readonly constraints?: readonly string[]
  /** The columns of each index by its name, which the table's comes before. */
  readonly indexes?: Readonly<Record<string, readonly string[]>>
}

const TABLES: Readonly<Record<string, Table>> = {
  // Nothing sets `detail` any more. It stays, because a process of an older version that shares the store still writes it.
  changes: {
    text: ['id', 'state', 'operation', 'values', 'requested_by', 'team'],
    optional: [
      'sentence',
      'hash',
      'request_hash',
      'channel_id',
      'lease_holder',
      'outcome',
      'detail',
      'message_channel',
      'message_ts',
      'break_glass',
      'ended_by',
      'answer',
    ],
    bigint: ['created_at', 'updated_at', 'expires_at'],
    optionalBigint: ['lease_until', 'requested_at', 'sent_at', 'ended_at', 'announcing_until'],
    integer: ['revision', 'shown_revision'],
    constraints: ['primary key (id)', 'unique (id, requested_by)'],
    indexes: {
      by_age: ['created_at', 'id'],
      by_state: ['state', 'expires_at'],
      by_person: ['requested_by', 'created_at'],
      by_request: ['request_hash', 'updated_at'],
      by_end: ['ended_at'],
    },
  },
  // Who asked stands beside who approved, and the key makes it the one who did: no statement can approve one's own.
  approvals: {
    text: ['change_id', 'person', 'requested_by', 'hash'],
    bigint: ['at'],
    constraints: [
      'primary key (change_id, person)',
      'check (person <> requested_by)',
      'foreign key (change_id, requested_by) references changes (id, requested_by) on delete cascade',
    ],
  },
  audit_entries: {
    text: ['actor', 'team', 'operation', 'event', 'summary', 'hash'],
    optional: ['change_id', 'detail'],
    bigint: ['seq', 'at'],
    constraints: ['primary key (seq)'],
    indexes: { by_change: ['change_id', 'seq'], by_actor: ['actor', 'seq'] },
  },
  audit_head: { text: ['hash'], bigint: ['seq'], integer: ['id'] },
  zone_names: {
    text: ['kind', 'folded_name', 'name', 'zone_id', 'added_by'],
    bigint: ['added_at'],
    constraints: ['primary key (kind, folded_name)'],
  },
  answers: {
    text: ['id', 'kind', 'operation', 'values', 'actor_id', 'team'],
    optional: ['channel_id', 'message'],
    bigint: ['created_at', 'expires_at'],
    indexes: { by_age: ['created_at', 'id'], by_expiry: ['expires_at'] },
  },
  outbox: {
    text: ['id', 'what', 'channel_id', 'target'],
    optional: ['incident_id', 'body'],
    bigint: ['created_at', 'seq', 'due_at', 'held_until'],
    integer: ['attempts', 'fence'],
    indexes: {
      by_age: ['created_at', 'seq', 'id'],
      by_seq: ['seq'],
      by_hold: ['held_until'],
      by_incident: ['incident_id'],
    },
  },
  dead_letters: {
    text: ['id', 'what', 'channel_id', 'reason'],
    optional: ['incident_id', 'body'],
    bigint: ['created_at', 'due_at', 'dead_at'],
    integer: ['attempts'],
    indexes: { by_age: ['dead_at', 'id'] },
  },
  deliveries: { text: ['id'], bigint: ['at'], indexes: { by_age: ['at'] } },
  remembered: { text: ['name', 'value'], bigint: ['at'], constraints: ['primary key (name)'] },
  minutes: {
    text: ['pull_zone_id'],
    // Small ones, so that PostgreSQL adds them up to an integer and not to a decimal.
    integer: ['minute', 'covered_ms', ...COUNTS],
    constraints: ['primary key (pull_zone_id, minute)'],
    indexes: { by_age: ['minute'] },
  },
  alert_rules: {
    text: ['id', 'kind', 'subject', 'channel_id', 'parameters', 'created_by'],
    optional: ['mention', 'escalate', 'runbook', 'paused_why'],
    bigint: ['created_at'],
    optionalBigint: ['escalate_after_ms', 'paused_at'],
    constraints: ['primary key (id)', 'unique (subject, channel_id, kind)'],
    indexes: { by_channel: ['channel_id'] },
  },
  alert_states: {
    text: ['rule_id', 'subject', 'state'],
    constraints: [
      'primary key (rule_id, subject)',
      'foreign key (rule_id) references alert_rules (id) on delete cascade',
    ],
    indexes: { by_subject: ['subject'] },
  },
  alert_watches: {
    text: ['subject', 'state'],
    bigint: ['at'],
    integer: ['revision'],
    constraints: ['primary key (subject)'],
  },
  incidents: {
    text: ['id', 'subject', 'channel_id', 'doc'],
    optional: ['message_ts', 'acknowledged_by', 'dismissed_by'],
    bigint: ['opened_at'],
    optionalBigint: ['ended_at', 'posted_at', 'acknowledged_at'],
    integer: ['revision', 'shown_revision'],
    indexes: { by_subject: ['subject', 'opened_at', 'id'], by_age: ['opened_at', 'id'], by_end: ['ended_at'] },
  },
  silences: {
    text: ['id', 'subject', 'set_by'],
    optional: ['kind', 'channel_id', 'reason'],
    bigint: ['from_at', 'until_at'],
    indexes: { by_end: ['until_at'] },
  },
  marks: {
    text: ['id', 'pull_zone_id', 'text', 'set_by'],
    bigint: ['at'],
    indexes: { by_zone: ['pull_zone_id', 'at', 'id'], by_age: ['at'] },
  },
}

/** Indexes of few rows of many, in the words of the queries that they are for. */
const PARTIAL_INDEXES = [
  'index changes_unshown on changes (updated_at, id) where requested_at is not null and shown_revision < revision',
  'index incidents_open on incidents (channel_id, subject) where ended_at is null',
  'index incidents_dismissed on incidents (subject, ended_at, id) where dismissed_by is not null',
]

async function createTables(db: Kysely<unknown>): Promise<void> {
  await create(db, TABLES)
  for (const words of PARTIAL_INDEXES) await sql.raw(`create ${words}`).execute(db)
  await sql`insert into audit_head (id, seq, hash) values (1, 0, '')`.execute(db)
}

/** What people did about an incident, and since when nobody looks after it any more. */
async function addHistory(db: Kysely<unknown>): Promise<void> {
  await create(db, {
    incident_events: {
      text: ['id', 'incident_id', 'kind', 'person'],
      optional: ['holder', 'text'],
      bigint: ['at'],
      constraints: ['primary key (id)', 'foreign key (incident_id) references incidents (id) on delete cascade'],
      indexes: { by_incident: ['incident_id', 'at', 'id'] },
    },
  })
  await sql`alter table incidents add column released_at bigint`.execute(db)
}

/** Who shares the store, who of them holds the lease, and the slots of the log limit. */
async function addReplicas(db: Kysely<unknown>): Promise<void> {
  await create(db, {
    replicas: { text: ['id', 'name', 'version', 'configuration'], bigint: ['started_at', 'seen_at'] },
    lease: { text: ['holder'], bigint: ['fence', 'since_at', 'until_at'], constraints: ['primary key (fence)'] },
    log_slots: {
      text: ['pull_zone_id'],
      integer: ['slot'],
      bigint: ['free_at'],
      constraints: ['primary key (pull_zone_id, slot)'],
    },
  })
  await sql`insert into lease (fence, holder, since_at, until_at) values (0, '', 0, 0)`.execute(db)
}

/** What whichever process takes the next step of a conversation has to know. */
const CONVERSATIONS: Readonly<Record<string, Table>> = {
  response_addresses: { text: ['id', 'sealed'], bigint: ['expires_at'], indexes: { by_expiry: ['expires_at', 'id'] } },
}

const DIGESTS: Readonly<Record<string, Table>> = {
  digests: {
    text: ['channel_id', 'cadence', 'time_zone'],
    integer: ['minute', 'weekday', 'revision'],
    bigint: ['next_at', 'told_until'],
    constraints: ['primary key (channel_id)'],
    indexes: { by_due: ['next_at'] },
  },
}

async function create(db: Kysely<unknown>, tables: Readonly<Record<string, Table>>): Promise<void> {
  for (const [name, table] of Object.entries(tables)) {
    const {
      text = [],
      optional = [],
      bigint = [],
      optionalBigint = [],
      integer = [],
      constraints = ['primary key (id)'],
    } = table
    const parts = [
      ...text.map((column) => sql`${sql.ref(column)} text not null`),
      ...optional.map((column) => sql`${sql.ref(column)} text`),
      ...integer.map((column) => sql`${sql.ref(column)} integer not null`),
      ...bigint.map((column) => sql`${sql.ref(column)} bigint not null`),
      ...optionalBigint.map((column) => sql`${sql.ref(column)} bigint`),
      ...constraints.map((words) => sql.raw(words)),
    ]
    await sql`create table ${sql.table(name)} (${sql.join(parts)})`.execute(db)
    for (const [index, columns] of Object.entries(table.indexes ?? {}))
      await db.schema
        .createIndex(`${name}_${index}`)
        .on(name)
        .columns([...columns])
        .execute()
  }
}
