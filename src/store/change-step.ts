import type { Transaction } from 'kysely'
import { raisedColumns, stateColumns, toColumns } from './change-row.ts'
import type { ChangeMove, ChangeState } from './change.ts'
import { Prepared, type Values } from './prepared.ts'
import type { ChangesTable, Tables } from './tables.ts'

/** What a step's statement depends on, beside its values. */
interface StepShape {
  readonly columns: readonly string[]
  readonly from: number
  readonly isBound: boolean
  readonly to: ChangeState
}

interface Given extends Values {
  readonly [from: `from${number}`]: string
  readonly id: string
  readonly boundTo: string
  readonly judgedAtMs: number
  readonly atMs: number
}

/** There are as many as there are kinds of step in the program: some dozens. */
const STATEMENTS = new Map<string, Prepared<Given, ChangesTable>>()

/**
 * Sets the state of a change and what goes with it, if it is as the step wants it, and gives its row as it is then.
 * `judgedAtMs` is by the store's clock. Throws RangeError when the values are larger than 64 KB.
 */
export async function takeStep(
  rows: Transaction<Tables>,
  id: string,
  move: ChangeMove,
  judgedAtMs: number,
): Promise<ChangesTable | undefined> {
  const { from, to, boundTo, now } = move
  const columns = { ...toColumns(move.set ?? {}), ...stateColumns(move, judgedAtMs) }
  const shape = { columns: Object.keys(columns), from: from.length, isBound: boundTo !== undefined, to }
  const states = Object.fromEntries(from.map((state, index) => [`from${index}`, state]))
  const given = { ...columns, ...states, id, boundTo: boundTo ?? '', judgedAtMs, atMs: now.getTime() }
  const [row] = await statementOf(shape).rows(rows, given)
  return row
}

function statementOf(shape: StepShape): Prepared<Given, ChangesTable> {
  const key = JSON.stringify(shape)
  const known = STATEMENTS.get(key)
  if (known !== undefined) return known
  const made = prepareStep(shape)
  STATEMENTS.set(key, made)
  return made
}

function prepareStep({ columns, from, isBound, to }: StepShape): Prepared<Given, ChangesTable> {
  return new Prepared((db, given) => {
    const states = Array.from({ length: from }, (_, index) => given[`from${index}`] ?? '')
    return db
      .updateTable('changes')
      .set((eb) => ({
        ...Object.fromEntries(columns.map((column) => [column, given[column]])),
        ...raisedColumns(eb, to, given.atMs),
      }))
      .where('id', '=', given.id)
      .where('state', 'in', states)
      .$if(isBound, (query) => query.where('hash', '=', given.boundTo))
      .$if(to === 'sending', (query) => query.where('expiresAt', '>', given.judgedAtMs))
      .returningAll()
  })
}
