import { visible } from '../shared/untrusted.ts'
import type { AlertRule, IncidentWrite, NewAlertPost, SubjectView } from '../store/alert-records.ts'
import { heldBack } from './held-back.ts'
import type { WebhookBody } from './incident-reply.ts'
import { type IncidentAlert, type IncidentDoc, MAX_INCIDENT_ALERTS } from './incident.ts'
import type { KeyChange } from './key-changes.ts'
import { ACCOUNT_SUBJECT } from './rule-subjects.ts'
import { INACTIVE } from './step.ts'

interface KeysLook {
  readonly view: SubjectView
  readonly changes: readonly KeyChange[]
  readonly now: Date
  readonly newId: () => string
  readonly webhook: boolean
}

const MAX_ROLES_NAMED = 10
/** A sentence that is longer than an incident can hold would never be told. */
const MAX_ROLE_CHARACTERS = 60

/** One event in each channel with a rule about it: it has ended as soon as it is told. What a silence or a pause holds back is not told later. */
export function keyIncidents(look: KeysLook): {
  readonly incidents: readonly IncidentWrite[]
  readonly posts: readonly NewAlertPost[]
} {
  const { view, changes, now } = look
  const holding = { view, subject: ACCOUNT_SUBJECT, firing: [], at: now, now }
  const events = view.rules
    .filter(
      (rule) =>
        changes.length > 0 && rule.subject === ACCOUNT_SUBJECT && heldBack(rule, INACTIVE, holding) === undefined,
    )
    .map((rule) => eventOf(rule, look))
  return { incidents: events.map(({ incident }) => incident), posts: events.flatMap(({ posts }) => posts) }
}

function eventOf(
  rule: AlertRule,
  { changes, now, newId, webhook }: KeysLook,
): { readonly incident: IncidentWrite; readonly posts: readonly NewAlertPost[] } {
  const alerts = alertsOf(rule, changes, now)
  const doc: IncidentDoc = { alerts, nature: 'event', cycle: 1, asOfMs: now.getTime(), samples: [], trend: [] }
  const { channelId } = rule
  const incident: IncidentWrite = { id: newId(), subject: ACCOUNT_SUBJECT, channelId, openedAt: now, endedAt: now, doc }
  const post = { incidentId: incident.id, channelId, dueAt: now }
  const body: WebhookBody = { status: 'firing', alerts }
  const webhooks: readonly NewAlertPost[] = webhook ? [{ ...post, what: 'webhook', body }] : []
  return { incident, posts: [{ ...post, what: 'card', body: undefined }, ...webhooks] }
}

/** An alert for each change, as many as an incident holds; the last one counts those that have no room. */
function alertsOf(
  { id, kind, runbook }: AlertRule,
  changes: readonly KeyChange[],
  now: Date,
): readonly IncidentAlert[] {
  const sentences = changes.map(sentenceOf)
  if (changes.length > MAX_INCIDENT_ALERTS) {
    const left = sentences.splice(MAX_INCIDENT_ALERTS - 1).length
    sentences.push(`${left} more API keys have changed. The keys list shows all of them.`)
  }
  const atMs = now.getTime()
  const times = { firedMs: atMs, endedMs: atMs }
  const about = { ruleId: id, kind, subject: ACCOUNT_SUBJECT, severity: 'warning' } as const
  return sentences.map((sentence) => ({ ...about, ...times, facts: { sentence }, runbook }))
}

function sentenceOf({ what, id, roles, before = [] }: KeyChange): string {
  switch (what) {
    case 'new':
      return `API key ${id} is new, with ${rolesOf(roles)}.`
    case 'gone':
      return `API key ${id} is gone. It had ${rolesOf(roles)}.`
    case 'roles changed':
      return `API key ${id} now has ${rolesOf(roles)}. Before, it had ${rolesOf(before)}.`
  }
}

function rolesOf(roles: readonly string[]): string {
  if (roles.length === 0) return 'no role'
  const named = roles
    .slice(0, MAX_ROLES_NAMED)
    .map((role) => visible(role, MAX_ROLE_CHARACTERS))
    .join(', ')
  const more = roles.length > MAX_ROLES_NAMED ? ` and ${roles.length - MAX_ROLES_NAMED} more` : ''
  return `${roles.length === 1 ? 'the role' : 'the roles'} ${named}${more}`
}
