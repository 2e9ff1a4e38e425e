import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ClockSkew, SKEW_MS, type SkewState } from '../../src/process/clock-watch.ts'
import { TurnedClock } from '../support/turned-clock.ts'

function compared() {
  const clock = new TurnedClock()
  const told: SkewState[] = []
  const skew = new ClockSkew(clock, (state) => told.push(state))
  /** An answer of a server that is `behindMs` behind this clock, which took `tookMs`, most of it on the way back. */
  const answer = (behindMs: number, tookMs = 0, wayMs = 0): number | undefined => {
    const askedAtMs = clock.monotonicMs()
    clock.turn(wayMs)
    const header = new Date(clock.now().getTime() - behindMs).toUTCString()
    clock.turn(tookMs - wayMs)
    return skew.heard(header, askedAtMs)
  }
  return { clock, told, skew, answer }
}

describe('the clock of this machine', () => {
  it.each([
    ['ahead', 45_000],
    ['behind', -45_000],
  ])('is told once when it is %s, and once when it is right again', (_which, behindMs) => {
    const { told, answer } = compared()
    for (let n = 0; n < 5; n++) answer(behindMs)
    expect(told).toMatchObject([{ isWrong: true }])
    expect(Math.abs((told[0]?.skewMs ?? 0) - behindMs)).toBeLessThanOrEqual(1_000)
    for (let n = 0; n < 5; n++) answer(0)
    expect(told).toMatchObject([{ isWrong: true }, { isWrong: false }])
  })

  it('is not told for one answer alone, nor at the edge again and again', () => {
    const { told, answer } = compared()
    for (const behindMs of [90_000, 0, 90_000, 0, -90_000, 0]) answer(behindMs)
    expect(told).toEqual([])
    for (const behindMs of [SKEW_MS + 2_000, SKEW_MS + 2_000, 25_000, 25_000, 31_500, 25_000, 25_000]) answer(behindMs)
    expect(told).toMatchObject([{ isWrong: true }])
  })

  it('is right within 30 s, and a header that is no date says nothing', () => {
    const { clock, told, skew, answer } = compared()
    for (const behindMs of [29_000, 29_000, -29_000, -29_000]) answer(behindMs)
    for (const header of [undefined, '', 'yesterday', '2020-01-01T00:00:00Z', '0', 'Xxx, 99 Foo 2026 99:99:99 GMT'])
      for (let n = 0; n < 3; n++) expect(skew.heard(header, clock.monotonicMs())).toBeUndefined()
    expect(told).toEqual([])
  })

  it('is not blamed for a slow answer, wherever on the way the time went', () => {
    const way = fc.tuple(fc.nat(120_000), fc.nat(120_000))
    fc.assert(
      fc.property(way, ([one, other]) => {
        const { told, answer } = compared()
        for (let n = 0; n < 3; n++) expect(answer(0, Math.max(one, other), Math.min(one, other))).toBe(0)
        expect(told).toEqual([])
      }),
    )
  })

  it('is found as far off as it is, but for the way and the seconds of a header', () => {
    fc.assert(
      fc.property(fc.integer({ min: -400_000_000, max: 400_000_000 }), fc.nat(3_000), (behindMs, tookMs) => {
        const found = compared().answer(behindMs, tookMs, Math.floor(tookMs / 2)) ?? Number.NaN
        expect(Math.abs(found - behindMs)).toBeLessThanOrEqual(tookMs + 1_000)
        expect(found === 0 || Math.sign(found) === Math.sign(behindMs)).toBe(true)
      }),
    )
  })
})
