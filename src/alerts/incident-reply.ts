import type { IncidentAlert } from './incident.ts'

/** What can be said in the thread of an incident's message. Everything else is an edit of the message itself. */
export const REPLY_KINDS = [
  /** It had ended, and fires again within six hours. */
  'begins again',
  /** Graver than before. */
  'worse',
  /** Another alert of the same subject fires beside those that did. */
  'joined',
  /** Critical for hours, and nobody has acknowledged it. */
  'reminder',
  'nobody acknowledged',
  /** Begins and ends so often that it is held for half an hour. */
  'flapping',
  /** Less grave than before. */
  'eased',
  'ended one of several',
] as const
export type ReplyKind = (typeof REPLY_KINDS)[number]

/** The body of a post that is a `reply`. */
export interface ReplyBody {
  readonly kind: ReplyKind
  /** As it was when this was said. */
  readonly alert: IncidentAlert
  /** The Slack user group to tell. */
  readonly mention?: string | undefined
  /** Whether the channel sees it beside the thread. */
  readonly broadcast: boolean
}

/** The body of a post that is a `webhook`. */
export interface WebhookBody {
  readonly status: 'firing' | 'resolved'
  /** Those that began or became worse, or those that ended; at least one. */
  readonly alerts: readonly IncidentAlert[]
}
