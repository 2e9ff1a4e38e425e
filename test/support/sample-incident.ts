import type { IncidentAlert, IncidentDoc } from '../../src/alerts/incident.ts'
import type { IncidentWords } from '../../src/alerts/incident-words.ts'
import type { IncidentRecord } from '../../src/store/alert-records.ts'

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
      sentence: 'STALE is 34.0% of 1,200 requests (31.4% to 36.7%) over 5 minutes.',
      unit: 'share',
      value: 0.34,
    },
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
  kindTitle: (kind) => ({ 'stale-share': 'STALE share', 'error-share': '5xx share' })[kind] ?? kind,
  panel: () => undefined,
  runbook: () => undefined,
  command: '/cdn',
}
