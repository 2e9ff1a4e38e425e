import type { AlertRule, AlertSubject } from '../store/alert-records.ts'

/** A zone that has a name, as far as it matters here. */
export interface WatchedZone {
  readonly kind: string
  readonly name: string
  /** Digits. */
  readonly zoneId: string
}

/** One thing that is looked at by itself. */
export type Watched =
  | { readonly what: 'pull' | 'storage'; readonly subject: AlertSubject; readonly zoneId: bigint }
  | { readonly what: 'account'; readonly subject: AlertSubject }

/** Digits of an id that the platform can have. */
const ID = /^[1-9]\d{0,18}$/

/**
 * What rules look at, each thing once, with the ids of its rules: `storage/*` stands for every storage zone that has a
 * name. Subjects that are none are left out.
 */
export function watchedSubjects(
  rules: readonly AlertRule[],
  zones: readonly WatchedZone[],
): ReadonlyMap<AlertSubject, Watched & { readonly ruleIds: string }> {
  const ruleIds = new Map<AlertSubject, string[]>()
  const note = (subject: AlertSubject, id: string): void => {
    const ids = ruleIds.get(subject)
    if (ids === undefined) ruleIds.set(subject, [id])
    else ids.push(id)
  }
  const storageZones = new Set(zones.filter(({ kind }) => kind === 'storage').map(({ zoneId }) => zoneId))
  for (const { id, subject } of rules) {
    if (subject === 'storage/*') for (const zoneId of storageZones) note(`storage/${zoneId}`, id)
    else note(subject, id)
  }
  return new Map(
    [...ruleIds].flatMap(([subject, ids]) => {
      const watched = readSubject(subject)
      return watched === undefined ? [] : [[subject, { ...watched, ruleIds: ids.sort().join(' ') }] as const]
    }),
  )
}

function readSubject(subject: AlertSubject): Watched | undefined {
  if (subject === 'account') return { what: 'account', subject }
  const [what, id = ''] = subject.split('/')
  if ((what !== 'pull' && what !== 'storage') || !ID.test(id)) return undefined
  return { what, subject, zoneId: BigInt(id) }
}
