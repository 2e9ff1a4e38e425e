import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Reading } from '../../../src/alerts/state/reading.ts'
import { type KnownState, type Observing, stepAlerts } from '../../../src/alerts/incidents/evaluation.ts'
import type { AlertRule } from '../../../src/store/schema/alert-records.ts'
import { rule } from '../evaluated-zone.ts'

const MINUTE_MS = 60_000
const NOTHING = { states: [], incidents: [], silences: [], marks: [], watch: undefined }

function look(rules: readonly AlertRule[], known: readonly KnownState[], minute: number, observing: Observing) {
  const stepped = stepAlerts({ view: { ...NOTHING, rules }, subject: 'pull/301', known }, minute * MINUTE_MS, observing)
  return {
    states: stepped.map(({ after }) => after),
    changed: stepped.filter(({ before, after }) => after !== before),
    events: stepped.flatMap(({ rule: { id }, event }) => (event === undefined ? [] : [[id, event]])),
  }
}

const readings = fc.record({
  level: fc.constantFrom<Reading['level']>('clear', 'clear', 'clear', 'no data', 'between', 'warning', 'critical'),
  facts: fc.constant({}),
})
const lives = fc.array(fc.tuple(readings, fc.boolean()), { minLength: 10, maxLength: 120, size: 'max' })

describe('an alert in its steady state', () => {
  it.each(['origin-failing', 'cannot-look'])('of %s comes to the same, whichever quiet looks are noted', (kind) => {
    const rules = [rule(kind)]
    fc.assert(
      fc.property(lives, (looks) => {
        let [noting, resting]: (readonly KnownState[])[] = [[], []]
        for (const [index, [reading, isNoted]] of looks.entries()) {
          const observe = (): Reading => reading
          const noted = look(rules, noting ?? [], index + 1, { observe, storesQuiet: true })
          const left = look(rules, resting ?? [], index + 1, { observe, storesQuiet: isNoted })
          noting = noted.states
          resting = left.states
          const seen = ({ states, events }: typeof noted) => {
            const { phase, sinceMs, severity, peak, begun } = states[0]!.state
            return { phase, sinceMs, severity, peak, begun, events }
          }
          expect([index, seen(left)]).toEqual([index, seen(noted)])
        }
      }),
      { numRuns: 200 },
    )
  })

  it('is not stored while nothing happens, but when it is to be', () => {
    const rules = [rule('origin-failing')]
    const observe = (): Reading => ({ level: 'clear', facts: {} })
    const first = look(rules, [], 1, { observe, storesQuiet: false })
    expect(first.changed).toHaveLength(1)
    const later = (storesQuiet: boolean) => look(rules, first.states, 2, { observe, storesQuiet }).changed
    expect([later(false).length, later(true).length]).toEqual([0, 1])
  })
})

describe('a log that cannot be looked at', () => {
  it.each(['cannot-look', 'poller-health'])('as %s comes before all others, of which nothing is known then', (name) => {
    const rules = [rule('origin-failing'), rule(name, { channelId: 'C2' })]
    const observe = (): Reading => ({ level: 'critical', facts: {} })
    const { states, events } = look(rules, [], 1, { observe, storesQuiet: true })
    expect(states.map(({ ruleId, state }) => [ruleId, state.phase])).toEqual([
      [`${name}-C2`, 'firing'],
      ['origin-failing-C1', 'inactive'],
    ])
    expect(events).toEqual([[`${name}-C2`, 'fired']])
  })

  it('leaves what fires as it is, and rules of unknown kinds out', () => {
    const rules = [rule('origin-failing'), rule('cannot-look'), rule('no-such-kind')]
    const bad = (): Reading => ({ level: 'critical', facts: {} })
    const fired = look(rules.slice(0, 1), [], 1, { observe: bad, storesQuiet: true })
    const next = look(rules, fired.states, 2, {
      observe: ({ kind }) => ({ level: kind.name === 'cannot-look' ? 'warning' : 'clear', facts: {} }),
      storesQuiet: true,
    })
    expect(next.states.map(({ ruleId, state }) => [ruleId, state.phase])).toEqual([
      ['cannot-look-C1', 'firing'],
      ['origin-failing-C1', 'firing'],
    ])
  })
})
