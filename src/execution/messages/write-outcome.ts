import { CdnError } from '../../cdn/contract/errors.ts'
import { UserError } from '../../shared/errors.ts'

/** How a write ended, as far as anybody can know. */
export type Outcome = 'done' | 'rejected' | 'not_sent' | 'unknown'

/**
 * Answers after which the platform may have carried the write out all the same: it gave up waiting (408, 499), asked
 * to come back (425), or broke down on the way (every 5xx).
 */
const UNCLEAR = new Set([408, 425, 499])

/**
 * What a failed write means. Only what provably never left, or was clearly refused, is certain; everything else,
 * a bug of our own included, is unknown: a person has to look.
 */
export function classifyFailure(error: unknown): Outcome {
  if (error instanceof UserError) return 'not_sent'
  if (!(error instanceof CdnError)) return 'unknown'
  const { failure } = error
  if (failure.kind === 'unreachable') return failure.sent === 'no' ? 'not_sent' : 'unknown'
  const { status } = failure
  // A 2xx whose body cannot be read is still done, never shown as a failure.
  if (status >= 200 && status < 300) return 'done'
  if (status >= 300 && status < 500 && !UNCLEAR.has(status)) return 'rejected'
  return 'unknown'
}
