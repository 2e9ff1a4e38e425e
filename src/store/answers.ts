import type * as z from 'zod'
import type { Stored } from './schema/columns.ts'
import { AS_HOLDER, Unrecorded } from './engine/database.ts'
import { keepNewest, reader, toRow } from './schema/rows.ts'
import { AnswerRow, MAX_ANSWER_MESSAGE_BYTES } from './schema/tables.ts'

export type Answer = Stored<typeof AnswerRow>

/** An answer to keep: made now, and kept for half an hour unless `expiresAt` says otherwise. */
export interface NewAnswer extends Omit<Answer, 'createdAt' | 'expiresAt' | 'message'> {
  /** JSON of at most 64 KB: whoever shows the message has made that already. */
  readonly message?: string | undefined
  readonly expiresAt?: Date | undefined
}

type DatedAnswer = NewAnswer & Pick<Answer, 'createdAt' | 'expiresAt'>

/** As long as Slack lets a message be answered through its response_url. */
export const ANSWER_RETENTION_MS = 30 * 60_000
/** The oldest make room, at each round of maintenance: a button that worked for a while is worth less than the newest one. */
export const MAX_ANSWERS = 5_000
/** What buttons on messages belong to, for as long as they work. */
export class Answers extends Unrecorded {
  /** Keeps the answers of one message under their callers' new ids. Throws RangeError when a message is larger than 64 KB. */
  async put(...answers: readonly NewAnswer[]): Promise<readonly DatedAnswer[]> {
    const createdAt = this.database.clock.now()
    const kept = answers.map((answer) => ({
      ...answer,
      createdAt,
      expiresAt: answer.expiresAt ?? new Date(createdAt.getTime() + ANSWER_RETENTION_MS),
    }))
    const added = kept.map(rowOf)
    await this.database.write(async (rows) => rows.insertInto('answers').values(added).execute())
    return kept
  }

  /** The answer, unless it has expired or is gone. */
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

  /** Deletes what has expired, and the oldest beyond {@link MAX_ANSWERS}. */
  async prune(now: Date): Promise<void> {
    await this.database.write(async (rows) => {
      await rows.deleteFrom('answers').where('expiresAt', '<=', now.getTime()).execute()
      await keepNewest(rows, 'answers', { by: 'createdAt', most: MAX_ANSWERS })
    }, AS_HOLDER)
  }
}

const toAnswer = reader('answers', AnswerRow)

function rowOf({ message, ...rest }: DatedAnswer): z.input<typeof AnswerRow> {
  if (message !== undefined && Buffer.byteLength(message) > MAX_ANSWER_MESSAGE_BYTES)
    throw new RangeError(`The message of an answer is larger than ${MAX_ANSWER_MESSAGE_BYTES} bytes`)
  return { ...toRow(AnswerRow, rest), message: message ?? null }
}
