import { CdnError } from '../cdn/errors.ts'
import { UserError } from '../shared/errors.ts'
import type { ReadFailure } from './traffic-trust.ts'

/** Why a call for a log failed, as a finding, and how long the platform asked to wait. */
export interface FailedRead {
  readonly cause: ReadFailure
  readonly retryAfterMs?: number | undefined
}

/** What a failed call says of the platform; undefined for what is no failure of it: a bug, or a stop of ours. */
export function failedRead(error: unknown): FailedRead | undefined {
  if (error instanceof UserError) return error.code === 'busy' ? { cause: 'limited' } : { cause: 'platform error' }
  if (!(error instanceof CdnError)) return undefined
  const { failure } = error
  if (failure.kind === 'unreachable') return failure.reason === 'aborted' ? undefined : { cause: 'platform error' }
  if (failure.kind === 'malformed') return { cause: 'platform error' }
  switch (failure.status) {
    case 401:
    case 403:
      return { cause: 'key refused or zone suspended' }
    case 404:
      return { cause: 'logging off or no such zone' }
    case 429:
      return { cause: 'limited', retryAfterMs: failure.retryAfterMs }
    default:
      return { cause: 'platform error', retryAfterMs: failure.retryAfterMs }
  }
}
