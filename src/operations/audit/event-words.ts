import type { AuditEvent } from '../../store/audit-entry.ts'

const WORDS: Readonly<Record<AuditEvent, string>> = {
  read: 'read',
  denied: 'refused or declined',
  requested: 'asked for',
  approval: 'approved by one person',
  approved: 'approved, to be sent',
  break_glass: 'went without approval, with a reason',
  cancelled: 'cancelled',
  expired: 'expired',
  sending: 'being sent',
  done: 'done',
  rejected: 'refused by the platform',
  not_sent: 'not sent',
  unknown: 'unknown whether it happened',
  not_done: 'settled: it did not happen',
  zone_added: 'zone name added',
  zone_removed: 'zone name removed',
  roles_changed: 'roles changed',
  policy_changed: 'policy changed',
  alert_added: 'alert rule added',
  alert_removed: 'alert rule removed',
  alert_paused: 'alert rule paused',
  alert_resumed: 'alert rule resumed',
  alert_acknowledged: 'alert acknowledged',
  alert_dismissed: 'alert answered: not a problem',
  alert_silenced: 'alerts silenced',
  alert_unsilenced: 'silence ended',
  alert_marked: 'deploy or purge marked',
  keys_changed: 'API keys changed',
}

/** What an entry of the record says happened, in a few words. A newer version's event is shown by its own name. */
export function eventWords(event: string): string {
  return isKnown(event) ? WORDS[event] : event
}

function isKnown(event: string): event is AuditEvent {
  return Object.hasOwn(WORDS, event)
}
