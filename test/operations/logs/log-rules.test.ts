import { describe, expect, it } from 'vitest'
import { CACHE_STATUS_NAMES } from '../../fixtures/contract-fields.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { logs } from '../../../src/operations/logs/logs.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import { checkContext, invocationOf, problemsOf } from '../../support/operation-context.ts'

const TWENTY = Array.from({ length: 20 }, (_, index) => `${'abcdefghijklmnopqrst'[index]}qqqqqqqq`)
const only = (values: RawValues) => problemsOf(logs, { pullZone: 'shop', ...values })

describe('the rules of the log', () => {
  it.each<[RawValues, string]>([
    [{ since: '4d' }, 'since: Logs are kept for 3 days; older ones cannot be read.'],
    [{ until: '4d' }, 'until: Logs are kept for 3 days; older ones cannot be read.'],
    [{ until: '2026-11-17T12:05Z' }, 'until: Logs are kept for 3 days; older ones cannot be read.'],
    [{ since: '1h', until: '2h' }, 'since: The start must lie before the end.'],
    [{ since: '2026-11-21' }, 'since: The start lies in the future.'],
    [{ day: '2026-11-16' }, 'day: Logs are kept for 3 days; older ones cannot be read.'],
    [{ day: '2026-11-21' }, 'day: The day lies in the future; days are UTC.'],
    [{ day: '20.11.' }, 'day: Day is a day in UTC: 2026-11-20, today or yesterday.'],
    [{ status: '999' }, 'status: A status is a code such as 404 or a class such as 5xx.'],
    [{ status: 'terrors' }, 'status: A status is a code such as 404 or a class such as 5xx.'],
    [{ status: 'errors5' }, 'status: A status is a code such as 404 or a class such as 5xx.'],
    [{ cache: 'a?b' }, 'cache: A cache status is a word such as MISS; none is the word for no cache involved.'],
    [{ cache: ',' }, 'cache: Cache status takes 1 to 20 values with commas between.'],
    [{ cache: TWENTY.concat('miss').join() }, 'cache: Cache status takes 1 to 20 values with commas between.'],
    [{ country: ',' }, 'country: Country takes 1 to 20 values with commas between.'],
    [
      {
        status: TWENTY.map((_, index) => 200 + index)
          .concat(300)
          .join(),
      },
      'status: Status takes 1 to 20 values with commas between.',
    ],
    [{ url: 'u'.repeat(257) }, 'url: URL contains has 257 characters; at most 256 are allowed.'],
    [{ cache: 'hit,mis' }, 'cache: Cache status cannot be MIS. Did you mean MISS?'],
    [{ country: 'Germany' }, 'country: A country is two letters such as DE.'],
    [{ request: 'abc' }, 'request: A request id has 32 hexadecimal digits.'],
    [{ search: 'w '.repeat(17) }, 'search: A search has at most 16 words.'],
    [{ search: 'w'.repeat(129) }, 'search: A word to search for has at most 128 characters.'],
    [{ ip: '1.2.3' }, 'ip: Client address is an IPv4 or IPv6 address, or all to show the addresses without filtering.'],
    [{ order: 'random' }, 'order: Order cannot be random. It is one of newest, oldest.'],
    [{ limit: '101' }, 'limit: At most 100 lines are listed; with --csv a file takes 50,000.'],
    [{ limit: '50001', csv: 'true' }, 'limit: Lines listed must be a whole number from 1 to 50000.'],
    [{ by: 'host' }, 'by: Group by cannot be host. It is one of path, status, edge, country.'],
    [{ continueAt: 'x' }, 'continueAt: Continue at is filled in by the Older button of an earlier answer.'],
  ])('refuses %j with the rule', (values, sentence) => {
    expect(only(values)).toEqual([sentence])
  })

  it.each<RawValues>([{ order: 'oldest' }, { shield: 'true' }, { continueAt: '0.1000.1' }])(
    'says that a day file does not know %j',
    (values) => {
      expect(only({ day: 'today', ...values })).toEqual([
        `${Object.keys(values).join()}: This and --day exclude each other. Leave one out.`,
      ])
    },
  )

  it.each<[RawValues, string]>([
    [{ since: '03:10' }, 'since'],
    [{ until: '03:10' }, 'until'],
    [{ since: '2026-11-18T23:59Z' }, 'since'],
  ])('refuses %j with another day', (values, field) => {
    expect(only({ day: '2026-11-19', ...values })).toEqual([
      `${field}: With a day, this must lie inside that day in UTC: give it as 2026-11-19T03:10Z.`,
    ])
  })

  it.each<RawValues>([
    { since: '3d' },
    { since: '3d', until: '2026-11-17T12:06Z' },
    { since: '3d', until: '2026-11-23' },
    { until: '2026-11-23' },
    { day: '2026-11-17' },
    { day: '2026-11-19', since: '2026-11-19T03:00Z', until: '2026-11-20' },
    { limit: '100' },
    { limit: '50000', csv: 'true' },
    { cache: 'EXPIRED,NONE' },
    { cache: TWENTY.join() },
    { status: TWENTY.map((_, index) => 200 + index).join() },
    { shield: 'false', day: 'today' },
    { request: '0123abcd-0123-abcd-0123-abcd0123abcd' },
  ])('accepts %j', (values) => {
    expect(only(values)).toEqual([])
  })

  it('offers the cache statuses that occur, in its form as in a command', () => {
    const { control } = logs.fields['cache'] ?? {}
    const offered = control?.kind === 'choices' ? control.choices.map(({ value }) => value) : []
    expect(offered).toEqual([...CACHE_STATUS_NAMES.slice(0, -1), 'none', 'EXPIRED', 'all'])
  })

  it('has room in its form for twenty values of a list', () => {
    for (const name of ['status', 'country'])
      expect(logs.fields[name]?.control).toMatchObject({ kind: 'text', maxLength: 256 })
  })

  it('needs a zone and nothing else', () => {
    expect(logs.parse({}, checkContext())).toMatchObject({ ok: false, issues: [{ field: 'pullZone', missing: true }] })
    expect(logs.parse({ pullZone: '5' }, checkContext()).ok).toBe(true)
  })
})

it.each([
  ['shop 5xx 2h', { pullZone: 'shop', status: '5xx', since: '2h' }],
  ['shop error,404 stale,none', { pullZone: 'shop', status: 'error,404', cache: 'stale,none' }],
  ['shop expired', { pullZone: 'shop', cache: 'expired' }],
  ['shop all /checkout 50', { pullZone: 'shop', cache: 'all', url: '/checkout', limit: '50' }],
  ['shop 03:10 03:40', { pullZone: 'shop', since: '03:10', until: '03:40' }],
])('take what is typed by its looks: %s', (typed, values) => {
  expect(parseCommand(`logs ${typed}`, OPERATIONS)).toMatchObject({ values, problems: [] })
})

it('describes a question for the audit log without query values and addresses', () => {
  const { sentence } = invocationOf(logs, { pullZone: 'shop', url: '/a?token=secret', ip: '203.0.113.7', since: '1h' })
  expect(sentence).toBe(
    'Read the log of pull zone shop (201): since 2026-11-20T11:00:00.000Z; cache MISS, STALE; ' +
      'URL contains /a?token=…; client address given',
  )
  expect(invocationOf(logs, { pullZone: 'shop', day: 'yesterday', cache: 'all' }).sentence).toBe(
    'Read the log of pull zone shop (201): day 2026-11-19; every cache status',
  )
  const filters = {
    cache: 'none',
    status: '404,5xx',
    ip: 'all',
    country: 'DE,AT',
    edge: 'wa',
    agent: 'curl https://x.example/?b=c',
  }
  const more = { referer: '/r?s=t', search: '/q?v=w', request: 'f'.repeat(32), shield: 'true' }
  expect(invocationOf(logs, { pullZone: '5', ...filters, ...more, since: '03:10', until: '04:00' }).sentence).toBe(
    'Read the log of pull zone 5: since 2026-11-20T03:10:00.000Z; until 2026-11-20T04:00:00.000Z; cache none; status 404, 5xx; country DE, AT; edge WA; agent contains curl https://x.example/?b=…; referer contains /r?s=…; any of the words /q?v=…; request ffffffffffffffffffffffffffffffff; with requests to the origin shield',
  )
})
