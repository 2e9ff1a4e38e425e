import type { AlertKind } from './alert-kind.ts'
import { apiKeysChanged } from './kinds/api-keys-changed.ts'
import { cacheNotWorking } from './kinds/cache-not-working.ts'
import { cannotLook } from './kinds/cannot-look.ts'
import { shareKinds } from './kinds/shares.ts'
import { storageChange } from './kinds/storage-change.ts'
import { trafficGone } from './kinds/traffic-gone.ts'
import { trafficSurge } from './kinds/traffic-surge.ts'

/** Everything alerts can look at, in the order in which people are shown it. */
export const ALERT_KINDS: readonly AlertKind[] = [
  ...shareKinds,
  cacheNotWorking,
  trafficGone,
  trafficSurge,
  cannotLook,
  storageChange,
  apiKeysChanged,
]

const BY_NAME = new Map(ALERT_KINDS.map((kind) => [kind.name, kind]))

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
export function alertKind(name: string): AlertKind | undefined {
  return BY_NAME.get(currentName(name))
}

export function currentName(name: string): string {
  return Object.hasOwn(FORMER_NAMES, name) ? (FORMER_NAMES[name] ?? name) : name
}
