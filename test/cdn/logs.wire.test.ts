import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { CdnError } from '../../src/cdn/errors.ts'
import { defaultDialect } from '../../src/cdn/dialect.ts'
import { type Answer, json, PlatformServer, raw, reset } from './platform-server.ts'
import { TurnedClock } from '../support/turned-clock.ts'

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

  it('gives entries that are typed and masked, without the authorization header', async () => {
    const told: unknown[] = []
    await using platform = await PlatformServer.start(page([{ ...ROW, newField: 1 }]))
    const client = platform.client({ onUnknownFields: (endpoint, names) => told.push([endpoint, names]) })
    const { entries } = await client.queryLogs(390n, {}, { maxEntries: 20 })
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
    expect(told).toEqual([['queryLogs', ['newField']]])
  })

  it('gives no credentials that stand in an address within a path, or without a scheme, or encoded', async () => {
    const secret = 'hush-canary'
    const addresses = [
      `/go/https://u:${secret}@b.example/`,
      `u:${secret}@b.example`,
      `/go/http%3A%2F%2Fb.example%2F%3Ftoken%3D${secret}`,
    ]
    const rows = addresses.map((path) => ({ ...ROW, path, url: path, referer: path, userAgent: `curl ${path}` }))
    await using platform = await PlatformServer.start(
      page(rows.map((row, index) => ({ ...row, requestId: `${index}` }))),
    )
    const { entries } = await platform.client().queryLogs(390n, {}, { maxEntries: 20 })
    expect(entries.map(({ path }) => path)).toEqual([
      '/go/https://…@b.example/',
      '…@b.example',
      '/go/http%3A%2F%2Fb.example%2F%3Ftoken%3D…',
    ])
    expect(String(entries.flatMap((entry) => Object.values(entry)))).not.toContain(secret)
  })

  it('gives only the fields that the dialect allows', async () => {
    await using platform = await PlatformServer.start(page([ROW]))
    const dialect = { ...defaultDialect, logFields: ['cacheStatus', 'statusCode'] as const }
    const { entries } = await platform.client({ dialect }).queryLogs(390n, {}, { maxEntries: 20 })
    expect(entries).toEqual([{ cacheStatus: 'EXPIRED', statusCode: 499 }])
  })

  it.each([
    ['no pagination', json({ data: [] }), /pagination/],
    ['a row that is none', page([7]), /a row is not an object/],
    ['a field of another type', page([{ ...ROW, statusCode: 'canary' }]), /^statusCode has the wrong type$/],
  ])('with %s is malformed', async (_, answer, why) => {
    await using platform = await PlatformServer.start(answer)
    const error: unknown = await platform
      .client()
      .queryLogs(1n, {}, { maxEntries: 1 })
      .catch((error: unknown) => error)
    expect(error).toBeInstanceOf(CdnError)
    expect(error).toMatchObject({ failure: { kind: 'malformed', why: expect.stringMatching(why) as string } })
  })

  it('takes null for no rows', async () => {
    await using platform = await PlatformServer.start(page(null))
    expect((await platform.client().queryLogs(1n, {}, { maxEntries: 1 })).entries).toEqual([])
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
