import type { Store } from '../../../src/store/store.ts'
import { createPostgresDatabase } from '../../store/postgres-harness.ts'
import { createSqliteHarness } from '../../store/sqlite-harness.ts'
import type { TurnedClock } from '../../support/turned-clock.ts'

/** A database that one process after the other works on. */
export interface PlayedDatabase {
  open(clock: TurnedClock): Promise<Store>
  /** The clock has been turned; a server that goes by its own time is told. */
  turned(nowMs: number): Promise<void>
  close(): Promise<void>
}

/** A file of its own, for one play. Goes by the clock of whoever has it open. */
export function playOnSqlite(folder?: string): PlayedDatabase {
  const harness = createSqliteHarness(folder)
  return { open: (clock) => harness.open({ clock }), turned: async () => {}, close: () => harness.close() }
}

/** The server goes by its own clock: one that stands where the test says is put before it. */
const PLAYED_TIME = `
  create table played_time (at timestamptz not null);
  insert into played_time values (now());
  create function clock_timestamp() returns timestamptz language sql stable as 'select at from public.played_time'`

/** A server that empties a database for one play after the other. */
export interface PlayedServer {
  database(): Promise<PlayedDatabase>
  drop(): Promise<void>
}

export async function playOnPostgres(): Promise<PlayedServer> {
  const server = await createPostgresDatabase()
  return {
    database: async () => {
      const harness = await server.harness()
      const name = new URL(harness.url).pathname.slice(1)
      await harness.sql(PLAYED_TIME)
      await harness.sql(`alter database ${name} set search_path to public, pg_catalog`)
      const ended = Promise.withResolvers<void>()
      let tell: PlayedDatabase['turned'] = async () => {}
      const told = Promise.withResolvers<void>()
      const telling = harness.connection(async (client) => {
        tell = async (nowMs) =>
          void (await client.query('update played_time set at = to_timestamp($1::double precision / 1000)', [nowMs]))
        told.resolve()
        await ended.promise
      })
      await told.promise
      return {
        open: async (clock) => {
          await tell(clock.now().getTime())
          return harness.open({ clock })
        },
        turned: tell,
        close: async () => {
          ended.resolve()
          await telling
          await harness.close()
        },
      }
    },
    drop: () => server.drop(),
  }
}
