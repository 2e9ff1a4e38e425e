import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SKEW_MS, watchClock } from '../../src/process/clock-watch.ts'
import { recordingLog } from '../support/recording-log.ts'
import { TurnedClock } from '../support/turned-clock.ts'

function compared() {
  const clock = new TurnedClock()
  const { log, lines } = recordingLog()
  let skewMs: number | undefined
  const watch = watchClock(clock, log, (_, seconds) => (skewMs = seconds * 1_000))
  /** A response of a server that is `behindMs` behind this clock, which took `tookMs`, `wayMs` of it on the way there. */
  const answer = (behindMs: number, tookMs = 0, wayMs = 0): number | undefined => {
    const askedAtMs = clock.monotonicMs()
    clock.turn(wayMs)
    const header = new Date(clock.now().getTime() - behindMs).toUTCString()
    clock.turn(tookMs - wayMs)
    watch.compareHeader('slack', header, askedAtMs)
    return skewMs
  }
  const logged = () => lines.map(({ level }) => level)
  return { clock, logged, lines, watch, answer, skew: () => skewMs }
}

describe('the clock of this machine', () => {
  it.each([
    ['ahead', 45_000],
    ['behind', -45_000],
  ])('is told once when it is %s, and once when it is right again', (_which, behindMs) => {
    const { logged, lines, answer } = compared()
    for (let n = 0; n < 5; n++) answer(behindMs)
    expect(logged()).toEqual(['warn'])
    const ahead = Number(lines[0]?.fields['aheadBySeconds'])
    expect(Math.abs(ahead - behindMs / 1_000)).toBeLessThanOrEqual(1)
    for (let n = 0; n < 5; n++) answer(0)
    const right = { level: 'info', sentence: 'the clock of this machine is right again', fields: { source: 'slack' } }
    expect(lines.slice(1)).toMatchObject([right])
  })

  it('is not told for one answer alone, nor at the edge again and again', () => {
    const { logged, answer } = compared()
    for (const behindMs of [90_000, 0, 90_000, 0, -90_000, 0]) answer(behindMs)
    expect(logged()).toEqual([])
    for (const behindMs of [SKEW_MS + 2_000, SKEW_MS + 2_000, 25_000, 25_000, 31_500, 25_000, 25_000]) answer(behindMs)
    expect(logged()).toEqual(['warn'])
  })

  it('is right within 30 s, and a header that is no date says nothing', () => {
    const right = compared()
    for (const behindMs of [29_000, 29_000, -29_000, -29_000]) right.answer(behindMs)
    expect(right.logged()).toEqual([])
    const { clock, watch, skew } = compared()
    for (const header of [undefined, '', 'yesterday', '2020-01-01T00:00:00Z', '0', 'Xxx, 99 Foo 2026 99:99:99 GMT'])
      watch.compareHeader('slack', header, clock.monotonicMs())
    expect(skew()).toBeUndefined()
  })

  it('is not blamed for a slow answer, wherever on the way the time went', () => {
    const way = fc.tuple(fc.nat(120_000), fc.nat(120_000))
    fc.assert(
      fc.property(way, ([one, other]) => {
        const { logged, answer } = compared()
        for (let n = 0; n < 3; n++) expect(answer(0, Math.max(one, other), Math.min(one, other))).toBe(0)
        expect(logged()).toEqual([])
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
