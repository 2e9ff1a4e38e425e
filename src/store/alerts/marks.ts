import { type Kysely, sql } from 'kysely'
import { type MarkRecord, MarkRow } from '../schema/alert-records.ts'
import type { AuditEntry } from '../schema/audit-entry.ts'
import { StorePart } from '../audit/audit-log.ts'
import type { Once } from '../outbox/idempotency-keys.ts'
import { keepNewest, readRow, toRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'

/** The oldest make room. */
export const MAX_MARKS_PER_ZONE = 200

/** Deploys, purges and whatever else explains what the numbers of a pull zone show. */
export class Marks extends StorePart {
  /** Adds a mark; of more than 200 of its zone the oldest make room. */
  async add(mark: MarkRecord, entry: AuditEntry, once?: Once): Promise<void> {
    const { by: setBy, ...rest } = mark
    const row = toRow(MarkRow, { ...rest, setBy })
    await this.audit.record(async ({ rows, append }) => {
      await rows.insertInto('marks').values(row).execute()
      await keepNewest(rows, 'marks', {
        by: 'at',
        most: MAX_MARKS_PER_ZONE,
        of: sql`pull_zone_id = ${mark.pullZoneId}`,
      })
      await append(entry)
    }, once)
  }

  /** Takes a mark off, so that it explains nothing any more, and returns it; undefined, and nothing recorded, when there is none. */
  async remove(id: string, entry: (gone: MarkRecord) => AuditEntry, once?: Once): Promise<MarkRecord | undefined> {
    return this.audit.record(async ({ rows, append }) => {
      const row = await rows.deleteFrom('marks').where('id', '=', id).returningAll().executeTakeFirst()
      if (row === undefined) return undefined
      const gone = toMark(row)
      await append(entry(gone))
      return gone
    }, once)
  }

  /** Those of a zone from this time on, newest first, at most 200. */
  async list(pullZoneId: string, since: Date): Promise<readonly MarkRecord[]> {
    return this.database.list((db) => marksSince(db, pullZoneId, since.getTime()), toMark)
  }

  /** Newest first. */
  async between({ from, until, zoneId, limit }: MarksBetween): Promise<readonly MarkRecord[]> {
    return this.database.list((db) => {
      const all = db
        .selectFrom('marks')
        .selectAll()
        .where('at', '>=', from.getTime())
        .where('at', '<=', until.getTime())
      const meant = zoneId === undefined ? all : all.where('pullZoneId', '=', zoneId)
      return meant.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit)
    }, toMark)
  }
}

/** Which marks: of one zone or of all, in a stretch of time with both its ends. */
interface MarksBetween {
  readonly from: Date
  readonly until: Date
  readonly zoneId?: string | undefined
  readonly limit: number
}

/** Those of a zone from this moment on, newest first. */
export function marksSince(db: Kysely<Tables>, pullZoneId: string, fromMs: number) {
  const all = db.selectFrom('marks').selectAll().where('pullZoneId', '=', pullZoneId).where('at', '>=', fromMs)
  return all.orderBy('at', 'desc').orderBy('id', 'desc').limit(MAX_MARKS_PER_ZONE)
}

export function toMark(row: Tables['marks']): MarkRecord {
  const { setBy: by, ...mark } = readRow('marks', MarkRow, row)
  return { ...mark, by }
}
