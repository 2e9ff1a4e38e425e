import { describe, expect, it } from 'vitest'
import type { EndpointName } from '../../../src/cdn/contract/endpoints.ts'
import { type CdnFailure, CdnError } from '../../../src/cdn/contract/errors.ts'
import {
  endedMessage,
  explain,
  explainAndLog,
  failure,
  isPassing,
} from '../../../src/execution/messages/error-messages.ts'
import { UserError } from '../../../src/shared/errors.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { UnreadableRow } from '../../../src/store/schema/rows.ts'
import { StoreError } from '../../../src/store/schema/store-error.ts'

const told = (error: unknown) => explain(error)!
const words = (endpoint: EndpointName, failed: CdnFailure) => told(new CdnError(endpoint, failed)).text
const rejected = (status: number, more: Partial<CdnFailure> = {}) =>
  ({ kind: 'rejected', status, ...more }) as CdnFailure
const noAnswer = ['timeout', 'refused', 'reset', 'dns', 'tls', 'network', 'aborted'] as const

describe('a failed call in words', () => {
  const refused = (endpoint: EndpointName, ...statuses: readonly number[]) =>
    statuses.map((status) => words(endpoint, rejected(status)))

  it('says what a status means where it was asked, and what to do', () => {
    expect(refused('getStorageStatistics', 401, 403, 404, 429, 400, 422, 300, 399, 500, 599, 499)).toEqual([
      'The CDN did not accept the credential of CDN Ops (401). Ask whoever runs CDN Ops to check CDN_API_KEY or CDN_BEARER_TOKEN.',
      'The credential of CDN Ops has no right to this (403). Ask whoever runs CDN Ops to give the key a role that may do it.',
      'The CDN knows no such zone (404). Check the id, or the name given to it; zones list shows the names.',
      'The CDN was asked too often (429). Ask again in a few seconds.',
      'The CDN did not accept a value (400). Correct the value and ask again.',
      'The CDN did not accept a value (422). Correct the value and ask again.',
      'The CDN answered with a redirect (300), which is never followed. Ask whoever runs CDN Ops to correct CDN_API_URL or CDN_LOGGING_URL.',
      'The CDN answered with a redirect (399), which is never followed. Ask whoever runs CDN Ops to correct CDN_API_URL or CDN_LOGGING_URL.',
      'The CDN failed (500). Ask again in a minute.',
      'The CDN failed (599). Ask again in a minute.',
      'The CDN refused (499). If you do not see why, ask whoever runs CDN Ops.',
    ])
    expect(refused('listApiKeys', 404)).toEqual([
      'The CDN found nothing at this address (404). Ask whoever runs CDN Ops to check CDN_API_URL.',
    ])
    expect(refused('queryLogs', 401, 403, 404, 500)).toEqual([
      'The logs were refused because no credential arrived (401). Ask whoever runs CDN Ops to check CDN_API_KEY or CDN_BEARER_TOKEN, and anything that may strip headers on the way.',
      'The logs were refused (403): the credential is not valid for them, or the pull zone is suspended or disabled. Check the pull zone in the panel; if it is active, ask whoever runs CDN Ops to check the credential.',
      'There are no logs (404): logging is not enabled for this pull zone, or there is no such pull zone. Check the id, and enable logging for the zone in the panel. Logs begin when it is enabled.',
      'The CDN failed (500). Ask again in a minute.',
    ])
  })

  it('says how there came to be no answer, or none that can be read', () => {
    const next = 'Ask again in a minute; if it stays so, tell whoever runs CDN Ops.'
    expect(noAnswer.map((reason) => words('queryLogs', { kind: 'unreachable', reason, sent: 'maybe' }))).toEqual([
      `The CDN did not answer in time. ${next}`,
      `Nothing listens at the address of the CDN. ${next}`,
      `The connection to the CDN broke before an answer came. ${next}`,
      `The address of the CDN could not be looked up. ${next}`,
      `No secure connection to the CDN could be made. ${next}`,
      `The connection to the CDN broke before an answer came. ${next}`,
      'The call was given up before an answer came. Ask again.',
    ])
    expect(words('queryLogs', { kind: 'malformed', status: 200, why: 'it is no JSON' })).toBe(
      'The CDN answered 200, but unreadably: it is no JSON. If it happens again, tell whoever runs CDN Ops: the CDN may have changed, or something stands between.',
    )
  })

  it.each([
    [{ message: 'Slow down', field: 'Limit', retryAfterMs: 9_100 }, '“Slow down” (field Limit). Ask again in 10 s.'],
    [{ message: 'Slow down', retryAfterMs: 0 }, '“Slow down”. Ask again in a few seconds.'],
    [{ message: 'Slow down' }, '“Slow down”. Ask again in a few seconds.'],
    [{ message: 'Slow down.' }, '“Slow down.” Ask again in a few seconds.'],
    [{ message: 'Slow down!' }, '“Slow down!” Ask again in a few seconds.'],
  ])('quotes what the platform says, its stop once, with the field and its own wait: %o', (more, said) => {
    expect(words('queryLogs', rejected(429, more))).toBe(`The CDN was asked too often (429). It says: ${said}`)
  })

  it('shows the text of the platform as text, never as markup', () => {
    const shown = told(new CdnError('addDnsRecord', rejected(400, { message: '<!channel> *now* <https://evil|ok>' })))
    expect(JSON.stringify(shown)).not.toMatch(/<!channel>|<https/)
  })
})

describe('other errors in words', () => {
  it('are shown as they are when a person can act on them, with whom to ask for access', () => {
    expect(told(new UserError('busy', 'Too many.', 'Wait.', 'dns add'))).toEqual({
      text: 'Too many. Wait.',
      blocks: [...failure('Too many.', 'Wait.').blocks, expect.objectContaining({ type: 'actions' })],
    })
    expect(told(new UserError('busy', 'Too many.')).text).toBe('Too many.')
  })

  it('say of the store what was done, and who can help', () => {
    const kinds = ['locked', 'busy', 'full', 'unreachable', 'read_only', 'corrupt', 'in_use', 'other'] as const
    const [nothing, owner] = [
      'Nothing was done: CDN Ops does not act without it.',
      'Tell whoever runs CDN Ops. Plain reads go on.',
    ]
    expect(kinds.map((kind) => told(new StoreError(kind, 'SQLITE_X')).text)).toEqual([
      `The audit log has too much to do at this moment. ${nothing} Ask again.`,
      `The audit log has too much to do at this moment. ${nothing} Ask again.`,
      `The disk of the audit log is full. ${nothing} ${owner}`,
      `The database of CDN Ops does not answer. ${nothing} Tell whoever runs CDN Ops. Plain reads of the CDN still work.`,
      ...kinds.slice(4).map(() => `The audit log cannot be written. ${nothing} ${owner}`),
    ])
    expect(told(new StoreError('unanswered')).text).toBe(
      'The database did not answer, so it is not known whether this was written down. If it was, CDN Ops goes on with it. See whether it is there, with changes list or alerts list, before you do it again.',
    )
  })

  it('names what the store holds and cannot be read', () => {
    const { text } = told(new UnreadableRow('changes', { id: 'c1', values: 'hush' }, new Set(['values'])))
    expect(text).toBe('A row of changes (c1) cannot be read: values. Nothing was done. Tell whoever runs CDN Ops.')
  })

  it.each([new TypeError('the secret is hush'), 'hush', undefined, { hush: true }])(
    'are an incident number and nothing of their own when they are bugs: %s',
    (error) => {
      const { log, lines } = recordingLog()
      const { text } = explainAndLog(error, 'dns add', { clock: { newId: () => '1234abcd-and-more' }, log })
      expect(text).toBe(
        'Something went wrong inside CDN Ops; nothing was changed at the CDN. Incident 1234abcd. Tell whoever runs CDN Ops the incident number: the log holds the details.',
      )
      expect(lines).toMatchObject([{ level: 'error', fields: { incident: '1234abcd', operation: 'dns add' } }])
    },
  )

  it.each([new UserError('busy', 'Too many.'), new StoreError('full'), new CdnError('queryLogs', rejected(500))])(
    'are no bugs in the log where it is known what they are: %s',
    (error) => {
      const { log, lines } = recordingLog()
      expect(explainAndLog(error, 'logs', { clock: { newId: () => '' }, log })).toEqual(told(error))
      expect(lines).toMatchObject([{ level: 'info', fields: { operation: 'logs', reason: error.message } }])
    },
  )
})

it('takes for passing what may succeed in a moment', () => {
  const failures = [400, 428, 429, 430, 499, 500].map((status) => rejected(status))
  const cut: CdnFailure = { kind: 'malformed', status: 200, why: 'it is cut' }
  const gone: CdnFailure = { kind: 'unreachable', reason: 'reset', sent: 'maybe' }
  const passing = [...failures, cut, gone].map((each) => isPassing(new CdnError('queryLogs', each)))
  expect(passing).toEqual([false, false, true, false, false, true, true, true])
  const others = [new UserError('busy', 'x'), new UserError('expired', 'x'), new StoreError('busy'), 'x']
  expect(others.map(isPassing)).toEqual([true, false, false, false])
})

describe('how a write ended that has no answer to show', () => {
  const ended = (outcome: Parameters<typeof endedMessage>[0]['outcome'], panel?: URL) => {
    const [given, next] = [{ sentence: 'Add www', happened: 'The CDN failed (500).', panel }, 'Ask again.']
    const { text, blocks } = endedMessage({ ...given, next, outcome, lookFor: 'A record www.' })
    return [text, ...blocks.map((block) => (block.type === 'section' ? block.text?.text : block.type))]
  }
  const panel = new URL('https://panel.example.com/301')

  it('is its state, what happened, and what to do', () => {
    expect(ended('rejected', panel)).toEqual([
      'Refused by the CDN: nothing was changed\nAdd www\nThe CDN failed (500). Ask again.',
      ':x: *Refused by the CDN: nothing was changed*\nAdd www',
      'The CDN failed (500). Ask again.',
    ])
    expect(ended('done', panel)).toEqual([
      'Done, but the answer could not be read\nAdd www\nThe CDN failed (500). Ask again. See it in the panel (https://panel.example.com/301)',
      ':white_check_mark: *Done, but the answer could not be read*\nAdd www',
      'The CDN failed (500). Ask again. <https://panel.example.com/301|See it in the panel>',
    ])
    expect(ended('done')[2]).toBe('The CDN failed (500). Ask again.')
  })

  it('is how to find out while nobody knows, and never to ask again', () => {
    const steps = (open: string) =>
      `1. ${open}\n2. A record www.\n3. Press *It exists* or *It does not exist* in the channel. It is never sent again by itself: if it does not exist, ask for it anew.`
    expect(ended('unknown', panel)).toEqual([
      `Unknown: it may or may not have happened\nAdd www\nThe CDN failed (500).\n${steps('Open it in the CDN’s panel (https://panel.example.com/301)').replaceAll('*', '')}`,
      ':grey_question: *Unknown: it may or may not have happened*\nAdd www',
      'The CDN failed (500).',
      steps('<https://panel.example.com/301|Open it in the CDN’s panel>'),
    ])
    expect(ended('unknown')[3]).toBe(steps('Open the CDN’s panel.'))
  })
})
