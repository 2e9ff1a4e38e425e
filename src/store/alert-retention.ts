import {
  DEAD_POST_RETENTION_MS,
  INCIDENT_RETENTION_MS,
  MARK_RETENTION_MS,
  SILENCE_RETENTION_MS,
} from './alert-records.ts'
import type { Database } from './database.ts'
import { MINUTE_RETENTION_MS } from './minute-counts.ts'

/** Of a subject at which nobody has looked: longer than anything that could be read anew is there. */
export const WATCH_RETENTION_MS = 15 * 86_400_000

export const MINUTE_MS = 60_000
/** So few that a server deletes them well within its time for a statement. */
const BATCH_ROWS = 5_000
/** In one call; what is left goes with the next one. */
const MAX_BATCHES = 20

/** Deletes what has outlived its retention of all that is kept about alerts. */
export async function pruneAlerts(database: Database, now: Date): Promise<void> {
  const before = (retentionMs: number) => now.getTime() - retentionMs
  await database.write(async (rows) => {
    await rows.deleteFrom('incidents').where('endedAt', '<=', before(INCIDENT_RETENTION_MS)).execute()
    await rows.deleteFrom('deadAlertPosts').where('deadAt', '<=', before(DEAD_POST_RETENTION_MS)).execute()
    await rows.deleteFrom('silences').where('untilAt', '<=', before(SILENCE_RETENTION_MS)).execute()
    await rows.deleteFrom('marks').where('at', '<=', before(MARK_RETENTION_MS)).execute()
    await rows.deleteFrom('alertWatches').where('at', '<=', before(WATCH_RETENTION_MS)).execute()
  })
  await pruneMinutes(database, Math.floor(before(MINUTE_RETENTION_MS) / MINUTE_MS))
}

async function pruneMinutes(database: Database, until: number): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { numDeletedRows } = await database.write((rows) =>
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
    )
    if (numDeletedRows < BATCH_ROWS) return
  }
}
