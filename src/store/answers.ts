import * as z from 'zod'
import type { RawValues } from '../shared/raw-values.ts'
import type { Database } from './database.ts'
import { Instant, Json, StoredValues, optional, readRow } from './rows.ts'
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
  /** What was shown, as JSON of at most 64 KB, for buttons that post the same again. */
  readonly message?: unknown
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** An answer to keep: made now, and kept for half an hour unless `expiresAt` says otherwise. */
export type NewAnswer = Omit<Answer, 'createdAt' | 'expiresAt'> & { readonly expiresAt?: Date | undefined }

/** As long as Slack lets a message be answered through its response_url. */
export const ANSWER_RETENTION_MS = 30 * 60_000
/** The oldest make room: a button that worked once for half an hour is worth less than the newest one. */
export const MAX_ANSWERS = 5_000
/** Of a kept message as JSON, in UTF-8. A larger one is refused. */
export const MAX_ANSWER_MESSAGE_BYTES = 64 * 1_024

/** What buttons on messages belong to, for as long as they work. */
export class Answers {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Keeps an answer under the caller's new id. Throws RangeError when its message is larger than 64 KB. */
  async put(answer: NewAnswer): Promise<Answer> {
    const createdAt = this.#database.clock.now()
    const kept = {
      ...answer,
      createdAt,
      expiresAt: answer.expiresAt ?? new Date(createdAt.getTime() + ANSWER_RETENTION_MS),
    }
    const row = toRow(kept)
    await this.#database.write(async (rows) => {
      const surplus = rows
        .selectFrom('answers')
        .select('id')
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_ANSWERS)
        .offset(MAX_ANSWERS - 1)
      await rows.deleteFrom('answers').where('id', 'in', surplus).execute()
      await rows.insertInto('answers').values(row).execute()
    })
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

  /** Deletes what has expired and returns how many that were. */
  async prune(now: Date): Promise<number> {
    const { numDeletedRows } = await this.#database.write((rows) =>
      rows.deleteFrom('answers').where('expiresAt', '<=', now.getTime()).executeTakeFirstOrThrow(),
    )
    return Number(numDeletedRows)
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

function toRow({ channelId, values, message, createdAt, expiresAt, ...rest }: Answer): AnswersTable {
  const json = message === undefined ? null : JSON.stringify(message)
  if (json !== null && Buffer.byteLength(json) > MAX_ANSWER_MESSAGE_BYTES) {
    throw new RangeError(`The message of an answer is larger than ${MAX_ANSWER_MESSAGE_BYTES} bytes`)
  }
  return {
    ...rest,
    channelId: channelId ?? null,
    values: JSON.stringify(values),
    message: json,
    createdAt: createdAt.getTime(),
    expiresAt: expiresAt.getTime(),
  }
}
