import pg from 'pg'
import { systemClock } from '../../src/shared/clock.ts'
import { type Store, openStore } from '../../src/store/store.ts'
import { type StoreHarness, createTestClock, silentLog } from './harness.ts'

/** Where a server is looked for. The role must be allowed to make databases. */
const SERVER_URL = process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test'
const CONNECT_TIMEOUT_MS = 2_000

/** Why the tests cannot run here; undefined when a server answers. */
export async function whyNoPostgres(): Promise<string | undefined> {
  try {
    await withClient(SERVER_URL, (client) => client.query('select 1'))
    return undefined
  } catch (error) {
    return `no PostgreSQL server for tests: ${String(error)} (set TEST_POSTGRES_URL)`
  }
}

/** A database of its own; every harness made from it finds its tables empty. */
export interface PostgresDatabase {
  harness(): Promise<PostgresHarness>
  drop(): Promise<void>
}

export interface PostgresHarness extends StoreHarness {
  readonly url: string
  /** Runs statements on one connection of its own, past the store. */
  connection<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
}

export async function createPostgresDatabase(server = SERVER_URL): Promise<PostgresDatabase> {
  const onServer = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => withClient(server, work)
  const name = `cdn_ops_test_${systemClock.newId()}`
  await onServer((client) => client.query(`create database ${name}`))
  const url = Object.assign(new URL(server), { pathname: name }).href
  let made: string | undefined
  return {
    harness: async () => {
      // Only a server of one's own dies in a test: of another one nobody waits for its disk.
      const commits = server === SERVER_URL ? 'off' : 'on'
      await onServer((client) =>
        client.query(`alter database ${name} reset all; alter database ${name} set synchronous_commit = ${commits}`),
      )
      const isMade = await withClient(url, async (client) => {
        const isUntouched = made !== undefined && (await describeTables(client).catch(String)) === made
        await client.query(isUntouched ? EMPTY_ALL : DROP_ALL)
        return isUntouched
      })
      if (!isMade) {
        await (await openStore({ url, clock: createTestClock(), log: silentLog })).close()
        made = await withClient(url, describeTables)
      }
      return createHarness(url)
    },
    drop: () => onServer(async (client) => void (await client.query(`drop database ${name} with (force)`))),
  }
}

/** To make the tables anew takes longer than most tests, so they are emptied while they are as a store made them. */
const EMPTY_ALL = `do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%'
  loop execute format('delete from %I', name); end loop;
  insert into audit_head (id, seq, hash) values (1, 0, '');
  insert into lease (fence, holder, since_at, until_at) values (0, '', 0, 0); end $$`
const DROP_ALL = 'drop schema public cascade; create schema public'

/** The tables, their columns and the migrations taken. A table made anew has another id. */
async function describeTables(client: pg.Client): Promise<string> {
  const { rows } = await client.query(`select attrelid, attname, atttypid, attnotnull from pg_attribute
    join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace order by attrelid, attnum`)
  const taken = rows.length > 0 ? await client.query('select name from kysely_migration order by name') : { rows: [] }
  return JSON.stringify([rows, taken.rows])
}

function createHarness(url: string): PostgresHarness {
  const clock = createTestClock()
  const opened: Store[] = []
  const connection: PostgresHarness['connection'] = (work) => withClient(url, work)
  const sql: StoreHarness['sql'] = async (statement) =>
    (await connection((client) => client.query<Record<string, unknown>>(statement))).rows
  return {
    url,
    clock,
    connection,
    sql,
    open: async (options = {}) => {
      const store = await openStore({ url, clock, log: silentLog, ...options })
      opened.push(store)
      return store
    },
    columns: async () => {
      const rows = await sql(`select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public'`)
      return rows.map(({ name }) => String(name))
    },
    dropTables: async () => void (await sql(DROP_ALL)),
    close: async () => {
      await Promise.all(opened.map((store) => store.close()))
    },
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, types })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
