import type { Flavour } from './pull-zone.ts'
import type { Weighted } from './seeded-random.ts'

/** Something that goes wrong with a pull zone for a while, and that its log shows. Times are milliseconds since 1970. */
export interface Incident {
  readonly pullZoneId: bigint
  readonly kind: IncidentKind
  readonly fromMs: number
  /** Exclusive; an incident without an end goes on. */
  readonly untilMs?: number | undefined
}

export type IncidentKind =
  /** The origin answers with errors or not at all: old content is served, and 5xx where there is none. */
  | 'origin outage'
  /** The cache was emptied: nearly everything has to be fetched again. */
  | 'purge'
  /** A cookie or a setting makes the cache be skipped. */
  | 'bypass'
  /** Five times the requests. */
  | 'surge'
  /** No request is logged at all. */
  | 'silence'

/** How one pull zone behaves in one minute. */
export interface TrafficMix {
  /** What the usual number of requests is multiplied by. */
  readonly volume: number
  readonly cacheStatuses: readonly Weighted<string>[]
  /** The share of requests to the origin that end in 5xx. */
  readonly originFailures: number
}

/** The mix of a kind of site while nothing is wrong, or under an incident. Of several incidents the last one counts. */
export function trafficMix(flavour: Flavour, incident: IncidentKind | undefined): TrafficMix {
  const usual: TrafficMix = { volume: 1, cacheStatuses: USUAL[flavour], originFailures: 0.001 }
  return incident === undefined ? usual : { ...usual, ...CHANGES[incident] }
}

type StatusWeights = Readonly<Record<string, number>>

/** `EXPIRED` is not among the statuses the interface states, and occurs. */
const USUAL: Readonly<Record<Flavour, readonly Weighted<string>[]>> = {
  shop: weights({ HIT: 800, MISS: 90, BYPASS: 45, REVALIDATED: 25, STALE: 3, UPDATING: 8, EXPIRED: 9, '-': 20 }),
  media: weights({ HIT: 930, MISS: 45, BYPASS: 2, REVALIDATED: 6, STALE: 2, UPDATING: 10, EXPIRED: 3, '-': 2 }),
  api: weights({ HIT: 320, MISS: 160, BYPASS: 340, REVALIDATED: 20, STALE: 3, UPDATING: 7, EXPIRED: 10, '-': 140 }),
}
const OUTAGE = weights({
  HIT: 420,
  MISS: 130,
  BYPASS: 40,
  REVALIDATED: 2,
  STALE: 330,
  UPDATING: 60,
  EXPIRED: 8,
  '-': 10,
})
const PURGED = weights({ HIT: 180, MISS: 700, BYPASS: 40, REVALIDATED: 5, STALE: 5, UPDATING: 50, EXPIRED: 5, '-': 15 })
const BYPASSED = weights({
  HIT: 250,
  MISS: 40,
  BYPASS: 660,
  REVALIDATED: 8,
  STALE: 4,
  UPDATING: 8,
  EXPIRED: 5,
  '-': 25,
})

const CHANGES: Readonly<Record<IncidentKind, Partial<TrafficMix>>> = {
  'origin outage': { cacheStatuses: OUTAGE, originFailures: 0.85 },
  purge: { cacheStatuses: PURGED },
  bypass: { cacheStatuses: BYPASSED },
  surge: { volume: 5 },
  silence: { volume: 0 },
}

function weights(of: StatusWeights): readonly Weighted<string>[] {
  return Object.entries(of).map(([value, weight]) => ({ value, weight }))
}
