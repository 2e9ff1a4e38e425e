import { describe, expect, it } from 'vitest'
import { requestsIn } from '../../../src/playground/cdn/world/traffic.ts'
import { seedPullZones } from '../../../src/playground/cdn/world/zones.ts'

const DAY_START = Date.parse('2026-11-20T00:00:00Z') / 60_000
const [shop, media] = seedPullZones()

function first(minutes: number, zone = shop!) {
  const options = { seed: 'tests', incidents: [], authorization: 'Bearer planted' }
  return Array.from({ length: minutes }, (_, index) => requestsIn(zone, DAY_START + index, options)).flat()
}

const usual = first(1_440)

describe('requestsIn', () => {
  it('has every cache status, also the one the interface does not state', () => {
    const statuses = new Set(usual.map(({ cacheStatus }) => cacheStatus))
    expect([...statuses].sort()).toEqual(
      ['-', 'BYPASS', 'EXPIRED', 'HIT', 'MISS', 'REVALIDATED', 'STALE', 'UPDATING'].sort(),
    )
  })

  it('has text that means harm, tokens in queries, missing fields and requests to the shield', () => {
    const requests = [...usual, ...first(240, media)]
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
