import type { Message } from '../block-kit/message.ts'
import type { Change } from '../store/change.ts'
import type { MessagePlace } from '../alerts/notifier.ts'
import type { Outcome } from './outcome.ts'

/** How sending a change ended, and what to say about it. */
export interface Ended {
  readonly change: Change
  /** `later`: nothing hinders it but this moment, so it stays approved and is sent by itself. */
  readonly outcome: Outcome | 'later'
  /** For whoever is at the prompt. */
  readonly viewed: Message
  /** Where the message about it stands once it says how it ended; undefined when Slack did not take it yet. */
  readonly told: Promise<MessagePlace | undefined>
}

/** The same while the message about it does not say so yet. */
export type Untold = Omit<Ended, 'told'>
