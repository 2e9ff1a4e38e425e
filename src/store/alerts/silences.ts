import type { Kysely, Transaction } from 'kysely'
import { UserError } from '../../shared/errors.ts'
import { EVERY_STORAGE_SUBJECT, type SilenceRecord, SilenceRow } from '../schema/alert-records.ts'
import type { AuditEntry } from '../schema/audit-entry.ts'
import { StorePart } from '../audit/audit-log.ts'
import type { Once } from '../outbox/idempotency-keys.ts'
import { countRows, readRow, toRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'
import type { Database } from '../engine/database.ts'
import { putMessages } from '../outbox/outbox.ts'

/** Of all subjects together. Those that are over make room, no other one does. */
export const MAX_SILENCES = 500

export class Silences extends StorePart {
  /**
   * Adds all of these silences or none, and has messages about what they silence say so at once. With `unlessSilenced` one of
   * the same subject, channel and kinds that is in force stays instead. Returns those that are in force then. Throws UserError
   * `busy` when 500 are in force or still to come.
   */
  async add(
    silences: readonly SilenceRecord[],
    entry: (added: SilenceRecord) => AuditEntry,
    once?: Once,
    { unlessSilenced = false }: { readonly unlessSilenced?: boolean } = {},
  ): Promise<readonly SilenceRecord[]> {
    return this.audit.record(async ({ rows, append }) => {
      const standing: SilenceRecord[] = []
      for (const silence of silences) {
        const present = unlessSilenced ? await findAlike(rows, silence) : undefined
        standing.push(present ?? silence)
        if (present !== undefined) continue
        const { from: fromAt, until: untilAt, by: setBy, ...rest } = silence
        await makeRoom(rows, this.database.clock.now())
        await rows
          .insertInto('silences')
          .values(toRow(SilenceRow, { ...rest, fromAt, untilAt, setBy }))
          .execute()
        await showOnIncidents(rows, silence, this.database)
        await append(entry(silence))
      }
      return standing
    }, once)
  }

  /** Ends those of these silences that are not over, and returns them as they are then. */
  async end(
    ids: readonly string[],
    at: Date,
    entry: (ended: SilenceRecord) => AuditEntry,
    once?: Once,
  ): Promise<readonly SilenceRecord[]> {
    return this.audit.record(async ({ rows, append }) => {
      const over: SilenceRecord[] = []
      for (const id of ids) {
        const row = await rows
          .updateTable('silences')
          .set({ untilAt: at.getTime() })
          .where('id', '=', id)
          .where('untilAt', '>', at.getTime())
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) continue
        const ended = toSilence(row)
        over.push(ended)
        await showOnIncidents(rows, ended, this.database)
        await append(entry(ended))
      }
      return over
    }, once)
  }

  /** Those that are not over, the one that ends first first. */
  async list(now: Date): Promise<readonly SilenceRecord[]> {
    return this.database.list((db) => silencesAt(db, now), toSilence)
  }

  /** Those that were in force in a stretch of time with both its ends, the newest first, over or not. */
  async between(from: Date, until: Date): Promise<readonly SilenceRecord[]> {
    return this.database.list((db) => {
      const all = db.selectFrom('silences').selectAll().where('untilAt', '>=', from.getTime())
      const meant = all.where('fromAt', '<=', until.getTime())
      return meant.orderBy('fromAt', 'desc').orderBy('id', 'desc').limit(MAX_SILENCES)
    }, toSilence)
  }
}

/** Those that are not over then, the one that ends first first. */
export function silencesAt(db: Kysely<Tables>, now: Date) {
  const all = db.selectFrom('silences').selectAll().where('untilAt', '>', now.getTime())
  return all.orderBy('untilAt').orderBy('id').limit(MAX_SILENCES)
}

/** The last to end, of the same subject and channel and of all kinds. */
async function findAlike(rows: Transaction<Tables>, { subject, channelId, from }: SilenceRecord) {
  const alike = await silencesAt(rows, from).where('subject', '=', subject).where('kind', 'is', null).execute()
  return alike
    .map((row) => toSilence(row))
    .findLast((each) => each.from <= from && (each.channelId === undefined || each.channelId === channelId))
}

/** The messages of open incidents that a silence may be about are due, to show that it is there, or is over. */
async function showOnIncidents(rows: Transaction<Tables>, { subject, channelId }: SilenceRecord, database: Database) {
  const isAll = subject === EVERY_STORAGE_SUBJECT
  const open = await rows
    .updateTable('incidents')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('endedAt', 'is', null)
    .where('subject', isAll ? 'like' : '=', isAll ? 'storage/%' : subject)
    .$if(channelId !== undefined, (query) => query.where('channelId', '=', channelId ?? ''))
    .returning(['id', 'channelId'])
    .execute()
  const dueAt = database.clock.now()
  const cards = open.map(
    ({ id, channelId: channel }) => ({ incidentId: id, channelId: channel, what: 'card', dueAt }) as const,
  )
  await putMessages(rows, cards, database)
}

async function makeRoom(rows: Transaction<Tables>, now: Date): Promise<void> {
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
