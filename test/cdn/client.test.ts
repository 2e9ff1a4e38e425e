import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { defaultDialect } from '../../src/cdn/contract/dialect.ts'
import type { LogCallOptions } from '../../src/cdn/contract/cdn.ts'
import { NOW, scriptedPlatform } from './platform-agent.ts'

const ID = '322b688bd63fb63f2babe9de30a5d262'
const ignored = (): void => undefined
const page = (more: object = {}) => ({ json: { data: [{ requestId: 'a' }], pagination: { hasMore: false }, ...more } })

describe('a query of version 2', () => {
  it('sends each filter as the platform spells it, lists as one value', async () => {
    const { client, received } = scriptedPlatform(page())
    const texts = {
      edgeLocation: 'WA',
      remoteIp: '2001:db8::1',
      urlContains: '/v/&x',
      userAgentContains: 'a b',
      refererContains: 'r',
      search: 'one two',
      requestId: ID,
      order: 'asc',
    } as const
    const from = new Date('2026-11-20T12:00:00+01:00')
    const lists = { status: ['404', '5xx'], cacheStatus: ['MISS', '-'], country: ['DE', 'FR'] }
    await client().queryLogs(
      390n,
      { ...texts, ...lists, from, to: new Date('2026-11-20T11:30:00.5Z'), includeOriginShield: true },
      { maxEntries: 20, cursor: { offset: 40n, pageSize: 20, skip: 0 } },
    )
    const url = new URL(received[0]?.url ?? '', 'https://cdn.example')
    expect(url.pathname).toBe('/v2/pullzones/390/logs')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ...texts,
      from: '2026-11-20T11:00:00Z',
      to: '2026-11-20T11:30:00.500Z',
      status: '404,5xx',
      cacheStatus: 'MISS,-',
      country: 'DE,FR',
      includeOriginShield: 'true',
      limit: '20',
      offset: '40',
    })
  })

  it('sends only what was asked for', async () => {
    const { client, received } = scriptedPlatform(page())
    await client().queryLogs(
      390n,
      { status: [], cacheStatus: ['MISS'], search: '', urlContains: '/v/' },
      { maxEntries: 20 },
    )
    expect(received[0]?.url).toMatch(/logs\?cacheStatus=MISS&urlContains=%2Fv%2F&limit=20$/)
  })

  it('tells of its progress page by page, pages by what the dialect says, and by default by what was asked for', async () => {
    for (const [pageStep, second] of [
      ['limit', '1000'],
      ['returned', '7'],
    ] as const) {
      const more = { pagination: { returned: 7, hasMore: true } }
      const { client, received } = scriptedPlatform(page(more), page({ data: [{ requestId: 'b' }] }))
      const told: unknown[] = []
      const options = { maxEntries: 10, onProgress: (progress: unknown) => told.push(progress) }
      const dialect = pageStep === 'limit' ? undefined : { ...defaultDialect, pageStep }
      const result = await client({ dialect }).queryLogs(1n, { country: ['DE'] }, options)
      expect(told).toEqual([
        { pages: 1, entries: 1 },
        { pages: 2, entries: 2 },
      ])
      expect(received[1]?.url).toContain(`&limit=1000&offset=${second}`)
      expect(result.entries).toMatchObject([{ requestId: 'a' }, { requestId: 'b' }])
    }
  })

  it('takes a slot of its zone for each repeat, for whoever asks, and tells them of waiting', async () => {
    const wishes: [bigint, LogCallOptions][] = []
    const limiter = {
      run: async <T>(zone: bigint, wish: LogCallOptions, call: (answered: () => void) => Promise<T>): Promise<T> => {
        wishes.push([zone, wish])
        return call(ignored)
      },
    }
    const { client } = scriptedPlatform({ status: 500 }, { error: 'EPIPE' }, page())
    await client({ limiter }).queryLogs(5n, {}, { maxEntries: 1, onWaiting: ignored })
    await client({ limiter }).tallyDayFile(6n, '2026-11-20', ignored, { priority: 'background' })
    const signal = expect.any(AbortSignal) as AbortSignal
    expect(wishes).toMatchObject([
      ...[1, 2, 3].map(() => [5n, { onWaiting: ignored, signal }]),
      [6n, { priority: 'background', signal }],
    ])
  })

  it('remembers for each zone how long its lines are', async () => {
    const { client, received } = scriptedPlatform({ status: 200, headers: { 'content-length': '9000000' } }, page())
    const one = client()
    for (const zone of [1n, 1n, 2n]) await one.queryLogs(zone, {}, { maxEntries: 2_000 })
    expect(received.map(({ url = '' }) => /(\d)\/logs\?limit=(\d+)/.exec(url)?.slice(1))).toEqual([
      ['1', '2000'],
      ['1', '1000'],
      ['1', '1000'],
      ['2', '2000'],
    ])
  })

  it('remembers that of a thousand zones, and then finds all out anew', async () => {
    const { client, received } = scriptedPlatform({ status: 200, headers: { 'content-length': '9000000' } }, page())
    const one = client({ limiter: { run: (_, __, call) => call(ignored) } })
    const zones = Array.from({ length: 1_000 }, (_, index) => BigInt(index + 1))
    for (const zone of [...zones, 1_001n, 1n]) await one.queryLogs(zone, {}, { maxEntries: 2_000 })
    const limits = received.flatMap(({ url = '' }) => /\/1\/logs\?limit=(\d+)/.exec(url)?.slice(1) ?? [])
    expect(limits).toEqual(['2000', '1000', '2000'])
  })
})

describe('what is sent', () => {
  it('is the page of keys or the range in UTC, nothing where nothing was given, behind the path of the base address', async () => {
    const { client, received } = scriptedPlatform({ json: {} })
    const cdn = client({ managementUrl: 'https://cdn.example/v9//' })
    await cdn.listApiKeys({ page: 2, perPage: 50 })
    await cdn.getStorageStatistics({ id: 9_007_199_254_740_993n })
    const dateFrom = new Date('2026-11-01T01:00:00+01:00')
    await cdn.getStorageStatistics({ id: 1n, dateFrom, dateTo: new Date('2026-11-02T00:00:00Z') })
    expect(received.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
      'GET /v9/apikey?page=2&perPage=50 ',
      'GET /v9/storagezone/9007199254740993/statistics ',
      'GET /v9/storagezone/1/statistics?dateFrom=2026-11-01T00%3A00%3A00Z&dateTo=2026-11-02T00%3A00%3A00Z ',
    ])
  })

  const WRONG_ID = 'An id is a whole number above 0 that fits into 64 bits.'
  it.each([
    ['getStorageStatistics', [{ id: 0n }], `id: ${WRONG_ID}`],
    ['getStorageStatistics', [{ id: 9_223_372_036_854_775_808n }], `id: ${WRONG_ID}`],
    ['addDnsRecord', [{ zoneId: -1n, body: {} }], `zoneId: ${WRONG_ID}`],
    ['queryLogs', [0n, {}, { maxEntries: 1 }], WRONG_ID],
    ['streamDayFile', [0n, '2026-11-20', {}, ignored], WRONG_ID],
    [
      'getStorageStatistics',
      [{ id: 0n, dateFrom: new Date(2), dateTo: new Date(1) }],
      `id: ${WRONG_ID} dateFrom: The start must lie before the end.`,
    ],
    ['listApiKeys', [{ page: 0 }], 'page: A whole number from 1 to 2147483647 is needed.'],
    ['createVideoLibrary', [{ body: { Name: '' } }], 'Name: A video library needs a name of at least 1 character.'],
    ['addDnsRecord', [{ zoneId: 1n, body: { Ttl: -1 } }], 'Ttl: The TTL is a whole number from 0 to 2147483647.'],
    ['queryLogs', [1n, { country: ['de'] }, { maxEntries: 1 }], 'country: A country is two letters such as DE.'],
    ['streamDayFile', [1n, '2020-01-01', {}, ignored], 'day: Logs are kept for 3 days; older ones cannot be read.'],
  ] as const)('is nothing where a rule is broken: %s', async (method, args, rules) => {
    const { client, received } = scriptedPlatform({ json: {} })
    const cdn = client()
    const call = cdn[method] as (...args: readonly unknown[]) => Promise<unknown>
    const message = `${rules} Nothing was sent.`
    await expect(call.apply(cdn, [...args])).rejects.toMatchObject({
      name: 'UserError',
      code: 'invalid_input',
      message,
    })
    expect(received).toEqual([])
  })
})

describe('what comes back', () => {
  it.each([200, 201, 202, 299])(
    'is taken in with status %i, as the contract does not say which 2xx',
    async (status) => {
      const { client } = scriptedPlatform({ status, body: '{"Id":1}' })
      await expect(client().addDnsRecord({ zoneId: 1n, body: {} })).resolves.toEqual({ Id: 1n })
    },
  )

  it('goes by the contract’s names where the dialect knows another, and counts those it does not know', async () => {
    const told: unknown[] = []
    const { client } = scriptedPlatform({ json: { Id: 1, OtherDrm: { Enabled: true }, Extra: 1, More: null } })
    const cdn = client({
      dialect: { ...defaultDialect, fieldAliases: { OtherDrm: 'FirstVendorDrm' } },
      onUnknownFields: (endpoint, count) => told.push([endpoint, count]),
    })
    const library = await cdn.createVideoLibrary({ body: { Name: 'x' } })
    expect(library.FirstVendorDrm).toEqual({ Enabled: true })
    expect(told).toEqual([['createVideoLibrary', 2]])
  })

  it('leaves nothing behind on the signal that could have stopped it', async () => {
    const { client, clock } = scriptedPlatform({ json: {} })
    const { signal } = new AbortController()
    await client().listApiKeys({}, { signal })
    expect([getEventListeners(signal, 'abort'), clock.timers]).toEqual([[], 0])
  })
})

it('a day file is asked for by its UTC day, at the path and with the query that the dialect says', async () => {
  const { client, received } = scriptedPlatform({ status: 200, body: 'MISS|200|1|\n' })
  const dialect = {
    ...defaultDialect,
    dayFilePath: '/logs/{pullZoneId}/{YYYY}{MM}{DD}',
    dayFileQuery: { order: 'asc' },
  }
  const tallied: unknown[] = []
  for (const cdn of [client(), client({ dialect })])
    await cdn.tallyDayFile(390n, NOW.slice(0, 10), (...line) => tallied.push(line))
  expect(received.map(({ url }) => url)).toEqual(['/11-20-26/390.log?sort=desc', '/logs/390/20261120?order=asc'])
  expect(tallied).toEqual([
    [1, 'MISS', 200],
    [1, 'MISS', 200],
  ])
})
