import { CamelCasePlugin, Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import * as z from 'zod'
import type { Log } from '../../shared/log.ts'
import type { Engine, Timed } from './database.ts'
import { assertMigrated, migrate } from '../schema/migrations.ts'
import { readRow } from '../schema/rows.ts'
import { StoreError, type StoreErrorKind } from '../schema/store-error.ts'
import type { Tables } from '../schema/tables.ts'

/** Opens the store on a PostgreSQL server, which several processes may share. Throws `StoreError`. */
export async function openPostgres(url: string, log: Log, timed?: Timed, prepareTables = migrate): Promise<Engine> {
  try {
    await prepareOnce(url, log, prepareTables)
    return engine(connect(url, log, { max: MAX_CONNECTIONS, statement_timeout: STATEMENT_TIMEOUT_MS }), timed)
  } catch (error) {
    throw postgresError(error) ?? error
  }
}

/** Opens it for reading alone, also while bots use it. No table is changed. Throws `StoreError`. */
export async function openPostgresForReading(url: string, log: Log): Promise<Engine> {
  const limits = { max: 1, statement_timeout: LONG_READ_TIMEOUT_MS, options: '-c default_transaction_read_only=on' }
  const kysely = connect(url, log, limits)
  try {
    await assertMigrated(kysely)
    return engine(kysely)
  } catch (error) {
    await kysely.destroy()
    throw postgresError(error) ?? error
  }
}

function engine(kysely: Kysely<Tables>, timed: Timed = (ask) => ask()): Engine {
  return {
    name: 'postgres',
    kysely,
    places: PLACES,
    classify: postgresError,
    nowMs: (within) => timed(() => serverNowMs(within)),
    // The server's files, its log and its vacuum are in the hands of whoever runs it.
    cutLog: async () => true,
    keepsCommits: () => keepsCommits(kysely),
    close: () => kysely.destroy(),
  }
}

async function keepsCommits(kysely: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ readonly kept: boolean }>`
    select current_setting('fsync')::boolean and current_setting('synchronous_commit') <> 'off' as kept`.execute(kysely)
  return rows[0]?.kept === true
}

/** Nearly every write waits for the head of the record, one after the other: more would only hold connections. */
const PLACES = { reads: 4, writes: 2 }
/** With one for what goes ahead. Nobody waits for a place in the pool, so its timeout says that the server does not answer. */
const MAX_CONNECTIONS = PLACES.reads + PLACES.writes + 1
/** What takes longer is given up by the server, so that a call ends within three seconds, and ends undone. */
const STATEMENT_TIMEOUT_MS = 2_000
/** Waiting for another process that is migrating counts as well. */
const MIGRATION_TIMEOUT_MS = 60_000
/** Nobody in Slack waits for a tool that reads the whole record. */
const LONG_READ_TIMEOUT_MS = 60_000
/** The client's own end to waiting, for a server that cannot even say that it gave up. */
const SILENCE_MS = 1_000

/** Kysely's own key, which an older version takes as well. */
const MIGRATION_LOCK = 3853314791062309107n

/**
 * On its own connection, since the first start of a new version may need longer than any later statement. The lock is the
 * transaction's: behind a pooler that of a session would stay with a connection that others get, and nobody could start.
 */
async function prepareOnce(url: string, log: Log, prepareTables: typeof migrate): Promise<void> {
  const kysely = connect(url, log, { max: 1, statement_timeout: MIGRATION_TIMEOUT_MS })
  try {
    await kysely.transaction().execute(async (within) => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(within)
      await prepareTables(within)
    })
  } finally {
    await kysely.destroy()
  }
}

/** `options` are settings of the session, as PostgreSQL's own programs take them. */
type Limits = Pick<pg.PoolConfig, 'max' | 'options'> & { readonly statement_timeout: number }

function connect(url: string, log: Log, limits: Limits): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: url,
    ...limits,
    connectionTimeoutMillis: 2_000,
    query_timeout: limits.statement_timeout + SILENCE_MS,
    idle_in_transaction_session_timeout: 5_000,
    // A connection that has died without a sign is not kept in use for longer than this.
    maxLifetimeSeconds: 60,
    keepAlive: true,
    application_name: 'cdn-ops',
    types: columnTypes(),
  })
  // A connection that ends between two calls is replaced by the next one; without listeners it would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      log.warn({ error: postgresError(error)?.message ?? error.name }, 'A connection to the store ended')
    })
  })
  pool.on('error', () => undefined)
  const dialect = Object.assign(new PostgresDialect({ pool }), { createAdapter: () => new LockedAdapter() })
  return new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] })
}

/** Whose migrations take no lock of their own: one that is held already. */
class LockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** The driver gives 64-bit integers as text. All of ours are times and counts that numbers hold. */
function columnTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, integer)
  return types
}

/** What no number holds is not ours: left as it is, it is refused with its row, or found by whoever verifies the record. */
function integer(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}

const ServerTime = z.object({ now: z.int() })

/** Not `now()`, which stands still from the beginning of the transaction, however long that waited for its lock. */
async function serverNowMs(within: Kysely<Tables>): Promise<number> {
  const { rows } = await sql`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(within)
  return readRow('clock', ServerTime, rows[0]).now
}

/** A failure of PostgreSQL or of the way to it as a `StoreError`; undefined for any other error. */
function postgresError(error: unknown): StoreError | undefined {
  if (error instanceof pg.DatabaseError) return fromServer(error)
  const system = SystemFailure.safeParse(error)
  if (system.success) return new StoreError('unreachable', system.data.code)
  if (error instanceof AggregateError) return postgresError(error.errors[0])
  if (error instanceof Error && LOST.some((sign) => error.message.includes(sign))) return new StoreError('unreachable')
  return undefined
}

const SystemFailure = z.object({ code: z.string(), syscall: z.string() })

/** How the driver words, in errors without a code, that a connection was not made, ended, or gives no answer. */
const LOST = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Query read timeout',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end on the pool',
  'Postgres connection has been discarded',
]

/** The server's message and detail may quote values. Only for mistakes in the statement itself does the message not. */
function fromServer({ code, message }: pg.DatabaseError): StoreError {
  const state = code ?? 'no code'
  const kind = KINDS[state] ?? KINDS[state.slice(0, 2)]
  if (kind !== undefined) return new StoreError(kind, state)
  if (/^(28|3D)/.test(state)) return new StoreError('other', state, NOT_LET_IN)
  return new StoreError('other', STATEMENT_MISTAKES.has(state) ? `${state}: ${message}` : state)
}

/** Codes, or classes of them by their first two characters: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const KINDS: Readonly<Record<string, StoreErrorKind>> = {
  '40001': 'locked',
  '40P01': 'locked',
  '55P03': 'locked',
  '57014': 'locked',
  '53100': 'full',
  '25006': 'read_only',
  // Nothing was heard of this process in the middle of a transaction: the server ended the connection.
  '25P03': 'unreachable',
  '42501': 'read_only',
  '08': 'unreachable',
  '53': 'unreachable',
  '57': 'unreachable',
  '58': 'unreachable',
  XX: 'corrupt',
}

const NOT_LET_IN = 'The database server does not take the user, password or database of STORE_URL'

/** Syntax error, undefined column, undefined table, undefined function. */
const STATEMENT_MISTAKES: ReadonlySet<string> = new Set(['42601', '42703', '42P01', '42883'])
