import type { Change } from '../store/change.ts'

export type ChangeActionEnd =
  | { readonly kind: 'done'; readonly change: Change }
  /** `change` is as it was found, when there is one. `why` is a sentence for people. */
  | { readonly kind: 'not_now'; readonly change: Change | undefined; readonly why: string }

/** What a command can do to a change that is there already, as the person who runs it: carried out above. */
export interface ChangeActions {
  /** Withdraws a change that waits for approval. Only who asked for it may. */
  cancel(id: string): Promise<ChangeActionEnd>
  /** Says of a change without an answer whether it happened. */
  settle(id: string, happened: boolean): Promise<ChangeActionEnd>
}
