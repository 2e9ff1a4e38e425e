import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import * as z from 'zod'
import type { Log } from '../shared/log.ts'
import type { Engine, Timed } from './database.ts'
import { assertMigrated, migrate } from './migrations.ts'
import { postgresError } from './postgres-errors.ts'
import { readRow } from './rows.ts'
import type { Tables } from './tables.ts'

/** Opens the store on a PostgreSQL server, which several processes may share. Throws `StoreError`. */
export async function openPostgres(url: string, log: Log, timed?: Timed): Promise<Engine> {
  try {
    await migrateOnce(url, log)
    return engine(connect(url, log, { max: MAX_CONNECTIONS, statementTimeoutMs: STATEMENT_TIMEOUT_MS }), timed)
  } catch (error) {
    throw postgresError(error) ?? error
  }
}

/** Opens it for reading alone, also while bots use it. No table is changed. Throws `StoreError`. */
export async function openPostgresForReading(url: string, log: Log): Promise<Engine> {
  const limits = { max: 1, statementTimeoutMs: LONG_READ_TIMEOUT_MS, options: '-c default_transaction_read_only=on' }
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
    shred: async () => {},
    close: () => kysely.destroy(),
  }
}

/** Nearly every write waits for the head of the record, one after the other: more would only hold connections. */
const PLACES = { reads: 4, writes: 2 }
/** With one for what goes ahead. Nobody waits for a place in the pool, so its timeout says that the server does not answer. */
const MAX_CONNECTIONS = PLACES.reads + PLACES.writes + 1
const CONNECT_TIMEOUT_MS = 2_000
/** What takes longer is given up by the server, so that a call ends within three seconds, and ends undone. */
const STATEMENT_TIMEOUT_MS = 2_000
/** Waiting for another process that is migrating counts as well. */
const MIGRATION_TIMEOUT_MS = 60_000
/** Nobody in Slack waits for a tool that reads the whole record. */
const LONG_READ_TIMEOUT_MS = 60_000
/** The client's own end to waiting, for a server that cannot even say that it gave up. */
const SILENCE_MS = 1_000
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000
/** A connection that has died without a sign is not kept in use for longer than this. */
const MAX_CONNECTION_AGE_S = 60

interface ConnectionLimits {
  readonly max: number
  readonly statementTimeoutMs: number
  /** Settings of the session, as PostgreSQL's own programs take them. */
  readonly options?: string
}

/** On its own connection, since the first start of a new version may need longer than any later statement. */
async function migrateOnce(url: string, log: Log): Promise<void> {
  const kysely = connect(url, log, { max: 1, statementTimeoutMs: MIGRATION_TIMEOUT_MS })
  try {
    await migrate(kysely)
  } finally {
    await kysely.destroy()
  }
}

function connect(url: string, log: Log, { max, statementTimeoutMs, options }: ConnectionLimits): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + SILENCE_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    maxLifetimeSeconds: MAX_CONNECTION_AGE_S,
    keepAlive: true,
    ...(options !== undefined && { options }),
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
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] })
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
