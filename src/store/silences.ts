import type { Kysely } from 'kysely'
import { UserError } from '../shared/errors.ts'
import { type SilenceRecord, SilenceRow } from './alert-records.ts'
import type { AuditEntry } from './audit-entry.ts'
import { type Recording, StorePart } from './audit-log.ts'
import type { Once } from './deliveries.ts'
import { countRows, readRow, toRow } from './rows.ts'
import type { Tables } from './tables.ts'

/** Of all subjects together. Those that are over make room, no other one does. */
export const MAX_SILENCES = 500

export class Silences extends StorePart {
  /** Adds a silence. Throws UserError `busy` when 500 are in force or still to come. */
  async add(silence: SilenceRecord, entry: AuditEntry, once?: Once): Promise<void> {
    const { from: fromAt, until: untilAt, by: setBy, ...rest } = silence
    const row = toRow(SilenceRow, { ...rest, fromAt, untilAt, setBy })
    await this.audit.record(async (recording) => {
      await makeRoom(recording, this.database.clock.now())
      await recording.rows.insertInto('silences').values(row).execute()
      await recording.append(entry)
    }, once)
  }

  /** Ends a silence that is not over, and returns it as it is then; undefined, and nothing recorded, when there is none. */
  async end(
    id: string,
    at: Date,
    entry: (ended: SilenceRecord) => AuditEntry,
    once?: Once,
  ): Promise<SilenceRecord | undefined> {
    return this.audit.record(async ({ rows, append }) => {
      const row = await rows
        .updateTable('silences')
        .set({ untilAt: at.getTime() })
        .where('id', '=', id)
        .where('untilAt', '>', at.getTime())
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return undefined
      const ended = toSilence(row)
      await append(entry(ended))
      return ended
    }, once)
  }

  /** Those that are not over, the one that ends first first. */
  async list(now: Date): Promise<readonly SilenceRecord[]> {
    return this.database.list((db) => silencesAt(db, now), toSilence)
  }
}

/** Those that are not over then, the one that ends first first. */
export function silencesAt(db: Kysely<Tables>, now: Date) {
  const all = db.selectFrom('silences').selectAll().where('untilAt', '>', now.getTime())
  return all.orderBy('untilAt').orderBy('id').limit(MAX_SILENCES)
}

async function makeRoom({ rows }: Recording, now: Date): Promise<void> {
  if ((await countRows(rows, 'silences')) < MAX_SILENCES) return
  const { numDeletedRows } = await rows
    .deleteFrom('silences')
    .where('untilAt', '<=', now.getTime())
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) return
  throw new UserError(
    'busy',
    `There are ${MAX_SILENCES} silences already, so nothing was silenced.`,
    'End one that is not needed any more.',
  )
}

export function toSilence(row: Tables['silences']): SilenceRecord {
  const { fromAt: from, untilAt: until, setBy: by, ...silence } = readRow('silences', SilenceRow, row)
  return { ...silence, from, until, by }
}
