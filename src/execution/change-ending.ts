import { maskSecrets } from '../operations/mask.ts'
import type { Operation } from '../operations/operation.ts'
import type { RawValues } from '../shared/raw-values.ts'
import type { Change } from '../store/change.ts'
import { changeEntry } from './audit-words.ts'
import type { Executor } from './executor.ts'

export interface Cancellation {
  readonly id: string
  /** Who ends it: the id of the person who asked for it, or `PROGRAM`. */
  readonly by: string
  /** The state it has to be in still: a form, or confirmed and not yet sent. */
  readonly from: 'draft' | 'approved'
  readonly why: string
}

/**
 * Ends a change of which nothing was sent, with its entry in the record; its secret values are erased. Undefined when
 * it is gone, or not in that state any more. Throws StoreError.
 */
export async function cancelChange(executor: Executor, cancellation: Cancellation): Promise<Change | undefined> {
  const { id, by, from, why } = cancellation
  const { store, clock, operations } = executor.options
  const change = await store.changes.get(id)
  if (change === undefined) return undefined
  const now = clock.now()
  const audit = changeEntry({ change, by, event: 'cancelled', now, detail: why })
  const set = { values: valuesToKeep(change, operations), outcome: why }
  return store.changes.move(id, { from: [from], to: 'cancelled', set, now, audit })
}

/**
 * The values of a change once it has ended, secret ones masked. An operation that no longer exists cannot say what was
 * secret, so nothing of it is kept.
 */
export function valuesToKeep({ operation: name, values }: Change, operations: readonly Operation[]): RawValues {
  const operation = operations.find((candidate) => candidate.name === name)
  return operation === undefined ? {} : maskSecrets(operation.fields, values)
}
