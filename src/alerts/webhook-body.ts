import { createHash } from 'node:crypto'
import type { IncidentRecord } from '../store/alert-records.ts'
import { namedSubject } from './rule-subjects.ts'
import { readIncidentDoc, type IncidentAlert } from './incident.ts'
import type { WebhookBody } from './incident-reply.ts'
import { type IncidentWords, subjectLabel } from './incident-words.ts'

type Labels = Readonly<Record<string, string>>

/** One alert as Alertmanager's webhooks have it. Times are RFC 3339; `endsAt` is the zero time while it fires. */
interface WebhookAlert {
  readonly status: 'firing' | 'resolved'
  readonly labels: Labels
  readonly annotations: Labels
  readonly startsAt: string
  readonly endsAt: string
  readonly generatorURL: string
  readonly fingerprint: string
}

/** The body of a webhook of Alertmanager, version 4 of its format: what receivers written for it take. */
export interface WebhookPayload {
  readonly version: '4'
  readonly groupKey: string
  readonly truncatedAlerts: number
  readonly status: 'firing' | 'resolved'
  readonly receiver: string
  readonly groupLabels: Labels
  readonly commonLabels: Labels
  readonly commonAnnotations: Labels
  readonly externalURL: string
  readonly alerts: readonly WebhookAlert[]
}

const RECEIVER = 'cdn-ops'
/** How the format says "not yet". */
const ZERO_TIME = '0001-01-01T00:00:00Z'
const FINGERPRINT_DIGITS = 16

/** What the configured address gets about an incident, as it was when it happened. */
export function webhookBody(
  { status, alerts }: WebhookBody,
  incident: IncidentRecord,
  words: IncidentWords,
): WebhookPayload {
  const { id, subject, channelId } = incident
  const told = alerts.map((alert) => webhookAlert(alert, incident, words))
  const place = words.panel(subject)?.href ?? ''
  return {
    version: '4',
    groupKey: `{}:{incident="${id}"}`,
    truncatedAlerts: 0,
    status,
    receiver: RECEIVER,
    groupLabels: { channel: channelId, incident: id, subject },
    commonLabels: common(told.map(({ labels }) => labels)),
    commonAnnotations: common(told.map(({ annotations }) => annotations)),
    externalURL: place,
    alerts: told,
  }
}

/** That an incident ended with its rules: what fired until then is over. Undefined where nothing did. */
export function endedWithRules({ doc, endedAt }: IncidentRecord): WebhookBody | undefined {
  const firing = readIncidentDoc(doc).alerts.filter(({ endedMs }) => endedMs === undefined)
  if (endedAt === undefined || firing.length === 0) return undefined
  return { status: 'resolved', alerts: firing.map((alert) => ({ ...alert, endedMs: endedAt.getTime() })) }
}

function webhookAlert(alert: IncidentAlert, incident: IncidentRecord, words: IncidentWords): WebhookAlert {
  const { kind, severity, subject, facts, firedMs, endedMs, ruleId } = alert
  const zone = namedSubject(subject)
  const name = words.zoneName(subject)
  const runbook = alert.runbook ?? words.runbook(subject)
  return {
    status: endedMs === undefined ? 'firing' : 'resolved',
    labels: {
      alertname: kind,
      severity,
      subject,
      ...(zone?.zoneId === undefined ? {} : { zone: zone.zoneId, zone_kind: zone.kind }),
      ...(name === undefined ? {} : { zone_name: name }),
      channel: incident.channelId,
      incident: incident.id,
      rule: ruleId,
    },
    annotations: {
      summary: `${words.kindTitle(kind)}, ${subjectLabel(subject, words)}`,
      description: facts.sentence,
      ...(runbook === undefined ? {} : { runbook_url: runbook }),
    },
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
