import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** Deletes the oldest rows of a table that are too many: of all, or of those that `of` holds for. */
export async function keepNewest(
  rows: Transaction<Tables>,
  table: 'changes' | 'deadAlertPosts' | 'marks' | 'notices',
  { by, most, of = sql`true` }: { readonly by: string; readonly most: number; readonly of?: RawBuilder<unknown> },
): Promise<void> {
  const [all, age] = [sql.table(table), sql.ref(by)]
  await sql`delete from ${all} where id in (
    select id from ${all} where ${of} order by ${age} desc, id desc limit ${most} offset ${most})`.execute(rows)
}
