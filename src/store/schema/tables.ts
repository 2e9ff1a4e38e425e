import * as z from 'zod'
import type {
  AlertRuleRow,
  AlertStateRow,
  DigestRow,
  IncidentEventRow,
  IncidentRow,
  MarkRow,
  SilenceRow,
  WatchRow,
} from './alert-records.ts'
import type { ChangeRow } from './change.ts'
import { Instant, json, optional, Text, typedText, values } from './columns.ts'
import type { MinuteCounts } from './minute-counts.ts'

/**
 * The tables as Kysely sees them: what the schema of a row is made from. Columns are snake_case in the database; instants
 * are whole milliseconds since 1970, JSON is text, and what is absent is NULL, so that both engines hold the same bytes.
 */
export interface Tables {
  /** `announcingUntil`: until when one process may post or edit the message about it, and no other may. */
  readonly changes: z.input<typeof ChangeRow> & { announcingUntil: number | null }
  readonly auditEntries: AuditEntriesTable
  /** One row: the number and the hash of the newest audit entry. Its lock puts all recorded transactions in a line. */
  readonly auditHead: { id: number; seq: number; hash: string }
  /** `foldedName` is the name as `foldName` gives it, so that both engines agree on what is the same name. */
  readonly zoneNames: z.input<typeof ZoneNameRow> & { foldedName: string }
  readonly answers: z.input<typeof AnswerRow>
  /** By the id of the change whose form was begun with it. */
  readonly responseAddresses: { id: string; sealed: string; expiresAt: number }
  readonly approvals: z.input<typeof ApprovalRow>
  readonly outbox: z.input<typeof OutboxRow>
  readonly deadLetters: z.input<typeof DeadLetterRow>
  /** By the SHA-256 of what Slack gives the same value each time. */
  readonly deliveries: { id: string; at: number }
  readonly remembered: z.input<typeof RememberedRow>
  readonly minutes: MinuteCounts & { pullZoneId: string }
  readonly alertRules: z.input<typeof AlertRuleRow>
  readonly alertStates: z.input<typeof AlertStateRow>
  readonly alertWatches: z.input<typeof WatchRow> & { at: number }
  readonly incidents: z.input<typeof IncidentRow>
  readonly incidentEvents: z.input<typeof IncidentEventRow>
  readonly digests: z.input<typeof DigestRow>
  readonly silences: z.input<typeof SilenceRow>
  readonly marks: z.input<typeof MarkRow>
  readonly replicas: z.input<typeof ReplicaRow>
  readonly lease: z.input<typeof LeaseRow>
  readonly logSlots: { pullZoneId: string; slot: number; freeAt: number }
}

/** One for each person who approved a change; never of the one who asked for it. */
export const ApprovalRow = z.object({
  changeId: z.string(),
  person: z.string(),
  requestedBy: z.string(),
  hash: z.string(),
  at: Instant,
})

export const MAX_MESSAGE_BYTES = 64 * 1_024

/**
 * Something Slack, or the webhook, has to be told. A `notice` is a message as it is, and so is a `digest`, which goes the way of
 * a channel's alerts when the channel is lost. Three are about an incident: a `card`
 * brings its one message to the revision there is when it is delivered, a `reply` goes into the thread of that, and a
 * `webhook` to the configured address.
 */
const WaitingRow = z.object({
  id: z.string(),
  what: z.enum(['notice', 'digest', 'card', 'reply', 'webhook']),
  /** A channel's id, or a person's for their direct messages. */
  channelId: z.string(),
  incidentId: optional(z.string()),
  /** What to say. A `webhook` without it: all that fired is over. */
  body: optional(json('What is to be told', MAX_MESSAGE_BYTES)),
  createdAt: Instant,
  dueAt: Instant,
  /** How often it was claimed. */
  attempts: z.int(),
})

/** As whoever claimed it sees it. */
export const MessageRow = WaitingRow.extend({
  /** What is delivered one after the other: all of a channel, of a person, of the webhook. */
  target: z.string(),
  /** Grows with each claim, so that a claim that is over changes nothing. */
  fence: z.int(),
})

export const OutboxRow = MessageRow.extend({
  /** Grows with each message that is put, whatever the clock says: the order of what waits. */
  seq: z.int(),
  /** Until when whoever claimed it has it, or nothing of its target may be tried again. */
  heldUntil: z.int(),
})

export const DeadLetterRow = WaitingRow.extend({ deadAt: Instant, reason: typedText('Why a message is given up') })

/** Of a value as JSON: the people of all groups that give roles, in the largest workspaces. */
export const MAX_REMEMBERED_BYTES = 4 * 1_024 * 1_024

/** What the program knew last, by name: to say what has changed since. */
export const RememberedRow = z.object({
  name: z.string(),
  value: json('What is remembered', MAX_REMEMBERED_BYTES),
  at: Instant,
})

/** As it was written: its hash covers just this. */
export const AuditEntryRow = z.object({
  /** 1, 2, 3, … without a gap. */
  seq: z.int(),
  at: z.int(),
  actor: z.string(),
  team: z.string(),
  operation: z.string(),
  event: z.string(),
  changeId: z.string().nullable(),
  summary: z.string(),
  detail: z.string().nullable(),
  /** Over this row and the hash of the one before it. */
  hash: z.string(),
})
export type AuditEntriesTable = z.input<typeof AuditEntryRow>

/** The kinds of zone that can have names. The same number is another zone in each. */
export const ZONE_KINDS = ['pull', 'storage', 'dns'] as const
export type ZoneKind = (typeof ZONE_KINDS)[number]

export const ZoneNameRow = z.object({
  kind: z.enum(ZONE_KINDS),
  /** As it was given. Two names are the same when they differ only in case. */
  name: Text.check(z.minLength(1), z.maxLength(200)),
  /** Digits: an int64 that JSON numbers could not hold. */
  zoneId: z.string().regex(/^\d{1,19}$/),
  addedBy: z.string(),
  addedAt: Instant,
})

/** Of a kept message as JSON, in UTF-8. A larger one is refused. */
export const MAX_ANSWER_MESSAGE_BYTES = 64 * 1_024

/** What a button on a message belongs to. The button carries only the id; what it does is read from here. */
export const AnswerRow = z.object({
  id: z.string(),
  kind: z.enum(['page', 'share', 'form', 'more']),
  operation: z.string(),
  values: values('What a button asks with', MAX_ANSWER_MESSAGE_BYTES),
  /** Whom the message was for. */
  actorId: z.string(),
  team: z.string(),
  channelId: optional(z.string()),
  /** What was shown, for buttons that post the same again. */
  message: optional(json('The message of an answer', MAX_ANSWER_MESSAGE_BYTES)),
  createdAt: Instant,
  expiresAt: Instant,
})

export const ReplicaRow = z.object({
  id: z.string(),
  /** The name of its machine. */
  name: z.string(),
  version: z.string(),
  /** What its configuration is, as a hash. */
  configuration: z.string(),
  startedAt: Instant,
  seenAt: Instant,
})

/** One row: which replica does what is done once for all of them. */
export const LeaseRow = z.object({
  /** Grows whenever it changes hands. It is the key, so that a renewal does not wait for those who hold on to it. */
  fence: z.int(),
  /** The id of a replica; empty where nobody holds it. */
  holder: z.string(),
  sinceAt: Instant,
  untilAt: z.int(),
})
