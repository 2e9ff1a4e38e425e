import type { ServerResponse } from 'node:http'
import { gzipSync, brotliCompressSync, deflateSync } from 'node:zlib'
import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { utcDay } from '../../src/cdn/contract/dates.ts'
import { defaultDialect } from '../../src/cdn/contract/dialect.ts'
import { type Answer, json, PlatformServer, raw, reset, clientFor, KEY } from './platform-server.ts'
import { TurnedClock } from '../support/turned-clock.ts'
import type { CallReport } from '../../src/cdn/http/transport.ts'
import { Secret } from '../../src/shared/secret.ts'

const ROW = {
  timestamp: '2026-11-20T11:59:59.123Z',
  pullZoneId: 390,
  requestId: '322b688bd63fb63f2babe9de30a5d262',
  cacheStatus: 'EXPIRED',
  statusCode: 499,
  bytesSent: 9_007_199_254_740_991,
  remoteIp: null,
  edgeLocation: 'WA',
  scheme: 'https',
  host: 'a.example',
  path: '/v.mp4?token=canary',
  url: 'https://a.example/v.mp4?token=canary',
  referer: 'https://b.example/?key=canary',
  asn: 64_500,
  authorizationHeader: 'Bearer canary',
}
const page = (data: unknown, hasMore = false): Answer =>
  json({ data, pagination: { offset: 0, limit: 100, returned: 1, hasMore }, query: { pullZoneId: 390 } })

const NOW = '2026-11-20T12:00:00Z'

describe('a query of version 2', () => {
  it('sends each filter as the platform spells it, lists as one value', async () => {
    await using platform = await PlatformServer.start(page([]))
    const client = platform.client({ clock: new TurnedClock(NOW) })
    await client.queryLogs(
      390n,
      {
        from: new Date('2026-11-20T11:00:00Z'),
        to: new Date('2026-11-20T11:30:00Z'),
        status: ['404', '5xx'],
        cacheStatus: ['MISS', '-'],
        country: ['DE', 'FR'],
        edgeLocation: 'WA',
        remoteIp: '2001:db8::1',
        urlContains: '/v/&x',
        userAgentContains: 'a b',
        refererContains: 'r',
        search: 'one two',
        requestId: ROW.requestId,
        includeOriginShield: true,
        order: 'asc',
      },
      { maxEntries: 20, cursor: { offset: 40n, pageSize: 20, skip: 0 } },
    )
    const url = new URL(platform.received[0]?.url ?? '', platform.url)
    expect(url.pathname).toBe('/v2/pullzones/390/logs')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      from: '2026-11-20T11:00:00Z',
      to: '2026-11-20T11:30:00Z',
      status: '404,5xx',
      cacheStatus: 'MISS,-',
      country: 'DE,FR',
      edgeLocation: 'WA',
      remoteIp: '2001:db8::1',
      urlContains: '/v/&x',
      userAgentContains: 'a b',
      refererContains: 'r',
      search: 'one two',
      requestId: ROW.requestId,
      includeOriginShield: 'true',
      order: 'asc',
      limit: '20',
      offset: '40',
    })
  })

  it('gives entries that are typed and masked, of the fields that the dialect allows', async () => {
    await using platform = await PlatformServer.start(page([ROW]))
    const { entries } = await platform.client().queryLogs(390n, {}, { maxEntries: 20 })
    const dialect = { ...defaultDialect, logFields: ['cacheStatus', 'statusCode'] as const }
    const few = await platform.client({ dialect }).queryLogs(390n, {}, { maxEntries: 20 })
    expect(few.entries).toEqual([{ cacheStatus: 'EXPIRED', statusCode: 499 }])
    expect(entries).toEqual([
      {
        timestamp: new Date(ROW.timestamp),
        pullZoneId: 390n,
        requestId: ROW.requestId,
        cacheStatus: 'EXPIRED',
        statusCode: 499,
        bytesSent: 9_007_199_254_740_991n,
        edgeLocation: 'WA',
        scheme: 'https',
        host: 'a.example',
        path: '/v.mp4?token=…',
        url: 'https://a.example/v.mp4?token=…',
        referer: 'https://b.example/?key=…',
        asn: 64_500n,
      },
    ])
  })

  it('tells of its progress page by page', async () => {
    await using platform = await PlatformServer.start(page([ROW], true), page([{ ...ROW, requestId: 'b' }]))
    const onProgress = vi.fn<(progress: unknown) => void>()
    await platform.client().queryLogs(1n, { country: ['DE'] }, { maxEntries: 10, onProgress })
    expect(onProgress.mock.calls).toEqual([[{ pages: 1, entries: 1 }], [{ pages: 2, entries: 2 }]])
  })

  it('takes a slot of its own for each repeat', async () => {
    const runs: bigint[] = []
    const limiter = {
      run: async <T>(zone: bigint, _: unknown, call: (answered: () => void) => Promise<T>): Promise<T> => {
        runs.push(zone)
        return call(() => undefined)
      },
    }
    await using platform = await PlatformServer.start(raw('', 500), reset, page([]))
    await platform.client({ limiter }).queryLogs(5n, {}, { maxEntries: 1 })
    expect(runs).toEqual([5n, 5n, 5n])
  })

  it.each<[string, Answer]>([
    ['comes and does not end', endless],
    ['is only said to come', (response) => response.writeHead(200, { 'content-length': 9_000_000 }).flushHeaders()],
    ['comes packed', raw(gzipSync(Buffer.alloc(9_000_000, ' ')), 200, { 'content-encoding': 'gzip' })],
  ])('asks once for half of a page of over 8 MB that %s', async (_, answer) => {
    await using platform = await PlatformServer.start(answer, page([ROW]))
    const { entries, pages } = await platform.client().queryLogs(1n, {}, { maxEntries: 10 })
    expect([entries.length, pages]).toEqual([1, 2])
    expect(platform.received.map(({ url = '' }) => new URL(url, platform.url).searchParams.get('limit'))).toEqual([
      '10',
      '5',
    ])
  })
})

/** Sends spaces for as long as somebody reads. */
function endless(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const spaces = Buffer.alloc(1_000_000, ' ')
  const more = (): void => {
    while (response.write(spaces));
  }
  response.on('drain', more)
  more()
}

const KEYS = {
  Items: [{ Id: 7, Key: 'listed-key-canary-abcd', Roles: ['User'] }],
  CurrentPage: 1,
  TotalItems: 1,
  HasMoreItems: false,
}

const ignored = (): void => undefined

describe('what is sent', () => {
  it('is the page of keys or the range in UTC, nothing where nothing was given, behind the path of the base address', async () => {
    await using platform = await PlatformServer.start(json({}))
    const client = platform.client({ managementUrl: `${platform.url}/v9/` })
    await client.listApiKeys({ page: 2, perPage: 50 })
    await client.getStorageStatistics({ id: 9_007_199_254_740_993n })
    await client.getStorageStatistics({
      id: 1n,
      dateFrom: new Date('2026-11-01T01:00:00+01:00'),
      dateTo: new Date('2026-11-02T00:00:00Z'),
    })
    expect(platform.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v9/apikey?page=2&perPage=50',
      'GET /v9/storagezone/9007199254740993/statistics',
      'GET /v9/storagezone/1/statistics?dateFrom=2026-11-01T00%3A00%3A00Z&dateTo=2026-11-02T00%3A00%3A00Z',
    ])
    expect(platform.received[0]).toMatchObject({ body: '', headers: { accesskey: KEY } })
    expect(platform.received[0]?.headers).not.toHaveProperty('authorization')
  })

  it('with a bearer token: the Authorization header and no key', async () => {
    await using platform = await PlatformServer.start(json(KEYS))
    const client = platform.client({ credential: { scheme: 'bearer', secret: new Secret('token') } })
    await client.listApiKeys({})
    expect(platform.received[0]?.headers).toMatchObject({ authorization: 'Bearer token' })
    expect(platform.received[0]?.headers).not.toHaveProperty('accesskey')
  })

  it.each([
    ['an id', 'getStorageStatistics', [{ id: 0n }]],
    ['an id', 'getStorageStatistics', [{ id: 9_223_372_036_854_775_808n }]],
    ['an id', 'addDnsRecord', [{ zoneId: -1n, body: {} }]],
    ['an id', 'queryLogs', [0n, {}, { maxEntries: 1 }]],
    ['an id', 'streamDayFile', [0n, utcDay(new Date()), {}, ignored]],
    ['a range', 'getStorageStatistics', [{ id: 1n, dateFrom: new Date(2), dateTo: new Date(1) }]],
    ['a page', 'listApiKeys', [{ page: 0 }]],
    ['a name', 'createVideoLibrary', [{ body: { Name: '' } }]],
    ['a record type', 'addDnsRecord', [{ zoneId: 1n, body: { Type: 16 } }]],
    ['a number of lines', 'queryLogs', [1n, {}, { maxEntries: 0 }]],
    ['a number of lines', 'queryLogs', [1n, {}, { maxEntries: 50_001 }]],
    ['a day', 'streamDayFile', [1n, '2020-01-01', {}, ignored]],
  ] as const)('is nothing where %s breaks a rule (%s)', async (_, method, args) => {
    await using platform = await PlatformServer.start(json({}))
    const client = platform.client()
    const call = client[method] as (...args: readonly unknown[]) => Promise<unknown>
    await expect(call.apply(client, [...args])).rejects.toMatchObject({ name: 'UserError', code: 'invalid_input' })
    expect(platform.received).toEqual([])
  })

  it.each(['', 'key\n', 'k ey', 'schlüssel'])('is never a credential that no header can hold (%j)', (value) => {
    const credential = { scheme: 'accessKey', secret: new Secret(value) } as const
    expect(() => clientFor('http://127.0.0.1:1', { credential })).toThrow(/no header may hold/)
  })

  it('is nothing where no address is configured', async () => {
    await using platform = await PlatformServer.start(json({}))
    const client = platform.client({ managementUrl: undefined })
    await expect(client.listApiKeys({})).rejects.toMatchObject({ code: 'not_configured' })
  })
})

describe('what comes back', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['x-gzip', gzipSync],
    ['identity', (body: string) => Buffer.from(body)],
  ] as const)('is read though it was sent as %s without being asked for', async (encoding, pack) => {
    await using platform = await PlatformServer.start(
      raw(pack(JSON.stringify(KEYS)), 200, { 'content-encoding': encoding }),
    )
    const { Items } = await platform.client().listApiKeys({})
    expect(Items).toEqual([{ Id: 7n, redactedKey: '…abcd', Roles: ['User'] }])
    expect(platform.received[0]?.headers['accept-encoding']).toBe('identity')
  })

  it.each([200, 201, 202, 299])(
    'is taken in with status %i, as the contract does not say which 2xx',
    async (status) => {
      await using platform = await PlatformServer.start(json({ Id: 1 }, status))
      await expect(platform.client().addDnsRecord({ zoneId: 1n, body: {} })).resolves.toEqual({ Id: 1n })
    },
  )

  it('goes by the contract’s names where the dialect knows another, and tells of names it does not know', async () => {
    const told: unknown[] = []
    await using platform = await PlatformServer.start(json({ Id: 1, OtherDrm: { Enabled: true }, Extra: 1 }))
    const client = platform.client({
      dialect: { ...defaultDialect, fieldAliases: { OtherDrm: 'FirstVendorDrm' } },
      onUnknownFields: (endpoint, names) => told.push([endpoint, names]),
    })
    const library = await client.createVideoLibrary({ body: { Name: 'x' } })
    expect(library.FirstVendorDrm).toEqual({ Enabled: true })
    expect(told).toEqual([['createVideoLibrary', ['Extra']]])
  })

  it('leaves nothing behind on the signal that could have stopped it', async () => {
    await using platform = await PlatformServer.start(json(KEYS))
    const { signal } = new AbortController()
    await platform.client().listApiKeys({}, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('is reported once a call, with its attempts', async () => {
    const reports: CallReport[] = []
    await using platform = await PlatformServer.start(raw('', 503, { 'retry-after': '0' }), json(KEYS))
    await platform.client({ onCall: (report) => reports.push(report) }).listApiKeys({})
    expect(reports).toEqual([{ endpoint: 'listApiKeys', outcome: 'ok', attempts: 2, ms: expect.any(Number) as number }])
  })
})
