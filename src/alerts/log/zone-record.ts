import * as z from 'zod'
import { LOG_RETENTION_MS } from '../../cdn/contract/log-filter.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import { MINUTE_RETENTION_MS } from '../../store/schema/minute-counts.ts'
import { FIRST_LAG, LagRecord } from './lag.ts'
import { MAX_BEHIND_MINUTES } from './poll-plan.ts'
import type { MinuteSeries } from '../series/minute-series.ts'
import { CdnError } from '../../cdn/contract/errors.ts'
import { UserError } from '../../shared/errors.ts'

export const TRUST_MINUTES = 30
/** A cursor that is so far ahead of the clock was written before the clock was put back. */
const MAX_AHEAD_MINUTES = 10

/** Why nothing new is known of a pull zone's traffic, what that means, and what to do about it. None is "no traffic". */
export const CAUSES = {
  'logging off or no such zone': 'logging is off, or there is no such zone: switch it on', // 404
  'key refused or zone suspended': 'the API key is refused, or the zone is suspended: check the key', // 401, 403
  limited: 'the CDN limits how often it may be read', // 429, or no slot of ours came free
  'platform error': 'the CDN answers with errors or not at all', // 5xx, unreachable, unreadable
} as const
export type ReadFailure = keyof typeof CAUSES
export const READ_FAILURES = Object.keys(CAUSES) as ReadFailure[] // its very keys

const BY_STATUS: Readonly<Record<number, ReadFailure>> = {
  401: 'key refused or zone suspended',
  403: 'key refused or zone suspended',
  404: 'logging off or no such zone',
  429: 'limited',
}

/** Why a call for a log failed, as a finding, and how long the platform asked to wait. */
export type FailedRead = Readonly<{ cause: ReadFailure; retryAfterMs?: number | undefined }>

/** What a failed call says of the platform; undefined for what is no failure of it: a bug, or a stop of ours. */
export function classifyFailure(error: unknown): FailedRead | undefined {
  if (error instanceof UserError) return { cause: error.code === 'busy' ? 'limited' : 'platform error' }
  if (!(error instanceof CdnError)) return undefined
  const { failure } = error
  if (failure.kind === 'unreachable' && failure.reason === 'aborted') return undefined
  if (failure.kind !== 'rejected') return { cause: 'platform error' }
  return { cause: BY_STATUS[failure.status] ?? 'platform error', retryAfterMs: failure.retryAfterMs }
}

/** Where the reading of a pull zone's log stands, as it is kept with the counts. Minutes are whole ones since 1970. */
export const ZoneRecord = z.object({
  /** The first minute that was to be read. */
  since: z.int(),
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
export function findReadyMinute(nowMs: number, lagMs: number): number {
  return Math.floor((nowMs - lagMs) / MINUTE_MS)
}

/** Where reading begins, of which nothing is kept: with the newest minute. */
export function startRecord(nowMs: number): ZoneRecord {
  const minute = findReadyMinute(nowMs, FIRST_LAG.lagMs) - 1
  return { since: minute, readUntil: minute, lookedUntil: minute, lag: FIRST_LAG }
}

/**
 * Where reading goes on: at its cursor, unless that is over an hour behind; then the last hour is read, and what lies
 * before it is passed over. What nobody wanted to know (`wantedFromMs` is when the oldest rule was made) is not missed. Where
 * the clock was put back by more than minutes it begins anew: waiting for that time to come again would be blindness.
 */
export function resumeRecord(record: ZoneRecord, nowMs: number, wantedFromMs: number): ZoneRecord {
  const { readUntil, lookedUntil, skipped } = record
  const earliest = findReadyMinute(nowMs, record.lag.lagMs) - MAX_BEHIND_MINUTES
  const wasPutBack = Math.max(readUntil, lookedUntil) > Math.floor(nowMs / MINUTE_MS) + MAX_AHEAD_MINUTES
  if (readUntil >= earliest && !wasPutBack) return record
  if (wasPutBack || (readUntil + TRUST_MINUTES) * MINUTE_MS < wantedFromMs) {
    return { ...startRecord(nowMs), lag: record.lag, perMinute: record.perMinute }
  }
  const from = skipped?.until === readUntil ? skipped.from : readUntil
  const next = { readUntil: earliest, lookedUntil: Math.max(lookedUntil, earliest) }
  return { ...record, ...next, skipped: { from, until: earliest } }
}

/** A record after a poll. A failure keeps the time at which reading stopped working, whatever its cause is by now. */
export function applyFailure(record: ZoneRecord, nowMs: number, cause: ReadFailure | undefined): ZoneRecord {
  const failure = cause === undefined ? undefined : { cause, sinceMs: record.failure?.sinceMs ?? nowMs }
  return { ...record, failure }
}

/** How well the log of a pull zone is being read, as of one moment. Times are milliseconds since 1970. */
export interface TrafficTrust extends Pick<ZoneRecord, 'failure'> {
  /** How long after a request its line can be relied on to be there: what readings wait for. */
  readonly lagMs: number
  /** Minutes that should have been read by now and were not. */
  readonly behindMinutes: number
  /** Share of the last half hour that was read, 0 to 1. */
  readonly covered: number
  /** When lines were lost for good, because nobody read them before they were deleted. */
  readonly gap?: { readonly fromMs: number; readonly untilMs: number } | undefined
}

/** How well the zone is being read. `series` has to reach back half an hour. */
export function assessTrust(record: ZoneRecord, series: MinuteSeries, nowMs: number): TrafficTrust {
  const { lag, failure, readUntil, since } = record
  const ready = findReadyMinute(nowMs, lag.lagMs)
  const from = Math.max(ready - TRUST_MINUTES, Math.min(since, ready - 1))
  return {
    failure,
    lagMs: lag.lagMs,
    behindMinutes: Math.max(0, ready - readUntil),
    covered: series.covered(from, ready),
    gap: findGap(record, nowMs),
  }
}

/** What was passed over and is older than the log was kept when reading went on: nobody can read it any more. */
function findGap({ skipped }: ZoneRecord, nowMs: number): TrafficTrust['gap'] {
  if (skipped === undefined) return undefined
  const fromMs = skipped.from * MINUTE_MS
  const untilMs = skipped.until * MINUTE_MS - LOG_RETENTION_MS
  return fromMs < untilMs && untilMs > nowMs - MINUTE_RETENTION_MS ? { fromMs, untilMs } : undefined
}
