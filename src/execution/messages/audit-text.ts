import type { Operation } from '../../operations/declaration/operation.ts'
import type { Actor } from '../../operations/declaration/role.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Change } from '../../store/schema/change.ts'
import { type AuditEntry, type AuditEvent, MAX_AUDIT_TEXT_CHARACTERS, PROGRAM } from '../../store/schema/audit-entry.ts'

interface InvocationEvent {
  readonly actor: Pick<Actor, 'id' | 'team'>
  readonly invocation: { readonly operation: Pick<Operation, 'name'>; readonly sentence: string }
  readonly event: AuditEvent
  readonly now: Date
  readonly changeId?: string
  readonly detail?: string | undefined
}

/** An entry for what somebody did or was refused, its texts made visible and cut to what the log takes. */
export function invocationEntry({ actor, invocation, event, now, changeId, detail }: InvocationEvent): AuditEntry {
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

interface ChangeEvent extends Pick<InvocationEvent, 'event' | 'now'> {
  readonly change: Pick<Change, 'id' | 'operation' | 'sentence' | 'team'>
  readonly by: string
  readonly detail: string
}

/** An entry for a change that is known only from the store. `by` is a user id, or `PROGRAM`. */
export function changeEntry({ change, by, ...facts }: ChangeEvent): AuditEntry {
  const { id, team, operation, sentence = `${operation}, not filled in` } = change
  const invocation = { operation: { name: operation }, sentence }
  return invocationEntry({ ...facts, actor: { id: by, team }, invocation, changeId: id })
}

/** Code points may take two units each, so half as many always fit. */
function bounded(text: string): string {
  const shown = visible(text, MAX_AUDIT_TEXT_CHARACTERS)
  return shown.length <= MAX_AUDIT_TEXT_CHARACTERS ? shown : visible(text, MAX_AUDIT_TEXT_CHARACTERS / 2)
}

export function isPerson(id: string | undefined): id is string {
  return id !== undefined && id !== PROGRAM
}
