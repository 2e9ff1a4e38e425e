import { expect, it } from 'vitest'
import { classifyFailure } from '../../../src/alerts/log/zone-record.ts'
import { CdnError, type CdnFailure } from '../../../src/cdn/contract/errors.ts'
import { UserError } from '../../../src/shared/errors.ts'

const rejected = (status: number): CdnFailure => ({ kind: 'rejected', status })

it.each<[CdnFailure, string]>([
  [rejected(401), 'key refused or zone suspended'],
  [rejected(403), 'key refused or zone suspended'],
  [rejected(404), 'logging off or no such zone'],
  [rejected(429), 'limited'],
  [rejected(400), 'platform error'],
  [rejected(500), 'platform error'],
  [{ kind: 'unreachable', reason: 'timeout', sent: 'maybe' }, 'platform error'],
  [{ kind: 'malformed', status: 200, why: 'no JSON' }, 'platform error'],
])('%o is a finding of its own', (failure, cause) => {
  expect(classifyFailure(new CdnError('queryLogs', failure))?.cause).toBe(cause)
})

it('no slot of ours in time is the limit, too; a bug or a stop of ours is no finding', () => {
  expect(classifyFailure(new UserError('busy', 'No slot'))).toEqual({ cause: 'limited' })
  expect(classifyFailure(new UserError('not_configured', 'No address'))).toEqual({ cause: 'platform error' })
  expect(classifyFailure(new TypeError('a bug'))).toBeUndefined()
  const aborted = new CdnError('queryLogs', { kind: 'unreachable', reason: 'aborted', sent: 'no' })
  expect(classifyFailure(aborted)).toBeUndefined()
})

it('how long the platform asks to wait is told', () => {
  const failure: CdnFailure = { kind: 'rejected', status: 429, retryAfterMs: 7_000 }
  expect(classifyFailure(new CdnError('queryLogs', failure))).toEqual({ cause: 'limited', retryAfterMs: 7_000 })
})
