import { describe, expect, it } from 'vitest'
import { md, plainOf } from '../../../src/block-kit/mrkdwn.ts'
import { countAnswers } from '../../../src/operations/history/digest-message.ts'
import { type IncidentFacts, writeVerdict } from '../../../src/operations/history/incident-facts.ts'
import type { IncidentRecord } from '../../../src/store/schema/alert-records.ts'
import { NOW } from '../../support/operation-context.ts'

const MINUTE_MS = 60_000
/** So many minutes before everything is asked. */
const ago = (minutes: number): Date => new Date(NOW.getTime() - minutes * MINUTE_MS)

describe('how bad it was', () => {
  const spanned = (ends: readonly IncidentFacts['end'][]) =>
    ends.map((end, index) => {
      const fromMs = ago(60 - 5 * index).getTime()
      return {
        end,
        spans: [{ fromMs, untilMs: end === 'open' ? undefined : fromMs + 10 * MINUTE_MS, alerts: [] }],
      } as unknown as IncidentFacts
    })
  it.each<[ends: readonly IncidentFacts['end'][], said: string]>([
    [[], 'No incident today.'],
    [['over'], '1 incident today, 10 min in trouble; it is over.'],
    [['dismissed'], '1 incident today, 10 min in trouble; it is over.'],
    [['open'], '1 incident today, 1 h in trouble; it goes on.'],
    [['unwatched'], '1 incident today, 10 min in trouble; it is not watched any more.'],
    [['over', 'over'], '2 incidents today, 15 min in trouble; all are over.'],
    [['open', 'open'], '2 incidents today, 1 h in trouble; all go on.'],
    [['over', 'open', 'open'], '3 incidents today, 1 h in trouble; 2 go on.'],
    [['open', 'unwatched', 'unwatched'], '3 incidents today, 1 h in trouble; 1 goes on, 2 are not watched any more.'],
    [['over', 'unwatched'], '2 incidents today, 15 min in trouble; 1 is not watched any more.'],
  ])('is said of %j', (ends, said) => {
    const period = { from: ago(600), until: NOW }
    expect(plainOf(writeVerdict(spanned(ends), period, md`today`, { isCut: false }))).toBe(said)
  })
})

const ALERT = {
  kind: 'origin-failing',
  severity: 'critical',
  facts: { sentence: 'It was so.' },
  subject: 'pull/201',
  firedMs: 0,
  title: 'origin failing',
}

it('counts for each rule in how many incidents it was, and of how many somebody said that they are no problem', () => {
  const record = (
    dismissedBy: string | undefined,
    ...fired: readonly (readonly [ruleId: string, endedMs?: number])[]
  ) => {
    const alerts = fired.map(([ruleId, endedMs]) => ({
      ...ALERT,
      ruleId,
      endedMs,
    }))
    return {
      dismissedBy,
      doc: { alerts, nature: 'incident', cycle: 1, samples: [], trend: [] },
    } as unknown as IncidentRecord
  }
  // An answer is about what fired when it was given.
  const counts = countAnswers([record('U1', ['r1', 5], ['r1'], ['r2', 5]), record(undefined, ['r1'])])
  expect([...counts]).toEqual([
    ['r1', { answered: 1, incidents: 2 }],
    ['r2', { answered: 0, incidents: 1 }],
  ])
})
