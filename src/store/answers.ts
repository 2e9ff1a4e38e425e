import * as z from 'zod'
import type { RawValues } from '../shared/raw-values.ts'
import type { Database } from './database.ts'
import { keepNewest, Instant, Json, StoredValues, optional, readRow } from './rows.ts'
import type { AnswersTable } from './tables.ts'

const ANSWER_KINDS = ['page', 'share', 'form', 'more'] as const
type AnswerKind = (typeof ANSWER_KINDS)[number]

/** What a button on a message belongs to. The button carries only the id; what it does is read from here. */
export interface Answer {
  readonly id: string
  readonly kind: AnswerKind
  readonly operation: string
  readonly values: RawValues
  /** Whom the message was for. */
  readonly actorId: string
  readonly team: string
  readonly channelId?: string | undefined
  /** What was shown, for buttons that post the same again. */
  readonly message?: unknown
  readonly createdAt: Date
  readonly expiresAt: Date
}

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
/** Of a kept message as JSON, in UTF-8. A larger one is refused. */
export const MAX_ANSWER_MESSAGE_BYTES = 64 * 1_024

/** What buttons on messages belong to, for as long as they work. */
export class Answers {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Keeps the answers of one message under their callers' new ids. Throws RangeError when a message is larger than 64 KB. */
  async put(...answers: readonly NewAnswer[]): Promise<readonly DatedAnswer[]> {
    const createdAt = this.#database.clock.now()
    const kept = answers.map((answer) => ({
      ...answer,
      createdAt,
      expiresAt: answer.expiresAt ?? new Date(createdAt.getTime() + ANSWER_RETENTION_MS),
    }))
    const added = kept.map(toRow)
    await this.#database.write(async (rows) => rows.insertInto('answers').values(added).execute())
    return kept
  }

  /** The answer, unless it has expired or is gone. */
  async get(id: string, now: Date): Promise<Answer | undefined> {
    const row = await this.#database.read((db) =>
      db
        .selectFrom('answers')
        .selectAll()
        .where('id', '=', id)
        .where('expiresAt', '>', now.getTime())
        .executeTakeFirst(),
    )
    return row === undefined ? undefined : readRow('answers', StoredAnswer, row)
  }

  /** Takes the answer away: of two clicks at once, one gets it. */
  async take(id: string, now: Date): Promise<Answer | undefined> {
    const row = await this.#database.write((rows) =>
      rows
        .deleteFrom('answers')
        .where('id', '=', id)
        .where('expiresAt', '>', now.getTime())
        .returningAll()
        .executeTakeFirst(),
    )
    return row === undefined ? undefined : readRow('answers', StoredAnswer, row)
  }

  /** Deletes what has expired, and the oldest beyond {@link MAX_ANSWERS}. Returns how many had expired. */
  async prune(now: Date): Promise<number> {
    return this.#database.write(async (rows) => {
      const expired = rows.deleteFrom('answers').where('expiresAt', '<=', now.getTime())
      const { numDeletedRows } = await expired.executeTakeFirstOrThrow()
      await keepNewest(rows, 'answers', { by: 'createdAt', most: MAX_ANSWERS })
      return Number(numDeletedRows)
    })
  }
}

const StoredAnswer = z.object({
  id: z.string(),
  kind: z.enum(ANSWER_KINDS),
  operation: z.string(),
  values: StoredValues,
  actorId: z.string(),
  team: z.string(),
  channelId: optional(z.string()),
  message: optional(Json),
  createdAt: Instant,
  expiresAt: Instant,
})

function toRow({ channelId, values, message, createdAt, expiresAt, ...rest }: DatedAnswer): AnswersTable {
  if (message !== undefined && Buffer.byteLength(message) > MAX_ANSWER_MESSAGE_BYTES) {
    throw new RangeError(`The message of an answer is larger than ${MAX_ANSWER_MESSAGE_BYTES} bytes`)
  }
  return {
    ...rest,
    channelId: channelId ?? null,
    values: JSON.stringify(values),
    message: message ?? null,
    createdAt: createdAt.getTime(),
    expiresAt: expiresAt.getTime(),
  }
}
