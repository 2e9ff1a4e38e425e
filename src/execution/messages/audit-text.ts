import type { Invocation } from '../../operations/declaration/operation.ts'
import type { Actor } from '../../operations/declaration/role.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Change } from '../../store/schema/change.ts'
import { type AuditEntry, type AuditEvent, MAX_AUDIT_TEXT_CHARACTERS, PROGRAM } from '../../store/schema/audit-entry.ts'

export interface AuditFacts {
  readonly actor: Pick<Actor, 'id' | 'team'>
  readonly invocation: Pick<Invocation, 'operation' | 'sentence'>
  readonly event: AuditEvent
  readonly now: Date
  readonly changeId?: string
  readonly detail?: string
}

/** An entry for what somebody did or was refused, its texts made visible and cut to what the log takes. */
export function auditEntry({ actor, invocation, event, now, changeId, detail }: AuditFacts): AuditEntry {
  return {
    at: now,
    actor: actor.id,
    team: actor.team,
    operation: invocation.operation.name,
    event,
    changeId,
    summary: bounded(invocation.sentence),
    detail: detail === undefined ? undefined : bounded(detail),
  }
}

export interface ChangeFacts {
  readonly change: Pick<Change, 'id' | 'operation' | 'sentence' | 'team'>
  /** Who did it: a user id, or `PROGRAM`. */
  readonly by: string
  readonly event: AuditEvent
  readonly now: Date
  readonly detail: string
}

/** An entry for a change that is known only from the store, cut in the same way. */
export function changeEntry({ change, by, event, now, detail }: ChangeFacts): AuditEntry {
  return {
    at: now,
    actor: by,
    team: change.team,
    operation: change.operation,
    event,
    changeId: change.id,
    summary: bounded(change.sentence ?? `${change.operation}, not filled in`),
    detail: bounded(detail),
  }
}

/** Code points may take two units each, so half as many always fit. */
function bounded(text: string): string {
  const shown = visible(text, MAX_AUDIT_TEXT_CHARACTERS)
  return shown.length <= MAX_AUDIT_TEXT_CHARACTERS ? shown : visible(text, MAX_AUDIT_TEXT_CHARACTERS / 2)
}

export function isPerson(id: string | undefined): id is string {
  return id !== undefined && id !== PROGRAM
}
