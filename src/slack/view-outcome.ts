import type { ModalView } from '../block-kit/blocks.ts'

/** What a submission is answered with; `undefined` closes the view. */
export type ViewAck =
  | { readonly response_action: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly response_action: 'update'; readonly view: ModalView }
  | undefined

/** What a submission led to. */
export interface Outcome {
  readonly ack: ViewAck
  /** What follows once Slack has its answer. */
  readonly afterwards?: () => Promise<void>
  /**
   * What undoes it when Slack's patience was over before it was ready. Without this it stays done, and what follows is
   * done all the same.
   */
  readonly undo?: () => Promise<void>
}

/** The view in place of the one that was submitted. */
export function showing(view: ModalView): { readonly response_action: 'update'; readonly view: ModalView } {
  return { response_action: 'update', view }
}
