import * as z from 'zod'
import { LOG_RETENTION_MS } from '../cdn/log-filter.ts'
import { MINUTE_MS } from '../shared/durations.ts'
import { MINUTE_RETENTION_MS } from '../store/minute-counts.ts'
import { FIRST_LAG, LagRecord } from './lag.ts'
import { MAX_BEHIND_MINUTES } from './poll-plan.ts'
import type { MinuteSeries } from './minute-series.ts'
import { READ_FAILURES, type ReadFailure, type TrafficTrust } from './traffic-trust.ts'

export const TRUST_MINUTES = 30
const TRUST_MS = TRUST_MINUTES * MINUTE_MS
/** A cursor that is so far ahead of the clock was written before the clock was put back. */
const MAX_AHEAD_MINUTES = 10

/** Where the reading of a pull zone's log stands, as it is kept with the counts. Minutes are whole ones since 1970. */
export const ZoneRecord = z.object({
  /** The first minute that was to be read. */
  since: z.int(),
  /** The first minute that was not read. */
  readUntil: z.int(),
  /** The first minute that no rule has looked at. */
  lookedUntil: z.int(),
  perMinute: z.number().min(0).optional(),
  lag: LagRecord,
  failure: z.object({ cause: z.enum(READ_FAILURES), sinceMs: z.number() }).optional(),
  /** The last minutes that were passed over, because reading was too far behind. */
  skipped: z.object({ from: z.int(), until: z.int() }).optional(),
})
export type ZoneRecord = Readonly<z.output<typeof ZoneRecord>>

/** The first minute whose lines cannot be relied on yet. */
export function readyAt(nowMs: number, lagMs: number): number {
  return Math.floor((nowMs - lagMs) / MINUTE_MS)
}

/** Where reading begins, of which nothing is kept: with the newest minute. */
export function beginning(nowMs: number): ZoneRecord {
  const minute = readyAt(nowMs, FIRST_LAG.lagMs) - 1
  return { since: minute, readUntil: minute, lookedUntil: minute, lag: FIRST_LAG }
}

/**
 * Where reading goes on: at its cursor, unless that is over an hour behind; then the last hour is read, and what lies
 * before it is passed over. What nobody wanted to know (`wantedFromMs` is when the oldest rule was made) is not missed. Where
 * the clock was put back by more than minutes it begins anew: waiting for that time to come again would be blindness.
 */
export function resumed(record: ZoneRecord, nowMs: number, wantedFromMs: number): ZoneRecord {
  const { readUntil, lookedUntil, skipped } = record
  const earliest = readyAt(nowMs, record.lag.lagMs) - MAX_BEHIND_MINUTES
  const wasPutBack = Math.max(readUntil, lookedUntil) > Math.floor(nowMs / MINUTE_MS) + MAX_AHEAD_MINUTES
  if (readUntil >= earliest && !wasPutBack) return record
  if (wasPutBack || readUntil * MINUTE_MS < wantedFromMs - TRUST_MS) {
    return { ...beginning(nowMs), lag: record.lag, perMinute: record.perMinute }
  }
  const from = skipped?.until === readUntil ? skipped.from : readUntil
  const next = { readUntil: earliest, lookedUntil: Math.max(lookedUntil, earliest) }
  return { ...record, ...next, skipped: { from, until: earliest } }
}

/** A record after a poll. A failure keeps the time at which reading stopped working, whatever its cause is by now. */
export function polled(record: ZoneRecord, nowMs: number, cause: ReadFailure | undefined): ZoneRecord {
  const failure = cause === undefined ? undefined : { cause, sinceMs: record.failure?.sinceMs ?? nowMs }
  return { ...record, failure }
}

/** How well the zone is being read. `series` has to reach back half an hour. */
export function trustOf(record: ZoneRecord, series: MinuteSeries, nowMs: number): TrafficTrust {
  const { lag, failure, readUntil, since } = record
  const ready = readyAt(nowMs, lag.lagMs)
  const from = Math.max(ready - TRUST_MINUTES, Math.min(since, ready - 1))
  return {
    failure,
    lagMs: lag.lagMs,
    behindMinutes: Math.max(0, ready - readUntil),
    covered: series.covered(from, ready),
    gap: gapOf(record, nowMs),
  }
}

/** What was passed over and is older than the log was kept when reading went on: nobody can read it any more. */
function gapOf({ skipped }: ZoneRecord, nowMs: number): TrafficTrust['gap'] {
  if (skipped === undefined) return undefined
  const fromMs = skipped.from * MINUTE_MS
  const untilMs = skipped.until * MINUTE_MS - LOG_RETENTION_MS
  return fromMs < untilMs && untilMs > nowMs - MINUTE_RETENTION_MS ? { fromMs, untilMs } : undefined
}
