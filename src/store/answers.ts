import * as z from 'zod'
import type { Timer } from '../shared/clock.ts'
import type { RawValues } from '../shared/raw-values.ts'
import type { Database } from './database.ts'
import { HeldAnswers } from './held-answers.ts'
import { Prepared, prepareInsert } from './prepared.ts'
import { Instant, Json, StoredValues, optional, readRow } from './rows.ts'
import { StoreError } from './store-error.ts'
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
/** The oldest make room: a button that worked once for half an hour is worth less than the newest one. */
export const MAX_ANSWERS = 5_000
/** Of a kept message as JSON, in UTF-8. A larger one is refused. */
export const MAX_ANSWER_MESSAGE_BYTES = 64 * 1_024

/** Held answers are written so long after the first of them, or as soon as there are many. */
export const HOLD_MS = 300
const MANY_HELD = 60
/** After a write of held answers that failed. */
export const HELD_RETRY_MS = 5_000

/** What buttons on messages belong to, for as long as they work. */
export class Answers {
  readonly #database: Database
  readonly #held = new HeldAnswers(MAX_ANSWERS)
  /** Held answers that are being written. */
  #writing: Promise<void> | undefined
  #timer: Timer | undefined
  #isClosed = false

  constructor(database: Database) {
    this.#database = database
  }

  /** Keeps an answer under the caller's new id. Throws RangeError when its message is larger than 64 KB. */
  async put(answer: NewAnswer): Promise<DatedAnswer> {
    const kept = this.#dated(answer)
    const row = toRow(kept)
    await this.#database.write(async (rows) => {
      await TRIMMED.rows(rows, { left: MAX_ANSWERS - 1 })
      await insertAnswers(rows, [row])
    })
    return kept
  }

  /**
   * The same for what can be asked for again: it is written a moment later, together with others, and nobody waits for it.
   * The process has it at once; what was not written when the process is killed is gone, and so may be what was written last
   * when the machine is.
   */
  hold(answer: NewAnswer): DatedAnswer {
    const kept = this.#dated(answer)
    this.#held.put(toRow(kept))
    this.#writeAfter(this.#held.size === MANY_HELD ? 0 : HOLD_MS)
    return kept
  }

  /** Writes what is held. Throws `StoreError`; what was surely not written is still held then. */
  async writeHeld(): Promise<void> {
    const before = this.#writing
    const writing = Promise.resolve(before?.catch(() => undefined)).then(() => this.#write())
    this.#writing = writing
    try {
      await writing
    } finally {
      if (this.#writing === writing) this.#writing = undefined
    }
    if (this.#held.size > 0) this.#writeAfter(HOLD_MS)
  }

  /** Writes what is held for the last time. Throws `StoreError`. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.writeHeld()
  }

  /** One write at a time, and one timer: what comes during a write is written after it, and while writes fail, now and then. */
  #writeAfter(delayMs: number): void {
    if (this.#isClosed || this.#writing !== undefined || (this.#timer !== undefined && delayMs > 0)) return
    this.#timer?.cancel()
    this.#timer = this.#database.clock.after(delayMs, () => {
      this.#timer = undefined
      void this.writeHeld().catch((error: unknown) => {
        this.#writeAfter(HELD_RETRY_MS)
        // Operators are told by the store itself that it fails.
        if (!(error instanceof StoreError)) throw error
      })
    })
  }

  async #write(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#held.prune(this.#database.clock.now().getTime())
    const held = this.#held.all()
    if (held.length === 0) return
    try {
      await this.#database.writeLightly(async (rows) => {
        // Each time, and so a few: to take away hundreds at once would hold up all that waits meanwhile.
        await TRIMMED.rows(rows, { left: MAX_ANSWERS - held.length })
        await insertAnswers(rows, held)
      })
    } catch (error) {
      // They may be there all the same, and what is in two places could be taken twice.
      if (error instanceof StoreError && error.kind === 'unanswered') this.#forget(held)
      throw error
    }
    this.#forget(held)
  }

  #forget(held: readonly AnswersTable[]): void {
    for (const { id } of held) this.#held.delete(id)
  }

  #dated(answer: NewAnswer): DatedAnswer {
    const createdAt = this.#database.clock.now()
    const expiresAt = answer.expiresAt ?? new Date(createdAt.getTime() + ANSWER_RETENTION_MS)
    return { ...answer, createdAt, expiresAt }
  }

  #heldNow(id: string, now: Date): Answer | undefined {
    const row = this.#held.get(id)
    return row === undefined || row.expiresAt <= now.getTime() ? undefined : readRow('answers', StoredAnswer, row)
  }

  /** The answer, unless it has expired or is gone. */
  async get(id: string, now: Date): Promise<Answer | undefined> {
    const held = this.#heldNow(id, now)
    if (held !== undefined) return held
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
    // What is being written has to be taken from where it will be.
    while (this.#writing !== undefined) await this.#writing.catch(() => undefined)
    const held = this.#heldNow(id, now)
    this.#held.delete(id)
    if (held !== undefined) return held
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
    const forgotten = this.#held.prune(now.getTime())
    const { numDeletedRows } = await this.#database.write((rows) =>
      rows.deleteFrom('answers').where('expiresAt', '<=', now.getTime()).executeTakeFirstOrThrow(),
    )
    return Number(numDeletedRows) + forgotten
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

const insertAnswers = prepareInsert('answers', StoredAnswer.keyof().options)

/** The oldest make room, until so many are left. */
const TRIMMED = new Prepared((db, { left }: { readonly left: number }) =>
  db
    .deleteFrom('answers')
    .where('id', 'in', (query) =>
      query
        .selectFrom('answers')
        .select('id')
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_ANSWERS)
        .offset(left),
    ),
)

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
