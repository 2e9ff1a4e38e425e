import type { EndpointName } from './endpoints.ts'

/** Why no answer came. `aborted` means that we gave up on purpose, for instance because the process stops. */
export type UnreachableReason = 'timeout' | 'refused' | 'reset' | 'dns' | 'tls' | 'network' | 'aborted'

/** It answered, and said no. All text is the platform's: bounded and made visible, but not to be trusted. */
export interface Rejected {
  readonly kind: 'rejected'
  readonly status: number
  readonly code?: string | undefined
  readonly field?: string | undefined
  readonly message?: string | undefined
  readonly retryAfterMs?: number | undefined
}

/** No answer came. `sent: 'no'` only where nothing can have left; otherwise a write may have been carried out. */
interface Unreachable {
  readonly kind: 'unreachable'
  readonly reason: UnreachableReason
  readonly sent: 'no' | 'maybe'
}

/** It answered 2xx, but unreadably. A write with this failure was carried out; only its details are unknown. */
interface Malformed {
  readonly kind: 'malformed'
  readonly status: number
  readonly why: string
  /** There was more of it than is taken in: a smaller part may be readable. */
  readonly isTooLong?: boolean
}

export type CdnFailure = Rejected | Unreachable | Malformed

/**
 * A call that the platform did not answer as described. Holds no header, no body, no address and no cause, so it can
 * be logged whole. Wording for people is made elsewhere.
 */
export class CdnError extends Error {
  override readonly name = 'CdnError'
  readonly endpoint: EndpointName
  readonly failure: CdnFailure

  constructor(endpoint: EndpointName, failure: CdnFailure) {
    super(`${endpoint}: ${summary(failure)}`)
    this.endpoint = endpoint
    this.failure = failure
  }
}

function summary(failure: CdnFailure): string {
  if (failure.kind === 'rejected') return `rejected with ${failure.status}`
  if (failure.kind === 'unreachable') return `unreachable (${failure.reason})`
  return `unreadable answer with ${failure.status}`
}
