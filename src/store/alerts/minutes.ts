import type { Transaction } from 'kysely'
import { MINUTE_MS } from '../../shared/durations.ts'
import { AS_HOLDER, type Database, Unrecorded } from '../engine/database.ts'
import { COUNTS, MINUTE_RETENTION_MS, type MinuteCounts, MinuteRow } from '../schema/minute-counts.ts'
import { reader } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'

const MAX_MINUTES_READ = MINUTE_RETENTION_MS / MINUTE_MS
/** In one statement: 18 values each, and SQLite takes 32,766. */
const CHUNK_ROWS = 200
/** So few that a server deletes them well within its time for a statement. */
const BATCH_ROWS = 5_000
/** In one call; what is left goes with the next one. */
const MAX_BATCHES = 20

/** What pull zones' logs said of each minute, for two weeks and a day. */
export class Minutes extends Unrecorded {
  /** What is kept of a stretch, ascending; `until` is excluded. At most 21,600 minutes, the oldest ones. */
  async read(pullZoneId: string, from: number, until: number): Promise<readonly MinuteCounts[]> {
    return this.database.list(
      (db) =>
        db
          .selectFrom('minutes')
          .select(COLUMNS)
          .where('pullZoneId', '=', pullZoneId)
          .where('minute', '>=', from)
          .where('minute', '<', until)
          .orderBy('minute')
          .limit(MAX_MINUTES_READ),
      toMinute,
    )
  }

  /**
   * Replaces what is kept of these minutes. The zone's watch is at another revision then: a look that has begun is done anew,
   * and whoever holds minutes in memory loads them anew.
   */
  async put(pullZoneId: string, minutes: readonly MinuteCounts[]): Promise<void> {
    if (minutes.length === 0) return
    await this.database.write(async (rows) => {
      // Before the minutes, as a look does: then one waits for the other, and never both.
      await rows
        .updateTable('alertWatches')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .where('subject', '=', `pull/${pullZoneId}`)
        .execute()
      await putMinutes(rows, pullZoneId, minutes)
    })
  }

  /** The first minute of which something is known, and the one after the last; undefined when there is none. */
  async span(pullZoneId: string): Promise<{ readonly from: number; readonly until: number } | undefined> {
    const { first, last } = await this.database.read((db) =>
      db
        .selectFrom('minutes')
        .select(({ fn }) => [fn.min<number | null>('minute').as('first'), fn.max<number | null>('minute').as('last')])
        .where('pullZoneId', '=', pullZoneId)
        .where('coveredMs', '>', 0)
        .executeTakeFirstOrThrow(),
    )
    return first === null || last === null ? undefined : { from: first, until: last + 1 }
  }

  /** How many milliseconds of a stretch were read; `until` is excluded. */
  async known(pullZoneId: string, from: number, until: number): Promise<number> {
    const { known } = await this.database.read((db) =>
      db
        .selectFrom('minutes')
        .select(({ fn }) => fn.sum<number | null>('coveredMs').as('known'))
        .where('pullZoneId', '=', pullZoneId)
        .where('minute', '>=', from)
        .where('minute', '<', until)
        .executeTakeFirstOrThrow(),
    )
    return known ?? 0
  }
}

/** Inside of a transaction: replaces what is kept of these minutes. Of one that is given twice the last one counts. */
export async function putMinutes(
  rows: Transaction<Tables>,
  pullZoneId: string,
  minutes: readonly MinuteCounts[],
): Promise<void> {
  // PostgreSQL refuses to replace a row twice in one statement.
  const byMinute = new Map(minutes.map((counts) => [counts.minute, counts]))
  const values = [...byMinute.values()].map((counts) => ({ ...MinuteRow.parse(counts), pullZoneId }))
  for (let from = 0; from < values.length; from += CHUNK_ROWS)
    await rows
      .insertInto('minutes')
      .values(values.slice(from, from + CHUNK_ROWS))
      .onConflict((conflict) =>
        conflict
          .columns(['pullZoneId', 'minute'])
          .doUpdateSet((eb) =>
            Object.fromEntries(REPLACED.map((column) => [column, eb.ref(`excluded.${column}`)] as const)),
          ),
      )
      .execute()
}

export async function pruneMinutes(database: Database, now: Date): Promise<void> {
  const until = Math.floor((now.getTime() - MINUTE_RETENTION_MS) / MINUTE_MS)
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { numDeletedRows } = await database.write(
      (rows) =>
        rows
          .deleteFrom('minutes')
          .where((eb) =>
            eb(
              eb.refTuple('pullZoneId', 'minute'),
              'in',
              eb
                .selectFrom('minutes')
                .select(['pullZoneId', 'minute'])
                .where('minute', '<', until)
                .limit(BATCH_ROWS)
                .$asTuple('pullZoneId', 'minute'),
            ),
          )
          .executeTakeFirstOrThrow(),
      AS_HOLDER,
    )
    if (numDeletedRows < BATCH_ROWS) return
  }
}

const toMinute = reader('minutes', MinuteRow)
const REPLACED = ['coveredMs', ...COUNTS] as const
const COLUMNS = ['minute', ...REPLACED] as const
