import { oneLine } from '../../block-kit/plain-text.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'
import type { WebhookBody } from '../incidents/incident-reply.ts'
import {
  type IncidentWords,
  numberWords,
  problemWords,
  shortName,
  sortBySeverity,
  subjectLabel,
} from '../incidents/incident-words.ts'
import { runbookUrl } from '../state/incident.ts'
import { buildAlert, listFiring } from './webhook-body.ts'

/** The format refuses longer ones. */
const SUMMARY_CHARACTERS = 1_024

/**
 * The same in the form of PagerDuty's Events API v2, without the key that says whose it is. All that is told of one incident
 * has one `dedup_key`, so it is resolved when the incident is over and not with each of its alerts; undefined until then, and
 * where nothing fires that could be told.
 */
export function buildPagingEvent(body: WebhookBody, incident: IncidentRecord, words: IncidentWords) {
  const { id, subject, endedAt } = incident
  if (body.status === 'acknowledged') return { event_action: 'acknowledge', dedup_key: id } as const
  if (body.status === 'resolved')
    return endedAt === undefined ? undefined : ({ event_action: 'resolve', dedup_key: id } as const)
  // The format has no word for an acknowledgement that is taken back: that it fires still is what is true then.
  const alerts = sortBySeverity('alerts' in body ? body.alerts : listFiring(incident))
  const [worst] = alerts
  if (worst === undefined) return undefined
  const place = words.panel(subject)?.href
  const addresses = alerts.map((alert) => runbookUrl(alert.runbook ?? words.runbook(alert.subject))?.href)
  const runbooks = new Set(addresses.filter((href) => href !== undefined))
  const what = `${shortName(subject, words)}: ${problemWords(worst)}`
  const isCounted = worst.number !== undefined || worst.facts.value !== undefined
  return {
    event_action: 'trigger',
    dedup_key: id,
    client: 'CDN Ops',
    ...(place !== undefined && { client_url: place }),
    links: [...runbooks].map((href) => ({ href, text: 'Runbook' })),
    payload: {
      summary: oneLine(isCounted ? `${what}, ${numberWords(worst)}` : what, SUMMARY_CHARACTERS),
      source: subjectLabel(subject, words),
      severity: worst.severity,
      timestamp: new Date(Math.min(...alerts.map(({ firedMs }) => firedMs))).toISOString(),
      custom_details: { alerts: alerts.map((alert) => buildAlert(alert, incident, words)) },
    },
  } as const
}
