import type { Transaction } from 'kysely'
import { Prepared, prepareInsert } from './prepared.ts'
import type { Tables } from './tables.ts'

/** Makes room for `count` more, where there may be `most`; the oldest go. */
export async function trimAnswers(rows: Transaction<Tables>, count: number, most: number): Promise<void> {
  await TRIMMED.rows(rows, { most, left: Math.max(0, most - count) })
}

const TRIMMED = new Prepared((db, { most, left }: { readonly most: number; readonly left: number }) =>
  db
    .deleteFrom('answers')
    .where('id', 'in', (query) =>
      query
        .selectFrom('answers')
        .select('id')
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(most)
        .offset(left),
    ),
)

/** Inserts answers within a transaction, by statements whose text is made once. */
export const insertAnswers = prepareInsert('answers', [
  'id',
  'kind',
  'operation',
  'values',
  'actorId',
  'team',
  'channelId',
  'message',
  'createdAt',
  'expiresAt',
])
