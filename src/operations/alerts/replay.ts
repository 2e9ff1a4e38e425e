import { backtest, type Firing } from '../../alerts/backtest.ts'
import type { TrafficKind } from '../../alerts/alert-kind.ts'
import { FIRST_LAG_MS } from '../../alerts/lag.ts'
import { HELD_MINUTES, type MinuteSeries, seriesOf } from '../../alerts/minute-series.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/durations.ts'
import type { AlertRule } from '../../store/alert-records.ts'
import type { MinuteCounts } from '../../store/minute-counts.ts'
import type { OperationContext } from '../operation.ts'
import { subjectOf } from './alert-subjects.ts'
import type { Overrides } from './kind-fields.ts'

/** When an alert would have fired in the past of a zone. */
export interface Replay {
  readonly kind: TrafficKind
  readonly result: {
    /** Oldest first. */
    readonly firings: readonly Firing[]
    /**
     * How often a week it would fire if all time were like what is known; 0 where it never does, undefined where it does and
     * less than a day is known, which tells nothing of a week.
     */
    readonly perWeek: number | undefined
    /** Share of the time that was read, 0 to 1. */
    readonly covered: number
  }
}

/** What is known of a zone's past. Minutes are whole ones since 1970. */
export interface KnownPast {
  readonly from: number
  readonly until: number
  /** With those before `from` that say what is usual. */
  readonly minutes: readonly MinuteCounts[]
  /** From `from` on. */
  readonly series: MinuteSeries
}

/** What the past says, and what it was asked of. */
export interface Tested {
  /** Undefined where nothing at all is known of that time. */
  readonly replay: Replay | undefined
  readonly past: KnownPast
  /** Whatever could not be read, as sentences. */
  readonly problems: readonly string[]
}

/** The minutes of a zone from `since` until now, and of the week before, gaps included. */
export async function pastOf(
  pullZoneId: bigint,
  since: Date,
  { alerts, now }: Pick<OperationContext, 'alerts' | 'now'>,
): Promise<KnownPast> {
  const from = Math.floor(since.getTime() / MINUTE_MS)
  const until = Math.floor(now.getTime() / MINUTE_MS)
  const minutes = await alerts.minutes(pullZoneId, from - HELD_MINUTES, until)
  return {
    from,
    until,
    minutes,
    series: seriesOf(
      from,
      minutes.filter(({ minute }) => minute >= from),
    ),
  }
}

const WEEK_DAYS = 7

/** Each kind over the same past, as it would have been told with these parameters. */
export async function replay(
  kinds: readonly (readonly [kind: TrafficKind, overrides: Overrides])[],
  pullZoneId: bigint,
  { from, until, minutes }: KnownPast,
  { store, now }: Pick<OperationContext, 'store' | 'now'>,
): Promise<readonly Replay[]> {
  const marks = await store.marks.list(String(pullZoneId), new Date(from * MINUTE_MS))
  const subject = subjectOf({ kind: 'pull', id: pullZoneId })
  const rules = kinds.map(([{ name }, parameters]): AlertRule => {
    return { id: name, kind: name, subject, channelId: '', parameters, createdBy: '', createdAt: now }
  })
  const result = await backtest({ rules, minutes, from, until, lagMs: FIRST_LAG_MS, marks })
  const days = ((until - from) * MINUTE_MS * result.covered) / DAY_MS
  return kinds.map(([kind]) => {
    const firings = result.firings.filter(({ ruleId }) => ruleId === kind.name)
    return { kind, result: { firings, perWeek: perWeek(firings.length, days), covered: result.covered } }
  })
}

function perWeek(times: number, days: number): number | undefined {
  if (times === 0) return 0
  return days < 1 ? undefined : (times * WEEK_DAYS) / days
}
