/**
 * The numbered choices of the platform's interface, each as name → number in the contract's spelling. Where the
 * contract gives numbers without names, the names are in `dialect.ts`.
 */
export const DNS_RECORD_TYPES = {
  A: 0,
  AAAA: 1,
  CNAME: 2,
  TXT: 3,
  MX: 4,
  Redirect: 5,
  Flatten: 6,
  PullZone: 7,
  SRV: 8,
  CAA: 9,
  PTR: 10,
  Script: 11,
  NS: 12,
  SVCB: 13,
  HTTPS: 14,
  TLSA: 15,
} as const
export type DnsRecordTypeName = keyof typeof DNS_RECORD_TYPES

export const MONITOR_TYPES = { None: 0, Ping: 1, Http: 2, Monitor: 3 } as const

export const SMART_ROUTING_TYPES = { None: 0, Latency: 1, Geolocation: 2 } as const

export const MONITOR_STATUSES = { Unknown: 0, Online: 1, Offline: 2 } as const

export const ACCELERATION_STATUSES = { None: 0, Pending: 1, Processing: 2, Completed: 3, Failed: 4 } as const

export const PULL_ZONE_TYPES = { Premium: 0, Volume: 1 } as const

/** The cache statuses the contract states, with what each means. Other statuses occur and are kept as they came. */
export const CACHE_STATUSES = {
  HIT: 'Served directly from cache',
  MISS: 'Not in cache; fetched from the origin',
  BYPASS: 'Cache skipped',
  REVALIDATED: 'Cached answer checked with the origin and used again',
  STALE: 'Old cached answer served, typically because the origin is unavailable or slow',
  UPDATING: 'Old answer served while a background update runs',
  '-': 'No cache involved',
} as const

export type NumberedChoice = Readonly<Record<string, number>>

/** The name of a number; a number nobody has named yet is shown as the number, since the platform's lists grow. */
export function nameOf(choice: NumberedChoice, value: number): string {
  return Object.entries(choice).find(([, number]) => number === value)?.[0] ?? String(value)
}
