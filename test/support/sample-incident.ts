import type { IncidentAlert, IncidentDoc } from '../../src/alerts/state/incident.ts'
import type { IncidentWords } from '../../src/alerts/incidents/incident-words.ts'
import type { IncidentRecord } from '../../src/store/schema/alert-records.ts'

/** When everything of these samples began, in milliseconds since 1970. */
export const BEGAN_MS = Date.parse('2026-11-20T11:30:00Z')

/** A critical alert about stale answers of pull zone 301 that fires. */
export function sampleAlert(changes: Partial<IncidentAlert> = {}): IncidentAlert {
  return {
    ruleId: 'rule1',
    kind: 'stale-share',
    subject: 'pull/301',
    severity: 'critical',
    firedMs: BEGAN_MS,
    facts: {
      sentence: '34 % of the lines were STALE or 5xx in the last 5 min, usually 0.3 %.',
      unit: 'share',
      value: 0.34,
      sample: 1_200,
      threshold: 0.05,
    },
    title: 'origin failing, visitors get old content',
    number: '34 % STALE',
    beside: 'in the last 5 min · usually 0.3 %',
    peak: 0.412,
    unit: 'share',
    ...changes,
  }
}

export function sampleDoc(changes: Partial<IncidentDoc> = {}): IncidentDoc {
  return {
    alerts: [sampleAlert()],
    nature: 'incident',
    cycle: 1,
    samples: [
      {
        atMs: BEGAN_MS,
        cacheStatus: 'STALE',
        statusCode: 502,
        host: 'shop.example',
        path: '/cart',
        edgeLocation: 'WA',
      },
    ],
    trend: [
      { atMs: BEGAN_MS - 120_000, value: 0.01 },
      { atMs: BEGAN_MS - 60_000, value: 0.412 },
      { atMs: BEGAN_MS, value: 0.34 },
    ],
    ...changes,
  }
}

/** An open incident with that alert, whose message has not been posted. */
export function sampleIncident(doc: Partial<IncidentDoc> = {}, changes: Partial<IncidentRecord> = {}): IncidentRecord {
  return {
    id: 'abcdef0123456789',
    subject: 'pull/301',
    channelId: 'C1',
    openedAt: new Date(BEGAN_MS),
    doc: sampleDoc(doc),
    revision: 1,
    shownRevision: 0,
    ...changes,
  }
}

export const SAMPLE_WORDS: IncidentWords = {
  zoneName: (subject) => (subject === 'pull/301' ? 'shop-web' : undefined),
  panel: () => undefined,
  runbook: () => undefined,
  command: '/cdn',
}
