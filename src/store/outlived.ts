import { sql } from 'kysely'
import {
  DEAD_POST_RETENTION_MS,
  INCIDENT_RETENTION_MS,
  MARK_RETENTION_MS,
  SILENCE_RETENTION_MS,
} from './alert-records.ts'
import { MINUTE_MS, WATCH_RETENTION_MS } from './alert-retention.ts'
import { CHANGE_RETENTION_MS, DRAFT_RETENTION_MS } from './change-sweep.ts'
import type { Database } from './database.ts'
import { DELIVERY_RETENTION_MS } from './deliveries.ts'
import { MINUTE_RETENTION_MS } from './minute-counts.ts'
import { Prepared } from './prepared.ts'

/** Whether anything has outlived its retention: one question for all tables that are pruned, since mostly nothing has. */
export async function isAnyOutlived(database: Database, now: Date): Promise<boolean> {
  const nowMs = now.getTime()
  const found = await database.read((db) =>
    OUTLIVED.rows(db, {
      now: nowMs,
      draft: nowMs - DRAFT_RETENTION_MS,
      change: nowMs - CHANGE_RETENTION_MS,
      delivery: nowMs - DELIVERY_RETENTION_MS,
      incident: nowMs - INCIDENT_RETENTION_MS,
      deadPost: nowMs - DEAD_POST_RETENTION_MS,
      silence: nowMs - SILENCE_RETENTION_MS,
      mark: nowMs - MARK_RETENTION_MS,
      watch: nowMs - WATCH_RETENTION_MS,
      minute: Math.floor((nowMs - MINUTE_RETENTION_MS) / MINUTE_MS),
    }),
  )
  return found.length > 0
}

type Limit = 'now' | 'draft' | 'change' | 'delivery' | 'incident' | 'deadPost' | 'silence' | 'mark' | 'watch' | 'minute'

const OUTLIVED = new Prepared((db, until: Readonly<Record<Limit, number>>) =>
  db
    .selectNoFrom(sql.lit(1).as('any'))
    .where((eb) =>
      eb.or([
        eb.exists(eb.selectFrom('answers').select('id').where('expiresAt', '<=', until.now)),
        eb.exists(
          eb.selectFrom('changes').select('id').where('state', '=', 'draft').where('updatedAt', '<=', until.draft),
        ),
        eb.exists(eb.selectFrom('changes').select('id').where('endedAt', '<=', until.change)),
        eb.exists(eb.selectFrom('deliveries').select('id').where('at', '<=', until.delivery)),
        eb.exists(eb.selectFrom('incidents').select('id').where('endedAt', '<=', until.incident)),
        eb.exists(eb.selectFrom('deadAlertPosts').select('id').where('deadAt', '<=', until.deadPost)),
        eb.exists(eb.selectFrom('silences').select('id').where('untilAt', '<=', until.silence)),
        eb.exists(eb.selectFrom('marks').select('id').where('at', '<=', until.mark)),
        eb.exists(eb.selectFrom('alertWatches').select('subject').where('at', '<=', until.watch)),
        eb.exists(eb.selectFrom('minutes').select('minute').where('minute', '<', until.minute)),
      ]),
    ),
)
