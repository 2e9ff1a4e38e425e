import type { Issue, Operation } from '../../operations/operation.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { fieldsOf } from './form-view.ts'

/**
 * The values without those that are wrong and that no page of the form shows, such as the weight of a type that has
 * none: nobody could mend them, so they must not hold the form up.
 */
export function mendableValues(operation: Operation, values: RawValues, issues: readonly Issue[]): RawValues {
  const shown = new Set((operation.form ?? []).flatMap((page) => fieldsOf(page, operation, values)))
  const stuck = new Set(issues.flatMap(({ field }) => (field === undefined || shown.has(field) ? [] : [field])))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !stuck.has(name)))
}
