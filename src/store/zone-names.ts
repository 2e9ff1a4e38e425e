import * as z from 'zod'
import type { AuditEntry } from './audit-entry.ts'
import { type Recording, StorePart } from './audit-log.ts'
import type { Once } from './deliveries.ts'
import { Instant, storable } from './columns.ts'
import { readRow } from './rows.ts'
import type { ZoneNamesTable } from './tables.ts'

/** The kinds of zone that can have names. The same number is another zone in each. */
export const ZONE_KINDS = ['pull', 'storage', 'dns'] as const
export type ZoneKind = (typeof ZONE_KINDS)[number]

/** A name people use for a zone's number. Kept until somebody removes it. */
export interface ZoneName {
  readonly kind: ZoneKind
  /** As it was given. Two names are the same when they differ only in case. */
  readonly name: string
  /** Digits: an int64 that JSON numbers could not hold. */
  readonly zoneId: string
  readonly addedBy: string
  readonly addedAt: Date
}

/** What became of adding a name: taken up, already there, or no room for more. */
export type ZoneAddition = 'added' | 'full' | { readonly existing: ZoneName }

/** Of all kinds together: so few that every delivery can read them all. */
export const MAX_ZONE_NAMES = 500

/** The names of zones, few enough to be read whole. */
export class ZoneNames extends StorePart {
  /** What is being read, or was read last where nobody but this process could have changed it since. */
  #listed: Promise<readonly ZoneName[]> | undefined

  /** All names, by kind and name. The store of a file, which is one process's, is asked after a change only; a server once for all who ask meanwhile. */
  list(): Promise<readonly ZoneName[]> {
    if (this.#listed !== undefined) return this.#listed
    const listed = this.#read()
    const forget = (): void => {
      if (this.#listed === listed) this.#listed = undefined
    }
    listed.then(this.database.engine.name === 'sqlite' ? undefined : forget, forget)
    this.#listed = listed
    return listed
  }

  async #read(): Promise<readonly ZoneName[]> {
    const rows = await this.database.read((db) =>
      db.selectFrom('zoneNames').selectAll().orderBy('kind').orderBy('foldedName').limit(MAX_ZONE_NAMES).execute(),
    )
    return this.database.readable(rows, toZoneName)
  }

  /** Whatever came of it: a change of which nobody knows whether it was made counts as one. */
  async #changing<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change()
    } finally {
      this.#listed = undefined
    }
  }

  /** Adds the name together with its entry in the record. Where nothing is added, nothing is recorded. */
  async add(zone: ZoneName, entry: AuditEntry, once?: Once): Promise<ZoneAddition> {
    const row = ZoneNameRow.parse(zone)
    const addTo = async (recording: Recording): Promise<ZoneAddition> => {
      const { rows } = recording
      const existing = await rows
        .selectFrom('zoneNames')
        .selectAll()
        .where('kind', '=', row.kind)
        .where('foldedName', '=', foldName(row.name))
        .executeTakeFirst()
      if (existing !== undefined) return { existing: toZoneName(existing) }
      const { count } = await rows
        .selectFrom('zoneNames')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      if (count >= MAX_ZONE_NAMES) return 'full'
      await rows
        .insertInto('zoneNames')
        .values({ ...row, foldedName: foldName(row.name) })
        .execute()
      await recording.append(entry)
      return 'added'
    }
    return this.#changing(() => this.audit.record(addTo, once))
  }

  /** Removes the name and records it; `entry` is made from what was removed. Undefined when there was no such name. */
  async remove(
    kind: ZoneKind,
    name: string,
    entry: (removed: ZoneName) => AuditEntry,
    once?: Once,
  ): Promise<ZoneName | undefined> {
    const removeFrom = async (recording: Recording): Promise<ZoneName | undefined> => {
      const row = await recording.rows
        .deleteFrom('zoneNames')
        .where('kind', '=', kind)
        .where('foldedName', '=', foldName(name))
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return undefined
      const removed = toZoneName(row)
      await recording.append(entry(removed))
      return removed
    }
    return this.#changing(() => this.audit.record(removeFrom, once))
  }
}

const ZoneId = z.string().regex(/^\d{1,19}$/)
const MAX_NAME_CHARACTERS = 200

const ZoneNameRow = z.object({
  kind: z.enum(ZONE_KINDS),
  name: z.string().min(1).max(MAX_NAME_CHARACTERS).transform(storable),
  zoneId: ZoneId,
  addedBy: z.string(),
  addedAt: z.date().transform((date) => date.getTime()),
})

const StoredZoneName = z.object({
  kind: z.enum(ZONE_KINDS),
  name: z.string(),
  zoneId: ZoneId,
  addedBy: z.string(),
  addedAt: Instant,
})

function toZoneName(row: ZoneNamesTable): ZoneName {
  return readRow('zone_names', StoredZoneName, row)
}

/** In the program and not in SQL: the engines fold letters beyond ASCII differently. */
function foldName(name: string): string {
  return storable(name).normalize('NFC').toLowerCase()
}
