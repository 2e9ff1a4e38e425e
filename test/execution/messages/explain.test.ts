import { describe, expect, it, test } from 'vitest'
import { callKind, ENDPOINT_NAMES, type EndpointName } from '../../../src/cdn/contract/endpoints.ts'
import { type CdnFailure, CdnError, type UnreachableReason } from '../../../src/cdn/contract/errors.ts'
import { explain, explainAndLog } from '../../../src/execution/messages/explain.ts'
import { UserError } from '../../../src/shared/errors.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { UnreadableRow } from '../../../src/store/schema/rows.ts'
import { StoreError, type StoreErrorKind } from '../../../src/store/schema/store-error.ts'

const told = (error: unknown) => explain(error)!
const answered = [300, 301, 307, 400, 401, 403, 404, 405, 408, 409, 413, 415, 418, 422, 425, 429, 499, 500, 502, 503]

const failures: readonly CdnFailure[] = [
  ...answered.map((status) => ({ kind: 'rejected', status }) as const),
  ...[200, 204, 302, 500].map((status) => ({ kind: 'malformed', status, why: 'it is no JSON' }) as const),
  ...(['timeout', 'refused', 'reset', 'dns', 'tls', 'network', 'aborted'] as const).flatMap((reason) =>
    (['no', 'maybe'] as const).map((sent) => ({ kind: 'unreachable', reason, sent }) as const),
  ),
]
const named = failures.map((failure) => ({
  failure,
  name: `${failure.kind} ${failure.kind === 'unreachable' ? failure.reason : failure.status}`,
}))

function words(endpoint: EndpointName, failure: CdnFailure): string {
  return told(new CdnError(endpoint, failure)).text
}

describe('a failed read in words', () => {
  test.each(named)('$name says what happened, of a write that nothing was changed, and what next', ({ failure }) => {
    for (const endpoint of ENDPOINT_NAMES) {
      const message = told(new CdnError(endpoint, failure))
      expect(message.text).toMatch(/^[A-Z].{15,}\. [A-Z].{8,}\.$/)
      expect(message.text.includes('. Nothing was changed. ')).toBe(callKind(endpoint) === 'write')
      expect(message.blocks).toHaveLength(2)
      if (failure.kind !== 'unreachable') expect(message.text).toContain(String(failure.status))
    }
  })

  it('tells apart what only one of the interfaces means by a status', () => {
    const rejected = (status: number): CdnFailure => ({ kind: 'rejected', status })
    expect(words('listApiKeys', rejected(401))).toContain('did not accept the credential')
    expect(words('queryLogs', rejected(401))).toContain('no credential arrived')
    expect(words('addDnsRecord', rejected(403))).toContain('has no right to this')
    expect(words('streamDayFile', rejected(403))).toContain('suspended or disabled')
    expect(words('getStorageStatistics', rejected(404))).toContain('no such zone')
    expect(words('createVideoLibrary', rejected(404))).toContain('CDN_API_URL')
    expect(words('queryLogs', rejected(404))).toContain('logging is not enabled')
  })

  it('names each way of getting no answer differently, but for a reset, which is a broken network', () => {
    const reasons: UnreachableReason[] = ['timeout', 'refused', 'reset', 'dns', 'tls', 'network', 'aborted']
    const said = reasons.map((reason) => words('queryLogs', { kind: 'unreachable', reason, sent: 'maybe' }))
    expect(new Set(said).size).toBe(reasons.length - 1)
  })

  it('quotes what the platform says, with the field and its own wait', () => {
    const failure: CdnFailure = {
      kind: 'rejected',
      status: 429,
      message: 'Slow down',
      field: 'Limit',
      retryAfterMs: 9_100,
    }
    expect(words('queryLogs', failure)).toContain('It says: “Slow down” (field Limit).')
    expect(words('queryLogs', failure)).toMatch(/Ask again in 10 s\.$/)
  })

  it.each([
    ['Slow down', 'It says: “Slow down”. Ask'],
    ['Slow down.', 'It says: “Slow down.” Ask'],
  ])('ends the sentence once after “%s”', (message, said) => {
    expect(words('queryLogs', { kind: 'rejected', status: 429, message })).toContain(said)
  })

  it('shows the text of the platform as text, never as markup', () => {
    const shown = told(
      new CdnError('addDnsRecord', { kind: 'rejected', status: 400, message: '<!channel> *now* <https://evil|ok>' }),
    )
    expect(JSON.stringify(shown)).not.toMatch(/<!channel>|<https/)
  })
})

describe('other errors in words', () => {
  it('are shown as they are when a person can act on them', () => {
    const { text } = told(new UserError('busy', 'Too many. Nothing was done.', 'Wait.'))
    expect(text).toBe('Too many. Nothing was done. Wait.')
    expect(told(new UserError('busy', 'Too many.')).text).toBe('Too many.')
  })

  test.each(['locked', 'busy', 'full', 'read_only', 'corrupt', 'in_use', 'unreachable', 'other'] as const)(
    'say that nothing was done when the store fails: %s',
    (kind: StoreErrorKind) => {
      const message = told(new StoreError(kind, 'SQLITE_X'))
      expect(message.text).toMatch(/Nothing was done: CDN Ops does not act without it\. [A-Z].+\.$/)
      expect(message.text).not.toContain('SQLITE')
    },
  )

  it('names what the store holds and cannot be read', () => {
    const { text } = told(new UnreadableRow('changes', { id: 'c1', values: 'hush' }, new Set(['values'])))
    expect(text).toBe('A row of changes (c1) cannot be read: values. Nothing was done. Tell whoever runs CDN Ops.')
  })

  it.each([new TypeError('the secret is hush'), 'hush', undefined, { hush: true }])(
    'are an incident number and nothing of their own when they are bugs: %s',
    (error) => {
      const { log, lines } = recordingLog()
      const message = explainAndLog(error, 'dns add', { clock: { newId: () => '1234abcd-and-more' }, log })
      expect(message.text).toContain('Incident 1234abcd.')
      expect(lines).toMatchObject([{ fields: { incident: '1234abcd', operation: 'dns add' } }])
      expect(JSON.stringify(message)).not.toContain('hush')
    },
  )
})
