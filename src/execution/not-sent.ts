import { utcText } from '../block-kit/mrkdwn.ts'
import type { Message } from '../block-kit/message.ts'
import { UserError } from '../shared/errors.ts'
import { PROGRAM } from '../store/audit-entry.ts'
import type { Change } from '../store/change.ts'
import { StoreError } from '../store/store-error.ts'
import { endUnsent } from './change-ending.ts'
import type { Untold } from './ended.ts'
import type { Executor } from './executor.ts'
import { failure } from './explain.ts'

/** What is said when nothing is against a change but this moment: it was promised, so it is kept, and sent in its time. */
export function keptForLater(executor: Executor, change: Change, error: unknown, why: string): Untold {
  const { count, log, command } = executor.options
  count(change.operation, 'later')
  log.warn({ err: error, change: change.id }, 'an approved change could not be sent now: it is kept')
  if (error instanceof StoreError && error.kind === 'unanswered') return { change, outcome: 'later', viewed: HALF_WAY }
  const happened = `${why} This stands approved on record, and nothing was sent yet.`
  const until = utcText(change.expiresAt)
  const next = `CDN Ops sends it by itself when it can, until ${until}. To stop it: ${command} changes cancel ${change.id}`
  return { change, outcome: 'later', viewed: failure(happened, next) }
}

/**
 * Ends an approved change that was not sent, and says why: it may not be any more, or somebody was faster. It is kept
 * where the record could not be written.
 */
export async function endNotSent(executor: Executor, change: Change, error: unknown): Promise<Untold> {
  const { count, log, store } = executor.options
  if (!(error instanceof UserError)) {
    const isRecord = error instanceof StoreError
    const why = isRecord ? 'The record cannot be written now.' : 'A fault of CDN Ops hinders it.'
    return keptForLater(executor, change, error, why)
  }
  const why = error.message
  count(change.operation, 'not_sent')
  try {
    const ended = await endUnsent(executor, { id: change.id, by: PROGRAM, from: ['approved'], to: 'cancelled', why })
    if (ended !== undefined) return notSent(ended, executor.explain(error, change.operation))
    const found = (await store.changes.get(change.id)) ?? change
    const said = `Somebody or something was faster: this is ${found.state.replace('_', ' ')} now. Nothing was sent twice.`
    return notSent(found, failure(said, `See ${executor.options.command} changes show ${change.id}.`))
  } catch (failed) {
    // It stays approved until its time is over; nothing but another attempt of this kind could send it.
    log.error({ err: failed, change: change.id }, 'a change that was not sent could not be ended')
    return notSent(change, executor.explain(error, change.operation))
  }
}

function notSent(change: Change, viewed: Message): Untold {
  return { change, outcome: 'not_sent', viewed }
}

/** The step to `sending` may be on record; then nobody takes it, and it is called unknown later. */
const HALF_WAY = failure(
  'The record did not answer, and nothing was sent yet.',
  'CDN Ops sends it by itself if it is still approved; else it is listed as unknown, though it was not sent.',
)
