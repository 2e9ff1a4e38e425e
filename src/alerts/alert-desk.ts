import type { MinuteCounts } from '../store/minute-counts.ts'
import type { TrafficTrust } from './traffic-trust.ts'

/** How far reading back has come. */
export interface ReadBackProgress {
  /** A plain sentence. */
  readonly sentence: string
}

/** What reading back has brought. */
export interface ReadBack {
  /** The first and the last minute that is known now; undefined when nothing could be read. */
  readonly span: { readonly from: number; readonly until: number } | undefined
  readonly lines: number
  /** Share of the three days that is known, 0 to 1. */
  readonly covered: number
  /** What could not be read, as sentences for people; empty when all is well. */
  readonly problems: readonly string[]
}

/** What operations can ask of the part that looks at the platform by itself. */
export interface AlertDesk {
  /**
   * Reads the last three days of a pull zone's log into the store as minutes, as far as they are not there yet, within
   * the share of the limit that alerts have. Never throws for what the platform does: that stands in `problems`.
   */
  readBack(
    pullZoneId: bigint,
    options: { readonly signal: AbortSignal; readonly progress: (told: ReadBackProgress) => void },
  ): Promise<ReadBack>
  /** Minutes as the store has them, oldest first; `until` is excluded. */
  minutes(pullZoneId: bigint, from: number, until: number): Promise<readonly MinuteCounts[]>
  /** How well the zone is being read; undefined when no rule looks at it. */
  trust(pullZoneId: bigint): Promise<TrafficTrust | undefined>
  /** The rules have changed: what is new is looked at now, and not only when its time comes. */
  soon(): void
}
