import { expect, it, test } from 'vitest'
import { findWorst, keepPast, listSpans, runbookProblem, sortSamples } from '../../../src/alerts/state/incident.ts'
import { sampleAlert, sampleDoc, sampleIncident } from '../../support/sample-incident.ts'

const at = (ms: number): Date => new Date(ms)

const LIMIT = { sentence: '', threshold: 0.5 }

test.each([
  ['the graver', { severity: 'warning', peak: 9 }, { peak: 1 }, 1],
  ['the one whose value went further', { peak: 3 }, { peak: -4 }, 1],
  ['the first of what went as far', { peak: 3 }, { peak: 3 }, 0],
  ['the first of other kinds', { peak: 3 }, { kind: 'traffic-surge', peak: 9 }, 0],
  ['the one whose value went further', { facts: LIMIT, peak: 0.7 }, { facts: LIMIT, peak: 0.9 }, 1],
  ['the one whose value fell further', { facts: LIMIT, peak: 0.3 }, { facts: LIMIT, peak: 0.1 }, 1],
] as const)('the worst of two alerts is %s', (_, one, other, place) => {
  const alerts = [sampleAlert(one), sampleAlert(other)]
  expect(findWorst({ alerts })).toBe(alerts[place])
  expect(findWorst({ alerts: [alerts[1]!], worst: alerts[0] })).toBe(alerts[place])
})

it('an incident was open since it began the last time, and as often before', () => {
  const [alert, before] = [sampleAlert(), { ruleId: 'r0', kind: 'traffic-gone' }]
  const past = [
    { fromMs: 10, untilMs: 20 },
    { fromMs: 30, untilMs: 40, alerts: [before] },
  ]
  const open = { openedAt: at(10), endedAt: undefined }
  expect(listSpans(open, sampleDoc())).toEqual([{ fromMs: 10, untilMs: undefined, alerts: [alert] }])
  const spans = listSpans({ ...open, endedAt: at(60) }, sampleDoc({ past, begunMs: 50 }))
  expect(spans).toEqual([
    { fromMs: 10, untilMs: 20, alerts: [alert] },
    { fromMs: 30, untilMs: 40, alerts: [before] },
    { fromMs: 50, untilMs: 60, alerts: [alert] },
  ])
})

it('the times before are kept with five alerts each, and the newest two hundred of them', () => {
  const alerts = Array.from({ length: 6 }, (_, index) => sampleAlert({ ruleId: `r${index}` }))
  const past = Array.from({ length: 200 }, (_, index) => ({ fromMs: index, untilMs: index, alerts: [] }))
  const kept = keepPast(sampleIncident({}, { endedAt: at(900) }), sampleDoc({ alerts, past, begunMs: 800 }))
  expect(kept.past).toHaveLength(200)
  expect(kept.past?.[0]?.fromMs).toBe(1)
  const named = alerts.slice(0, 5).map(({ ruleId, kind }) => ({ ruleId, kind }))
  expect(kept.past?.at(-1)).toEqual({ fromMs: 800, untilMs: 900, alerts: named })
  expect(kept.worst).toEqual(alerts[0])
  expect(keepPast(sampleIncident(), sampleDoc()).past).toEqual([])
})

it('lines are sorted by errors first, and then the newest', () => {
  const lines = [{ atMs: 3 }, { atMs: 1, statusCode: 500 }, { atMs: 4, statusCode: 499 }, { atMs: 2, statusCode: 502 }]
  expect(sortSamples(lines).map(({ atMs }) => atMs)).toEqual([2, 1, 4, 3])
})

test.each([
  ['https://wiki.example/a', undefined],
  ['https://[2001:db8::1]/a', undefined],
  [`https://wiki.example/${'x'.repeat(479)}`, undefined],
  [`https://wiki.example/${'x'.repeat(480)}`, 'has 501 characters; at most 500 are allowed'],
  ['https://wiki.example/a b', 'holds white space, or letters beyond ASCII'],
  ['https://wiki.example/ä', 'holds white space, or letters beyond ASCII'],
  ['http://wiki.example', 'is not an https address such as https://wiki.example.com/runbook'],
  ['https:///wiki', 'is not an https address such as https://wiki.example.com/runbook'],
  ['https://wiki.example/<a|b>', 'is not an https address such as https://wiki.example.com/runbook'],
  ['https://a:b@wiki.example', 'holds a user name or password: take it out'],
  ['https://:b@wiki.example', 'is not an https address such as https://wiki.example.com/runbook'],
  ['https://a@wiki.example', 'holds a user name or password: take it out'],
])('the runbook %s is taken, or refused with why', (text, problem) => {
  expect(runbookProblem(text)).toBe(problem)
})
