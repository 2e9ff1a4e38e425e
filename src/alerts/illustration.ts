import { alertKind } from './kinds.ts'
import type { StorageDay } from './alert-kind.ts'
import { type IncidentAlert, type IncidentDoc, MAX_SAMPLE_LINES, type SampleLine } from './incident.ts'
import { MINUTE_MS, type Traffic } from './traffic.ts'

/** So many points a chart of Slack can have. */
const TREND_POINTS = 20
const TREND_STEP_MINUTES = 3

/** The value of an alert's kind over the last hour, oldest first; without the stretches of which nothing is known. */
export function trafficTrend({ kind: name }: IncidentAlert, series: Traffic, at: number): IncidentDoc['trend'] {
  const kind = alertKind(name)
  if (kind?.subject !== 'pull') return []
  return Array.from({ length: TREND_POINTS }, (_, index) => at - (TREND_POINTS - index) * TREND_STEP_MINUTES).flatMap(
    (from) => {
      const value = kind.value(series, from, from + TREND_STEP_MINUTES)
      return value === undefined || !Number.isFinite(value) ? [] : [{ atMs: from * MINUTE_MS, value }]
    },
  )
}

/** The value of an alert's kind on the last days, oldest first. */
export function storageTrend({ kind: name }: IncidentAlert, days: readonly StorageDay[]): IncidentDoc['trend'] {
  const kind = alertKind(name)
  if (kind?.subject !== 'storage') return []
  return days.slice(-TREND_POINTS).flatMap((day) => {
    const value = kind.value(day)
    return value === undefined || !Number.isFinite(value) ? [] : [{ atMs: day.dayMs, value }]
  })
}

/** The newest lines that show what an alert is about; the newest of all where its kind is about no single status, none where it is about lines that are missing. */
export function samplesFor({ kind }: IncidentAlert, lines: readonly SampleLine[]): readonly SampleLine[] {
  const shows = SHOWING.get(kind)
  return lines
    .filter((line) => shows === undefined || shows(line))
    .slice(0, MAX_SAMPLE_LINES)
    .map(({ atMs, cacheStatus, statusCode, host, path, edgeLocation }) => ({
      atMs,
      cacheStatus,
      statusCode,
      host,
      path,
      edgeLocation,
    }))
}

const isFailure = ({ statusCode }: SampleLine): boolean => statusCode !== undefined && statusCode >= 500
const has =
  (...statuses: readonly string[]) =>
  ({ cacheStatus }: SampleLine): boolean =>
    cacheStatus !== undefined && statuses.includes(cacheStatus)

const SHOWING: ReadonlyMap<string, (line: SampleLine) => boolean> = new Map([
  ['stale-share', has('STALE')],
  ['updating-share', has('UPDATING')],
  ['bypass-share', has('BYPASS')],
  ['miss-surge', has('MISS')],
  ['hit-ratio-drop', has('MISS')],
  ['hit-ratio-floor', has('MISS')],
  ['error-share', isFailure],
  ['error-budget', isFailure],
  ['log-silence', () => false],
  ['poller-health', () => false],
])
