import { type RawBuilder, sql, type Transaction } from 'kysely'
import * as z from 'zod'
import { type RawValues, RawValuesSchema } from '../shared/raw-values.ts'
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

/** An instant, kept as whole milliseconds since 1970. */
export const Instant = z.int().transform((milliseconds) => new Date(milliseconds))

/** A column that may be NULL: absent outside the database. */
export function optional<Output, Input>(schema: z.ZodType<Output, Input>): z.ZodType<Output | undefined, Input | null> {
  return z.nullable(schema).transform((value) => value ?? undefined)
}

/** JSON text. Text that is no JSON is an issue, not an exception. */
export const Json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'Not JSON' })
    return z.NEVER
  }
})

/** Raw values kept as JSON text. */
export const StoredValues: z.ZodType<RawValues, string> = Json.pipe(RawValuesSchema)

/**
 * Text as both engines can hold it and give it back unchanged: PostgreSQL takes no NUL, and half of a surrogate pair
 * does not survive UTF-8. A hash over anything else would not match after reading.
 */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{FFFD}')
}

/** JSON text for a column. Throws RangeError when it is larger than `maxBytes` in UTF-8; `what` is named in its message. */
export function jsonColumn(what: string, value: unknown, maxBytes: number): string {
  const json = JSON.stringify(value) ?? 'null'
  if (Buffer.byteLength(json) > maxBytes) throw new RangeError(`${what} is larger than ${maxBytes} bytes`)
  return json
}

/** Of a text that a person has typed about an alert, in UTF-16 units. */
const MAX_ALERT_TEXT_CHARACTERS = 2_000

/** Text for a column, as both engines can hold it. Throws RangeError when it is longer than 2,000 characters. */
export function textColumn(what: string, text: string): string {
  if (text.length > MAX_ALERT_TEXT_CHARACTERS)
    throw new RangeError(`${what} is longer than ${MAX_ALERT_TEXT_CHARACTERS} characters`)
  return storable(text)
}

/** Deletes the oldest rows of a table that are too many: of all, or of those that `of` holds for. */
export async function keepNewest(
  rows: Transaction<Tables>,
  table: 'answers' | 'changes' | 'deadAlertPosts' | 'marks' | 'notices',
  { by, most, of = sql`true` }: { readonly by: string; readonly most: number; readonly of?: RawBuilder<unknown> },
): Promise<void> {
  const [all, age] = [sql.table(table), sql.ref(by)]
  await sql`delete from ${all} where id in (
    select id from ${all} where ${of} order by ${age} desc, id desc limit ${most} offset ${most})`.execute(rows)
}
