import { describe, expect, it } from 'vitest'
import { Incidents } from '../../../src/playground/cdn/world/world.ts'
import { seedPullZones } from '../../../src/playground/cdn/world/zones.ts'
import { requestsIn, type EdgeRequest } from '../../../src/playground/cdn/world/traffic.ts'

const MINUTE = 29_670_000
const AT_MS = MINUTE * 60_000 + 30_000
const DAY_MS = 86_400_000
const [shop, media] = seedPullZones()

function minuteOf(incidents: Incidents, minute = MINUTE, zone = shop!): readonly EdgeRequest[] {
  return requestsIn(zone, minute, { seed: 'tests', incidents: incidents.all, authorization: 'a' })
}

const until = (requests: readonly EdgeRequest[], ms: number) => requests.filter(({ atMs }) => atMs < ms)
const from = (requests: readonly EdgeRequest[], ms: number) => requests.filter(({ atMs }) => atMs >= ms)
const statuses = (requests: readonly EdgeRequest[]) => requests.map(({ cacheStatus }) => cacheStatus).join()

describe('An incident', () => {
  it('that begins within a minute leaves the lines before it as they were', () => {
    const incidents = new Incidents()
    const usual = minuteOf(incidents)
    incidents.add({ pullZoneId: shop!.id, kind: 'purge', fromMs: AT_MS })
    const changed = minuteOf(incidents)
    expect(until(usual, AT_MS).length).toBeGreaterThan(3)
    expect(until(changed, AT_MS)).toEqual(until(usual, AT_MS))
    expect(statuses(from(changed, AT_MS))).not.toBe(statuses(from(usual, AT_MS)))
  })

  it('repeats no request and keeps their order where several meet in a minute', () => {
    const incidents = new Incidents()
    const startMs = MINUTE * 60_000
    incidents.add({ pullZoneId: media!.id, kind: 'surge', fromMs: startMs + 10_000 })(startMs + 50_000)
    incidents.add({ pullZoneId: media!.id, kind: 'origin outage', fromMs: startMs + 20_000 })(startMs + 40_000)
    const requests = minuteOf(incidents, MINUTE, media)
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(requests.length)
    expect(requests.map(({ atMs }) => atMs)).toEqual(requests.map(({ atMs }) => atMs).toSorted((a, b) => a - b))
    const during = requests.filter(({ atMs }) => atMs >= startMs + 20_000 && atMs < startMs + 40_000)
    expect(statuses(during)).toContain('STALE')
  })

  it('is forgotten a week after its end when another begins', () => {
    const incidents = new Incidents()
    const past = { pullZoneId: 301n, kind: 'surge', fromMs: 0 } as const
    incidents.add(past)(1_000)
    const open = { pullZoneId: 302n, kind: 'purge', fromMs: 0 } as const
    incidents.add(open)
    incidents.add({ ...past, fromMs: 7 * DAY_MS + 1_000 })
    expect(incidents.all).toHaveLength(3)
    incidents.add({ ...past, fromMs: 7 * DAY_MS + 1_001 })
    expect(incidents.all).toHaveLength(3)
    expect(incidents.all[0]).toEqual(open)
  })
})
