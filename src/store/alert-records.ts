import type { AuditEntry } from './audit-entry.ts'
import type { MinuteCounts } from './minute-counts.ts'

/** Shapes of what the store keeps about alerts. What is JSON here is read by a schema of the floor above. */

/** What a rule looks at, as text: `pull/301`, `storage/55`, `storage/*` for every storage zone with a name, `account`. */
export type AlertSubject = string

export interface AlertRule {
  readonly id: string
  /** The name of a kind, such as `origin-failing`. */
  readonly kind: string
  readonly subject: AlertSubject
  readonly channelId: string
  /** Parameters that are not as the kind has them, by name. */
  readonly parameters: Readonly<Record<string, number>>
  /** The Slack user group that critical ones mention. */
  readonly mention?: string | undefined
  /** An https address at which it stands what to do. */
  readonly runbook?: string | undefined
  /** A person's id, or `configuration` for one that stands in the configuration file and no command changes. */
  readonly createdBy: string
  readonly createdAt: Date
  /** Why nothing is told any more, as a sentence: the channel is archived, the bot was removed. Told when undefined. */
  readonly pausedWhy?: string | undefined
  readonly pausedAt?: Date | undefined
}

/** Of all together. */
export const MAX_ALERT_RULES = 2_000

/** Where the life of one alert stands: one for each rule and thing it looks at. */
export interface AlertStateRecord {
  readonly ruleId: string
  /** As `AlertSubject`, and never one with a star. */
  readonly subject: AlertSubject
  readonly state: unknown
}

/**
 * What one message in a channel is about: all alerts of one subject that belong together. `doc` is the evaluation's
 * alone; the other members are changed by people and by delivery, each in a statement of its own.
 */
export interface IncidentRecord {
  readonly id: string
  readonly subject: AlertSubject
  readonly channelId: string
  readonly openedAt: Date
  /** Undefined while something of it fires. */
  readonly endedAt?: Date | undefined
  readonly doc: unknown
  /** Grows with everything that changes what the message has to show. */
  readonly revision: number
  readonly shownRevision: number
  /** Where its message stands, once Slack has taken it. */
  readonly messageTs?: string | undefined
  readonly postedAt?: Date | undefined
  readonly acknowledgedBy?: string | undefined
  readonly acknowledgedAt?: Date | undefined
  /** Who answered that it is not a problem. That was its end, and it never begins again. */
  readonly dismissedBy?: string | undefined
}

/** An incident as the evaluation writes it. */
export interface IncidentWrite extends Pick<IncidentRecord, 'id' | 'subject' | 'channelId' | 'openedAt' | 'doc'> {
  readonly endedAt?: Date | undefined
  /** Takes the acknowledgement back: it began anew, or became worse. */
  readonly unacknowledge?: boolean
}

/** Held back for a while, by somebody. Everything that is given has to match; a silence names at least the subject. */
export interface SilenceRecord {
  readonly id: string
  readonly subject: AlertSubject
  /** One kind, or all. */
  readonly kind?: string | undefined
  /** One channel, or all. */
  readonly channelId?: string | undefined
  readonly from: Date
  readonly until: Date
  readonly by: string
  readonly reason?: string | undefined
}

/** A deploy, a purge, or something else that explains what the numbers show. */
export interface MarkRecord {
  readonly id: string
  readonly pullZoneId: string
  readonly at: Date
  readonly text: string
  readonly by: string
}

export const MARK_RETENTION_MS = 15 * 86_400_000
/** Of an incident that has ended. */
export const INCIDENT_RETENTION_MS = 90 * 86_400_000
/** Of a silence that is over. */
export const SILENCE_RETENTION_MS = 7 * 86_400_000

/**
 * Something Slack, or the webhook, has to be told about an incident. A `card` brings the incident's one message to the
 * present state, so two that wait become one; a `reply` goes into its thread; a `webhook` to the configured address.
 */
export interface AlertPost {
  readonly id: string
  readonly incidentId: string
  readonly channelId: string
  readonly what: 'card' | 'reply' | 'webhook'
  /** For `reply` and `webhook`: what to say, as JSON of at most 64 KB. A `webhook` without one: all that fired is over. */
  readonly body?: unknown
  readonly createdAt: Date
  readonly dueAt: Date
  readonly attempts: number
}

export interface NewAlertPost extends Pick<AlertPost, 'incidentId' | 'channelId' | 'what' | 'body'> {
  /** Not before; a card that already waits keeps the earlier of both. */
  readonly dueAt: Date
}

/** A post that was given up, kept so that it can be shown. */
export interface DeadAlertPost extends AlertPost {
  readonly deadAt: Date
  readonly reason: string
}

export const DEAD_POST_RETENTION_MS = 7 * 86_400_000

/** Where the reading of one subject stands: cursor, lag, failures, as JSON the reader understands. */
export interface WatchRecord {
  readonly subject: AlertSubject
  readonly state: unknown
  /** What was read last is at this number; a commit names it, so that of two readers one counts. */
  readonly revision: number
}

/** Everything that follows from one look at a subject, committed in one transaction. */
export interface AlertCommit {
  readonly subject: AlertSubject
  /** The revision of the watch that this look began with; 0 for the first. */
  readonly revision: number
  readonly watch: unknown
  /** For pull zones: these replace what is kept of the same minutes, so reading a minute again counts no line twice. */
  readonly minutes?: readonly MinuteCounts[]
  readonly states?: readonly AlertStateRecord[]
  readonly incidents?: readonly IncidentWrite[]
  readonly posts?: readonly NewAlertPost[]
  readonly entries?: readonly AuditEntry[]
}

/** All that an evaluation of a subject has to know beside the numbers. */
export interface SubjectView {
  /** Rules about the subject, a rule about every storage zone included; paused ones too. */
  readonly rules: readonly AlertRule[]
  readonly states: readonly AlertStateRecord[]
  /** Those that have not ended, those that ended in the last six hours, and the newest that were dismissed. */
  readonly incidents: readonly IncidentRecord[]
  /** Those that are not over. */
  readonly silences: readonly SilenceRecord[]
  /** Newest first, of the last 15 days, at most 200. */
  readonly marks: readonly MarkRecord[]
  readonly watch: WatchRecord | undefined
}
