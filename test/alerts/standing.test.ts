import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isUneventful, type Reading } from '../../src/alerts/reading.ts'
import { allRest, isAtRest, standingOf } from '../../src/alerts/standing.ts'
import { type AlertState, INACTIVE, step } from '../../src/alerts/step.ts'
import { timingOf } from '../../src/alerts/kind-timing.ts'
import { rule } from './evaluated-zone.ts'

const MINUTE_MS = 60_000
const RULES = [rule('stale-share'), rule('error-share')]

const reading = fc.record({
  level: fc.constantFrom<Reading['level']>('clear', 'clear', 'clear', 'no data', 'between', 'warning', 'critical'),
  fast: fc.constantFrom(false, false, false, true),
  facts: fc.constant({}),
})
const timings = fc.record({
  clearFor: fc.constantFrom(1, 5),
  times: fc.constantFrom(1, 2, 3),
  apart: fc.constantFrom(1, 5),
})

const stateAt = (seenMs: number, more: Partial<AlertState> = {}) => ({
  ruleId: 'r',
  subject: 'pull/301',
  state: { ...INACTIVE, seenMs, ...more },
})

describe('an alert at rest', () => {
  it('comes to the same whether or not it notes looks at which nothing happens', () => {
    const lives = fc.tuple(timings, fc.array(fc.tuple(reading, fc.boolean()), { minLength: 10, maxLength: 120 }))
    fc.assert(
      fc.property(lives, ([asked, looks]) => {
        const timing = timingOf(asked)
        let [noting, resting] = [INACTIVE, INACTIVE]
        for (const [minute, [read, isNoted]] of looks.entries()) {
          const atMs = (minute + 1) * MINUTE_MS
          const noted = step(noting, read, timing, atMs)
          const isLeft = !isNoted && isAtRest(resting) && isUneventful(read)
          const left = isLeft ? { state: resting, event: undefined } : step(resting, read, timing, atMs)
          noting = noted.state
          resting = left.state
          const seen = ({ phase, sinceMs, severity, peak }: AlertState) => ({ phase, sinceMs, severity, peak })
          expect([minute, left.event, seen(resting)]).toEqual([minute, noted.event, seen(noting)])
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('all alerts of a zone', () => {
  it('rest when each does, from the newest of their looks on', () => {
    const standing = standingOf(RULES, [stateAt(5), stateAt(7)])
    expect([7, 8].map((atMs) => allRest(standing, RULES, atMs))).toEqual([false, true])
  })

  it.each([
    ['fires', { phase: 'firing' as const }],
    ['was bad once', { phase: 'pending' as const, looks: [{ atMs: 5, level: 'warning' as const }] }],
    ['has a look that counts', { looks: [{ atMs: 5, level: 'clear' as const }] }],
    ['is held because it flaps', { heldUntilMs: 9 }],
    ['was bad by its newest minute', { fastMs: 5 }],
    ['was never looked at', { seenMs: undefined }],
  ])('do not while one of them %s', (_, more) => {
    expect(allRest(standingOf(RULES, [stateAt(5), stateAt(5, more)]), RULES, 8)).toBe(false)
  })

  it('do not for other rules', () => {
    const standing = standingOf(RULES, [stateAt(5), stateAt(5)])
    expect(allRest(standing, RULES.slice(1), 8)).toBe(false)
    expect(allRest(standing, [rule('stale-share'), rule('stale-share', { channelId: 'C2' })], 8)).toBe(false)
  })
})
