import { DAY_MS } from '../../shared/durations.ts'
import { StorePart } from '../audit/audit-log.ts'
import { AS_HOLDER } from '../engine/database.ts'
import type { Once } from '../outbox/idempotency-keys.ts'
import { putMessages } from '../outbox/outbox.ts'
import { type DigestRecord, DigestRow } from '../schema/alert-records.ts'
import type { AuditEntry } from '../schema/audit-entry.ts'
import { countRows, reader, toRow } from '../schema/rows.ts'

/** With as many, those of channels without alerts make room. */
export const MAX_DIGESTS = 2_000
/** None is due later than in a week: what says so was written before the clock was put back. */
const MAX_AHEAD_MS = 8 * DAY_MS
/** Of those that are due: what cannot be read among them holds up no other. */
const MAX_LOOKED_AT = 100

export type NewDigest = Omit<DigestRecord, 'revision'>

/** When each channel is told what happened in it. */
export class Digests extends StorePart {
  async get(channelId: string): Promise<DigestRecord | undefined> {
    return this.database.first(
      (db) => db.selectFrom('digests').selectAll().where('channelId', '=', channelId),
      toDigest,
    )
  }

  /** Sets the digest of a channel, and until when it has told what happened if there was none; with `unlessSet` only then. */
  async set(
    digest: NewDigest,
    entry: AuditEntry,
    once?: Once,
    { unlessSet = false }: { readonly unlessSet?: boolean } = {},
  ): Promise<void> {
    const { toldUntil, ...row } = toRow(DigestRow, { ...digest, revision: 1 })
    await this.audit.record(async ({ rows, append }) => {
      if ((await countRows(rows, 'digests')) >= MAX_DIGESTS) {
        const alerted = rows.selectFrom('alertRules').select('channelId')
        await rows.deleteFrom('digests').where('channelId', 'not in', alerted).execute()
      }
      const { numInsertedOrUpdatedRows } = await rows
        .insertInto('digests')
        .values({ ...row, toldUntil })
        .onConflict((conflict) => {
          const known = conflict.column('channelId')
          if (unlessSet) return known.doNothing()
          return known.doUpdateSet((eb) => ({
            ...row,
            revision: eb('digests.revision', '+', 1),
            // Of the time in which it was off nothing is told.
            toldUntil: eb
              .case()
              .when('digests.cadence', '=', 'off')
              .then(toldUntil)
              .else(eb.ref('digests.toldUntil'))
              .end(),
          }))
        })
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows !== 0n) await append(entry)
    }, once)
  }

  /** The one that has been due for longest by the store's clock, if one is, and what that clock shows. */
  async firstDue(): Promise<{ readonly now: Date; readonly digest: DigestRecord | undefined }> {
    const nowMs = await this.database.read((db) => this.database.engine.nowMs(db))
    const [digest] = await this.database.list((db) => {
      const due = db
        .selectFrom('digests')
        .selectAll()
        .where('cadence', '<>', 'off')
        .where((eb) => eb.or([eb('nextAt', '<=', nowMs), eb('nextAt', '>', nowMs + MAX_AHEAD_MS)]))
      return due.orderBy('nextAt').orderBy('channelId').limit(MAX_LOOKED_AT)
    }, toDigest)
    return { now: new Date(nowMs), digest }
  }

  /**
   * Moves a digest on, together with the message that tells it, if there is one. False, and nothing is told, where it is not
   * as it was read: somebody has set it meanwhile, or told it.
   */
  async tell(
    { channelId, revision }: DigestRecord,
    { nextAt, toldUntil, message }: { readonly nextAt: Date; readonly toldUntil?: Date; readonly message?: unknown },
  ): Promise<boolean> {
    const told = { nextAt: nextAt.getTime(), ...(toldUntil !== undefined && { toldUntil: toldUntil.getTime() }) }
    return this.database.write(async (rows) => {
      const { numUpdatedRows } = await rows
        .updateTable('digests')
        .set((eb) => ({ ...told, revision: eb('revision', '+', 1) }))
        .where('channelId', '=', channelId)
        .where('revision', '=', revision)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      const dueAt = this.database.clock.now()
      if (message !== undefined)
        await putMessages(rows, [{ what: 'digest', channelId, body: message, dueAt }], this.database)
      return true
    }, AS_HOLDER)
  }
}

const toDigest = reader('digests', DigestRow)
