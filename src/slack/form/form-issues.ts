import type { RawValues } from '../../shared/raw-values.ts'
import type { Issue, Operation } from '../../operations/operation.ts'
import { fieldsOf, isLast } from './form-view.ts'
import { fieldsInState } from './form-values.ts'

/**
 * The issues a page of a form must settle before the next is shown: those of its own fields and of the pages before
 * it. What later pages will ask for can wait; what concerns no field waits for the last page.
 */
export function stepIssues(
  operation: Operation,
  step: number,
  values: RawValues,
  issues: readonly Issue[],
): readonly Issue[] {
  if (isLast(operation, step)) return issues
  const pages = (operation.form ?? []).slice(0, step + 1)
  const asked = new Set(pages.flatMap((page) => fieldsOf(page, operation, values)))
  return issues.filter(({ field }) => field !== undefined && asked.has(field))
}

export interface FormErrors {
  /** For the acknowledgement of a submission: `block_id` to sentence. */
  readonly errors: Readonly<Record<string, string>>
  /** What no input of the view can carry. If there is any, the view has to be drawn again with all issues. */
  readonly elsewhere: readonly Issue[]
}

/**
 * Issues as Slack takes them in answer to a submission. Slack refuses the whole answer when it names a block that the
 * submitted view has no input for, so the view's own state decides what can be said there.
 */
export function formErrors(state: unknown, issues: readonly Issue[]): FormErrors {
  const blocks = fieldsInState(state)
  const errors = new Map<string, string>()
  const elsewhere: Issue[] = []
  for (const issue of issues) {
    const blockId = issue.field === undefined ? undefined : blocks.get(issue.field)
    if (blockId === undefined) elsewhere.push(issue)
    else errors.set(blockId, [errors.get(blockId), issue.problem].filter((said) => said !== undefined).join(' '))
  }
  return { errors: Object.fromEntries(errors), elsewhere }
}
