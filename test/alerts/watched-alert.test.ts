import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isUneventful, type Reading } from '../../src/alerts/reading.ts'
import { isAtRest } from '../../src/alerts/watched-alert.ts'
import { type AlertState, INACTIVE, step } from '../../src/alerts/step.ts'
import { timingOf } from '../../src/alerts/kind-timing.ts'

const MINUTE_MS = 60_000

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
