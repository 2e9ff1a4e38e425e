import { describe, expect, it, test } from 'vitest'
import { findStoredInhibition } from '../../../src/alerts/incidents/inhibition.ts'
import { type AlertState, INACTIVE } from '../../../src/alerts/state/step.ts'
import { plainOf } from '../../../src/block-kit/mrkdwn.ts'
import { inhibitionWords } from '../../../src/operations/alerts/alerts-list.ts'
import type { AlertRule, IncidentRecord, SilenceRecord, SubjectView } from '../../../src/store/schema/alert-records.ts'
import { sampleAlert, sampleDoc, sampleIncident } from '../../support/sample-incident.ts'
import { rule } from '../evaluated-zone.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const later = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000)
const silence: SilenceRecord = { id: 's', subject: 'pull/301', by: 'U2', from: later(-5), until: later(5) }
const firing: AlertState = { ...INACTIVE, phase: 'firing', severity: 'critical' }
/** Stored under what it was called before. */
const drop = rule('hit-ratio-drop')

function why(view: Partial<SubjectView>, about: AlertRule = drop, state = firing): string | undefined {
  const empty = { rules: [], states: [], incidents: [], silences: [], marks: [], watch: undefined }
  const held = findStoredInhibition(about, { ...empty, ...view }, state, NOW)
  return held && plainOf(inhibitionWords(held))
}

const beside = (kind: string, state: AlertState, more: Partial<AlertRule> = {}): Partial<SubjectView> => {
  const other = rule(kind, more)
  return { rules: [drop, other], states: [{ ruleId: other.id, subject: 'pull/301', state }] }
}

it('is nothing where all is told', () => {
  expect(why({})).toBeUndefined()
})

test.each([
  [{}, 'silenced by U2 until 2026-11-20 12:05 UTC'],
  [{ reason: 'we know' }, 'silenced by U2 until 2026-11-20 12:05 UTC: we know'],
  [{ kind: 'hit-ratio-drop', channelId: 'C1' }, 'silenced by U2 until 2026-11-20 12:05 UTC'],
  [{ kind: 'cache-not-working' }, 'silenced by U2 until 2026-11-20 12:05 UTC'],
  [{ kind: 'origin-failing' }, undefined],
  [{ channelId: 'C2' }, undefined],
  [{ subject: 'pull/302' }, undefined],
  [{ until: NOW }, undefined],
  [{ from: later(1) }, undefined],
])('a silence with %o', (more, words) => {
  expect(why({ silences: [{ ...silence, ...more }] })).toBe(words)
})

it('is of several silences the one that ends last', () => {
  const silences = [silence, { ...silence, until: later(9) }, { ...silence, until: later(7) }]
  expect(why({ silences })).toBe('silenced by U2 until 2026-11-20 12:09 UTC')
})

it.each(['cannot-look', 'poller-health'])(
  'names the log that cannot be trusted, as %s, in whatever channel',
  (kind) => {
    expect(why(beside(kind, firing, { channelId: 'C9' }))).toBe('its data can’t be trusted while “Cannot look” fires')
    expect(why(beside(kind, INACTIVE))).toBeUndefined()
    expect(why(beside(kind, firing), rule(kind))).toBeUndefined()
  },
)

it('names nothing else that fires', () => {
  for (const kind of ['origin-failing', 'traffic-gone', 'storage-change'])
    expect(why(beside(kind, firing))).toBeUndefined()
})

it('names the mark that explains what is read, as long as the reading is about the minutes after it', () => {
  const marks = [{ id: 'm', pullZoneId: '301', at: later(-20), text: 'deploy 1.42', by: 'U2' }]
  const about = (fromMs: number): AlertState => ({
    ...firing,
    last: { atMs: 0, reading: { level: 'warning', facts: { sentence: '', window: { fromMs, untilMs: 0 } } } },
  })
  expect(why({ marks }, drop, about(later(-15).getTime()))).toContain('“deploy 1.42” was marked 2026-11-20 11:40 UTC')
  expect(why({ marks }, drop, about(later(-5).getTime()))).toBeUndefined()
  const ahead = marks.map((mark) => ({ ...mark, at: later(1) }))
  expect(why({ marks: ahead }, drop, about(later(-15).getTime()))).toBeUndefined()
  expect(why({ marks }, rule('origin-failing'), about(later(-15).getTime()))).toBeUndefined()
})

it('says that it is paused, and that it flaps', () => {
  expect(why({}, { ...drop, pausedWhy: 'The channel is archived.' })).toBe('paused: The channel is archived.')
  expect(why({}, drop, { ...firing, heldUntilMs: later(9).getTime() })).toContain('flapping')
})

describe('an answer that it is not a problem', () => {
  const since = later(-10)
  const told = sampleAlert({ ruleId: drop.id, kind: drop.kind, severity: 'warning', firedMs: since.getTime() })
  const dismissed = sampleIncident({ alerts: [told] }, { dismissedBy: 'U4', endedAt: later(-1) })
  const goesOn: AlertState = { ...firing, severity: 'warning', sinceMs: since.getTime() }
  const flaps: AlertState = { ...goesOn, sinceMs: later(-2).getTime(), heldUntilMs: later(20).getTime() }

  it('holds what goes on, and says who gave it and until when it counts', () => {
    expect(why({ incidents: [dismissed] }, drop, goesOn)).toBe('not a problem, said U4 2026-11-20 11:59 UTC')
    expect(why({ incidents: [dismissed] }, drop, flaps)).toContain('said U4')
  })

  it.each<[string, AlertState, readonly IncidentRecord[], AlertRule?]>([
    ['is graver', { ...goesOn, severity: 'critical' }, [dismissed]],
    ['began anew', { ...goesOn, sinceMs: since.getTime() + 60_000 }, [dismissed]],
    ['does not fire', { ...goesOn, phase: 'inactive' }, [dismissed]],
    ['belongs to another rule', goesOn, [dismissed], rule('origin-failing')],
    ['ended before', goesOn, [{ ...dismissed, doc: sampleDoc({ alerts: [{ ...told, endedMs: since.getTime() }] }) }]],
    ['ended by itself', goesOn, [{ ...dismissed, dismissedBy: undefined }]],
    ['stands in an open incident', goesOn, [sampleIncident({ alerts: [told] }), dismissed]],
  ])('holds nothing that %s', (_, state, incidents, about = drop) => {
    expect(why({ incidents }, about, state)).toBeUndefined()
  })
})
