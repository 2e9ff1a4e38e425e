import { Unrecorded } from './engine/database.ts'
import type { Stored } from './schema/columns.ts'
import { reader, toRow } from './schema/rows.ts'
import { AnswerRow } from './schema/tables.ts'

export type Answer = Stored<typeof AnswerRow>

/** An answer to keep: made now, and kept for half an hour unless `expiresAt` says otherwise. */
export interface NewAnswer extends Omit<Answer, 'createdAt' | 'expiresAt'> {
  readonly expiresAt?: Date | undefined
}

/** As long as Slack lets a message be answered through its response_url. */
export const ANSWER_RETENTION_MS = 30 * 60_000
/** The oldest make room, at each round of maintenance: a button that worked for a while is worth less than the newest one. */
export const MAX_ANSWERS = 5_000

/** What buttons on messages belong to, for as long as they work. */
export class Answers extends Unrecorded {
  /** Keeps the answers of one message under their callers' new ids. Throws RangeError when a message is larger than 64 KB. */
  async put(...answers: readonly NewAnswer[]): Promise<void> {
    const createdAt = this.database.clock.now()
    const usual = new Date(createdAt.getTime() + ANSWER_RETENTION_MS)
    const added = answers.map((answer) =>
      toRow(AnswerRow, { ...answer, createdAt, expiresAt: answer.expiresAt ?? usual }),
    )
    await this.database.write((rows) => rows.insertInto('answers').values(added).execute())
  }

  async get(id: string, now: Date): Promise<Answer | undefined> {
    return this.database.first(
      (db) => db.selectFrom('answers').selectAll().where('id', '=', id).where('expiresAt', '>', now.getTime()),
      toAnswer,
    )
  }

  /** Takes the answer away: of two clicks at once, one gets it. */
  async take(id: string, now: Date): Promise<Answer | undefined> {
    const row = await this.database.write((rows) =>
      rows
        .deleteFrom('answers')
        .where('id', '=', id)
        .where('expiresAt', '>', now.getTime())
        .returningAll()
        .executeTakeFirst(),
    )
    return row && toAnswer(row)
  }
}

const toAnswer = reader('answers', AnswerRow)

/** A minute less than Slack takes them. */
export const ADDRESS_RETENTION_MS = 29 * 60_000
/** The oldest make room, at each round of maintenance. */
export const MAX_ADDRESSES = 2_000

/** Slack's response addresses, sealed by whoever keeps them: each by the id of the change whose form was begun with it. */
export class ResponseAddresses extends Unrecorded {
  /** A change keeps the first that it is given. */
  async put(id: string, sealed: string): Promise<void> {
    const row = { id, sealed, expiresAt: this.database.clock.now().getTime() + ADDRESS_RETENTION_MS }
    await this.database.write((rows) =>
      rows
        .insertInto('responseAddresses')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute(),
    )
  }

  async get(id: string): Promise<string | undefined> {
    const nowMs = this.database.clock.now().getTime()
    return this.database.first(
      (db) => db.selectFrom('responseAddresses').select('sealed').where('id', '=', id).where('expiresAt', '>', nowMs),
      ({ sealed }) => sealed,
    )
  }
}
