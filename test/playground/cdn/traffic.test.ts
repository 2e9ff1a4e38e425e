import { describe, expect, it } from 'vitest'
import { seedPullZones } from '../../../src/playground/cdn/world/zones.ts'
import { requestsIn, type EdgeRequest } from '../../../src/playground/cdn/world/traffic.ts'
import type { Incident, IncidentKind } from '../../../src/playground/cdn/world/traffic.ts'

const DAY_START = Date.parse('2026-11-20T00:00:00Z') / 60_000
const [shop, media, , quiet] = seedPullZones()

function first(minutes: number, zone = shop!, incidents: readonly Incident[] = [], seed = 'tests') {
  const options = { seed, incidents, authorization: 'Bearer planted' }
  return Array.from({ length: minutes }, (_, index) => requestsIn(zone, DAY_START + index, options)).flat()
}

const A_DAY = 1_440
/** Enough for a share to be clear of chance. */
const SOME_HOURS = 240
const day = (zone = shop!, seed = 'tests') => first(A_DAY, zone, [], seed)
const usual = day()

const share = (requests: readonly EdgeRequest[], fits: (request: EdgeRequest) => boolean) =>
  requests.filter(fits).length / requests.length

describe('requestsIn', () => {
  it('gives a minute the same requests however often and in whatever order it is read', () => {
    const read = (minute: number) => requestsIn(shop!, minute, { seed: 's', incidents: [], authorization: 'a' })
    const one = [read(DAY_START + 5), read(DAY_START + 6)]
    expect([read(DAY_START + 6), read(DAY_START + 5)].toReversed()).toEqual(one)
    expect(one[0]).not.toEqual(one[1])
  })

  it('is in order of time and repeats no request id in a day', () => {
    const requests = usual
    const times = requests.map(({ atMs }) => atMs)
    expect(times.findIndex((at, index) => index > 0 && at < times[index - 1]!)).toBe(-1)
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(requests.length)
    expect(requests.length).toBeGreaterThan(20_000)
  })

  it('has every cache status, also the one the interface does not state', () => {
    const statuses = new Set(usual.map(({ cacheStatus }) => cacheStatus))
    expect([...statuses].sort()).toEqual(
      ['-', 'BYPASS', 'EXPIRED', 'HIT', 'MISS', 'REVALIDATED', 'STALE', 'UPDATING'].sort(),
    )
  })

  it('has status codes of every class from 2xx, closed requests and origin failures among them', () => {
    const codes = new Set(usual.map(({ statusCode }) => statusCode))
    for (const code of [200, 206, 304, 404, 499, 500, 502, 503, 504]) expect(codes).toContain(code)
  })

  it('has text that means harm, tokens in queries, missing fields and requests to the shield', () => {
    const requests = [...usual, ...first(SOME_HOURS, media)]
    const agents = requests.map(({ userAgent }) => userAgent ?? '')
    expect(agents.some((agent) => agent.includes('<!channel>'))).toBe(true)
    expect(agents.some((agent) => agent.startsWith('='))).toBe(true)
    expect(agents.some((agent) => agent.includes('\u202E'))).toBe(true)
    expect(requests.some(({ path }) => /[?&]token=[0-9a-f]{40}/.test(path))).toBe(true)
    expect(requests.some(({ userAgent }) => userAgent === null)).toBe(true)
    expect(requests.some(({ countryCode }) => countryCode === null)).toBe(true)
    expect(requests.some(({ shielded }) => shielded)).toBe(true)
    expect(requests.some(({ authorization }) => authorization === 'Bearer planted')).toBe(true)
  })
})

describe('an incident', () => {
  const fromMs = DAY_START * 60_000
  const under = (kind: IncidentKind) => first(SOME_HOURS, shop, [{ pullZoneId: shop!.id, kind, fromMs }])

  it('of the origin shows as stale answers and 5xx', () => {
    const requests = under('origin outage')
    expect(share(requests, ({ cacheStatus }) => cacheStatus === 'STALE')).toBeGreaterThan(0.25)
    expect(share(requests, ({ statusCode }) => statusCode >= 500)).toBeGreaterThan(0.1)
  })

  it('touches only its zone and its time', () => {
    const untilMs = fromMs + 3_600_000
    const silent: Incident = { pullZoneId: shop!.id, kind: 'silence', fromMs, untilMs }
    const idsOf = (requests: readonly EdgeRequest[]) => requests.map(({ requestId }) => requestId).join()
    const unaffected = usual.filter(({ atMs }) => atMs >= untilMs)
    expect(idsOf(first(A_DAY, shop, [silent])) === idsOf(unaffected)).toBe(true)
    expect(first(A_DAY, quiet, [silent])).toEqual(day(quiet))
  })
})
