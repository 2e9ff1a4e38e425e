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
  viewExternalId: string | null
  messageChannel: string | null
  messageTs: string | null
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
