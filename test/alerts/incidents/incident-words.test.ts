import { describe, expect, it } from 'vitest'
import {
  durationWords,
  firingSince,
  numberWords,
  problemWords,
  quantity,
  severityWords,
  shortName,
  sortBySeverity,
  subjectLabel,
  worstWords,
} from '../../../src/alerts/incidents/incident-words.ts'
import { BEGAN_MS, sampleAlert, sampleIncident } from '../../support/sample-incident.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NAMES: Readonly<Record<string, string>> = { 'pull/301': 'shop-web', 'storage/301': 'x'.repeat(30) }
const WORDS = { zoneName: (subject: string) => NAMES[subject] }

describe('the words of incidents', () => {
  it.each([
    [59_999, 'less than a minute'],
    [MINUTE_MS, '1 min'],
    [HOUR_MS - 1, '59 min'],
    [HOUR_MS, '1 h'],
    [3 * HOUR_MS + 12 * MINUTE_MS, '3 h 12 min'],
    [48 * HOUR_MS - 1, '47 h 59 min'],
    [48 * HOUR_MS, '2 d'],
    [52 * HOUR_MS, '2 d 4 h'],
  ])('say how long %i ms are', (ms, words) => {
    expect(durationWords(ms)).toBe(words)
  })

  it.each([
    [0.341, 'share', '34 %'],
    [0.003_9, 'share', '0.39 %'],
    [1_250_000_000, 'bytes', '1.25 GB'],
    [1_200.4, 'lines a minute', '1,200 lines a minute'],
    [11.6, 'minutes', '12 min'],
    [6_999.5, 'files', '7,000 files'],
    [6.4, 'days', '6 days'],
    [2, 'keys', '2 keys'],
    [Number.NaN, 'share', 'unknown'],
    [0.337, undefined, '0.34'],
  ] as const)('say a value of %d in its unit, %s', (value, unit, words) => {
    expect(quantity(value, unit)).toBe(words)
  })

  it.each([
    ['pull/301', 'shop-web (301)', 'shop-web'],
    ['storage/301', `${'x'.repeat(30)} (301)`, `${'x'.repeat(23)}…`],
    ['storage/55', 'storage zone 55', 'storage zone 55'],
    ['storage/*', 'every storage zone with a name', 'storage/*'],
    ['account', 'the account', 'API keys'],
    ['else', 'else', 'else'],
  ])('call %s by its name with its id, and in short', (subject, label, short) => {
    expect([subjectLabel(subject, WORDS), shortName(subject, WORDS)]).toEqual([label, short])
  })

  it('say how grave something is', () => {
    const said = (['info', 'warning', 'critical'] as const).map(severityWords)
    expect(said).toEqual(['🔵 Info', '🔶 Warning', '🔴 Critical'])
  })

  it('say of what was written without words what its kind and its numbers are', () => {
    const bare = { title: undefined, number: undefined, facts: { sentence: '', value: 0.2 }, unit: 'share' } as const
    const alerts = [
      sampleAlert(bare),
      sampleAlert({ ...bare, endedMs: BEGAN_MS, facts: { ...bare.facts, unit: 'files', value: 7 } }),
      sampleAlert({ ...bare, facts: { sentence: '' }, unit: undefined, peak: undefined }),
    ]
    expect(alerts.map((each) => [problemWords(each), numberWords(each), worstWords(each)])).toEqual([
      ['origin failing', '20 %', '41 %'],
      ['origin failing is over', '7 files', '41 %'],
      ['origin failing', 'no numbers yet', undefined],
    ])
  })

  it('begin with what fires, then the severest, then what began first', () => {
    const alert = (ruleId: string, more: Parameters<typeof sampleAlert>[0]) => sampleAlert({ ruleId, ...more })
    const alerts = [
      alert('over', { endedMs: BEGAN_MS }),
      alert('later', { severity: 'warning', firedMs: BEGAN_MS + 1 }),
      alert('mild', { severity: 'info' }),
      alert('worst', { firedMs: BEGAN_MS + 2 }),
      alert('first', { severity: 'warning' }),
    ]
    expect(sortBySeverity(alerts).map(({ ruleId }) => ruleId)).toEqual(['worst', 'first', 'later', 'mild', 'over'])
    const openedAt = new Date(BEGAN_MS - HOUR_MS)
    const since = [alerts, []].map((each) => firingSince(sampleIncident({ alerts: each }, { openedAt })).getTime())
    expect(since).toEqual([BEGAN_MS + 2, BEGAN_MS - HOUR_MS])
  })
})
