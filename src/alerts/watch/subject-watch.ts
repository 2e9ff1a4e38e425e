import type { Cdn } from '../../cdn/contract/cdn.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { Store } from '../../store/store.ts'

/** Looks at one subject again and again. Each look says when the next one is due. */
export interface SubjectWatch {
  /**
   * Looks once, and commits what follows. Resolves to when it has to look again, in milliseconds since 1970. Rejects
   * with `StoreError`, for a bug, or when the signal is aborted; a platform that fails is a finding.
   */
  look(signal: AbortSignal): Promise<number>
  /** Whether everything is read in time; undefined before the first look. */
  isHealthy(nowMs: number): boolean | undefined
}

export interface WatchParts<Calls extends keyof Cdn> {
  readonly cdn: Pick<Cdn, Calls>
  readonly store: Pick<Store, 'alerts' | 'minutes'>
  readonly clock: Clock
  readonly log: Log
  readonly webhook: boolean
}

/** A look that was not committed is done anew after this. */
export const SOON_MS = 1_000

/** When something that is done every so often is due; at once when it never was, or when the clock was put back. */
export function nextLook(lookedMs: number | undefined, everyMs: number, nowMs: number): number {
  return lookedMs === undefined || lookedMs > nowMs ? nowMs : lookedMs + everyMs
}
