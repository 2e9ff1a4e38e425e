import * as z from 'zod'
import { storable } from './columns.ts'

/** What can happen that is put on record. A name that has been used is never used for something else. */
export const AUDIT_EVENTS = [
  'read',
  'denied',
  'requested',
  /** One person is for it; enough of them make it `approved`. */
  'approval',
  'approved',
  /** It goes without a second person, with a reason. */
  'break_glass',
  'cancelled',
  'expired',
  'sending',
  'done',
  'rejected',
  'not_sent',
  'unknown',
  'not_done',
  'zone_added',
  'zone_removed',
  /** Who has which role, or what the policy asks for, is not what it was. */
  'roles_changed',
  'policy_changed',
  'alert_added',
  'alert_changed',
  'alert_removed',
  /** Nothing is told under a rule any more, or again. */
  'alert_paused',
  'alert_resumed',
  'alert_acknowledged',
  'alert_taken_over',
  'alert_released',
  'alert_noted',
  'alert_dismissed',
  'alert_silenced',
  'alert_unsilenced',
  'alert_marked',
  'alert_unmarked',
  'digest_set',
  'keys_changed',
  'access_asked',
] as const
export type AuditEvent = (typeof AUDIT_EVENTS)[number]

/** How the program signs what it does by itself, in the place of a person's id. */
export const PROGRAM = 'cdn-ops'

/** One line of the record, as it is asked for: who did what, when, and to which change it belongs. No secrets in it. */
export type AuditEntry = Readonly<z.input<typeof AuditRow>>

/** An entry on record. The event may be one that only a newer version knows. */
export interface RecordedEntry extends Omit<AuditEntry, 'event'> {
  readonly seq: number
  readonly event: string
  readonly hash: string
}

/** Of a text in an entry, in UTF-16 units. */
export const MAX_AUDIT_TEXT_CHARACTERS = 2_000
const MAX_AUDIT_NAME_CHARACTERS = 200

const Name = z.string().min(1).max(MAX_AUDIT_NAME_CHARACTERS).transform(storable)
const Text = z.string().max(MAX_AUDIT_TEXT_CHARACTERS).transform(storable)

/**
 * An entry as it is hashed and kept. The bounds keep a row under 16 KB even where every character takes three bytes.
 * A longer text is refused, not cut: only the caller knows what may be left out of the record.
 */
export const AuditRow = z.object({
  at: z.date().transform((date) => date.getTime()),
  /** The id of the person, or a word for the program itself. */
  actor: Name,
  team: Name,
  operation: Name,
  event: z.enum(AUDIT_EVENTS),
  changeId: Name.optional().transform((id) => id ?? null),
  /** A plain sentence. */
  summary: Text,
  detail: Text.optional().transform((text) => text ?? null),
})
