import { describe, expect, it } from 'vitest'
import { backtest } from '../../src/alerts/backtest.ts'
import { countLine, emptyMinute } from '../../src/alerts/minute-tally.ts'
import { watchSet } from '../../src/operations/alerts/watch-set.ts'
import { Incidents } from '../../src/playground/cdn/world/world.ts'
import { seedPullZones } from '../../src/playground/cdn/world/zones.ts'
import { requestsIn } from '../../src/playground/cdn/world/traffic.ts'
import type { IncidentKind } from '../../src/playground/cdn/world/traffic.ts'
import type { MinuteCounts } from '../../src/store/minute-counts.ts'

const [shop] = seedPullZones()
const DAY = 1_440
/** At midday UTC: three days are read back, and an hour is looked at. */
const BEGAN = Date.UTC(2026, 10, 20, 12) / 60_000
const UNTIL = BEGAN + 60

function minute(at: number, incidents: Incidents): MinuteCounts {
  const tally = emptyMinute(at, 60_000)
  for (const { cacheStatus, statusCode } of requestsIn(shop!, at, {
    seed: 'tests',
    incidents: incidents.all,
    authorization: 'a',
  }))
    countLine(tally, cacheStatus, statusCode)
  return tally
}

const quiet = Array.from({ length: 3 * DAY }, (_, index) => minute(BEGAN - 3 * DAY + index, new Incidents()))

/** Which kinds are told of the shop, and how many minutes after it began, three days after its first reading. */
async function told(kind: IncidentKind | undefined) {
  const incidents = new Incidents()
  if (kind !== undefined) incidents.add({ pullZoneId: shop!.id, kind, fromMs: BEGAN * 60_000 })
  const hour = Array.from({ length: UNTIL - BEGAN }, (_, index) => minute(BEGAN + index, incidents))
  const rules = watchSet(shop!.id, 'C1').map((key) => ({
    ...key,
    id: key.kind,
    createdBy: 'U1',
    createdAt: new Date(0),
  }))
  const minutes = [...quiet, ...hour]
  const past = { subject: 'pull/301', rules, minutes, from: BEGAN - DAY, until: UNTIL, lagMs: 120_000, marks: [] }
  const { firings } = await backtest(past)
  return firings.map(({ ruleId, firedMs }) => [ruleId, firedMs / 60_000 - BEGAN] as const)
}

describe('What happens to the shop in the playground', () => {
  it.each([
    ['origin outage', 'origin-failing', 3],
    ['bypass', 'cache-not-working', 5],
    ['purge', 'cache-not-working', 20],
    ['silence', 'traffic-gone', 5],
    ['surge', 'traffic-surge', 5],
  ] as const)('%s is told as %s within %d minutes, and as nothing before', async (incident, kind, within) => {
    const [first] = await told(incident)
    expect(first?.[0]).toBe(kind)
    expect(first?.[1]).toBeGreaterThan(0)
    expect(first?.[1]).toBeLessThanOrEqual(within)
  })

  it('is nothing while nothing does', async () => {
    expect(await told(undefined)).toEqual([])
  })
})
