import { afterEach, describe, expect, it } from 'vitest'
import { type LogRow, RunningEmulator } from './running-emulator.ts'

const emulator = new RunningEmulator({ canaries: { authorization: 'Bearer canary-end-user' } })
const HOUR = 'from=2026-11-20T16:00:00Z&to=2026-11-20T17:00:00Z'

/** Past the window of the rate limit, which other tests are about. */
afterEach(() => emulator.clock.turn(10_000))

async function page(query: string, zone = 301) {
  const reply = await emulator.logging(`/v2/pullzones/${zone}/logs?${query}`)
  expect(reply).toMatchObject({ status: 200 })
  return reply.json
}

const rowsOf = async (query: string, zone?: number): Promise<readonly LogRow[]> =>
  (await page(`limit=10000&${query}`, zone)).data

describe('a page of logs', () => {
  it('holds the newest 100 of the last 24 hours by default, and says so', async () => {
    const now = emulator.clock.now()
    const { data, pagination, query } = await page('')
    expect(pagination).toEqual({ offset: 0, limit: 100, returned: 100, hasMore: true })
    expect(query).toEqual({
      pullZoneId: 301,
      from: new Date(now.getTime() - 86_400_000).toISOString(),
      to: now.toISOString(),
      order: 'desc',
    })
    const times = data.map(({ timestamp }) => timestamp)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(Date.parse(times[0]!)).toBeGreaterThan(now.getTime() - 120_000)
    expect(Date.parse(times[0]!)).toBeLessThan(now.getTime())
  })

  it('follows page by page to the same rows as one large page, in both orders', async () => {
    const desc = await rowsOf(HOUR)
    expect(await rowsOf(`${HOUR}&order=asc`)).toEqual(desc.toReversed())
    const paged: unknown[] = []
    for (let offset = 0, more = true; more; offset += 1_000) {
      const { data, pagination } = await page(`${HOUR}&limit=1000&offset=${offset}`)
      paged.push(...data)
      more = pagination.hasMore
    }
    expect(paged).toEqual(desc)
    expect(desc.length).toBeGreaterThan(2_000)
  })

  it('has the described fields, with empty ones null or left out', async () => {
    const rows = await rowsOf(HOUR)
    for (const row of rows) {
      expect(row).toMatchObject({ pullZoneId: 301, host: 'www.shop.example', url: `https://${row.host}${row.path}` })
      expect(row.requestId).toMatch(/^[0-9a-f]{32}$/)
      expect(row).not.toHaveProperty('authorizationHeader')
    }
    expect(rows.some((row) => row.referer === null)).toBe(true)
    expect(rows.some((row) => !('referer' in row))).toBe(true)
  })
})

describe('filters of logs', () => {
  it.each([
    ['cacheStatus=MISS,STALE', ({ cacheStatus }: LogRow) => ['MISS', 'STALE'].includes(cacheStatus)],
    ['cacheStatus=-', ({ cacheStatus }: LogRow) => cacheStatus === '-'],
    ['cacheStatus=EXPIRED', ({ cacheStatus }: LogRow) => cacheStatus === 'EXPIRED'],
    ['status=404,5xx', ({ statusCode }: LogRow) => statusCode === 404 || statusCode >= 500],
    ['edgeLocation=NY', ({ edgeLocation }: LogRow) => edgeLocation === 'NY'],
    ['country=SG,BR', ({ countryCode }: LogRow) => ['SG', 'BR'].includes(countryCode ?? '')],
    ['urlContains=CHECKOUT', ({ path }: LogRow) => path.includes('checkout')],
    ['userAgentContains=iphone', ({ userAgent }: LogRow) => userAgent?.includes('iPhone') === true],
    ['refererContains=search.example', ({ referer }: LogRow) => referer?.includes('search.example') === true],
    [
      'search=curl%20checkout',
      ({ userAgent, path }: LogRow) => userAgent?.includes('curl') === true || path.includes('checkout'),
    ],
    [
      'cacheStatus=MISS&status=4xx',
      (row: LogRow) => row.cacheStatus === 'MISS' && String(row.statusCode).startsWith('4'),
    ],
  ])('keep exactly what fits %s', async (filter, fits) => {
    const range = 'from=2026-11-20T06:00:00Z&to=2026-11-20T08:00:00Z'
    const expected = (await rowsOf(range)).filter(fits)
    expect(expected.length).toBeGreaterThan(0)
    expect(await rowsOf(`${range}&${filter}`)).toEqual(expected)
  })

  it('find a request by its id, with or without hyphens', async () => {
    const [row] = await rowsOf(HOUR)
    const hyphens = row!.requestId.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    expect(await rowsOf(`${HOUR}&requestId=${row!.requestId}`)).toEqual([row])
    expect(await rowsOf(`${HOUR}&requestId=${hyphens}`)).toEqual([row])
  })

  it('compare addresses as far as they are kept', async () => {
    const exact = await rowsOf(HOUR, 302)
    const { remoteIp } = exact[0]!
    expect(await rowsOf(`${HOUR}&remoteIp=${remoteIp}`, 302)).toEqual(exact.filter((row) => row.remoteIp === remoteIp))
    const blurred = await rowsOf(`${HOUR}&remoteIp=192.0.2.99`)
    expect(new Set(blurred.map((row) => row.remoteIp))).toEqual(new Set(['192.0.2.0']))
    expect(await rowsOf(`${HOUR}&remoteIp=192.0.2.99`, 303)).toEqual(await rowsOf(HOUR, 303))
  })

  it('add requests to the origin shield only when asked', async () => {
    const without = await rowsOf(HOUR)
    const added = (await rowsOf(`${HOUR}&includeOriginShield=true`)).length - without.length
    expect(added).toBeGreaterThan(10)
    expect(without.every(({ userAgent }) => userAgent !== 'edge-to-shield')).toBe(true)
  })

  it('by country and search come after the page is cut: short and empty pages have more behind them', async () => {
    const sizes = new Set<number>()
    for (let offset = 0; offset < 200; offset += 10) {
      const { pagination } = await page(`${HOUR}&country=AU&limit=10&offset=${offset}`)
      expect(pagination.hasMore).toBe(true)
      sizes.add(pagination.returned)
    }
    expect(sizes).toContain(0)
    expect(Math.max(...sizes)).toBeGreaterThan(0)
    expect(Math.max(...sizes)).toBeLessThan(10)
  })
})

describe('a question about logs that is not valid', () => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=10001', 'limit'],
    ['offset=-1', 'offset'],
    ['order=newest', 'order'],
    ['from=today', 'from'],
    ['from=2026-11-20T12:00:00Z&to=2026-11-20T11:00:00Z', 'from'],
    ['from=2026-11-16T00:00:00Z&to=2026-11-17T00:00:00Z', 'from'],
    ['from=2026-11-17T00:00:00Z&to=2026-11-20T12:00:00Z', 'time range'],
    ['status=6xx', 'status'],
    ['status=40', 'status'],
    ['country=Germany', 'country'],
    ['cacheStatus=miss', 'cacheStatus'],
    ['remoteIp=home', 'remoteIp'],
    ['requestId=abc', 'requestId'],
    ['includeOriginShield=1', 'includeOriginShield'],
    ['cachestatus=MISS', 'cachestatus'],
    ['cacheStatus=MISS&cacheStatus=HIT', 'cacheStatus'],
    [`search=${Array.from({ length: 17 }, () => 'a').join('+')}`, 'search'],
    [`search=${'a'.repeat(129)}`, 'search'],
  ])('is refused: %s', async (query, named) => {
    const { status, json } = await emulator.logging(`/v2/pullzones/301/logs?${query}`)
    expect(status).toBe(400)
    expect(json.error).toMatchObject({ code: 'invalid_request', message: expect.any(String) })
    expect(json.error.details.join(' ')).toContain(named)
  })
})
