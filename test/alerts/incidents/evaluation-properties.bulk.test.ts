import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EvaluatedZone, type Minute, NOON, rule } from '../evaluated-zone.ts'

const RULES = [
  rule('origin-failing'),
  rule('cache-not-working'),
  rule('traffic-gone'),
  rule('origin-failing', { channelId: 'C2' }),
]
const RUNS = 30
const share = fc.constantFrom(0, 0, 0.03, 0.28)
const stretch = fc.record({
  minutes: fc.integer({ min: 1, max: 40 }),
  what: fc.oneof(fc.record({ stale: share, bypass: share, c5xx: share }), fc.constant<Minute>({ unread: true })),
  silenced: fc.boolean(),
})
const days = fc.array(stretch, { minLength: 1, maxLength: 8, size: 'max' })

/** Looks at a zone minute by minute; `each` is called after every one. */
function play(
  day: readonly { readonly minutes: number; readonly what: Minute; readonly silenced: boolean }[],
  each: (zone: EvaluatedZone) => void,
): void {
  const zone = new EvaluatedZone(...RULES)
  const forever = { from: new Date(0), until: new Date((NOON + 10_000) * 60_000) }
  for (const { minutes, what, silenced } of day) {
    zone.silences = silenced ? [{ id: 's', subject: 'pull/301', by: 'U2', ...forever }] : []
    for (let minute = 0; minute < minutes; minute += 1) {
      zone.look(1, what)
      each(zone)
    }
  }
}

describe('whatever a day brings', () => {
  it('there is one open incident of a subject in a channel at most, and what fires unsilenced is in it once', () => {
    fc.assert(
      fc.property(days, (day) => {
        play(day, (zone) => {
          const open = zone.incidents().filter(({ endedAt }) => endedAt === undefined)
          expect(new Set(open.map(({ channelId }) => channelId)).size).toBe(open.length)
          const { states } = zone.view(new Date((NOON + zone.minute) * 60_000))
          for (const { ruleId, state } of states) {
            const shown = open
              .flatMap(({ doc }) => doc.alerts)
              .filter((each) => each.ruleId === ruleId && each.endedMs === undefined)
            expect(shown.length).toBeLessThanOrEqual(1)
            const told = JSON.stringify(state).includes('"phase":"firing"')
            if (shown.length === 1) expect(told || shown[0]!.flapping).toBe(true)
            const isFree = zone.silences.length === 0 && ruleId.startsWith('origin-failing')
            if (told && isFree && !JSON.stringify(state).includes('clearSinceMs')) expect(shown).toHaveLength(1)
          }
          for (const { doc } of open) expect(doc.alerts.some(({ endedMs }) => endedMs === undefined)).toBe(true)
        })
      }),
      { numRuns: RUNS },
    )
  })
})
