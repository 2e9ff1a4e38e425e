import { describe, expect, it } from 'vitest'
import { SeenDeliveries } from '../../src/slack/seen-deliveries.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const MINUTE_MS = 60_000

describe('a delivery', () => {
  it('is new once, for ten minutes', () => {
    const clock = new TurnedClock()
    const seen = new SeenDeliveries(clock)
    expect([seen.isNew('a'), seen.isNew('a'), seen.isNew('b')]).toEqual([true, false, true])
    clock.turn(10 * MINUTE_MS - 1)
    expect(seen.isNew('a')).toBe(false)
    clock.turn(1)
    expect(seen.isNew('a')).toBe(true)
    expect(seen.isNew('a')).toBe(false)
  })

  it('is new each time when it has no id', () => {
    const seen = new SeenDeliveries(new TurnedClock())
    expect([seen.isNew(undefined), seen.isNew(undefined)]).toEqual([true, true])
  })

  it('is forgotten after two thousand newer ones', () => {
    const seen = new SeenDeliveries(new TurnedClock())
    for (let id = 0; id <= 2_000; id += 1) seen.isNew(String(id))
    expect([seen.isNew('1'), seen.isNew('0')]).toEqual([false, true])
  })
})
