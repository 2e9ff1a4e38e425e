import type { Log } from '../shared/log.ts'
import { applyCommit } from './alert-commit.ts'
import { putAlertPosts } from './alert-post-queue.ts'
import type { AlertCommit, AlertSubject, IncidentRecord, SubjectView } from './alert-records.ts'
import { readView } from './alert-view.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { AuditLog } from './audit-log.ts'
import type { Database } from './database.ts'
import type { Once } from './deliveries.ts'
import { toIncident } from './incident-row.ts'

/** Which incidents: all that every given part holds for. */
export interface IncidentFilter {
  readonly open?: boolean | undefined
  readonly channelId?: string | undefined
  readonly subject?: string | undefined
  /** Open at this time or later. */
  readonly since?: Date | undefined
  /** At most 200. */
  readonly limit: number
}

/** What became of an acknowledgement; undefined when there is no such incident. */
export type Acknowledgement = 'acknowledged' | 'already' | 'ended' | undefined

const MAX_INCIDENT_PAGE_ROWS = 200

/** Where alerts stand, and what follows from one look at a subject. */
export class Alerts {
  readonly #database: Database
  readonly #audit: AuditLog
  readonly #log: Pick<Log, 'warn'>

  constructor(database: Database, audit: AuditLog, log: Pick<Log, 'warn'>) {
    this.#database = database
    this.#audit = audit
    this.#log = log
  }

  /**
   * All that is to be known of a subject before it is evaluated. States are left out where `knows` says that those of the
   * watch's revision are known.
   */
  view(subject: AlertSubject, now: Date, knows: (revision: number) => boolean = () => false): Promise<SubjectView> {
    return readView(this.#database, subject, now, knows)
  }

  /**
   * Writes all that follows from one look in one transaction; false, and nothing written, when the watch is not at
   * `revision` any more: somebody else has looked, or rules were removed. Posts that had to make room are said in the log.
   */
  async commit(commit: AlertCommit): Promise<boolean> {
    const { entries = [] } = commit
    const dropped =
      entries.length === 0
        ? await this.#database.write((rows) => applyCommit(rows, commit, this.#database))
        : await this.#audit.record(async ({ rows, append }) => {
            const dropped = await applyCommit(rows, commit, this.#database)
            if (dropped !== undefined) for (const entry of entries) await append(entry)
            return dropped
          })
    if (dropped !== undefined && dropped > 0)
      this.#log.warn({ dropped }, 'too much waits to be told: the oldest posts about alerts made room')
    return dropped !== undefined
  }

  async incident(id: string): Promise<IncidentRecord | undefined> {
    const row = await this.#database.read((db) =>
      db.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirst(),
    )
    return row === undefined ? undefined : toIncident(row)
  }

  /** Newest first. */
  async incidents({ open, channelId, subject, since, limit }: IncidentFilter): Promise<readonly IncidentRecord[]> {
    const rows = await this.#database.read((db) => {
      let query = db.selectFrom('incidents').selectAll()
      if (open !== undefined) query = query.where('endedAt', open ? 'is' : 'is not', null)
      if (channelId !== undefined) query = query.where('channelId', '=', channelId)
      if (subject !== undefined) query = query.where('subject', '=', subject)
      if (since !== undefined)
        query = query.where((eb) => eb.or([eb('endedAt', 'is', null), eb('endedAt', '>=', since.getTime())]))
      return query
        .orderBy('openedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(Math.min(limit, MAX_INCIDENT_PAGE_ROWS))
        .execute()
    })
    return this.#database.readable(rows, toIncident)
  }

  /** Notes that a person looks after an incident, and has its message say so at once. Recorded when nobody did before. */
  async acknowledge(id: string, person: string, at: Date, entry: AuditEntry, once?: Once): Promise<Acknowledgement> {
    return this.#audit.record<Acknowledgement>(async ({ rows, append }) => {
      const taken = await rows
        .updateTable('incidents')
        .set((eb) => ({ acknowledgedBy: person, acknowledgedAt: at.getTime(), revision: eb('revision', '+', 1) }))
        .where('id', '=', id)
        .where('endedAt', 'is', null)
        .where('acknowledgedBy', 'is', null)
        .returning('channelId')
        .executeTakeFirst()
      if (taken === undefined) {
        const row = await rows.selectFrom('incidents').select('endedAt').where('id', '=', id).executeTakeFirst()
        if (row === undefined) return undefined
        return row.endedAt === null ? 'already' : 'ended'
      }
      const dueAt = this.#database.clock.now()
      await putAlertPosts(rows, [{ incidentId: id, channelId: taken.channelId, what: 'card', dueAt }], this.#database)
      await append(entry)
      return 'acknowledged'
    }, once)
  }
}
