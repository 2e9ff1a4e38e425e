import { describe, expect, it } from 'vitest'
import { lagOf, loggedMinutes } from '../../../src/playground/cdn/log-handlers.ts'
import { World } from '../../../src/playground/cdn/world/world.ts'

const NOW = Date.parse('2026-11-20T19:00:00Z')
const HOUR_MS = 3_600_000

function lines(world: World, nowMs: number, fromMs = NOW - HOUR_MS, untilMs = NOW) {
  const range = { fromMs, untilMs, order: 'asc' } as const
  return [...loggedMinutes(world, world.pullZone(302n)!, range, new Date(nowMs))].flat()
}

function worldThat(lags: boolean): World {
  const world = new World({ seed: 'tests', now: new Date(NOW), accessKey: 'own', canaries: {} })
  world.logLags = lags
  return world
}

describe('Lines of a log', () => {
  it('come about 20 s after their requests, most within a minute, and a few some minutes later', () => {
    const lags = lines(worldThat(false), NOW)
      .map(lagOf)
      .toSorted((one, other) => one - other)
    const at = (share: number) => lags[Math.floor(lags.length * share)]!
    expect(lags[0]).toBeGreaterThanOrEqual(12_000)
    expect(at(0.5)).toBeGreaterThan(15_000)
    expect(at(0.5)).toBeLessThan(20_000)
    expect(at(0.985)).toBeLessThan(60_000)
    const late = lags.filter((lag) => lag > 240_000).length / lags.length
    expect(late).toBeGreaterThan(0.001)
    expect(late).toBeLessThan(0.015)
  })
})
