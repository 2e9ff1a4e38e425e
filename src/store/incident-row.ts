import * as z from 'zod'
import type { IncidentRecord, IncidentWrite } from './alert-records.ts'
import type { IncidentsTable } from './alert-tables.ts'
import { jsonColumn } from './bounded-columns.ts'
import { Instant, Json, optional, readRow } from './rows.ts'

/** What the evaluation knows of an incident, as JSON: twenty alerts with their numbers are a tenth of it. */
export const MAX_INCIDENT_DOC_BYTES = 256 * 1_024

/** Throws `StoreError` when the row is not what this program writes. */
export function toIncident(row: IncidentsTable): IncidentRecord {
  return readRow('incidents', StoredIncident, row)
}

/** The row of an incident that is new. Throws RangeError when what is known of it is larger than 256 KB. */
export function toIncidentRow(incident: IncidentWrite): IncidentsTable {
  return {
    id: incident.id,
    subject: incident.subject,
    channelId: incident.channelId,
    openedAt: incident.openedAt.getTime(),
    endedAt: incident.endedAt?.getTime() ?? null,
    doc: jsonColumn('What is known of an incident', incident.doc, MAX_INCIDENT_DOC_BYTES),
    revision: 1,
    shownRevision: 0,
    messageTs: null,
    postedAt: null,
    acknowledgedBy: null,
    acknowledgedAt: null,
  }
}

const StoredIncident = z.object({
  id: z.string(),
  subject: z.string(),
  channelId: z.string(),
  openedAt: Instant,
  endedAt: optional(Instant),
  doc: Json,
  revision: z.int(),
  shownRevision: z.int(),
  messageTs: optional(z.string()),
  postedAt: optional(Instant),
  acknowledgedBy: optional(z.string()),
  acknowledgedAt: optional(Instant),
})
