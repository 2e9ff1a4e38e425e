import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { formatInstant, utcDay } from '../../../src/cdn/contract/dates.ts'
import { defaultDialect } from '../../../src/cdn/contract/dialect.ts'
import type { LogEntry } from '../../../src/cdn/contract/log-entry.ts'
import { type Answer, PlatformServer, raw, reset } from '../platform-server.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

const DAY = utcDay(new Date())
const at = Date.now()
const line = (cache: string, more = ''): string =>
  `${cache}|200|${at}|412|390|192.0.2.0|-|https://a.example/v?t=1|WA|Agent|322b688bd63fb63f2babe9de30a5d262|DE${more}\n`
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

  it('is counted by minute in the same way, compressed as it comes', async () => {
    await using platform = await PlatformServer.start(reset, raw(gzipSync(FILE), 200, { 'content-encoding': 'gzip' }))
    const counted = new Map<string, number>()
    const summary = await platform.client().tallyDayFile(390n, DAY, (atMs, cacheStatus, statusCode) => {
      expect(atMs).toBe(at)
      const key = `${cacheStatus} ${statusCode}`
      counted.set(key, (counted.get(key) ?? 0) + 1)
    })
    expect(counted).toEqual(
      new Map([
        ['MISS 200', 500],
        ['HIT 200', 4_500],
      ]),
    )
    expect(summary).toMatchObject({ lines: 5_000, matched: 5_000, bytes: FILE.length, malformedLines: 0 })
    expect(platform.received.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip', 'gzip'])
  })

  it('is asked for again only while nothing of it has arrived', async () => {
    const cut: Answer = (response, request) => {
      response.writeHead(200, { 'content-length': '1000000' })
      response.write(line('MISS'), () => request.socket.destroy())
    }
    await using platform = await PlatformServer.start(reset, cut, raw(FILE))
    const entries: LogEntry[] = []
    const call = platform.client().streamDayFile(390n, DAY, {}, (entry) => void entries.push(entry))
    await expect(call).rejects.toMatchObject({ failure: { kind: 'unreachable', reason: 'reset' } })
    expect(platform.received).toHaveLength(2)
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
    const outcome = async (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error)
    const never = outcome(client.streamDayFile(390n, DAY, {}, () => undefined))
    await vi.waitFor(() => expect(platform.received).toHaveLength(1))
    clock.turn(10_000)
    expect(await never).toMatchObject(timedOut)

    const onEntry = vi.fn<(entry: LogEntry) => void>()
    const stalled = outcome(client.streamDayFile(390n, DAY, {}, onEntry))
    await vi.waitFor(() => expect(onEntry).toHaveBeenCalledTimes(1))
    clock.turn(29_999)
    // The ten minutes in all and the watch for the next byte are still running.
    expect(clock.timers).toBe(2)
    clock.turn(1)
    expect(await stalled).toMatchObject(timedOut)
    expect(clock.timers).toBe(0)
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
