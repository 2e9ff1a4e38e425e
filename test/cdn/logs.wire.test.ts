import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { CdnError } from '../../src/cdn/errors.ts'
import type { LogEntry } from '../../src/cdn/log-entry.ts'
import { defaultDialect } from '../../src/cdn/dialect.ts'
import { formatInstant, utcDay } from '../../src/cdn/dates.ts'
import { type Answer, json, PlatformServer, raw, reset } from './platform-server.ts'
import { TurnedClock } from './turned-clock.ts'

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
})

const DAY = utcDay(new Date())
const at = Date.now()
const line = (cache: string, more = ''): string =>
  `${cache}|200|${at}|412|390|192.0.2.0|-|https://a.example/v?t=1|WA|Agent|${ROW.requestId}|DE${more}\n`
const FILE = Array.from({ length: 5_000 }, (_, index) => line(index % 10 === 0 ? 'MISS' : 'HIT')).join('')

describe('a day file of version 1', () => {
  it('is asked for by its UTC day, and filtered as it arrives', async () => {
    await using platform = await PlatformServer.start(raw(FILE, 200, { 'content-type': 'text/plain' }))
    const entries: LogEntry[] = []
    const summary = await platform
      .client()
      .streamDayFile(390n, DAY, { cacheStatus: ['MISS'] }, (entry) => void entries.push(entry))
    const [year = '', month, day] = DAY.split('-')
    expect(platform.received[0]?.url).toBe(`/${month}-${day}-${year.slice(2)}/390.log?sort=desc`)
    expect(platform.received[0]?.headers['accept-encoding']).toBe('gzip')
    expect(entries).toHaveLength(500)
    expect(summary).toMatchObject({ lines: 5_000, matched: 500, bytes: FILE.length, malformedLines: 0 })
    expect(summary.countsByCacheStatus).toEqual(
      new Map([
        ['HIT', 4_500],
        ['MISS', 500],
      ]),
    )
  })

  it('is read compressed as well, at a path and with a query that the dialect says', async () => {
    await using platform = await PlatformServer.start(raw(gzipSync(FILE), 200, { 'content-encoding': 'gzip' }))
    const dialect = {
      ...defaultDialect,
      dayFilePath: '/logs/{pullZoneId}/{YYYY}{MM}{DD}',
      dayFileQuery: { order: 'asc' },
    }
    const summary = await platform.client({ dialect }).streamDayFile(390n, DAY, {}, () => undefined)
    expect(platform.received[0]?.url).toBe(`/logs/390/${DAY.replaceAll('-', '')}?order=asc`)
    expect(summary.lines).toBe(5_000)
  })

  it('is asked for again only while nothing of it has arrived', async () => {
    const cut: Answer = (response, request) => {
      response.writeHead(200, { 'content-length': '1000000' })
      response.write(line('MISS'), () => request.socket.destroy())
    }
    await using platform = await PlatformServer.start(reset, raw('', 503), cut)
    const entries: LogEntry[] = []
    const call = platform.client().streamDayFile(390n, DAY, {}, (entry) => void entries.push(entry))
    await expect(call).rejects.toMatchObject({ failure: { kind: 'unreachable', reason: 'reset' } })
    expect(platform.received).toHaveLength(3)
    expect(entries.length).toBeLessThanOrEqual(1)
  })

  it('has 10 s to begin and 30 s to go on', async () => {
    const stall: Answer = (response) => {
      response.writeHead(200)
      response.write(line('MISS'))
    }
    await using platform = await PlatformServer.start(() => undefined, stall)
    const clock = new TurnedClock(formatInstant(new Date(`${DAY}T12:00:00Z`)))
    const client = platform.client({ clock })
    const timedOut = { failure: { kind: 'unreachable', reason: 'timeout' } }
    const never = expect(client.streamDayFile(390n, DAY, {}, () => undefined)).rejects.toMatchObject(timedOut)
    await vi.waitFor(() => expect(platform.received).toHaveLength(1))
    clock.turn(10_000)
    await never

    const onEntry = vi.fn<(entry: LogEntry) => void>()
    let isOver = false
    const stalled = client.streamDayFile(390n, DAY, {}, onEntry).finally(() => (isOver = true))
    const expected = expect(stalled).rejects.toMatchObject(timedOut)
    await vi.waitFor(() => expect(onEntry).toHaveBeenCalledTimes(1))
    clock.turn(29_999)
    await vi.waitFor(() => expect(isOver).toBe(false))
    clock.turn(1)
    await expected
  })

  it.each([
    ['a page for browsers', raw('<html>', 200, { 'content-type': 'text/html' }), /web page/],
    ['broken gzip', raw('xx', 200, { 'content-encoding': 'gzip' }), /broken/],
  ])('that is %s is malformed', async (_, answer, why) => {
    await using platform = await PlatformServer.start(answer)
    await expect(platform.client().streamDayFile(1n, DAY, {}, () => undefined)).rejects.toMatchObject({
      failure: { kind: 'malformed', why: expect.stringMatching(why) as string },
    })
  })

  it('stops where its reader throws, and lets the connection go', async () => {
    let closed = false
    await using platform = await PlatformServer.start((response) => {
      response.on('close', () => (closed = true))
      response.writeHead(200)
      response.write(FILE)
    })
    const stop = new Error('enough')
    const call = platform.client().streamDayFile(1n, DAY, {}, () => {
      throw stop
    })
    await expect(call).rejects.toBe(stop)
    await vi.waitFor(() => expect(closed).toBe(true))
  })
})
