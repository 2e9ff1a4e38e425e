import type { AlertKind } from './alert-kind.ts'
import { apiKeysChanged } from './kinds/api-keys-changed.ts'
import { bypassShare } from './kinds/bypass-share.ts'
import { errorBudget } from './kinds/error-budget.ts'
import { errorShare } from './kinds/error-share.ts'
import { hitRatioDrop } from './kinds/hit-ratio-drop.ts'
import { hitRatioFloor } from './kinds/hit-ratio-floor.ts'
import { logSilence } from './kinds/log-silence.ts'
import { missSurge } from './kinds/miss-surge.ts'
import { pollerHealth } from './kinds/poller-health.ts'
import { staleShare } from './kinds/stale-share.ts'
import { storageGrowth } from './kinds/storage-growth.ts'
import { storageJump } from './kinds/storage-jump.ts'
import { trafficAnomaly } from './kinds/traffic-anomaly.ts'
import { updatingShare } from './kinds/updating-share.ts'

/** Everything alerts can look at, in the order in which people are shown it. */
export const ALERT_KINDS: readonly AlertKind[] = [
  staleShare,
  errorShare,
  errorBudget,
  hitRatioDrop,
  hitRatioFloor,
  missSurge,
  updatingShare,
  bypassShare,
  trafficAnomaly,
  logSilence,
  pollerHealth,
  storageGrowth,
  storageJump,
  apiKeysChanged,
]

const BY_NAME = new Map(ALERT_KINDS.map((kind) => [kind.name, kind]))

/** The kind of a name as it is typed and stored; undefined when there is none. */
export function alertKind(name: string): AlertKind | undefined {
  return BY_NAME.get(name)
}
