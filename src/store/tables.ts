import type { CountName } from './minute-counts.ts'

/**
 * The tables as Kysely sees them. Columns are snake_case in the database; instants are whole milliseconds since 1970,
 * JSON is text, and what is absent is NULL, so that both engines hold the same bytes.
 */
export interface Tables {
  readonly changes: ChangesTable
  readonly auditEntries: AuditEntriesTable
  readonly auditHead: AuditHeadTable
  readonly zoneNames: ZoneNamesTable
  readonly answers: AnswersTable
  readonly approvals: ApprovalsTable
  readonly notices: NoticesTable
  readonly deliveries: DeliveriesTable
  readonly remembered: RememberedTable
  readonly minutes: MinutesTable
  readonly alertRules: AlertRulesTable
  readonly alertStates: AlertStatesTable
  readonly alertWatches: AlertWatchesTable
  readonly incidents: IncidentsTable
  readonly alertPosts: AlertPostsTable
  readonly deadAlertPosts: DeadAlertPostsTable
  readonly silences: SilencesTable
  readonly marks: MarksTable
}

export interface ChangesTable {
  id: string
  state: string
  operation: string
  /** RawValues as JSON. */
  values: string
  sentence: string | null
  hash: string | null
  requestedBy: string
  team: string
  channelId: string | null
  createdAt: number
  updatedAt: number
  expiresAt: number
  leaseHolder: string | null
  leaseUntil: number | null
  sentAt: number | null
  endedAt: number | null
  outcome: string | null
  detail: string | null
  messageChannel: string | null
  messageTs: string | null
  /** Until when one process may post the message about it, and no other may. */
  announcingUntil: number | null
  requestHash: string | null
  requestedAt: number | null
  revision: number
  shownRevision: number
  breakGlass: string | null
  endedBy: string | null
  /** A message as JSON. */
  answer: string | null
}

/** One for each person who approved a change; never of the one who asked for it. */
export interface ApprovalsTable {
  changeId: string
  person: string
  requestedBy: string
  /** The hash of what was approved. */
  hash: string
  at: number
}

export interface NoticesTable {
  id: string
  /** A channel, or a person for their direct messages. */
  recipient: string
  /** A message as JSON. */
  message: string
  createdAt: number
  /** Not before then; whoever takes it puts this ahead, so that nobody else takes it meanwhile. */
  dueAt: number
  attempts: number
}

/** Deliveries of Slack that have had their effect. */
interface DeliveriesTable {
  /** SHA-256 of what Slack gives the same value each time. */
  id: string
  at: number
}

/** What the program knew last, by name, as JSON: to say what has changed since. */
interface RememberedTable {
  name: string
  value: string
  at: number
}

export interface AuditEntriesTable {
  /** 1, 2, 3, … without a gap. */
  seq: number
  at: number
  actor: string
  team: string
  operation: string
  event: string
  changeId: string | null
  summary: string
  detail: string | null
  /** Over this row and the hash of the one before it. */
  hash: string
}

/** One row: the number and the hash of the newest audit entry. Its lock puts all recorded transactions in a line. */
interface AuditHeadTable {
  id: number
  seq: number
  hash: string
}

export interface ZoneNamesTable {
  kind: string
  /** The name as `foldName` gives it, so that both engines agree on what is the same name. */
  foldedName: string
  name: string
  zoneId: string
  addedBy: string
  addedAt: number
}

export interface AnswersTable {
  id: string
  kind: string
  operation: string
  /** RawValues as JSON. */
  values: string
  actorId: string
  team: string
  channelId: string | null
  /** A message as JSON. */
  message: string | null
  createdAt: number
  expiresAt: number
}

/** The rows of alerts; see `Tables` for what holds for all. */

/** What the log of a pull zone said of one minute. */
export interface MinutesTable extends Record<CountName, number> {
  pullZoneId: string
  /** Whole minutes since 1970. */
  minute: number
  coveredMs: number
}

export interface AlertRulesTable {
  id: string
  kind: string
  subject: string
  channelId: string
  /** Numbers by name, as JSON. */
  parameters: string
  mention: string | null
  runbook: string | null
  createdBy: string
  createdAt: number
  pausedWhy: string | null
  pausedAt: number | null
}

export interface AlertStatesTable {
  ruleId: string
  subject: string
  /** JSON of the evaluation. */
  state: string
}

export interface AlertWatchesTable {
  subject: string
  /** JSON of the reader. */
  state: string
  revision: number
  /** When it was written last. */
  at: number
}

export interface IncidentsTable {
  id: string
  subject: string
  channelId: string
  openedAt: number
  endedAt: number | null
  /** JSON of the evaluation. */
  doc: string
  revision: number
  shownRevision: number
  messageTs: string | null
  postedAt: number | null
  acknowledgedBy: string | null
  acknowledgedAt: number | null
  dismissedBy: string | null
}

export interface AlertPostsTable {
  id: string
  incidentId: string
  channelId: string
  what: string
  /** JSON; NULL for a card. */
  body: string | null
  createdAt: number
  /** Tells apart what was made in the same millisecond. */
  seq: number
  /** Not before then. */
  dueAt: number
  /** When a card is due once more, because its incident has moved on while it was being delivered. */
  againAt: number | null
  /** Until when whoever took it has it, or nobody may try again. */
  heldUntil: number
  attempts: number
}

export interface DeadAlertPostsTable {
  id: string
  incidentId: string
  channelId: string
  what: string
  body: string | null
  createdAt: number
  dueAt: number
  attempts: number
  deadAt: number
  reason: string
}

export interface SilencesTable {
  id: string
  subject: string
  kind: string | null
  channelId: string | null
  fromAt: number
  untilAt: number
  setBy: string
  reason: string | null
}

export interface MarksTable {
  id: string
  pullZoneId: string
  at: number
  text: string
  setBy: string
}
