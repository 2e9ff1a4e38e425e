import { createHash } from 'node:crypto'
import { oneLine } from '../../block-kit/plain-text.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'
import { getKindTitle } from '../kinds/kinds.ts'
import { parseSubject } from '../state/rule-subjects.ts'
import { type IncidentAlert, listFiring, runbookUrl } from '../state/incident.ts'
import type { AlertsBody, WebhookBody } from '../incidents/incident-reply.ts'
import {
  type IncidentWords,
  numberWords,
  problemWords,
  shortName,
  sortBySeverity,
  subjectLabel,
} from '../incidents/incident-words.ts'

type Labels = Readonly<Record<string, string>>

const RECEIVER = 'cdn-ops'
/** How the format says "not yet". */
const ZERO_TIME = '0001-01-01T00:00:00Z'
const FINGERPRINT_DIGITS = 16

/**
 * What the configured address gets about an incident, as it was when it happened: the body of a webhook of Alertmanager,
 * version 4 of its format, which receivers written for it take. It has no word for who looks after something: undefined.
 */
export function buildWebhookBody(body: WebhookBody, incident: IncidentRecord, words: IncidentWords) {
  if (!('alerts' in body)) return undefined
  const { status, alerts } = body
  const { id, subject, channelId } = incident
  const told = alerts.map((alert) => buildAlert(status, alert, incident, words))
  return {
    version: '4',
    groupKey: `{}:{incident="${id}"}`,
    truncatedAlerts: 0,
    status,
    receiver: RECEIVER,
    groupLabels: { channel: channelId, incident: id, subject },
    commonLabels: keepCommon(told.map(({ labels }) => labels)),
    commonAnnotations: keepCommon(told.map(({ annotations }) => annotations)),
    externalURL: words.panel(subject)?.href ?? '',
    alerts: told,
  } as const
}

/** That an incident ended with its rules: what fired until then is over. Undefined where nothing did. */
export function buildEndOfRules(incident: IncidentRecord): AlertsBody | undefined {
  const firing = listFiring(incident)
  const { endedAt } = incident
  if (endedAt === undefined || firing.length === 0) return undefined
  return { status: 'resolved', alerts: firing.map((alert) => ({ ...alert, endedMs: endedAt.getTime() })) }
}

/** Times are RFC 3339; `endsAt` is the zero time of what fires, and of an event, which is over as soon as it is told. */
function buildAlert(
  status: AlertsBody['status'],
  alert: IncidentAlert,
  incident: IncidentRecord,
  words: IncidentWords,
) {
  const { kind, severity, subject, facts, firedMs, endedMs, ruleId } = alert
  const zone = parseSubject(subject)
  const name = words.zoneName(subject)
  const runbook = alert.runbook ?? words.runbook(subject)
  const labels: Labels = {
    alertname: kind,
    severity,
    subject,
    ...(zone?.zoneId === undefined ? {} : { zone: zone.zoneId, zone_kind: zone.kind }),
    ...(name === undefined ? {} : { zone_name: name }),
    channel: incident.channelId,
    incident: incident.id,
    rule: ruleId,
  }
  const annotations: Labels = {
    summary: `${getKindTitle(kind)}, ${subjectLabel(subject, words)}`,
    description: facts.sentence,
    ...(runbook === undefined ? {} : { runbook_url: runbook }),
  }
  // The same for one alert of an incident however grave it becomes, so that a receiver knows what ended. Of an event nothing
  // ends, and one incident may have several: each has its own.
  const event = status === 'firing' && endedMs !== undefined ? [alert.title] : []
  const identity = [ruleId, subject, incident.id, ...event].join('\n')
  const hash = createHash('sha256').update(identity).digest('hex')
  return {
    status,
    labels,
    annotations,
    startsAt: new Date(firedMs).toISOString(),
    endsAt: endedMs === undefined || status === 'firing' ? ZERO_TIME : new Date(endedMs).toISOString(),
    generatorURL: words.panel(subject)?.href ?? '',
    fingerprint: hash.slice(0, FINGERPRINT_DIGITS),
  }
}

function keepCommon([first = {}, ...others]: readonly Labels[]): Labels {
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) => others.every((labels) => labels[name] === value)),
  )
}

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
      custom_details: { alerts: alerts.map((alert) => buildAlert('firing', alert, incident, words)) },
    },
  } as const
}
