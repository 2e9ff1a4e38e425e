import { describe, expect, it } from 'vitest'
import { FastClock } from '../../../src/playground/stage/fast-clock.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

const at = (clock: FastClock) => clock.now().getTime()

describe('The time of a fast clock', () => {
  it('goes on from where it is when its speed changes, and keeps what it gained', () => {
    const real = new TurnedClock()
    const clock = new FastClock(real)
    const start = at(clock)
    real.turn(1_000)
    clock.setFactor(60)
    expect(at(clock) - start).toBe(1_000)
    real.turn(2_000)
    expect(at(clock) - start).toBe(121_000)
    clock.setFactor(1)
    expect(at(clock) - start).toBe(121_000)
    real.turn(500)
    expect(at(clock) - start).toBe(121_500)
  })
})

describe('Real timers', () => {
  it('and durations take the time they take', async () => {
    const real = new TurnedClock()
    const clock = new FastClock(real)
    clock.setFactor(60)
    let rang = 0
    clock.after(3_000, () => (rang += 1))
    const slept = clock.sleep(3_000).then(() => 'awake')
    const before = clock.monotonicMs()
    real.turn(2_999)
    expect(rang).toBe(0)
    real.turn(1)
    expect([rang, await slept, clock.monotonicMs() - before]).toEqual([1, 'awake', 3_000])
  })
})
