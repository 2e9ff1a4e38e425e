import type { Transaction } from 'kysely'
import * as z from 'zod'
import type { AuditChain } from './audit-chain.ts'
import { type AuditEntry, type RecordedEntry, toAuditRow } from './audit-entry.ts'
import type { Database } from './database.ts'
import { Instant, optional, readRow } from './rows.ts'
import type { Tables } from './tables.ts'

/** A transaction whose effects stand on record: rows and audit entries are committed together or not at all. */
export interface Recording {
  readonly rows: Transaction<Tables>
  readonly append: (entry: AuditEntry) => Promise<RecordedEntry>
}

export interface AuditQuery {
  /** At most 500. */
  readonly limit: number
  /** Only entries with a smaller number: the last `seq` of the page before. */
  readonly before?: number | undefined
  readonly changeId?: string | undefined
}

export type AuditVerdict =
  | { readonly ok: true; readonly entries: number; readonly keyed: boolean }
  /** `entries` are sound; `firstBad` is the number of the first that was changed, removed, added or moved. */
  | { readonly ok: false; readonly entries: number; readonly firstBad: number; readonly keyed: boolean }

/** The most entries that are read at once. */
export const MAX_AUDIT_PAGE_ROWS = 500

/** The record of what was asked, decided and done. Nothing here changes or deletes an entry: it is kept for ever. */
export class AuditLog {
  readonly #database: Database
  readonly #chain: AuditChain

  constructor(database: Database, chain: AuditChain) {
    this.#database = database
    this.#chain = chain
  }

  async append(entry: AuditEntry): Promise<RecordedEntry> {
    return this.record((recording) => recording.append(entry))
  }

  /**
   * Runs `work` in one transaction in which entries can be appended. It starts by locking the head of the chain, so
   * recorded transactions happen one after the other: no two of them deadlock, and what one counts stays true.
   */
  async record<T>(work: (recording: Recording) => Promise<T>): Promise<T> {
    return this.#database.write(async (rows) => {
      let head = await lockHead(rows)
      return work({
        rows,
        append: async (entry) => {
          const row = { seq: head.seq + 1, ...toAuditRow(entry) }
          const hash = this.#chain.hash(head.hash, row)
          await rows
            .insertInto('auditEntries')
            .values({ ...row, hash })
            .execute()
          await rows.updateTable('auditHead').set({ seq: row.seq, hash }).where('id', '=', HEAD_ID).execute()
          head = { seq: row.seq, hash }
          return readRow('audit_entries', Entry, { ...row, hash })
        },
      })
    })
  }

  /** Newest first. */
  async list({ limit, before, changeId }: AuditQuery): Promise<readonly RecordedEntry[]> {
    const rows = await this.#database.read((db) =>
      db
        .selectFrom('auditEntries')
        .selectAll()
        .$if(before !== undefined, (query) => query.where('seq', '<', before ?? 0))
        .$if(changeId !== undefined, (query) => query.where('changeId', '=', changeId ?? ''))
        .orderBy('seq', 'desc')
        .limit(Math.min(limit, MAX_AUDIT_PAGE_ROWS))
        .execute(),
    )
    return rows.map((row) => readRow('audit_entries', Entry, row))
  }

  /**
   * Recomputes the chain from the first entry to the head. Entries may be appended meanwhile. It cannot see that the
   * newest entries and the head were put back together to an earlier state: for that, compare with a head kept elsewhere.
   */
  async verify(): Promise<AuditVerdict> {
    const { keyed } = this.#chain
    const head = await this.#head()
    let sound: Head = { seq: 0, hash: '' }
    while (sound.seq < head.seq) {
      const page = await this.#page(sound.seq, head.seq)
      const next = this.#follow(sound, page)
      if (page.length === 0 || next.seq - sound.seq < page.length) {
        return { ok: false, entries: next.seq, firstBad: next.seq + 1, keyed }
      }
      sound = next
      // A page is computed in one go; between pages the rest of the process has its turn.
      await this.#database.clock.sleep(0)
    }
    if (head.hash !== sound.hash) return { ok: false, entries: sound.seq, firstBad: Math.max(1, head.seq), keyed }
    if (head.newest > head.seq) return { ok: false, entries: sound.seq, firstBad: head.seq + 1, keyed }
    return { ok: true, entries: sound.seq, keyed }
  }

  /** Resolves when the head can be read: the least that anything recorded needs. */
  async check(): Promise<void> {
    await this.#head()
  }

  /** The last sound entry of a page that continues the chain at `sound`. */
  #follow(sound: Head, page: readonly Tables['auditEntries'][]): Head {
    let last = sound
    for (const row of page) {
      if (row.seq !== last.seq + 1 || row.hash !== this.#chain.hash(last.hash, row)) break
      last = { seq: row.seq, hash: row.hash }
    }
    return last
  }

  async #head(): Promise<z.output<typeof HeadWithNewest>> {
    const row = await this.#database.read((db) =>
      db
        .selectFrom('auditHead')
        .select(['seq', 'hash'])
        .select((eb) =>
          eb
            .selectFrom('auditEntries')
            .select(({ fn }) => fn.max('seq').as('newest'))
            .as('newest'),
        )
        .where('id', '=', HEAD_ID)
        .executeTakeFirst(),
    )
    return readRow('audit_head', HeadWithNewest, row)
  }

  async #page(after: number, last: number): Promise<readonly Tables['auditEntries'][]> {
    return this.#database.read((db) =>
      db
        .selectFrom('auditEntries')
        .selectAll()
        // Numbers start at 1: what stands below would be an addition, and the first page must show it.
        .where('seq', '>', after === 0 ? Number.MIN_SAFE_INTEGER : after)
        .where('seq', '<=', last)
        .orderBy('seq')
        .limit(MAX_AUDIT_PAGE_ROWS)
        .execute(),
    )
  }
}

const HEAD_ID = 1

type Head = z.output<typeof HeadSchema>

const HeadSchema = z.object({ seq: z.int().min(0), hash: z.string() })
const HeadWithNewest = HeadSchema.extend({
  newest: z
    .int()
    .nullable()
    .transform((seq) => seq ?? 0),
})

const Entry = z.object({
  seq: z.int(),
  at: Instant,
  actor: z.string(),
  team: z.string(),
  operation: z.string(),
  event: z.string(),
  changeId: optional(z.string()),
  summary: z.string(),
  detail: optional(z.string()),
  hash: z.string(),
})

/** Writes the head unchanged: that takes its lock on both engines, and reads what the last holder committed. */
async function lockHead(rows: Transaction<Tables>): Promise<Head> {
  const row = await rows
    .updateTable('auditHead')
    .set((eb) => ({ seq: eb.ref('seq') }))
    .where('id', '=', HEAD_ID)
    .returning(['seq', 'hash'])
    .executeTakeFirst()
  return readRow('audit_head', HeadSchema, row)
}
