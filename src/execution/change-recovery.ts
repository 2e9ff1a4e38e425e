import type { CheckContext, Invocation } from '../operations/operation.ts'
import type { Change } from '../store/change.ts'
import { changeEntry, PROGRAM } from './audit-words.ts'
import { valuesToKeep } from './change-ending.ts'
import { endedMessage } from './change-message.ts'
import type { Ended } from './change-sender.ts'
import type { Executor } from './executor.ts'

/**
 * Settles what an earlier process was sending when it ended: whether it happened is unknown, so it is never sent again
 * but told. Returns what has to be announced. Throws StoreError, and then nothing was settled.
 */
export async function recoverUnknown(executor: Executor, holder: string): Promise<readonly Ended[]> {
  const { store, clock, operations, panel } = executor.options
  const now = clock.now()
  const check: CheckContext = { now, zones: await store.zones.list(), timeZone: 'UTC', panel }
  const asked = new Map<string, Invocation>()
  const unknown = await store.changes.recover(holder, now, (found) => {
    const parsed = operations.find(({ name }) => name === found.operation)?.parse(found.values, check)
    if (parsed?.ok === true) asked.set(found.id, parsed.invocation)
    return {
      audit: changeEntry({ change: found, by: PROGRAM, event: 'unknown', now, detail: UNKNOWN }),
      set: { values: valuesToKeep(found, operations), outcome: UNKNOWN },
    }
  })
  return unknown.map((change) => unknownEnd(executor, change, asked.get(change.id)))
}

/**
 * Ends what was confirmed and never sent, because a process ended in between: nothing happened. Returns what has to
 * be announced. Throws StoreError.
 */
export async function expireUnsent(executor: Executor): Promise<readonly Ended[]> {
  const { store, clock, operations, command } = executor.options
  const now = clock.now()
  const expired = await store.changes.expire(now, (found) => ({
    audit: changeEntry({ change: found, by: PROGRAM, event: 'expired', now, detail: NOT_SENT }),
    set: { values: valuesToKeep(found, operations), outcome: NOT_SENT },
  }))
  return expired.map((change) => {
    const { id, requestedBy, sentence = change.operation } = change
    const words = { happened: NOT_SENT, next: 'Ask again if it is still wanted.', lookFor: undefined, panel: undefined }
    const message = endedMessage({ ...words, id, sentence, requestedBy, outcome: 'not_sent', command })
    return { change, outcome: 'not_sent', message, viewed: message }
  })
}

const UNKNOWN = 'CDN Ops stopped while this was being sent, so no answer was read.'
const NOT_SENT = 'This waited too long, or CDN Ops stopped before it was sent.'

function unknownEnd({ options: { command } }: Executor, change: Change, asked: Invocation | undefined): Ended {
  const { id, requestedBy, sentence = change.operation } = change
  const message = endedMessage({
    id,
    sentence,
    requestedBy,
    outcome: 'unknown',
    happened: UNKNOWN,
    next: 'Look in the platform before asking again.',
    lookFor: asked?.lookFor ?? `Whether this is there: ${sentence}.`,
    panel: asked?.review?.panel,
    command,
  })
  return { change, outcome: 'unknown', message, viewed: message }
}
