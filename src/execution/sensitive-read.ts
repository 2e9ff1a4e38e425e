import type { Invocation } from '../operations/operation.ts'
import type { Actor } from '../operations/role.ts'
import type { Clock } from '../shared/clock.ts'
import { UserError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import type { Store } from '../store/store.ts'
import { auditEntry } from './audit-words.ts'

/**
 * Puts a sensitive read on record before it is read, not after: what cannot be put on record is not shown. Throws
 * UserError `store_unavailable` then.
 */
export async function recordSensitiveRead(
  invocation: Invocation,
  actor: Actor,
  { store, clock, log }: { readonly store: Pick<Store, 'audit'>; readonly clock: Clock; readonly log: Log },
): Promise<void> {
  try {
    await store.audit.append(auditEntry({ actor, invocation, event: 'read', now: clock.now() }))
  } catch (error) {
    log.error({ err: error, operation: invocation.operation.name }, 'a sensitive read could not be recorded')
    throw new UserError(
      'store_unavailable',
      'The audit log cannot be written, so nothing was read: this may be shown only when it is on record.',
      'Tell whoever runs CDN Ops. Plain reads go on.',
    )
  }
}
