import {
  ACCOUNT_SUBJECT,
  EVERY_STORAGE_SUBJECT,
  namedSubject,
  pullSubject,
  storageSubject,
} from '../../alerts/rule-subjects.ts'
import type { AlertSubject } from '../../store/alert-records.ts'
import type { NamedZone } from '../field.ts'
import { zoneLabel } from '../zone-field.ts'

export interface AlertZone {
  readonly kind: 'pull' | 'storage'
  readonly id: bigint
}

export function subjectOf({ kind, id }: AlertZone): AlertSubject {
  return kind === 'pull' ? pullSubject(id) : storageSubject(id)
}

/** The one zone that a subject is; undefined for the account and for every storage zone. */
export function zoneOfSubject(subject: AlertSubject): AlertZone | undefined {
  const named = namedSubject(subject)
  return named?.zoneId !== undefined ? { kind: named.kind, id: BigInt(named.zoneId) } : undefined
}

/** A subject in sentences: `pull zone shop (301)`, `every storage zone with a name`, `the account`. */
export function subjectWords(subject: AlertSubject, zones: readonly NamedZone[]): string {
  if (subject === ACCOUNT_SUBJECT) return 'the account'
  if (subject === EVERY_STORAGE_SUBJECT) return 'every storage zone with a name'
  const zone = zoneOfSubject(subject)
  if (zone === undefined) return subject
  return `${zone.kind} zone ${zoneLabel({ id: zone.id, name: namedZone(subject, zones)?.name })}`
}

export function subjectCell(subject: AlertSubject, zones: readonly NamedZone[]): string {
  return subjectWords(subject, zones).replace(/^pull zone /, '')
}

export function namedZone(subject: AlertSubject, zones: readonly NamedZone[]): NamedZone | undefined {
  const zone = zoneOfSubject(subject)
  return zones.find(({ kind, zoneId }) => kind === zone?.kind && zoneId === String(zone.id))
}

/** Where the configuration says that it stands what to do about a zone; it may give a zone several names. */
export function runbookOf(subject: AlertSubject, zones: readonly NamedZone[]): string | undefined {
  const zone = zoneOfSubject(subject)
  const named = zones.filter(({ kind, zoneId }) => kind === zone?.kind && zoneId === String(zone.id))
  return named.find(({ runbook }) => runbook !== undefined)?.runbook
}
