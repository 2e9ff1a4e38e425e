import { afterEach, describe, expect, it } from 'vitest'
import { RunningEmulator } from './running-emulator.ts'

const emulator = new RunningEmulator({ canaries: { authorization: 'Bearer canary-end-user' } })
const KEY = () => ({ AccessKey: emulator.it.accessKey })

/** Past the window of the rate limit, which other tests are about. */
afterEach(() => emulator.clock.turn(10_000))

async function lines(path: string): Promise<string[][]> {
  const { status, text } = await emulator.logging(path)
  expect(status).toBe(200)
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('|'))
}

describe('a day file', () => {
  it('holds the whole UTC day, the newest line first, 12 fields a line', async () => {
    const day = await lines('/11-19-26/301.log')
    expect(day.length).toBeGreaterThan(20_000)
    const times = day.map(([, , at]) => Number(at))
    expect(times.findIndex((at, index) => index > 0 && at > times[index - 1]!)).toBe(-1)
    expect(times.at(-1)).toBeGreaterThanOrEqual(Date.parse('2026-11-19T00:00:00Z'))
    expect(times[0]).toBeLessThan(Date.parse('2026-11-20T00:00:00Z'))
    expect(new Set(day.map((fields) => fields.length))).toEqual(new Set([12]))
    expect(day.every(([, , , , zone]) => zone === '301')).toBe(true)
  })

  it('tells the same as version 2', async () => {
    const hour = 'from=2026-11-20T16:00:00Z&to=2026-11-20T17:00:00Z&limit=10000'
    const rows = (await emulator.logging(`/v2/pullzones/301/logs?${hour}`)).json.data
    const byId = new Map((await lines('/11-20-26/301.log')).map((fields) => [fields[10], fields]))
    for (const row of rows) {
      const [cacheStatus, status, at, bytes, , ip, , url, edge] = byId.get(row.requestId)!
      expect([cacheStatus, Number(status), Number(at), Number(bytes), ip, url, edge]).toEqual([
        row.cacheStatus,
        row.statusCode,
        Date.parse(row.timestamp),
        row.bytesSent,
        row.remoteIp,
        row.url.replaceAll('|', ''),
        row.edgeLocation,
      ])
    }
    expect(rows.length).toBeGreaterThan(400)
  })

  it('ends with the present, starts with the retention, and has requests to the shield in neither', async () => {
    const now = emulator.clock.now().getTime()
    const [newest] = await lines('/11-20-26/301.log')
    expect(Number(newest![2])).toBeLessThanOrEqual(now)
    const oldest = (await lines('/11-17-26/301.log?sort=asc'))[0]!
    expect(Number(oldest[2])).toBeGreaterThanOrEqual(now - 3 * 86_400_000)
    expect((await lines('/11-19-26/301.log')).filter((fields) => fields[9] === 'edge-to-shield')).toEqual([])
  })

  it('has 15 fields with extended logging, the end user’s header unreadable', async () => {
    const day = await lines('/11-19-26/302.log')
    expect(new Set(day.map((fields) => fields.length))).toEqual(new Set([15]))
    expect(day.some((fields) => fields[14] !== '-')).toBe(true)
    expect(day.flat().join(' ')).not.toContain('canary-end-user')
  })

  it('is a download, and compressed for who asks', async () => {
    const { loggingUrl } = emulator.it
    const plain = await emulator.logging('/11-19-26/304.log')
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(plain.headers['content-disposition']).toBe('attachment; filename="2026-11-19-304.log"')
    const gzipped = await fetch(`${loggingUrl}/11-19-26/304.log`, {
      headers: { ...KEY(), 'accept-encoding': 'gzip' },
    })
    expect(gzipped.headers.get('content-encoding')).toBe('gzip')
    expect(await gzipped.text()).toBe(plain.text)
  })

  it.each([
    ['/13-01-26/301.log', 403, 'forbidden'],
    ['/02-30-26/301.log', 403, 'forbidden'],
    ['/2026-11-19/301.log', 403, 'forbidden'],
    ['/11-19-26/306.log', 403, 'forbidden'],
    ['/11-19-26/305.log', 404, 'logging_disabled'],
    ['/11-16-26/301.log', 404, 'logging_disabled'],
    ['/11-21-26/301.log', 404, 'logging_disabled'],
    ['/11-19-26/301.log?status=2', 400, 'invalid_request'],
    ['/11-19-26/301.log?sort=up', 400, 'invalid_request'],
    ['/11-19-26/301.log?limit=5', 400, 'invalid_request'],
  ])('is refused: %s with %i', async (path, status, code) => {
    const reply = await emulator.logging(path)
    expect([reply.status, reply.json.error.code]).toEqual([status, code])
  })
})
