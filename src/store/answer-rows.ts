import type { Transaction } from 'kysely'
import { Prepared, type Values } from './prepared.ts'
import type { AnswersTable, Tables } from './tables.ts'

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

/** Rows of one statement. */
const ROWS_AT_ONCE = 12
const COLUMNS = [
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
] as const satisfies readonly (keyof AnswersTable)[]

/** What stands for each value, by place and column. */
const NAMES = Array.from({ length: ROWS_AT_ONCE }, (_, place) => COLUMNS.map((column) => `${column}${place}`))

const insertOne = inserting(1)
const insertSome = inserting(ROWS_AT_ONCE)

/** Inserts so many rows, whose values are named by column and place. */
function inserting(count: number): Prepared<Values, unknown> {
  return new Prepared((db, given) =>
    db.insertInto('answers').values(
      Array.from({ length: count }, (_, place) => {
        const columns = COLUMNS.map((column) => [column, given[`${column}${place}`]])
        return Object.fromEntries(columns) as AnswersTable // every column there is, as the type of COLUMNS says
      }),
    ),
  )
}

/** Inserts answers within a transaction, by statements whose text is made once. */
export async function insertAnswers(rows: Transaction<Tables>, answers: readonly AnswersTable[]): Promise<void> {
  for (let from = 0; from < answers.length; from += ROWS_AT_ONCE) {
    const some = answers.slice(from, from + ROWS_AT_ONCE)
    if (some.length === ROWS_AT_ONCE) await insertSome.rows(rows, parametersOf(some))
    else for (const row of some) await insertOne.rows(rows, parametersOf([row]))
  }
}

function parametersOf(rows: readonly AnswersTable[]): Values {
  const parameters: Record<string, string | number | null> = {}
  for (const [place, row] of rows.entries()) {
    for (const [at, column] of COLUMNS.entries()) parameters[NAMES[place]?.[at] ?? ''] = row[column]
  }
  return parameters
}
