import type { CountName } from './minute-counts.ts'

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
