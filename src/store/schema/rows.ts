import { type RawBuilder, sql, type SqlBool, type Transaction } from 'kysely'
import * as z from 'zod'
import type { Stored } from './columns.ts'
import { StoreError } from './store-error.ts'
import type { Tables } from './tables.ts'

/** A row is not what the program writes. The message names it and its columns, and holds nothing else of it. */
export class UnreadableRow extends StoreError {
  readonly table: string

  constructor(table: string, row: unknown, columns: ReadonlySet<string>) {
    super('corrupt', undefined, `A row of ${table} (${nameOf(row)}) cannot be read: ${[...columns].join(', ')}`)
    this.table = table
  }
}

const KEYS: ReadonlySet<string> = new Set(['id', 'changeId', 'ruleId', 'name', 'subject', 'seq', 'minute'])
const MAX_KEY_CHARACTERS = 80

/** What a row is found by, as far as it has that. */
export function nameOf(row: unknown): string {
  const [key] = Object.entries(row ?? {}).flatMap(([column, value]) => (KEYS.has(column) ? [String(value)] : []))
  return key?.slice(0, MAX_KEY_CHARACTERS) ?? 'without a name'
}

/** Reads a row through its schema. Throws `UnreadableRow`. */
export function readRow<Schema extends z.ZodType>(table: string, schema: Schema, row: unknown): z.output<Schema> {
  const result = schema.safeParse(row)
  if (result.success) return result.data
  const columns = new Set(result.error.issues.map(({ path }) => String(path[0] ?? 'row')))
  throw new UnreadableRow(table, row, columns)
}

export function reader<Schema extends z.ZodType>(table: string, schema: Schema): (row: object) => z.output<Schema> {
  return (row) => readRow(table, schema, row)
}

/** The row of a record. Throws RangeError where something is larger than its column takes. */
export function toRow<Schema extends z.ZodType>(schema: Schema, record: Stored<Schema>): z.input<Schema> {
  return z.encode(schema, record as z.output<Schema>) // What is left out is absent for the schema, too.
}

/** How many rows a table has, or of how many `of` holds. */
export async function countRows(
  rows: Transaction<Tables>,
  table: keyof Tables,
  of: RawBuilder<unknown> = sql`true`,
): Promise<number> {
  const { count } = await rows
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(sql<SqlBool>`${of}`)
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes the oldest rows of a table that are too many: of all, or of those that `of` holds for. */
export async function keepNewest(
  rows: Transaction<Tables>,
  table: 'answers' | 'changes' | 'deadLetters' | 'incidentEvents' | 'marks' | 'responseAddresses',
  { by, most, of = sql`true` }: { readonly by: string; readonly most: number; readonly of?: RawBuilder<unknown> },
): Promise<void> {
  const [all, age] = [sql.table(table), sql.ref(by)]
  await sql`delete from ${all} where id in (
    select id from ${all} where ${of} order by ${age} desc, id desc limit ${most} offset ${most})`.execute(rows)
}
