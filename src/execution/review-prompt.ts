import type { Invocation } from '../operations/operation.ts'
import type { Decision } from '../operations/role.ts'
import type { Change } from '../store/change.ts'

/** What a review shows before a write is confirmed, or sent for approval. */
export interface ReviewPrompt {
  readonly change: Change
  readonly invocation: Invocation
  /** `confirm` or `approve`. */
  readonly decision: Decision
  /** What others, or the same person, asked for in the last 24 hours that is the same; the newest first. */
  readonly alike: readonly Change[]
}

/** What became of a submitted review. */
export type Submitted =
  /** It may be sent now, once. */
  | { readonly kind: 'confirmed'; readonly change: Change; readonly invocation: Invocation }
  /** It waits for others. */
  | { readonly kind: 'waiting'; readonly change: Change; readonly invocation: Invocation; readonly decision: Decision }
  /** It was submitted before: this is how it stands. */
  | { readonly kind: 'answered'; readonly change: Change }
