import type { LogEntry } from '../cdn/log-entry.ts'
import type { Facts, Severity, Unit } from './reading.ts'

/** One alert within an incident: what fires, or fired, under one rule for one subject. Times in milliseconds since 1970. */
export interface IncidentAlert {
  readonly ruleId: string
  readonly kind: string
  readonly subject: string
  readonly severity: Severity
  readonly firedMs: number
  readonly endedMs?: number | undefined
  /** As it was read last: the present numbers while it fires, those at the end afterwards. */
  readonly facts: Facts
  /** The furthest value, in `unit`. */
  readonly peak?: number | undefined
  readonly unit?: Unit | undefined
  /** Begins and ends so often that it is held. */
  readonly flapping?: true | undefined
  /** Where its rule says that it stands what to do. */
  readonly runbook?: string | undefined
}

/** A line that shows what is wrong. Its text is foreign, its addresses are masked, and it has no client address. */
export type SampleLine = Pick<LogEntry, 'cacheStatus' | 'statusCode' | 'host' | 'path' | 'edgeLocation'> & {
  readonly atMs: number
}

export const MAX_SAMPLE_LINES = 3
/** So many alerts of one incident are kept by themselves; the oldest that have ended make room. */
export const MAX_INCIDENT_ALERTS = 20

/** What the evaluation knows of an incident, kept as JSON: the message about it is made from this alone. */
export interface IncidentDoc {
  /** The gravest that fires first. */
  readonly alerts: readonly IncidentAlert[]
  /** An event is told once and does not end; an incident does. */
  readonly nature: 'incident' | 'event'
  /** 1 for the first time, one more each time it begins again within six hours of its end. */
  readonly cycle: number
  /** The Slack user group to mention when critical. */
  readonly mention?: string | undefined
  /** Since when something of it is critical without a break. */
  readonly criticalMs?: number | undefined
  /** As of when its numbers are. */
  readonly asOfMs?: number | undefined
  /** When something was last told of it, if only in its thread. */
  readonly toldMs?: number | undefined
  /** It was said that nobody has acknowledged it. */
  readonly nagged?: true | undefined
  readonly samples: readonly SampleLine[]
  /** What the chart shows: the value of the first alert over the last minutes, oldest first, at most 20 points. */
  readonly trend: readonly { readonly atMs: number; readonly value: number }[]
}

/** Later than this, an incident of the same subject is another one. */
export const SAME_INCIDENT_MS = 6 * 3_600_000
/** What waited longer is not told by itself any more: the one message shows the present state. */
export const STALE_POST_MS = 30 * 60_000
/** How long a critical one waits to be acknowledged before it is said once more. */
export const NAG_AFTER_MS = 15 * 60_000
