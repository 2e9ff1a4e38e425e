import { expect, it, vi } from 'vitest'
import { type AnswerReading, readLogPage } from '../../src/cdn/reading/response-reading.ts'
import { defaultDialect } from '../../src/cdn/contract/dialect.ts'
import type { FetchedPage } from '../../src/cdn/reading/log-pages.ts'
import type { CdnFailure } from '../../src/cdn/contract/errors.ts'
import { stringifyJson } from '../../src/shared/json.ts'
import { answered, arrived, noDeadline } from './arrived-answer.ts'

/** What is read of a page, or what is said of one that cannot be read. */
async function read(text: string, reading: Partial<AnswerReading> = {}): Promise<FetchedPage | CdnFailure> {
  return answered(readLogPage(arrived(text), noDeadline(), { dialect: defaultDialect, ...reading }))
}

const TAIL = '"pagination":{"offset":0,"hasMore":false}'
const pageOf = (rows: readonly string[], tail = TAIL): string => `{"data":[${rows.join(',')}],${tail}}`
const row = (fields: object = {}): string => stringifyJson({ timestamp: '2026-11-20T11:59:59.123Z', ...fields })
const entry = { timestamp: new Date('2026-11-20T11:59:59.123Z') }

it.each([
  ['of another list of that name', `{"query":{"data":[${row()}]},"data":[],${TAIL}}`, []],
  ['of another object, where the page has none', `{"query":{"data":[${row()}]},${TAIL}}`, []],
  ['that stand in a text', JSON.stringify({ query: { order: pageOf([row()]) }, pagination: {} }), []],
  ['that another list of that name replaces', pageOf([row()], `${TAIL},"data":[{}]`), [{}]],
  ['behind a mark', `\u{FEFF}${pageOf([row()])}`, [entry]],
  ['that are spread out', JSON.stringify(JSON.parse(pageOf([row()])), undefined, 2), [entry]],
  [
    'with text that looks like their end',
    pageOf([row({ path: '"}]},{"data":[', x: '}]' }), row()]),
    [{ ...entry, path: '"}]},{"data":[' }, entry],
  ],
  ['with nothing in them', pageOf(['{}', '{"asn":null}']), [{}, {}]],
])('a page has the rows that JSON says: rows %s', async (_, page, entries) => {
  const { entries: found } = (await read(page)) as FetchedPage
  const sent = found.map((each) => Object.fromEntries(Object.entries(each).filter(([, value]) => value !== undefined)))
  expect(sent).toEqual(entries)
})

it.each([
  ['that end in nothing', `{"data":[${row()},],${TAIL}}`, 'Not JSON'],
  ['without an end', `{"data":[${row()}`, 'Not JSON'],
  ['with no comma between', `{"data":[${row()}${row()}],${TAIL}}`, 'Not JSON'],
  ['that are none', pageOf([row(), '7']), 'a row is not an object'],
  ['without pagination', '{"data":[]}', 'of the wrong type or missing: pagination'],
  ['with a field of another type', pageOf([row(), row({ statusCode: 'x' })]), 'statusCode has the wrong type'],
  ...['timestamp', 'host', 'path', 'userAgent', 'bytesSent', 'asn', 'pullZoneId'].map((name) => [
    `with ${name} that is neither text nor number`,
    pageOf([row({ [name]: true })]),
    `${name} has the wrong type`,
  ]),
  [
    'with a status that no double holds',
    pageOf([row({ statusCode: 2n ** 53n + 1n })]),
    'statusCode has the wrong type',
  ],
  [
    'with a status beyond what doubles reach',
    pageOf([row({ statusCode: 10n ** 400n })]),
    'statusCode has the wrong type',
  ],
  [
    'with a status that is not finite',
    pageOf([row({ statusCode: 7 }).replace(':7}', ':1e400}')]),
    'statusCode has the wrong type',
  ],
  ['with half a byte', pageOf([row({ bytesSent: 1.5 })]), 'bytesSent has the wrong type'],
  ['too many for a page', pageOf(Array.from({ length: 10_001 }, () => '{}')), 'of the wrong type or missing: data'],
  [
    'too deep to be walked',
    pageOf([row(), `{"newField":${'['.repeat(40)}${']'.repeat(40)}}`]),
    'JSON nested more than 32 deep',
  ],
])('a page is refused in words: rows %s', async (_, page, why) => {
  expect(await read(page)).toMatchObject({ kind: 'malformed', why })
})

it('a page gives rows that are typed and masked, and of each the fields that are allowed', async () => {
  const texts = {
    cacheStatus: 'EXPIRED',
    requestId: '322b688bd63fb63f2babe9de30a5d262',
    remoteIp: '192.0.2.7',
    countryCode: 'DE',
    edgeLocation: 'WA',
    scheme: 'https',
    host: 'a.example',
    ja4Fingerprint: 't13d',
    asnOrganization: 'Example',
    contentRange: 'bytes 0-1/2',
  }
  const numbers = { bytesSent: 9_007_199_254_740_993n, pullZoneId: 390n, asn: 64_500n, bodyBytesSent: 0n }
  const addresses = { path: '/v?token=hush', url: 'https://a/v?token=hush', referer: 'https://b/?key=hush' }
  const sent = row({ ...texts, ...numbers, ...addresses, statusCode: 499, userAgent: 'bot (https://a/?k=hush)', x: 1 })
  const { entries } = (await read(pageOf([sent]))) as FetchedPage
  const masked = { path: '/v?token=…', url: 'https://a/v?token=…', referer: 'https://b/?key=…' }
  expect(entries).toEqual([
    { ...entry, ...texts, ...numbers, ...masked, statusCode: 499, userAgent: 'bot (https://a/?k=…)' },
  ])
  const dialect = { ...defaultDialect, logFields: ['cacheStatus', 'statusCode'] as const }
  const few = (await read(pageOf([sent]), { dialect })) as FetchedPage
  expect(few.entries).toEqual([{ cacheStatus: 'EXPIRED', statusCode: 499 }])
})

it.each([
  [16 * 1024, ''],
  [16 * 1024 + 1, '…'],
])('a page has texts of %i characters with this behind the first 16,384: “%s”', async (length, end) => {
  const { entries } = (await read(pageOf([row({ host: 'x'.repeat(length) })]))) as FetchedPage
  expect(entries[0]?.host).toBe(`${'x'.repeat(16 * 1024)}${end}`)
})

it('a page lets others come in between while its rows are read', async () => {
  const page = pageOf(Array.from({ length: 800 }, () => row({ userAgent: 'x'.repeat(8_000) })))
  let turns = 0
  let isRead = false
  const turn = (): void => {
    turns += 1
    if (!isRead) setImmediate(turn)
  }
  setImmediate(turn)
  await read(page)
  isRead = true
  expect(turns).toBeGreaterThan(page.length / (512 * 1024))
})

it('a page tells how many fields of a row nobody knows, and fails where we fail', async () => {
  const told = vi.fn()
  await read(pageOf([row({ newField: 1, authorizationHeader: 'x' }), row()]), { onUnknownFields: told })
  expect(told.mock.calls).toEqual([['queryLogs', 1]])
  const onUnknownFields = (): never => {
    throw new TypeError('a bug')
  }
  await expect(read(pageOf([row({ newField: 1 })]), { onUnknownFields })).rejects.toThrow('a bug')
})

it('a page keeps every integer', async () => {
  const ids = [1n, 2n ** 53n + 1n, 2n ** 53n + 3n, 2n ** 63n - 1n, 2n]
  const { entries } = (await read(pageOf(ids.map((pullZoneId) => row({ pullZoneId }))))) as FetchedPage
  expect(entries.map(({ pullZoneId }) => pullZoneId)).toEqual(ids)
})
