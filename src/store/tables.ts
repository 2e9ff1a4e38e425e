import type {
  AlertPostsTable,
  AlertRulesTable,
  AlertStatesTable,
  AlertWatchesTable,
  DeadAlertPostsTable,
  IncidentsTable,
  MarksTable,
  MinutesTable,
  SilencesTable,
} from './alert-tables.ts'

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
