import type { CdnError, CdnFailure } from '../../cdn/contract/errors.ts'
import { endpoints } from '../../cdn/contract/endpoints.ts'

/** A failed call in words: what happened, and what to do next. What was or was not done is said by the caller. */
export interface FailureWords {
  readonly happened: string
  readonly next: string
}

type Rejected = Extract<CdnFailure, { kind: 'rejected' }>
type Unreachable = Extract<CdnFailure, { kind: 'unreachable' }>

const OWNER = 'whoever runs CDN Ops'

/** Words for any failed call. Text of the platform's own may be in it: plain, bounded, to be escaped where it is shown. */
export function wordsFor({ endpoint, failure }: CdnError): FailureWords {
  const { base, subject } = endpoints[endpoint]
  switch (failure.kind) {
    case 'rejected':
      return withTheirWords(
        failure,
        base === 'logging'
          ? (REFUSALS.logging[failure.status] ?? anyRefusal(failure.status))
          : managementRefusal(failure, subject),
      )
    case 'unreachable':
      return noAnswer(failure)
    case 'malformed':
      return {
        happened: `The CDN answered ${failure.status}, but unreadably: ${failure.why}.`,
        next: `If it happens again, tell ${OWNER}: the CDN may have changed, or something stands between.`,
      }
  }
}

function managementRefusal({ status }: Rejected, subject: string | undefined): FailureWords {
  if (status !== 404) return REFUSALS.management[status] ?? anyRefusal(status)
  if (subject === undefined)
    return { happened: 'The CDN found nothing at this address (404).', next: `Ask ${OWNER} to check CDN_API_URL.` }
  const orName = subject.endsWith('zone') ? ', or the name given to it; zones list shows the names' : ''
  return { happened: `The CDN knows no such ${subject} (404).`, next: `Check the id${orName}.` }
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

function withTheirWords({ message, field, retryAfterMs }: Rejected, words: FailureWords): FailureWords {
  const theirs = message === undefined ? '' : ` It says: ${quoted(message, field)}`
  const wait = retryAfterMs === undefined ? words.next : `Ask again in ${Math.ceil(retryAfterMs / 1_000)} s.`
  return { happened: `${words.happened}${theirs}`, next: wait }
}

/** Their sentence may bring its own full stop, and one is enough. */
function quoted(message: string, field: string | undefined): string {
  if (field !== undefined) return `“${message}” (field ${field}).`
  return /[.!?…]$/.test(message) ? `“${message}”` : `“${message}”.`
}

function noAnswer({ reason }: Unreachable): FailureWords {
  const next = reason === 'aborted' ? 'Ask again.' : `Ask again in a minute; if it stays so, tell ${OWNER}.`
  return { happened: NO_ANSWER[reason], next }
}

const BROKE = 'The connection to the CDN broke before an answer came.'
const NO_ANSWER: Readonly<Record<Unreachable['reason'], string>> = {
  timeout: 'The CDN did not answer in time.',
  refused: 'Nothing listens at the address of the CDN.',
  dns: 'The address of the CDN could not be looked up.',
  tls: 'No secure connection to the CDN could be made.',
  reset: BROKE,
  network: BROKE,
  aborted: 'The call was given up before an answer came.',
}
