import * as z from 'zod'
import type { AuditEntry } from './audit-entry.ts'
import { Instant, json, optional, OptionalInstant, OptionalText, type Stored, typedText } from './columns.ts'
import type { MinuteCounts } from './minute-counts.ts'

/** What the store keeps about alerts, row by row. What is JSON here is read by a schema of the floor above. */

/** Of a reader's state and of an alert's, as JSON. */
const MAX_ALERT_STATE_BYTES = 64 * 1_024

/** What a rule looks at, as text: `pull/301`, `storage/55`, `storage/*` for every storage zone with a name, `account`. */
export type AlertSubject = string
export const EVERY_STORAGE_SUBJECT: AlertSubject = 'storage/*'

/** Of the parameters of a rule as JSON: there are a dozen numbers. */
const MAX_PARAMETERS_BYTES = 4 * 1_024

export const AlertRuleRow = z.object({
  id: z.string(),
  /** The name of a kind, such as `origin-failing`. */
  kind: z.string(),
  subject: z.string(),
  channelId: z.string(),
  /** Parameters that are not as the kind has them, by name. */
  parameters: json('The parameters of a rule', MAX_PARAMETERS_BYTES).pipe(z.record(z.string(), z.number())),
  /** Whom it calls, a user group or a person, by Slack's id; and whom after this time without an acknowledgement. */
  mention: OptionalText,
  escalate: OptionalText,
  escalateAfterMs: optional(z.int()),
  /** The https address of instructions. */
  runbook: OptionalText,
  /** A person's id, or `configuration` for one that stands in the configuration file and no command changes. */
  createdBy: z.string(),
  createdAt: Instant,
  /** Why nothing is told any more, as a sentence: the channel is archived, the bot was removed. Told when undefined. */
  pausedWhy: optional(typedText('Why rules are paused')),
  pausedAt: OptionalInstant,
})
export interface AlertRule extends Stored<typeof AlertRuleRow> {
  readonly parameters: Readonly<Record<string, number>>
}

/** Whom a rule calls, and where to read on: what is set for several rules at once. */
export type RuleContacts = Pick<AlertRule, 'mention' | 'escalate' | 'escalateAfterMs' | 'runbook'>

/** Of all together. */
export const MAX_ALERT_RULES = 2_000

/** Where the life of one alert stands: one for each rule and thing it looks at, and never for one with a star. */
export const AlertStateRow = z.object({
  ruleId: z.string(),
  subject: z.string(),
  state: json('The state of an alert', MAX_ALERT_STATE_BYTES),
})
export interface AlertStateRecord extends Stored<typeof AlertStateRow> {
  readonly state: unknown
}

/** What the evaluation knows of an incident, as JSON: twenty alerts with their numbers are a tenth of it. */
export const MAX_INCIDENT_DOC_BYTES = 256 * 1_024

/**
 * What one message in a channel is about: all alerts of one subject that belong together. `doc` is the evaluation's
 * alone; the other members are changed by people and by delivery, each in a statement of its own.
 */
export const IncidentRow = z.object({
  id: z.string(),
  subject: z.string(),
  channelId: z.string(),
  openedAt: Instant,
  /** Undefined while something of it fires. */
  endedAt: OptionalInstant,
  doc: json('What is known of an incident', MAX_INCIDENT_DOC_BYTES),
  /** Grows with everything that changes what the message has to show. */
  revision: z.int(),
  shownRevision: z.int(),
  /** Where its message stands, once Slack has taken it. */
  messageTs: OptionalText,
  postedAt: OptionalInstant,
  acknowledgedBy: OptionalText,
  acknowledgedAt: OptionalInstant,
  /** When a person gave it up last: whoever is called because nobody has acknowledged it has to wait from then on. */
  releasedAt: OptionalInstant,
  /** Who answered that it is not a problem. That was its end, and it never begins again. */
  dismissedBy: OptionalText,
})
export interface IncidentRecord extends Stored<typeof IncidentRow> {
  readonly doc: unknown
}

export interface IncidentWrite extends Pick<IncidentRecord, 'id' | 'subject' | 'channelId' | 'openedAt' | 'doc'> {
  readonly endedAt?: Date | undefined
  /** Takes the acknowledgement back: it began anew, or became worse. */
  readonly unacknowledge?: boolean
}

export const IncidentEventRow = z.object({
  id: z.string(),
  incidentId: z.string(),
  at: Instant,
  kind: z.enum(['acknowledged', 'taken_over', 'released', 'dismissed', 'note']),
  person: z.string(),
  /** Of `taken_over`: who looks after it from then on; another one than `person` where it was handed over. */
  holder: OptionalText,
  text: optional(typedText('The text of a note')),
})
export interface IncidentEvent extends Stored<typeof IncidentEventRow> {}

/** Held back for a while, by somebody. Everything that is given has to match; a silence names at least the subject. */
export const SilenceRow = z.object({
  id: z.string(),
  subject: z.string(),
  /** One kind, or all. */
  kind: OptionalText,
  /** One channel, or all. */
  channelId: OptionalText,
  fromAt: Instant,
  untilAt: Instant,
  setBy: z.string(),
  reason: optional(typedText('The reason of a silence')),
})
export interface SilenceRecord extends Omit<Stored<typeof SilenceRow>, 'fromAt' | 'untilAt' | 'setBy'> {
  readonly from: Date
  readonly until: Date
  readonly by: string
}

export const DIGEST_CADENCES = ['daily', 'weekly', 'off'] as const

export const DigestRow = z.object({
  channelId: z.string(),
  cadence: z.enum(DIGEST_CADENCES),
  /** Of the day, by the clocks of the time zone, which has an IANA name; and of a weekly one the day, 0 for Monday. */
  minute: z.int(),
  weekday: z.int(),
  timeZone: z.string(),
  nextAt: Instant,
  /** What was before has been told. */
  toldUntil: Instant,
  /** Grows with each change, so that of two who tell it one does. */
  revision: z.int(),
})
export type DigestRecord = Stored<typeof DigestRow>

/** A deploy, a purge, or something else that explains what the numbers show. */
export const MarkRow = z.object({
  id: z.string(),
  pullZoneId: z.string(),
  at: Instant,
  text: typedText('The text of a mark'),
  setBy: z.string(),
})
export interface MarkRecord extends Omit<Stored<typeof MarkRow>, 'setBy'> {
  readonly by: string
}

export const MARK_RETENTION_MS = 15 * 86_400_000
export const INCIDENT_RETENTION_MS = 90 * 86_400_000
/** An incident that ended longer ago is no concern of a new look: what begins then is another one. */
export const RECENT_INCIDENT_MS = 6 * 3_600_000
export const SILENCE_RETENTION_MS = 7 * 86_400_000

/** What is told of an incident: see `OutboxRow`. */
export interface NewAlertPost {
  readonly incidentId: string
  readonly channelId: string
  readonly what: 'card' | 'reply' | 'webhook'
  readonly body?: unknown
  /** Not before. A card that joins one has the earlier of both. */
  readonly dueAt: Date
}

export const DEAD_LETTER_RETENTION_MS = 7 * 86_400_000

/** Where the reading of one subject stands: cursor, lag, failures, as JSON the reader understands. */
export const WatchRow = z.object({
  subject: z.string(),
  state: json('The state of a watch', MAX_ALERT_STATE_BYTES),
  /** What was read last is at this number; a commit names it, so that of two readers one counts. */
  revision: z.int(),
})
export interface WatchRecord extends Stored<typeof WatchRow> {
  readonly state: unknown
}

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
