import type { AlertKind } from './alert-kind.ts'
import { apiKeysChanged } from './api-keys-changed.ts'
import { cacheNotWorking } from './cache-not-working.ts'
import { cannotLook } from './cannot-look.ts'
import { originFailing } from './origin-failing.ts'
import { storageChange } from './storage-change.ts'
import { trafficGone } from './traffic-gone.ts'
import { trafficSurge } from './traffic-surge.ts'
export const ALERT_KINDS: readonly AlertKind[] = [
  originFailing,
  cacheNotWorking,
  trafficGone,
  trafficSurge,
  cannotLook,
  storageChange,
  apiKeysChanged,
]

/** What kinds were called before. Rules are stored, and typed, by these names as well. */
export const FORMER_NAMES: Readonly<Record<string, string>> = {
  'stale-share': 'origin-failing',
  'error-share': 'origin-failing',
  'error-budget': 'origin-failing',
  'updating-share': 'origin-failing',
  'hit-ratio-drop': 'cache-not-working',
  'hit-ratio-floor': 'cache-not-working',
  'miss-surge': 'cache-not-working',
  'bypass-share': 'cache-not-working',
  'traffic-anomaly': 'traffic-surge',
  'log-silence': 'traffic-gone',
  'poller-health': 'cannot-look',
  'storage-growth': 'storage-change',
  'storage-jump': 'storage-change',
}

/** The kind of a name as it is typed and stored, a former one included; undefined when there is none. */
export function findAlertKind(name: string): AlertKind | undefined {
  return ALERT_KINDS.find((kind) => kind.name === toCurrentName(name))
}

export function toCurrentName(name: string): string {
  return Object.hasOwn(FORMER_NAMES, name) ? (FORMER_NAMES[name] ?? name) : name
}
export function getKindTitle(name: string): string {
  return findAlertKind(name)?.title ?? name
}
