import { createHash } from 'node:crypto'
import type { IncidentRecord } from '../store/alert-records.ts'
import { namedSubject } from './rule-subjects.ts'
import { readIncidentDoc, type IncidentAlert } from './incident.ts'
import type { WebhookBody } from './incident-reply.ts'
import { type IncidentWords, subjectLabel } from './incident-words.ts'

type Labels = Readonly<Record<string, string>>

const RECEIVER = 'cdn-ops'
/** How the format says "not yet". */
const ZERO_TIME = '0001-01-01T00:00:00Z'
const FINGERPRINT_DIGITS = 16

/**
 * What the configured address gets about an incident, as it was when it happened: the body of a webhook of Alertmanager,
 * version 4 of its format, which receivers written for it take.
 */
export function webhookBody({ status, alerts }: WebhookBody, incident: IncidentRecord, words: IncidentWords) {
  const { id, subject, channelId } = incident
  const told = alerts.map((alert) => webhookAlert(alert, incident, words))
  return {
    version: '4',
    groupKey: `{}:{incident="${id}"}`,
    truncatedAlerts: 0,
    status,
    receiver: RECEIVER,
    groupLabels: { channel: channelId, incident: id, subject },
    commonLabels: common(told.map(({ labels }) => labels)),
    commonAnnotations: common(told.map(({ annotations }) => annotations)),
    externalURL: words.panel(subject)?.href ?? '',
    alerts: told,
  } as const
}
export type WebhookPayload = ReturnType<typeof webhookBody>

/** That an incident ended with its rules: what fired until then is over. Undefined where nothing did. */
export function endedWithRules({ doc, endedAt }: IncidentRecord): WebhookBody | undefined {
  const firing = readIncidentDoc(doc).alerts.filter(({ endedMs }) => endedMs === undefined)
  if (endedAt === undefined || firing.length === 0) return undefined
  return { status: 'resolved', alerts: firing.map((alert) => ({ ...alert, endedMs: endedAt.getTime() })) }
}

/** Times are RFC 3339; `endsAt` is the zero time while it fires. */
function webhookAlert(alert: IncidentAlert, incident: IncidentRecord, words: IncidentWords) {
  const { kind, severity, subject, facts, firedMs, endedMs, ruleId } = alert
  const zone = namedSubject(subject)
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
    summary: `${words.kindTitle(kind)}, ${subjectLabel(subject, words)}`,
    description: facts.sentence,
    ...(runbook === undefined ? {} : { runbook_url: runbook }),
  }
  return {
    status: endedMs === undefined ? ('firing' as const) : ('resolved' as const),
    labels,
    annotations,
    startsAt: new Date(firedMs).toISOString(),
    endsAt: endedMs === undefined ? ZERO_TIME : new Date(endedMs).toISOString(),
    generatorURL: words.panel(subject)?.href ?? '',
    fingerprint: fingerprint(ruleId, subject),
  }
}

/** The same for one alert however grave it becomes, so that a receiver knows what ended. */
function fingerprint(ruleId: string, subject: string): string {
  return createHash('sha256').update(`${ruleId}\n${subject}`).digest('hex').slice(0, FINGERPRINT_DIGITS)
}

function common([first = {}, ...others]: readonly Labels[]): Labels {
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) => others.every((labels) => labels[name] === value)),
  )
}
