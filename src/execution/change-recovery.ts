import type { Change } from '../store/change.ts'
import type { AuditEntry, AuditEvent } from '../store/audit-entry.ts'
import { maskSecrets } from '../operations/define-operation.ts'
import type { CheckContext, Invocation, Operation } from '../operations/operation.ts'
import { endedMessage } from './change-message.ts'
import type { Ended } from './change-sender.ts'
import type { Executor } from './executor.ts'

/** How the program signs what it does by itself. */
const PROGRAM = 'cdn-ops'

/**
 * Settles what an earlier process left behind. What was being sent when it ended is unknown: it is never sent again,
 * but told. What was confirmed and not yet sent has expired: nothing happened. Returns all of them, to be announced.
 */
export async function recoverChanges(executor: Executor, holder: string): Promise<readonly Ended[]> {
  const { store, clock, operations, panel } = executor.options
  const now = clock.now()
  const masked = (change: Change): Change['values'] => valuesAfter(change, operations)
  const check: CheckContext = { now, zones: await store.zones.list(), timeZone: 'UTC', panel }
  const asked = new Map<string, Invocation>()
  const unknown = await store.changes.recover(holder, now, (found) => {
    const parsed = operations.find(({ name }) => name === found.operation)?.parse(found.values, check)
    if (parsed?.ok === true) asked.set(found.id, parsed.invocation)
    return { audit: entryFor(found, 'unknown', now, UNKNOWN), set: { values: masked(found), outcome: UNKNOWN } }
  })
  const expired = await store.changes.expire(now, (found) => ({
    audit: entryFor(found, 'expired', now, NOT_SENT),
    set: { values: masked(found), outcome: NOT_SENT },
  }))
  return [
    ...unknown.map((change) => ended(executor, change, 'unknown', UNKNOWN, asked.get(change.id))),
    ...expired.map((change) => ended(executor, change, 'not_sent', NOT_SENT, undefined)),
  ]
}

const UNKNOWN = 'CDN Ops stopped while this was being sent, so no answer was read.'
const NOT_SENT = 'This waited too long, or CDN Ops stopped before it was sent.'

function ended(
  executor: Executor,
  change: Change,
  outcome: 'unknown' | 'not_sent',
  happened: string,
  asked: Invocation | undefined,
): Ended {
  const { id, requestedBy, sentence = change.operation } = change
  const lookFor = outcome === 'unknown' ? (asked?.lookFor ?? `Whether this is there: ${sentence}.`) : undefined
  const next = outcome === 'unknown' ? 'Look in the platform before asking again.' : 'Ask again if it is still wanted.'
  const { command } = executor.options
  const panel = asked?.review?.panel
  const message = endedMessage({ id, sentence, requestedBy, outcome, happened, next, lookFor, panel, command })
  return { change, outcome, message, viewed: message }
}

function entryFor(change: Change, event: AuditEvent, at: Date, detail: string): AuditEntry {
  return {
    at,
    actor: PROGRAM,
    team: change.team,
    operation: change.operation,
    event,
    changeId: change.id,
    summary: change.sentence ?? change.operation,
    detail,
  }
}

/** An operation that no longer exists cannot say what was secret, so nothing of it is kept. */
function valuesAfter(change: Change, operations: readonly Operation[]): Change['values'] {
  const operation = operations.find(({ name }) => name === change.operation)
  return operation === undefined ? {} : maskSecrets(operation.fields, change.values)
}
