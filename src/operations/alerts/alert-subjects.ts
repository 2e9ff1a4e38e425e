import { getKindTitle } from '../../alerts/kinds/kinds.ts'
import { ACCOUNT_SUBJECT, EVERY_STORAGE_SUBJECT, parseSubject } from '../../alerts/state/rule-subjects.ts'
import type { AlertRule, AlertSubject } from '../../store/schema/alert-records.ts'
import type { NamedZone } from '../declaration/field.ts'
import { zoneLabel } from '../declaration/zone-field.ts'

/** The one zone that a subject is; undefined for the account and for every storage zone. */
export function zoneOfSubject(subject: AlertSubject) {
  const named = parseSubject(subject)
  return named?.zoneId !== undefined ? { kind: named.kind, id: BigInt(named.zoneId) } : undefined
}

/** A subject in sentences: `pull zone shop (301)`, `every storage zone with a name`, `the account`. */
export function subjectWords(subject: AlertSubject, zones: readonly NamedZone[]): string {
  if (subject === ACCOUNT_SUBJECT) return 'the account'
  if (subject === EVERY_STORAGE_SUBJECT) return 'every storage zone with a name'
  const zone = zoneOfSubject(subject)
  if (zone === undefined) return subject
  return `${zone.kind} zone ${zoneLabel({ id: zone.id, name: findNamedZone(subject, zones)?.name })}`
}

export function ruleLabel({ kind, subject }: Pick<AlertRule, 'kind' | 'subject'>, zones: readonly NamedZone[]): string {
  return `${getKindTitle(kind)} for ${subjectWords(subject, zones)}`
}

export function subjectCell(subject: AlertSubject, zones: readonly NamedZone[]): string {
  return subjectWords(subject, zones).replace(/^pull zone /, '')
}

export function findNamedZone(subject: AlertSubject, zones: readonly NamedZone[]): NamedZone | undefined {
  const zone = zoneOfSubject(subject)
  return zones.find(({ kind, zoneId }) => kind === zone?.kind && zoneId === String(zone.id))
}

/** Where the configuration says that it stands what to do about a zone; it may give a zone several names. */
export function findRunbook(subject: AlertSubject, zones: readonly NamedZone[]): string | undefined {
  const zone = zoneOfSubject(subject)
  const named = zones.filter(({ kind, zoneId }) => kind === zone?.kind && zoneId === String(zone.id))
  return named.find(({ runbook }) => runbook !== undefined)?.runbook
}
