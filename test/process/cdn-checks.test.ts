import { describe, expect, it } from 'vitest'
import { readSettings } from '../../src/config/settings.ts'
import { cdnOptions } from '../../src/process/cdn-options.ts'
import { UserError } from '../../src/shared/errors.ts'
import { Secret } from '../../src/shared/secret.ts'
import { StoreError } from '../../src/store/schema/store-error.ts'
import { failing, look, refusing, type Row } from './check-looks.ts'

const rejected = (status: number) => failing({ kind: 'rejected', status })
const refused = failing({ kind: 'unreachable', reason: 'refused', sent: 'no' })
const busy = refusing(new UserError('busy', 'no slot'))
const OR_LATER = 'if the CDN itself fails, look again in a minute.'

it.each([
  ['CDN_API_KEY', 'accessKey'],
  ['CDN_BEARER_TOKEN', 'bearer'],
])('the CDN is shown what %s has as a credential of its kind', (name, scheme) => {
  const addresses = { CDN_API_URL: 'https://cdn.example', CDN_LOGGING_URL: 'https://logs.example' }
  const variables = { ...addresses, SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', [name]: 'secret-of-it' }
  const { credential } = cdnOptions(readSettings({ variables, readFile: () => '' }))
  expect([credential.scheme, credential.secret.reveal()]).toEqual([scheme, 'secret-of-it'])
})

describe('the check of the CDN key', () => {
  const key = (Roles: readonly string[], redactedKey = '…-key') => ({ redactedKey, Roles })
  const ours = { Items: [key(['Other'], '…else'), key(['User'])] }
  const listed = (list: { readonly Items: readonly object[] }) => ({ cdn: { listApiKeys: async () => list } })
  const answering = (listApiKeys: () => Promise<never>) => ({ cdn: { listApiKeys } })
  const OURS = '✓ accepted, with User: lists keys and reads storage statistics; for writes the CDN names no role'
  const UNKNOWN = '✓ accepted; which of the listed keys it is, and so its roles, is not known'
  const nothing = (why: string) =>
    `✗ cdn-key:${why}: The management interface at https://cdn.example gives no usable answer (${why}), so nothing of the CDN works. → Check CDN_API_URL and the network; ${OR_LATER}`
  it.each<Row>([
    [listed(ours), OURS],
    [listed({ Items: [] }), UNKNOWN],
    [{ ...listed({ Items: [key(['User'], '…')] }), settings: { CDN_API_KEY: new Secret('short') } }, UNKNOWN],
    [{ ...listed(ours), settings: { CDN_API_KEY: undefined } }, UNKNOWN],
    [
      listed({ Items: [key(['A', `\u202E${'b'.repeat(70)}`])] }),
      `✗ cdn-key:roles: The CDN key has the roles A, \\u{202E}${'b'.repeat(51)}…, none of which reads storage statistics, so storage commands and alerts fail. → Give the key one of User, UserApi, SubuserAPIStatistics, SubuserStatistics, SubuserManage, SubuserAPIManage.`,
    ],
    [answering(rejected(429)), '? the CDN asks to wait'],
    [
      answering(rejected(401)),
      '✗ cdn-key:401: The CDN does not accept the key of CDN Ops (401), so nothing of the CDN works. → Put a valid one into CDN_API_KEY or CDN_BEARER_TOKEN, whichever is set, then start again.',
    ],
    [
      answering(rejected(403)),
      '✗ cdn-key:403: The CDN key may not list API keys (403), so keys list and the alert about keys fail. → Give the key a role that may list keys, if they are wanted.',
    ],
    [answering(rejected(500)), nothing('500')],
    [answering(refused), nothing('refused')],
    [answering(failing({ kind: 'malformed', status: 200, why: '' })), nothing('unreadable')],
  ])('tells what there is (%#)', async (parts, told) => expect(await look('CDN key', parts)).toBe(told))

  it('passes on a fault of the program, and that it was given up', async () => {
    await expect(look('CDN key', answering(refusing(new TypeError('a fault'))))).rejects.toThrow('a fault')
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(look('CDN key', { ...answering(refused), signal })).rejects.toThrow('enough')
  })
})

describe('the check of logs', () => {
  const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)
  const watched = (zones: readonly number[], fails?: (zone: bigint) => (() => Promise<never>) | undefined) => ({
    store: {
      alertRules: { list: async () => [{ subject: 'account' }, ...zones.map((id) => ({ subject: `pull/${id}` }))] },
    },
    cdn: {
      queryLogs: async (zone: bigint, ...asked: readonly object[]) => {
        expect(asked).toMatchObject([{ from: new Date('2026-11-20T11:00:00Z') }, { maxEntries: 1, maxPages: 1 }])
        await fails?.(zone)?.()
      },
    },
  })
  const none = (why: string, zones: string, named: string, remedy: string) =>
    `✗ logs:${why}:${zones}: The CDN gives no log of pull zone ${named} (${why}), so alerts about it see nothing. → ${remedy}`
  const SUSPENDED = 'Look in the CDN’s panel whether the zone is suspended, and check CDN_API_KEY or CDN_BEARER_TOKEN.'
  const OFF = 'Enable logging for it in the CDN’s panel, or remove its alerts if there is no such zone.'
  const LIMIT = '? the logs of some watched zones are read as often as the CDN allows'
  it.each<Row>([
    [{}, '? no store'],
    [{ store: new StoreError('full') }, '? which zones are watched stands in the store'],
    [watched([]), '✓ no pull zone is watched'],
    [watched([1, 2, 1]), '✓ on for 2 of 2 watched pull zones'],
    [watched(upTo(60)), '✓ on for 50 of 60 watched pull zones'],
    [
      watched(upTo(8), (zone) => (zone > 1n ? rejected(404) : undefined)),
      none('404', '2,3,4,5,6,7,8', '2, 3, 4, 5, 6 and 2 more', OFF),
    ],
    [
      watched([1], () => rejected(401)),
      none('401', '1', '1', 'Check CDN_API_KEY or CDN_BEARER_TOKEN, and what may strip headers on the way.'),
    ],
    [watched([1], () => rejected(403)), none('403', '1', '1', SUSPENDED)],
    [
      watched([1, 2], (zone) => (zone === 1n ? refused : busy)),
      none('refused', '1', '1', `Check CDN_LOGGING_URL and the network; ${OR_LATER}`),
    ],
    [watched([1], () => rejected(429)), LIMIT],
    [watched([1, 2], (zone) => (zone === 1n ? busy : undefined)), LIMIT],
  ])('tells what there is (%#)', async (parts, told) => expect(await look('logs', parts)).toBe(told))
})
