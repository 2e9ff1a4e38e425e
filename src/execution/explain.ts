import { context, section } from '../block-kit/sections.ts'
import { md } from '../block-kit/mrkdwn.ts'
import { type Message, message } from '../block-kit/message.ts'
import { CdnError } from '../cdn/errors.ts'
import { UserError } from '../shared/errors.ts'
import { UnreadableRow } from '../store/rows.ts'
import { StoreError } from '../store/store-error.ts'
import { wordsFor } from './platform-words.ts'

export interface Explained {
  readonly message: Message
  /** Set for a bug: the number under which the log holds the stack. */
  readonly incident: string | undefined
}

/**
 * Any error of a read, or of anything before a write was sent, as people see it: what happened, that nothing was
 * changed, and what to do next. How a write ended is worded in `change-message.ts`.
 */
export function explain(error: unknown, newIncident: () => string): Explained {
  if (error instanceof UserError) return known(error.message, error.hint)
  if (error instanceof CdnError) {
    const { happened, next } = wordsFor(error)
    return known(`${happened} Nothing was changed.`, next)
  }
  if (error instanceof UnreadableRow) return known(`${error.message}. Nothing was done.`, 'Tell whoever runs CDN Ops.')
  if (error instanceof StoreError) return known(...storeWords(error))
  const incident = newIncident()
  return {
    incident,
    message: failure(
      `Something went wrong inside CDN Ops; nothing was changed at the platform. Incident ${incident}.`,
      'Tell whoever runs CDN Ops the incident number: the log holds the details.',
    ),
  }
}

/** A sentence that something was not done, and what to do next, in the form all failures share. */
export function failure(happened: string, next: string | undefined): Message {
  return message({
    text: next === undefined ? happened : `${happened} ${next}`,
    blocks: [section(md`:warning: ${happened}`), ...(next === undefined ? [] : [context(md`${next}`)])],
  })
}

function known(happened: string, next: string | undefined): Explained {
  return { message: failure(happened, next), incident: undefined }
}

function storeWords({ kind }: StoreError): [happened: string, next: string] {
  const nothing = 'Nothing was done, because without its record CDN Ops does not act.'
  switch (kind) {
    case 'locked':
      return [`The record was held by somebody else for too long. ${nothing}`, 'Ask again.']
    case 'busy':
      return [`The record has too much to do at this moment. ${nothing}`, 'Ask again.']
    case 'full':
      return [`The disk that holds the record is full. ${nothing}`, 'Tell whoever runs CDN Ops. Plain reads go on.']
    case 'unanswered':
      return [
        'The record did not answer, so it is not known whether this was written down. If it was, CDN Ops goes on with it.',
        'Look at changes list before you do it again.',
      ]
    case 'read_only':
    case 'corrupt':
    case 'in_use':
    case 'unreachable':
    case 'other':
      return [`The record cannot be written. ${nothing}`, 'Tell whoever runs CDN Ops. Plain reads go on.']
  }
}
