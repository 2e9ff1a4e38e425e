import { actions, button } from '../../block-kit/buttons.ts'
import { context, section } from '../../block-kit/sections.ts'
import { md } from '../../block-kit/mrkdwn.ts'
import type { Block } from '../../block-kit/blocks.ts'
import { type Message, message } from '../../block-kit/message.ts'
import { callKind } from '../../cdn/contract/endpoints.ts'
import { CdnError } from '../../cdn/contract/errors.ts'
import type { Clock } from '../../shared/clock.ts'
import { UserError } from '../../shared/errors.ts'
import type { Log } from '../../shared/log.ts'
import { UnreadableRow } from '../../store/schema/rows.ts'
import { StoreError } from '../../store/schema/store-error.ts'
import { wordsFor } from './cdn-error-text.ts'

/**
 * Any error of a read, or of anything before a write was sent, as people see it: what happened, of a
 * write that nothing was changed, and what to do next; undefined for a bug. How a write ended is worded in `change-message.ts`.
 */
export function explain(error: unknown): Message | undefined {
  if (error instanceof UserError) return failure(error.message, error.hint, error.access)
  if (error instanceof CdnError) {
    const { happened, next } = wordsFor(error)
    return failure(callKind(error.endpoint) === 'write' ? `${happened} Nothing was changed.` : happened, next)
  }
  if (error instanceof UnreadableRow)
    return failure(`${error.message}. Nothing was done.`, 'Tell whoever runs CDN Ops.')
  return error instanceof StoreError ? failure(...storeWords(error)) : undefined
}

/** The same for a bug, too, and put into the log: that with its stack, under the number that is shown. */
export function explainAndLog(
  error: unknown,
  operation: string,
  { clock, log }: { readonly clock: Pick<Clock, 'newId'>; readonly log: Log },
): Message {
  const known = explain(error)
  if (known !== undefined) {
    log.info({ operation, reason: error instanceof Error ? error.message : 'unknown' }, 'refused or failed')
    return known
  }
  const incident = clock.newId().slice(0, 8)
  log.error({ err: error, incident, operation }, 'a bug')
  return failure(
    `Something went wrong inside CDN Ops; nothing was changed at the CDN. Incident ${incident}.`,
    'Tell whoever runs CDN Ops the incident number: the log holds the details.',
  )
}

/** Whether the same may succeed in a moment. */
export function isPassing(error: unknown): boolean {
  if (error instanceof UserError) return error.code === 'busy'
  if (!(error instanceof CdnError)) return false
  const { failure } = error
  return failure.kind !== 'rejected' || failure.status === 429 || failure.status >= 500
}

/** A sentence that something was not done, and what to do next, in the form all failures share. */
export function failure(happened: string, next: string | undefined, access?: string): Message {
  return message({
    text: next === undefined ? happened : `${happened} ${next}`,
    blocks: [
      section(md`:warning: ${happened}`),
      ...(next === undefined ? [] : [context(md`${next}`)]),
      ...(access === undefined ? [] : [accessButton(access)]),
    ],
  })
}

/** Its value is the name of the operation. */
export const ACCESS_ACTION = 'access:ask'

export function accessButton(operation: string): Block {
  return actions('access', [button({ actionId: ACCESS_ACTION, text: 'Ask for access', value: operation })])
}

function storeWords({ kind }: StoreError): [happened: string, next: string] {
  const nothing = 'Nothing was done: CDN Ops does not act without it.'
  switch (kind) {
    case 'locked':
      return [`The audit log was held by somebody else for too long. ${nothing}`, 'Ask again.']
    case 'busy':
      return [`The audit log has too much to do at this moment. ${nothing}`, 'Ask again.']
    case 'full':
      return [`The disk of the audit log is full. ${nothing}`, 'Tell whoever runs CDN Ops. Plain reads go on.']
    case 'unanswered':
      return [
        'The database did not answer, so it is not known whether this was written down. If it was, CDN Ops goes on with it.',
        'Check changes list before you do it again.',
      ]
    case 'read_only':
    case 'corrupt':
    case 'in_use':
    case 'unreachable':
    case 'other':
      return [`The audit log cannot be written. ${nothing}`, 'Tell whoever runs CDN Ops. Plain reads go on.']
  }
}
