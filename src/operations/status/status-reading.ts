import { count, percent } from '../../block-kit/amounts.ts'
import { pullSubject } from '../../alerts/state/rule-subjects.ts'
import { type MinuteSeries, buildSeries, countLine, emptyMinute } from '../../alerts/series/minute-series.ts'
import { median } from '../../alerts/series/statistics.ts'
import { FIRST_LAG } from '../../alerts/log/lag.ts'
import type { TrafficTrust } from '../../alerts/log/zone-record.ts'
import type { LogResult } from '../../cdn/contract/cdn.ts'
import { CdnError } from '../../cdn/contract/errors.ts'
import { DAY_MINUTES, MINUTE_MS } from '../../shared/durations.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'
import type { OperationContext } from '../declaration/operation.ts'

/** What is said of a pull zone's traffic, for a stretch of time: shares from 0 to 1, and requests a minute as estimated. */
export const MEASURES = {
  hitRatio: 'Hit ratio',
  stale: 'STALE',
  miss: 'MISS',
  errors: '5xx',
  rate: 'Requests a minute',
} as const
export type MeasureName = keyof typeof MEASURES
type Measures = Readonly<Record<MeasureName, number | undefined>>

/** With less of the time read, how many requests there were in all is not guessed. */
const LEAST_COVERED = 0.1
/** What is usual is the median of such windows, before the hour that is shown. */
const WINDOW_MINUTES = 15
const BASELINE_HOURS = 4
const SHOWN_MINUTES = 60
/** With fewer windows nothing is known to be usual. */
const LEAST_WINDOWS = 8

export function measure(series: MinuteSeries, from: number, until: number) {
  const covered = series.covered(from, until)
  const [all, bypass] = [series.total('cacheable', from, until), series.total('bypass', from, until)]
  const answered = series.total('answered', from, until)
  const share = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined)
  const requests = series.total('lines', from, until)
  return {
    requests,
    hitRatio: share(answered, all - bypass),
    stale: series.share('stale', 'cacheable', from, until),
    miss: share(all - bypass - answered, all),
    errors: series.isCoded ? series.share('c5xx', 'lines', from, until) : undefined,
    rate: covered >= LEAST_COVERED ? requests / (covered * (until - from)) : undefined,
  }
}

/** What was usual in the four hours before the hour that ends at minute `at`. */
export function usualMeasures(series: MinuteSeries, at: number): Measures {
  const until = at - SHOWN_MINUTES
  const windows = Array.from({ length: (BASELINE_HOURS * 60) / WINDOW_MINUTES }, (_, index) =>
    measure(series, until - (index + 1) * WINDOW_MINUTES, until - index * WINDOW_MINUTES),
  )
  const usual = (name: MeasureName): number | undefined => {
    const values = windows.flatMap((window) => window[name] ?? [])
    return values.length < LEAST_WINDOWS ? undefined : median(values)
  }
  const [hitRatio, stale, miss] = [usual('hitRatio'), usual('stale'), usual('miss')]
  return { hitRatio, stale, miss, errors: usual('errors'), rate: usual('rate') }
}

/** How far back a series has to reach for all of it. */
const STATUS_MINUTES = SHOWN_MINUTES + BASELINE_HOURS * 60

/** What *now* is; where nothing is kept of a zone, as much is read from the log. */
export const SHORT_MINUTES = 5
/** Lines read for them; what does not fit is not counted, and the time it is of neither. */
const MAX_LINES = 20_000

export interface ZoneStatus {
  readonly series: MinuteSeries
  /** The first minute that is not in it: what is said holds up to its beginning. */
  readonly at: number
  /** Undefined where no rule looks at the zone: then there is no baseline either. */
  readonly trust: TrafficTrust | undefined
  readonly incidents: readonly IncidentRecord[]
  readonly knownFrom?: number | undefined
  readonly yesterday: MinuteSeries | undefined
}

type Running = Pick<OperationContext, 'store' | 'alerts' | 'now'>

export async function watchedStatus(pullZoneId: bigint, trust: TrafficTrust, running: Running): Promise<ZoneStatus> {
  const { store, alerts, now } = running
  const at = Math.floor((now.getTime() - trust.lagMs) / MINUTE_MS)
  const from = at - STATUS_MINUTES
  const dayBefore = at - DAY_MINUTES
  const [minutes, before, incidents, span] = await Promise.all([
    alerts.minutes(pullZoneId, from, at),
    alerts.minutes(pullZoneId, dayBefore - SHOWN_MINUTES, dayBefore),
    store.alerts.incidents({ open: true, subjects: [pullSubject(pullZoneId)], limit: 20 }),
    store.minutes.span(String(pullZoneId)),
  ])
  const yesterday = before.length === 0 ? undefined : buildSeries(dayBefore - SHOWN_MINUTES, before)
  return { series: buildSeries(from, minutes), at, trust, incidents, knownFrom: span?.from, yesterday }
}

/** The last minutes of a zone that nobody watches, read from its log as somebody asks. Throws `CdnError`. */
export async function unwatchedStatus(pullZoneId: bigint, running: Reading): Promise<ZoneStatus> {
  const at = Math.floor((running.now.getTime() - FIRST_LAG.lagMs) / MINUTE_MS)
  const series = await readMinutes(pullZoneId, at, running)
  const yesterday = await readMinutes(pullZoneId, at - DAY_MINUTES, running).catch((error: unknown) => {
    if (error instanceof CdnError) return undefined
    throw error
  })
  return { series, at, trust: undefined, incidents: [], yesterday }
}

type Reading = Pick<OperationContext, 'cdn' | 'now' | 'signal' | 'progress'>

async function readMinutes(pullZoneId: bigint, at: number, { cdn, signal, progress }: Reading): Promise<MinuteSeries> {
  const from = at - SHORT_MINUTES
  const range = { from: new Date(from * MINUTE_MS), to: new Date(at * MINUTE_MS) }
  const result = await cdn.queryLogs(
    pullZoneId,
    { ...range, order: 'desc' },
    {
      maxEntries: MAX_LINES,
      signal,
      priority: 'person',
      onWaiting: () => progress('Reading the log; the CDN’s rate limit may add up to 10 s'),
      onProgress: ({ entries }) => progress(`Read ${entries} lines of the last minutes`),
    },
  )
  return buildSeries(from, tallied(result, from, at))
}

/** Lines by minute. Where not all were read, the newest were: of the minute of the oldest only a part is known. */
function tallied({ entries, truncated }: LogResult, from: number, at: number) {
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

export function formatMeasure(name: MeasureName, measures: Measures): string | undefined {
  const value = measures[name]
  if (value === undefined) return undefined
  return name === 'rate' ? count(Math.round(value)) : percent(value)
}
