import type { Flavour } from '../../../src/playground/cdn/world/pull-zone.ts'

/** A pull zone of the simulated day. */
export interface Site {
  readonly zoneId: string
  readonly name: string
  readonly flavour: Flavour
  /** Requests a minute, as a mean over the day. */
  readonly perMinute: number
  /** UTC minute of the day with the fewest requests. */
  readonly quietestMinute: number
  /** How long after a minute's end its lines are relied on. */
  readonly lagMs: number
}

/** From a site nobody knows to one that cannot be read whole. */
export const SITES: readonly Site[] = [
  { zoneId: '410', name: 'tiny-docs', flavour: 'shop', perMinute: 10, quietestMinute: 200, lagMs: 120_000 },
  { zoneId: '440', name: 'small-shop', flavour: 'shop', perMinute: 40, quietestMinute: 260, lagMs: 75_000 },
  { zoneId: '420', name: 'middle-api', flavour: 'api', perMinute: 200, quietestMinute: 130, lagMs: 90_000 },
  { zoneId: '402', name: 'good-shop', flavour: 'shop', perMinute: 2_000, quietestMinute: 320, lagMs: 120_000 },
  { zoneId: '421', name: 'big-media', flavour: 'media', perMinute: 20_000, quietestMinute: 180, lagMs: 65_000 },
  { zoneId: '400', name: 'huge-shop', flavour: 'shop', perMinute: 100_000, quietestMinute: 240, lagMs: 150_000 },
]

const MINUTES_A_DAY = 1_440
/** Makes the busiest minute four times the quietest. */
const SWING = 0.6

/** What the mean is multiplied by at a minute since 1970: 0.4 to 1.6. */
export function dayCurve({ quietestMinute }: Site, minute: number): number {
  return 1 - SWING * Math.cos(((minute - quietestMinute) / MINUTES_A_DAY) * 2 * Math.PI)
}

/** What rules and incidents call it. */
export function subjectOf(site: Site): string {
  return `pull/${site.zoneId}`
}
