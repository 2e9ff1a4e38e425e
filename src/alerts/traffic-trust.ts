import { CdnError } from '../cdn/errors.ts'
import { UserError } from '../shared/errors.ts'

/** Why nothing new is known of a pull zone's traffic. None of these is "no traffic". */
export const READ_FAILURES = [
  'logging off or no such zone', // 404
  'key refused or zone suspended', // 401, 403
  'limited', // 429, or no slot of ours came free
  'platform error', // 5xx, unreachable, unreadable
] as const
export type ReadFailure = (typeof READ_FAILURES)[number]

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

/** How well the log of a pull zone is being read, as of one moment. Times are milliseconds since 1970. */
export interface TrafficTrust {
  readonly failure?: { readonly cause: ReadFailure; readonly sinceMs: number } | undefined
  /** How long after a request its line can be relied on to be there: what readings wait for. */
  readonly lagMs: number
  /** Minutes that should have been read by now and were not. */
  readonly behindMinutes: number
  /** Share of the last half hour that was read, 0 to 1. */
  readonly covered: number
  /** When lines were lost for good, because nobody read them before they were deleted. */
  readonly gap?: { readonly fromMs: number; readonly untilMs: number } | undefined
}
