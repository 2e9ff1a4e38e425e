import type { AuditEntry } from './schema/audit-entry.ts'
import { StorePart } from './audit/audit-log.ts'
import type { Once } from './outbox/idempotency-keys.ts'
import { storable, type Stored } from './schema/columns.ts'
import { countRows, reader, toRow } from './schema/rows.ts'
import { type ZoneKind, ZoneNameRow } from './schema/tables.ts'

/** A name people use for a zone's number. Kept until somebody removes it. */
export type ZoneName = Stored<typeof ZoneNameRow>

/** What became of adding a name: taken up, already there, or no room for more. */
export type ZoneAddition = 'added' | 'full' | { readonly existing: ZoneName }

/** Of all kinds together: so few that every delivery can read them all. */
export const MAX_ZONE_NAMES = 500

export class ZoneNames extends StorePart {
  async list(): Promise<readonly ZoneName[]> {
    return this.database.list(
      (db) => db.selectFrom('zoneNames').selectAll().orderBy('kind').orderBy('foldedName').limit(MAX_ZONE_NAMES),
      toZoneName,
    )
  }

  /** Adds the name together with its entry in the record. Where nothing is added, nothing is recorded. */
  async add(zone: ZoneName, entry: AuditEntry, once?: Once): Promise<ZoneAddition> {
    const row = toRow(ZoneNameRow, zone)
    return this.audit.record<ZoneAddition>(async ({ rows, append }) => {
      const existing = await rows
        .selectFrom('zoneNames')
        .selectAll()
        .where('kind', '=', row.kind)
        .where('foldedName', '=', foldName(row.name))
        .executeTakeFirst()
      if (existing !== undefined) return { existing: toZoneName(existing) }
      if ((await countRows(rows, 'zoneNames')) >= MAX_ZONE_NAMES) return 'full'
      await rows
        .insertInto('zoneNames')
        .values({ ...row, foldedName: foldName(row.name) })
        .execute()
      await append(entry)
      return 'added'
    }, once)
  }

  /** Removes the name and records it; `entry` is made from what was removed. Undefined when there was no such name. */
  async remove(
    kind: ZoneKind,
    name: string,
    entry: (removed: ZoneName) => AuditEntry,
    once?: Once,
  ): Promise<ZoneName | undefined> {
    return this.audit.record(async ({ rows, append }) => {
      const row = await rows
        .deleteFrom('zoneNames')
        .where('kind', '=', kind)
        .where('foldedName', '=', foldName(name))
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return undefined
      const removed = toZoneName(row)
      await append(entry(removed))
      return removed
    }, once)
  }
}

const toZoneName = reader('zone_names', ZoneNameRow)

/** In the program and not in SQL: the engines fold letters beyond ASCII differently. */
function foldName(name: string): string {
  return storable(name).normalize('NFC').toLowerCase()
}
