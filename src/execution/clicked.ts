import type { ChangeActionEnd } from '../operations/change-actions.ts'
import type { Invocation } from '../operations/operation.ts'
import type { Decision } from '../operations/role.ts'
import type { Approval } from '../store/approvals.ts'
import type { Change } from '../store/change.ts'

/** What somebody who may approve or decline is shown, from the store. */
export interface ApprovalPrompt {
  readonly change: Change
  readonly invocation: Invocation
  readonly decision: Decision
  readonly approvals: readonly Approval[]
  /** Who has approved it and could not any more. */
  readonly lapsed: readonly string[]
}

/** What became of a click. Each later click finds the state that is there. */
export type Clicked =
  /** It did what it says; the change is as it stands now. `ready` when it may be sent, which is the caller's to do. */
  | { readonly kind: 'taken'; readonly change: Change; readonly ready: boolean }
  /** Nothing was done by this click: the change is as it was found. */
  | { readonly kind: 'found'; readonly change: Change; readonly repeated: boolean }

/** The same for whoever asked by a command. */
export function endOf(clicked: Clicked): ChangeActionEnd {
  const { change } = clicked
  if (clicked.kind === 'taken') return { kind: 'done', change }
  return { kind: 'not_now', change, why: `It is ${change.state.replace('_', ' ')} now.` }
}
