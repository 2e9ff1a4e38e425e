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
