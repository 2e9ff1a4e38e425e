import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAlertState } from '../../src/alerts/stored-state.ts'
import { type AlertTiming, INACTIVE, step, type Stepped } from '../../src/alerts/step.ts'
import { isBad } from '../../src/alerts/reading.ts'

const MINUTE = 60_000
const levels = fc.constantFrom('no data', 'clear', 'clear', 'between', 'info', 'warning', 'critical')
const looks = fc.array(
  fc.record({
    level: levels,
    fast: fc.boolean(),
    value: fc.double({ noNaN: true, min: -9, max: 9 }).map((value) => value + 0),
  }),
  {
    maxLength: 120,
  },
)
const timings: fc.Arbitrary<AlertTiming> = fc
  .record({
    times: fc.integer({ min: 1, max: 3 }),
    more: fc.integer({ min: 0, max: 2 }),
    apart: fc.integer({ min: 1, max: 5 }),
  })
  .chain(({ times, more, apart }) =>
    fc.integer({ min: 0, max: 8 }).map((clear) => ({
      times,
      of: times + more,
      apartMs: apart * MINUTE,
      clearForMs: clear * MINUTE,
      groupWaitMs: 30_000,
      reminderMs: 20 * MINUTE,
    })),
  )

type Looks = (typeof looks extends fc.Arbitrary<infer T> ? T : never) & readonly unknown[]

function live(read: Looks, timing: AlertTiming, through = (stepped: Stepped) => stepped): readonly Stepped[] {
  const lived: Stepped[] = []
  for (const [index, { level, fast, value }] of read.entries()) {
    const reading = { level, ...(fast ? { fast } : {}), facts: { sentence: level, value } }
    lived.push(through(step(lived.at(-1)?.state ?? INACTIVE, reading, timing, index * MINUTE)))
  }
  return lived
}

const check = (property: (read: Looks, timing: AlertTiming) => void): void =>
  fc.assert(fc.property(looks, timings, property), { numRuns: 300 })

const BEFORE = [undefined, 'fired', 'flapping']
const WHILE_TOLD = [undefined, 'resolved', 'escalated', 'eased', 'reminder']

describe('whatever is read, an alert', () => {
  it('ends only after looks that were clear for long enough, none of the last ones bad', () => {
    check((read, timing) => {
      const lived = live(read, timing)
      for (const [at, { state }] of lived.entries()) {
        if (state.phase === 'firing' || lived[at - 1]?.state.phase !== 'firing') continue
        let clearMs = 0
        for (let back = at; read[back]?.level !== undefined && clearMs < timing.clearForMs; back -= 1) {
          expect(isBad(read[back]!.level) || read[back]!.fast).toBe(false)
          if (read[back]!.level === 'clear') clearMs += MINUTE
        }
        expect(clearMs).toBeGreaterThanOrEqual(timing.clearForMs)
        expect(read[at]!.level).toBe('clear')
      }
    })
  })

  it('fires only after enough bad looks, or two fast ones', () => {
    check((read, timing) => {
      const lived = live(read, timing)
      for (const [at, { state }] of lived.entries()) {
        if (state.phase !== 'firing' || lived[at - 1]?.state.phase === 'firing') continue
        const fast = read[at]!.fast && read[at - 1]?.fast === true
        const span = (timing.of * timing.apartMs) / MINUTE
        const bad = read.slice(Math.max(0, at - span + 1), at + 1).filter(({ level }) => isBad(level)).length
        expect(fast || (isBad(read[at]!.level) && bad >= timing.times)).toBe(true)
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

  it('tells of beginnings and ends in turn', () => {
    check((read, timing) => {
      let told = false
      for (const { event } of live(read, timing)) {
        expect(told ? WHILE_TOLD : BEFORE).toContain(event)
        told = event === 'resolved' ? false : told || event !== undefined
      }
    })
  })
})
