import { getEventListeners } from 'node:events'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { CallReport } from '../../src/cdn/caller.ts'
import { defaultDialect } from '../../src/cdn/dialect.ts'
import { Secret } from '../../src/shared/secret.ts'
import { clientFor, json, KEY, PlatformServer, raw } from './platform-server.ts'

const KEYS = {
  Items: [{ Id: 7, Key: 'listed-key-canary-abcd', Roles: ['User'] }],
  CurrentPage: 1,
  TotalItems: 1,
  HasMoreItems: false,
}

describe('what is sent', () => {
  it('for storage statistics: the range in UTC, and nothing where nothing was given', async () => {
    await using platform = await PlatformServer.start(json({}))
    const client = platform.client()
    await client.getStorageStatistics(9_007_199_254_740_993n)
    await client.getStorageStatistics(1n, {
      from: new Date('2026-11-01T01:00:00+01:00'),
      to: new Date('2026-11-02T00:00:00Z'),
    })
    expect(platform.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /storagezone/9007199254740993/statistics',
      'GET /storagezone/1/statistics?dateFrom=2026-11-01T00%3A00%3A00Z&dateTo=2026-11-02T00%3A00%3A00Z',
    ])
    expect(platform.received[0]).toMatchObject({ body: '', headers: { accesskey: KEY } })
    expect(platform.received[0]?.headers).not.toHaveProperty('authorization')
  })

  it('for keys: the page, under a base address with a path of its own', async () => {
    await using platform = await PlatformServer.start(json(KEYS))
    const client = platform.client({ managementUrl: `${platform.url}/v9/` })
    await client.listApiKeys({ page: 2, perPage: 50 })
    expect(platform.received[0]?.url).toBe('/v9/apikey?page=2&perPage=50')
  })

  it('with a bearer token: the Authorization header and no key', async () => {
    await using platform = await PlatformServer.start(json(KEYS))
    const client = platform.client({ credential: { scheme: 'bearer', secret: new Secret('token') } })
    await client.listApiKeys()
    expect(platform.received[0]?.headers).toMatchObject({ authorization: 'Bearer token' })
    expect(platform.received[0]?.headers).not.toHaveProperty('accesskey')
  })

  it.each([
    ['an id', 'getStorageStatistics', [0n]],
    ['an id', 'getStorageStatistics', [9_223_372_036_854_775_808n]],
    ['a range', 'getStorageStatistics', [1n, { from: new Date(2), to: new Date(1) }]],
    ['a page', 'listApiKeys', [{ page: 0 }]],
    ['a name', 'createVideoLibrary', [{ Name: '' }]],
    ['a record type', 'addDnsRecord', [1n, { Type: 16 }]],
    ['a number of lines', 'queryLogs', [1n, {}, { maxEntries: 0 }]],
    ['a number of lines', 'queryLogs', [1n, {}, { maxEntries: 50_001 }]],
    ['a day', 'streamDayFile', [1n, '2020-01-01', {}, () => undefined]],
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
    await expect(client.listApiKeys()).rejects.toMatchObject({ code: 'not_configured' })
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
    const { Items } = await platform.client().listApiKeys()
    expect(Items).toEqual([{ Id: 7n, redactedKey: '…abcd', Roles: ['User'] }])
    expect(platform.received[0]?.headers['accept-encoding']).toBe('identity')
  })

  it.each([200, 201, 202, 299])(
    'is taken in with status %i, as the contract does not say which 2xx',
    async (status) => {
      await using platform = await PlatformServer.start(json({ Id: 1 }, status))
      await expect(platform.client().addDnsRecord(1n, {})).resolves.toEqual({ Id: 1n })
    },
  )

  it('keeps integers of 64 bits whole', async () => {
    await using platform = await PlatformServer.start(json('{"StorageUsedChart":{"2026-11-20":9223372036854775807}}'))
    const { StorageUsedChart } = await platform.client().getStorageStatistics(1n)
    expect([...StorageUsedChart.values()]).toEqual([9_223_372_036_854_775_807n])
  })

  it('goes by the contract’s names where the dialect knows another, and tells of names it does not know', async () => {
    const told: unknown[] = []
    await using platform = await PlatformServer.start(json({ Id: 1, OtherDrm: { Enabled: true }, Extra: 1 }))
    const client = platform.client({
      dialect: { ...defaultDialect, fieldAliases: { OtherDrm: 'FirstVendorDrm' } },
      onUnknownFields: (endpoint, names) => told.push([endpoint, names]),
    })
    const library = await client.createVideoLibrary({ Name: 'x' })
    expect(library.FirstVendorDrm).toEqual({ Enabled: true })
    expect(told).toEqual([['createVideoLibrary', ['Extra']]])
  })

  it('tells of fields that storage statistics may not have', async () => {
    const told: unknown[] = []
    await using platform = await PlatformServer.start(json({ Extra: 1 }))
    const client = platform.client({ onUnknownFields: (endpoint, names) => told.push([endpoint, names]) })
    expect((await client.getStorageStatistics(1n)).otherFields).toEqual(['Extra'])
    expect(told).toEqual([['getStorageStatistics', ['Extra']]])
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
    await platform.client({ onCall: (report) => reports.push(report) }).listApiKeys()
    expect(reports).toEqual([
      { endpoint: 'listApiKeys', outcome: 'ok', status: undefined, attempts: 2, ms: expect.any(Number) as number },
    ])
  })
})
