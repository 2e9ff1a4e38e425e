import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AlertTiming, INACTIVE, readAlertState, step, type Stepped } from '../../../src/alerts/state/step.ts'
import { isSevere } from '../../../src/alerts/state/reading.ts'

const MINUTE = 60_000
const levels = fc.constantFrom('no data', 'clear', 'clear', 'between', 'info', 'warning', 'critical')
const looks = fc.array(
  fc.record({
    level: levels,
    value: fc.double({ noNaN: true, min: -9, max: 9 }).map((value) => value + 0),
  }),
  {
    maxLength: 120,
    size: 'max',
  },
)
const timings: fc.Arbitrary<AlertTiming> = fc.record({
  clearForMs: fc.integer({ min: 0, max: 8 }).map((clear) => clear * MINUTE),
})

type Looks = (typeof looks extends fc.Arbitrary<infer T> ? T : never) & readonly unknown[]

function live(read: Looks, timing: AlertTiming, through = (stepped: Stepped) => stepped): readonly Stepped[] {
  const lived: Stepped[] = []
  for (const [index, { level, value }] of read.entries()) {
    const reading = { level, facts: { sentence: level, value } }
    lived.push(through(step(lived.at(-1)?.state ?? INACTIVE, reading, timing, index * MINUTE)))
  }
  return lived
}

const check = (property: (read: Looks, timing: AlertTiming) => void): void =>
  fc.assert(fc.property(looks, timings, property), { numRuns: 150 })

describe('whatever is read, an alert', () => {
  it('ends only after looks that were clear for long enough, none of the last ones bad', () => {
    check((read, timing) => {
      const lived = live(read, timing)
      for (const [at, { state }] of lived.entries()) {
        if (state.phase === 'firing' || lived[at - 1]?.state.phase !== 'firing') continue
        let clearMs = 0
        for (let back = at; read[back]?.level !== undefined && clearMs < timing.clearForMs; back -= 1) {
          expect(isSevere(read[back]!.level)).toBe(false)
          if (read[back]!.level === 'clear') clearMs += MINUTE
        }
        expect(clearMs).toBeGreaterThanOrEqual(timing.clearForMs)
        expect(read[at]!.level).toBe('clear')
      }
    })
  })

  it('lives the same life again, from what was kept as text too', () => {
    const kept = ({ state, event }: Stepped): Stepped => {
      const text: unknown = JSON.parse(JSON.stringify(state))
      return { state: readAlertState({ ruleId: 'r', subject: 's', state: text }), event }
    }
    check((read, timing) => {
      const once = live(read, timing)
      expect(live(read, timing, kept)).toEqual(once)
    })
  })
})
