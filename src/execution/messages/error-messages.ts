import type { Block } from '../../block-kit/blocks.ts'
import { actions, button } from '../../block-kit/buttons.ts'
import { type Message, message, wordsMessage } from '../../block-kit/message.ts'
import { link, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import { type Endpoint, endpoints } from '../../cdn/contract/endpoints.ts'
import { CdnError, type Rejected, type UnreachableReason } from '../../cdn/contract/errors.ts'
import { STATE_WORDS } from '../../operations/changes/change-states.ts'
import { classifyFailure, type Outcome } from './write-outcome.ts'
import type { Clock } from '../../shared/clock.ts'
import { UserError } from '../../shared/errors.ts'
import type { Log } from '../../shared/log.ts'
import { UnreadableRow } from '../../store/schema/rows.ts'
import { StoreError, type StoreErrorKind } from '../../store/schema/store-error.ts'

/**
 * Any error of a read, or of anything before a write was sent, as people see it: what happened, and what to do next;
 * undefined for a bug. How a write ended is worded in `endedMessage`.
 */
export function explain(error: unknown): Message | undefined {
  if (error instanceof UserError) return failure(error.message, error.hint, error.access)
  if (error instanceof UnreadableRow)
    return failure(`${error.message}. Nothing was done.`, 'Tell whoever runs CDN Ops.')
  if (!(error instanceof CdnError || error instanceof StoreError)) return undefined
  const { happened, next } = error instanceof CdnError ? wordsFor(error) : (STORE_WORDS[error.kind] ?? UNWRITABLE)
  return failure(happened, next)
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

const NOTHING = 'Nothing was done: CDN Ops does not act without it.'
const UNWRITABLE: FailureWords = {
  happened: `The audit log cannot be written. ${NOTHING}`,
  next: 'Tell whoever runs CDN Ops. Plain reads go on.',
}
const BUSY = { happened: `The audit log has too much to do at this moment. ${NOTHING}`, next: 'Ask again.' }
const STORE_WORDS: Readonly<Partial<Record<StoreErrorKind, FailureWords>>> = {
  locked: BUSY,
  busy: BUSY,
  full: { ...UNWRITABLE, happened: `The disk of the audit log is full. ${NOTHING}` },
  // Then nothing that CDN Ops keeps can be read either: names, changes, alerts.
  unreachable: {
    happened: `The database of CDN Ops does not answer. ${NOTHING}`,
    next: 'Tell whoever runs CDN Ops. Plain reads of the CDN still work.',
  },
  unanswered: {
    happened:
      'The database did not answer, so it is not known whether this was written down. If it was, CDN Ops goes on with it.',
    next: 'See whether it is there, with changes list or alerts list, before you do it again.',
  },
}

/** What to do while nobody knows whether it happened, step by step. */
function lookSteps(lookFor: string, panel: URL | undefined): Mrkdwn {
  const open = panel === undefined ? md`Open the CDN’s panel.` : link(panel, 'Open it in the CDN’s panel')
  const press = md`Press *It exists* or *It does not exist* in the channel. It is never sent again by itself: if it does not exist, ask for it anew.`
  return md`1. ${open}\n2. ${lookFor}\n3. ${press}`
}

interface EndedCall extends FailureWords {
  readonly sentence: string
  readonly outcome: Outcome
  /** What to look for in the platform when nobody knows whether it happened. */
  readonly lookFor: string
  readonly panel: URL | undefined
}

/**
 * How a write ended that has no answer to show: what happened, what was and was not done, what to do next. Who asked is
 * added where it is shown.
 */
export function endedMessage({ sentence, outcome, happened, next, lookFor, panel }: EndedCall): Message {
  const { icon, headline: usual } = STATE_WORDS[outcome]
  const headline = outcome === 'done' ? 'Done, but the answer could not be read' : usual
  const title = md`${icon} *${headline}*\n${sentence}`
  // What helps after a failed read, asking again, could here do it twice.
  if (outcome === 'unknown') return wordsMessage([title, md`${happened}`, lookSteps(lookFor, panel)])
  const there = outcome === 'done' && panel !== undefined ? md` ${link(panel, 'See it in the panel')}` : md``
  return wordsMessage([title, md`${happened} ${next}${there}`])
}

/**
 * Words for an error that ended a write, whatever its kind; a bug comes with the number it is logged under. Where secrets
 * were sent, the platform's own words are left out: they may quote one.
 */
export function wordEnding(
  error: unknown,
  newIncident: () => string,
  sentSecrets = false,
): FailureWords & { readonly incident?: string } {
  if (error instanceof CdnError) {
    const words = wordsFor(error, sentSecrets)
    if (classifyFailure(error) !== 'done') return words
    return {
      happened: words.happened,
      next: 'It was carried out: check in the CDN’s panel that it is as you wanted it.',
    }
  }
  if (error instanceof UserError) return { happened: error.message, next: error.hint ?? 'Ask again.' }
  const incident = newIncident()
  return {
    happened: `Something went wrong inside CDN Ops while it was sent or shown. Incident ${incident}.`,
    next: 'Tell whoever runs CDN Ops the incident number.',
    incident,
  }
}

/** A failed call in words: what happened, and what to do next. What was or was not done is said by the caller. */
export interface FailureWords {
  readonly happened: string
  readonly next: string
}

const OWNER = 'whoever runs CDN Ops'

/** Words for any failed call. Text of the platform's own may be in it: plain, bounded, to be escaped where it is shown. */
function wordsFor({ endpoint, failure }: CdnError, sentSecrets = false): FailureWords {
  const { base, subject } = endpoints[endpoint]
  switch (failure.kind) {
    case 'rejected':
      return withTheirWords(
        failure,
        base === 'logging'
          ? (REFUSALS.logging[failure.status] ?? anyRefusal(failure.status))
          : managementRefusal(failure, subject),
        sentSecrets,
      )
    case 'unreachable': {
      const next = `Ask again in a minute; if it stays so, tell ${OWNER}.`
      return { happened: NO_ANSWER[failure.reason], next: failure.reason === 'aborted' ? 'Ask again.' : next }
    }
    case 'malformed':
      return {
        happened: `The CDN answered ${failure.status}, but unreadably: ${failure.why}.`,
        next: `If it happens again, tell ${OWNER}: the CDN may have changed, or something stands between.`,
      }
  }
}

function managementRefusal({ status }: Rejected, subject: Endpoint['subject']): FailureWords {
  if (status !== 404) return REFUSALS.management[status] ?? anyRefusal(status)
  if (subject === undefined)
    return { happened: 'The CDN found nothing at this address (404).', next: `Ask ${OWNER} to check CDN_API_URL.` }
  const next = 'Check the id, or the name given to it; zones list shows the names.'
  return { happened: `The CDN knows no such ${subject} (404).`, next }
}

const CHECK_CREDENTIAL = `Ask ${OWNER} to check CDN_API_KEY or CDN_BEARER_TOKEN`

/** The two services mean different things by the same status. */
const REFUSALS: Readonly<Record<'management' | 'logging', Readonly<Record<number, FailureWords>>>> = {
  management: {
    401: { happened: 'The CDN did not accept the credential of CDN Ops (401).', next: `${CHECK_CREDENTIAL}.` },
    403: {
      happened: 'The credential of CDN Ops has no right to this (403).',
      next: `Ask ${OWNER} to give the key a role that may do it.`,
    },
  },
  logging: {
    401: {
      happened: 'The logs were refused because no credential arrived (401).',
      next: `${CHECK_CREDENTIAL}, and anything that may strip headers on the way.`,
    },
    403: {
      happened:
        'The logs were refused (403): the credential is not valid for them, or the pull zone is suspended or disabled.',
      next: `Check the pull zone in the panel; if it is active, ask ${OWNER} to check the credential.`,
    },
    404: {
      happened: 'There are no logs (404): logging is not enabled for this pull zone, or there is no such pull zone.',
      next: 'Check the id, and enable logging for the zone in the panel. Logs begin when it is enabled.',
    },
  },
}

function anyRefusal(status: number): FailureWords {
  if (status === 429) return { happened: 'The CDN was asked too often (429).', next: 'Ask again in a few seconds.' }
  if (status === 400 || status === 422) {
    return { happened: `The CDN did not accept a value (${status}).`, next: 'Correct the value and ask again.' }
  }
  if (status >= 300 && status < 400) {
    return {
      happened: `The CDN answered with a redirect (${status}), which is never followed.`,
      next: `Ask ${OWNER} to correct CDN_API_URL or CDN_LOGGING_URL.`,
    }
  }
  if (status >= 500) return { happened: `The CDN failed (${status}).`, next: 'Ask again in a minute.' }
  return { happened: `The CDN refused (${status}).`, next: `If you do not see why, ask ${OWNER}.` }
}

function withTheirWords(
  { message, field, retryAfterMs = 0 }: Rejected,
  words: FailureWords,
  sentSecrets: boolean,
): FailureWords {
  const next = retryAfterMs === 0 ? words.next : `Ask again in ${Math.ceil(retryAfterMs / 1_000)} s.`
  if (message === undefined) return { ...words, next }
  const theirs = sentSecrets ? 'What it says may quote a secret: left out.' : `It says: ${quoted(message, field)}`
  return { happened: `${words.happened} ${theirs}`, next }
}

/** Their sentence may bring its own full stop, and one is enough. */
function quoted(message: string, field: string | undefined): string {
  if (field !== undefined) return `“${message}” (field ${field}).`
  return /[.!?…]$/.test(message) ? `“${message}”` : `“${message}”.`
}

const BROKE = 'The connection to the CDN broke before an answer came.'
const NO_ANSWER: Readonly<Record<UnreachableReason, string>> = {
  timeout: 'The CDN did not answer in time.',
  refused: 'Nothing listens at the address of the CDN.',
  dns: 'The address of the CDN could not be looked up.',
  tls: 'No secure connection to the CDN could be made.',
  reset: BROKE,
  network: BROKE,
  aborted: 'The call was given up before an answer came.',
}
