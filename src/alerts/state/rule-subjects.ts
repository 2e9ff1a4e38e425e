import { type AlertSubject, EVERY_STORAGE_SUBJECT, type IncidentRecord } from '../../store/schema/alert-records.ts'

export const ACCOUNT_SUBJECT: AlertSubject = 'account'

export function pullSubject(zoneId: bigint | string): AlertSubject {
  return `pull/${zoneId}`
}

export function storageSubject(zoneId: bigint | string): AlertSubject {
  return `storage/${zoneId}`
}

export type NamedSubject =
  | { readonly kind: 'pull' | 'storage'; readonly zoneId: string }
  | { readonly kind: 'every storage' | 'account'; readonly zoneId?: undefined }

/** Undefined for text that names nothing. */
export function parseSubject(subject: AlertSubject): NamedSubject | undefined {
  if (subject === ACCOUNT_SUBJECT) return { kind: 'account' }
  if (subject === EVERY_STORAGE_SUBJECT) return { kind: 'every storage' }
  const [, kind, zoneId] = /^(pull|storage)\/([1-9]\d{0,18})$/.exec(subject) ?? []
  if (zoneId === undefined || (kind !== 'pull' && kind !== 'storage')) return undefined
  return { kind, zoneId }
}

/** What `open` incidents are about before all else, for lists that have no room for everything. */
export function firingFirst<Subject extends AlertSubject>(
  subjects: readonly Subject[],
  open: readonly Pick<IncidentRecord, 'subject'>[],
): readonly Subject[] {
  const firing = new Set(open.map(({ subject }) => subject))
  return subjects.toSorted((one, other) => Number(firing.has(other)) - Number(firing.has(one)))
}

/** Whether what is said about `said`, by a rule or a silence, concerns `subject`, which is one thing alone. */
export function concerns(said: AlertSubject, subject: AlertSubject): boolean {
  return said === subject || (said === EVERY_STORAGE_SUBJECT && subject.startsWith('storage/'))
}
