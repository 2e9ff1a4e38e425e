import { sql } from 'kysely'
import { toChange } from './change-row.ts'
import type { Change, ChangeState } from './change.ts'
import type { Database } from './database.ts'
import { Prepared } from './prepared.ts'

export interface ChangeQuery {
  /** All states unless given. */
  readonly states?: readonly ChangeState[] | undefined
  readonly requestedBy?: string | undefined
  /** Leaves out what was never asked for: forms given up before there was anything to confirm. */
  readonly askedFor?: boolean | undefined
  /** At most 100. */
  readonly limit: number
  readonly oldestFirst?: boolean
  /** Only changes older than this one: the last of the page before. */
  readonly before?: Pick<Change, 'createdAt' | 'id'> | undefined
}

const MAX_CHANGE_PAGE_ROWS = 100
/** In place of rows that cannot be read, so that a page of fewer rows is the last. */
const SPARE_ROWS = 10
/** Identical requests looked for: enough to say that there are more than one. */
const MAX_SIMILAR_ROWS = 10

/** See `Changes.get`. */
export async function findChange(database: Database, id: string): Promise<Change | undefined> {
  const [row] = await database.read((db) => CHANGE.rows(db, { id }))
  return row === undefined ? undefined : toChange(row)
}

const CHANGE = new Prepared((db, { id }: { readonly id: string }) =>
  db.selectFrom('changes').selectAll().where('id', '=', id),
)

/** See `Changes.unshown`. */
export async function listUnshown(database: Database, limit: number): Promise<readonly Change[]> {
  const rows = await database.read((db) =>
    db
      .selectFrom('changes')
      .selectAll()
      .where('requestedAt', 'is not', null)
      .whereRef('shownRevision', '<', 'revision')
      .orderBy('updatedAt')
      .orderBy('id')
      .limit(Math.min(limit, MAX_CHANGE_PAGE_ROWS))
      .execute(),
  )
  return database.readable(rows, toChange)
}

/** See `Changes.isAnyUnderWay`. */
export async function isAnyUnderWay(database: Database): Promise<boolean> {
  const found = await database.read((db) => UNDER_WAY.rows(db, {}))
  return found.length > 0
}

const UNDER_WAY = new Prepared((db) =>
  db
    .selectNoFrom(sql.lit(1).as('any'))
    .where((eb) =>
      eb.or([
        eb.exists(eb.selectFrom('changes').select('id').where('state', 'in', ['waiting', 'approved', 'sending'])),
        eb.exists(
          eb
            .selectFrom('changes')
            .select('id')
            .where('requestedAt', 'is not', null)
            .whereRef('shownRevision', '<', 'revision'),
        ),
      ]),
    ),
)

/** See `Changes.list`. */
export async function listChanges(
  database: Database,
  { states, requestedBy, askedFor, oldestFirst, limit, before }: ChangeQuery,
): Promise<readonly Change[]> {
  if (states?.length === 0) return []
  const rows = await database.read((db) => {
    let query = db.selectFrom('changes').selectAll()
    if (states !== undefined) query = query.where('state', 'in', states)
    if (requestedBy !== undefined) query = query.where('requestedBy', '=', requestedBy)
    if (askedFor === true) query = query.where('sentence', 'is not', null)
    if (before !== undefined) {
      const createdAt = before.createdAt.getTime()
      query = query.where((eb) =>
        eb.or([eb('createdAt', '<', createdAt), eb.and([eb('createdAt', '=', createdAt), eb('id', '<', before.id)])]),
      )
    }
    const order = oldestFirst === true ? 'asc' : 'desc'
    return query
      .orderBy('createdAt', order)
      .orderBy('id', order)
      .limit(Math.min(limit, MAX_CHANGE_PAGE_ROWS) + SPARE_ROWS)
      .execute()
  })
  return database.readable(rows, toChange).slice(0, Math.min(limit, MAX_CHANGE_PAGE_ROWS))
}

/** See `Changes.alike`. */
export async function listAlike(database: Database, requestHash: string, since: Date): Promise<readonly Change[]> {
  const rows = await database.read((db) =>
    db
      .selectFrom('changes')
      .selectAll()
      .where('requestHash', '=', requestHash)
      .where((eb) =>
        eb.or([
          eb('state', 'in', ['waiting', 'approved', 'sending', 'unknown']),
          eb.and([eb('state', '=', 'done'), eb('updatedAt', '>=', since.getTime())]),
        ]),
      )
      .orderBy('updatedAt', 'desc')
      .orderBy('id', 'desc')
      .limit(MAX_SIMILAR_ROWS)
      .execute(),
  )
  return database.readable(rows, toChange)
}
