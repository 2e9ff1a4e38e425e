import type { CheckContext, Operation } from '../operations/operation.ts'
import { PROGRAM } from '../store/audit-entry.ts'
import type { Change } from '../store/change.ts'
import { changeEntry } from './audit-words.ts'
import { noticeOf, unknownNotices, valuesToKeep } from './change-ending.ts'
import { endedMessage } from './change-message.ts'
import type { Executor } from './executor.ts'

/**
 * Settles what an earlier process was sending when it ended: whether it happened is unknown, so it is never sent again
 * but told, in the message about it and to whoever asked. Throws StoreError, and then nothing was settled.
 */
export async function recoverUnknown(executor: Executor, holder: string): Promise<readonly Change[]> {
  const { store, clock, operations } = executor.options
  const now = clock.now()
  const check = await executor.check({ timeZone: 'UTC' })
  return store.changes.recover(holder, now, (found) => {
    const { lookFor, panel } = whatToCheck(found, operations, { ...check, marker: executor.marker(found.id) })
    const { sentence = found.operation } = found
    const next = 'Look in the platform before asking again.'
    const ended = { outcome: UNKNOWN, lookFor }
    return {
      audit: changeEntry({ change: found, by: PROGRAM, event: 'unknown', now, detail: UNKNOWN }),
      set: {
        values: valuesToKeep(found, operations),
        outcome: UNKNOWN,
        answer: endedMessage({ sentence, outcome: 'unknown', happened: UNKNOWN, next, lookFor, panel }),
      },
      notices: [noticeOf(executor, found, 'unknown', ended), ...unknownNotices(executor, found, ended)],
    }
  })
}

/** Ends what waited for too long, for an approval or to be sent: nothing happened. Throws StoreError. */
export async function expireUnsent(executor: Executor): Promise<readonly Change[]> {
  const { store, clock, operations } = executor.options
  const now = clock.now()
  return store.changes.expire(now, (found) => {
    const outcome = found.state === 'waiting' ? NOT_APPROVED : NOT_SENT
    return {
      audit: changeEntry({ change: found, by: PROGRAM, event: 'expired', now, detail: outcome }),
      set: { values: valuesToKeep(found, operations), outcome },
      notices: [noticeOf(executor, found, 'expired', { outcome })],
    }
  })
}

const UNKNOWN = 'CDN Ops stopped while this was being sent, so no answer was read.'
const NOT_APPROVED = 'Nobody approved this in time. Nothing was sent. Ask again if it is still wanted.'
const NOT_SENT = 'This waited too long before it could be sent. Nothing was sent. Ask again if it is still wanted.'

/** Where it cannot be read any more, what was asked is all there is to look for. */
function whatToCheck(
  change: Change,
  operations: readonly Operation[],
  check: CheckContext,
): { readonly lookFor: string; readonly panel: URL | undefined } {
  const parsed = operations.find(({ name }) => name === change.operation)?.parse(change.values, check)
  const asked = parsed?.ok === true ? parsed.invocation : undefined
  const lookFor = asked?.lookFor ?? `Whether this is there: ${change.sentence ?? change.operation}.`
  return { lookFor, panel: asked?.review?.panel }
}
