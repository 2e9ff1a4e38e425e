import { COLUMN, type MinuteSeries, seriesOf } from '../../alerts/minute-series.ts'
import { median } from '../../alerts/robust.ts'
import { FIRST_LAG } from '../../alerts/lag.ts'
import { countLine, emptyMinute, type MinuteTally } from '../../alerts/minute-tally.ts'
import type { TrafficTrust } from '../../alerts/traffic-trust.ts'
import type { LogResult } from '../../cdn/cdn.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import type { IncidentRecord } from '../../store/alert-records.ts'
import { subjectOf } from '../alerts/alert-subjects.ts'
import type { OperationContext } from '../operation.ts'

/** What is said of a pull zone's traffic, for a stretch of time. Undefined where nothing can be said. */
export interface Measures {
  /** 0 to 1 */
  readonly hitRatio: number | undefined
  readonly stale: number | undefined
  readonly miss: number | undefined
  readonly errors: number | undefined
  /** Requests a minute, estimated from the time that was read. */
  readonly rate: number | undefined
}

export const MEASURES = ['hitRatio', 'stale', 'miss', 'errors', 'rate'] as const satisfies readonly (keyof Measures)[]

/** With less of the time read, how many requests there were in all is not guessed. */
const LEAST_COVERED = 0.1
/** What is usual is the median of such windows, before the hour that is shown. */
const WINDOW_MINUTES = 15
const BASELINE_HOURS = 4
const SHOWN_MINUTES = 60
/** With fewer windows nothing is known to be usual. */
const LEAST_WINDOWS = 8

export function measuresOf(series: MinuteSeries, from: number, until: number): Measures {
  const covered = series.covered(from, until)
  const [all, bypass] = [series.total(COLUMN.cacheable, from, until), series.total(COLUMN.bypass, from, until)]
  const answered = series.total(COLUMN.answered, from, until)
  const share = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined)
  return {
    hitRatio: share(answered, all - bypass),
    stale: series.share(COLUMN.stale, COLUMN.cacheable, from, until),
    miss: share(all - bypass - answered, all),
    errors: series.isCoded ? series.share(COLUMN.c5xx, COLUMN.lines, from, until) : undefined,
    rate: covered >= LEAST_COVERED ? series.total(COLUMN.lines, from, until) / (covered * (until - from)) : undefined,
  }
}

/** What was usual in the four hours before the hour that ends at minute `at`. */
export function usualMeasures(series: MinuteSeries, at: number): Measures {
  const until = at - SHOWN_MINUTES
  const windows = Array.from({ length: (BASELINE_HOURS * 60) / WINDOW_MINUTES }, (_, index) =>
    measuresOf(series, until - (index + 1) * WINDOW_MINUTES, until - index * WINDOW_MINUTES),
  )
  const usual = (name: keyof Measures): number | undefined => {
    const said = windows.flatMap((window) => window[name] ?? [])
    return said.length < LEAST_WINDOWS ? undefined : median(said)
  }
  return {
    hitRatio: usual('hitRatio'),
    stale: usual('stale'),
    miss: usual('miss'),
    errors: usual('errors'),
    rate: usual('rate'),
  }
}

/** How far back a series has to reach for all of it. */
const STATUS_MINUTES = SHOWN_MINUTES + BASELINE_HOURS * 60

/** Minutes that are read from the log where nothing is kept of a zone. */
export const UNWATCHED_MINUTES = 5
/** Lines read for them; what does not fit is not counted, and the time it is of neither. */
const MAX_LINES = 20_000
const MAX_INCIDENTS = 20

export interface ZoneStatus {
  readonly series: MinuteSeries
  /** The first minute that is not in it: what is said holds up to its beginning. */
  readonly at: number
  /** Undefined where no rule looks at the zone: then there is no baseline either. */
  readonly trust: TrafficTrust | undefined
  readonly incidents: readonly IncidentRecord[]
  readonly knownFrom?: number | undefined
}

type Running = Pick<OperationContext, 'store' | 'alerts' | 'now'>

export async function watchedStatus(pullZoneId: bigint, trust: TrafficTrust, running: Running): Promise<ZoneStatus> {
  const { store, alerts, now } = running
  const at = Math.floor((now.getTime() - trust.lagMs) / MINUTE_MS)
  const from = at - STATUS_MINUTES
  const [minutes, incidents, span] = await Promise.all([
    alerts.minutes(pullZoneId, from, at),
    store.alerts.incidents({ open: true, subject: subjectOf({ kind: 'pull', id: pullZoneId }), limit: MAX_INCIDENTS }),
    store.minutes.span(String(pullZoneId)),
  ])
  return { series: seriesOf(from, minutes), at, trust, incidents, knownFrom: span?.from }
}

/** The last minutes of a zone that nobody watches, read from its log as somebody asks. Throws `CdnError`. */
export async function unwatchedStatus(
  pullZoneId: bigint,
  { cdn, now, signal, progress }: Pick<OperationContext, 'cdn' | 'now' | 'signal' | 'progress'>,
): Promise<ZoneStatus> {
  const at = Math.floor((now.getTime() - FIRST_LAG.lagMs) / MINUTE_MS)
  const from = at - UNWATCHED_MINUTES
  const range = { from: new Date(from * MINUTE_MS), to: new Date(at * MINUTE_MS) }
  const result = await cdn.queryLogs(
    pullZoneId,
    { ...range, order: 'desc' },
    {
      maxEntries: MAX_LINES,
      signal,
      priority: 'person',
      onWaiting: () =>
        progress('Waiting for a free slot: the platform takes 30 log requests in 10 seconds for a pull zone'),
      onProgress: ({ entries }) => progress(`Read ${entries} lines of the last minutes`),
    },
  )
  return { series: seriesOf(from, tallied(result, from, at)), at, trust: undefined, incidents: [] }
}

/** Lines by minute. Where not all were read, the newest were: of the minute of the oldest only a part is known. */
function tallied({ entries, truncated }: LogResult, from: number, at: number): readonly MinuteTally[] {
  const times = entries.flatMap(({ timestamp }) => timestamp?.getTime() ?? [])
  const readFromMs = truncated ? times.reduce((least, time) => Math.min(least, time), at * MINUTE_MS) : from * MINUTE_MS
  const minutes = Array.from({ length: at - from }, (_, index) => {
    const startMs = (from + index) * MINUTE_MS
    return emptyMinute(from + index, Math.min(MINUTE_MS, Math.max(0, startMs + MINUTE_MS - readFromMs)))
  })
  for (const { timestamp, cacheStatus, statusCode } of entries) {
    const minute = timestamp && minutes[Math.floor(timestamp.getTime() / MINUTE_MS) - from]
    if (minute !== undefined) countLine(minute, cacheStatus, statusCode)
  }
  return minutes
}
