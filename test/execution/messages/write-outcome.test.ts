import { describe, expect, it } from 'vitest'
import { type CdnFailure, CdnError } from '../../../src/cdn/contract/errors.ts'
import { type Outcome, classifyFailure } from '../../../src/execution/messages/write-outcome.ts'
import { UserError } from '../../../src/shared/errors.ts'
import { StoreError } from '../../../src/store/schema/store-error.ts'

const UNCLEAR = new Set([408, 425, 499])
const statuses = Array.from({ length: 500 }, (_, index) => 100 + index)

function expected(status: number): Outcome {
  if (status < 200 || status >= 500 || UNCLEAR.has(status)) return 'unknown'
  return status < 300 ? 'done' : 'rejected'
}

function failed(failure: CdnFailure): CdnError {
  return new CdnError('addDnsRecord', failure)
}

describe('what became of a write', () => {
  it.each(['rejected', 'malformed'] as const)('is told by every status from 100 to 599, %s or not', (kind) => {
    const told = statuses.map((status) => {
      const failure: CdnFailure = kind === 'rejected' ? { kind, status } : { kind, status, why: 'no JSON' }
      return `${status} ${classifyFailure(failed(failure))}`
    })
    expect(told).toEqual(statuses.map((status) => `${status} ${expected(status)}`))
  })

  it('hangs on whether something left when there was no answer', () => {
    const ended = (sent: 'no' | 'maybe') => classifyFailure(failed({ kind: 'unreachable', reason: 'timeout', sent }))
    expect([ended('no'), ended('maybe')]).toEqual(['not_sent', 'unknown'])
  })

  it('is that nothing was sent when a rule was broken before', () => {
    expect(classifyFailure(new UserError('invalid_input', 'No name.'))).toBe('not_sent')
  })

  it.each([new TypeError('a bug'), new StoreError('locked'), 'a word', undefined])(
    'is unknown after anything else: %s',
    (error) => {
      expect(classifyFailure(error)).toBe('unknown')
    },
  )
})
