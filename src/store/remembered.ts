import type { AuditEntry } from './schema/audit-entry.ts'
import { StorePart } from './audit/audit-log.ts'
import { type NewNotice, putNotices } from './outbox/outbox.ts'
import { reader, toRow } from './schema/rows.ts'
import { RememberedRow } from './schema/tables.ts'

/** What the program knew when it looked last, to say what has changed since: one value for each name, kept for ever. */
export class Remembered extends StorePart {
  /** The value of a name and when it was learnt; undefined when it never was. */
  async get(name: string): Promise<{ readonly value: unknown; readonly at: Date } | undefined> {
    return this.database.first(
      (db) => db.selectFrom('remembered').select(['value', 'at']).where('name', '=', name),
      reader('remembered', RememberedRow.omit({ name: true })),
    )
  }

  /**
   * Replaces a value, together with the entries and notices that say so. With `unlessSince`, nothing happens and false is
   * returned when the value was learnt anew since: of two processes, one says it, whatever their clocks show. Throws
   * RangeError for more than 4 MB.
   */
  async set(
    name: string,
    value: unknown,
    learnt: {
      readonly now: Date
      readonly entries?: readonly AuditEntry[]
      readonly notices?: readonly NewNotice[]
      readonly unlessSince?: Date
      /** Only while this process holds the lease. */
      readonly asHolder?: boolean
    },
  ): Promise<boolean> {
    const { now, entries = [], notices = [], unlessSince, asHolder = false } = learnt
    const row = toRow(RememberedRow, { name, value, at: now })
    return this.audit.record(
      async ({ rows, append }) => {
        const before = await rows.selectFrom('remembered').select('at').where('name', '=', name).executeTakeFirst()
        if (unlessSince !== undefined && before !== undefined && before.at !== unlessSince.getTime()) return false
        await rows
          .insertInto('remembered')
          .values(row)
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: row.value, at: row.at }))
          .execute()
        for (const entry of entries) await append(entry)
        await putNotices(rows, notices, this.database)
        return true
      },
      { asHolder },
    )
  }
}
