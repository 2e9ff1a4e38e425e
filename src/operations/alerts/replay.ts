import type { TrafficKind } from '../../alerts/alert-kind.ts'
import { type Backtest, backtest } from '../../alerts/backtest.ts'
import { MinuteSeries } from '../../alerts/minute-series.ts'
import { parametersOf } from '../../alerts/parameters.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import type { OperationContext } from '../operation.ts'
import type { Overrides } from './kind-fields.ts'

/** What the past of a zone says: its minutes, and when an alert would have fired. */
export interface Replay {
  readonly kind: TrafficKind
  readonly result: Backtest
}

/** What the past says, and what it was asked of. */
export interface Tested {
  /** Undefined where nothing at all is known of that time. */
  readonly replay: Replay | undefined
  readonly series: MinuteSeries
  /** Whatever could not be read, as sentences. */
  readonly problems: readonly string[]
}

/** The minutes of a zone from `since` until now, gaps included. */
export async function pastOf(
  pullZoneId: bigint,
  since: Date,
  { alerts, now }: Pick<OperationContext, 'alerts' | 'now'>,
): Promise<MinuteSeries> {
  const from = Math.floor(since.getTime() / MINUTE_MS)
  const until = Math.floor(now.getTime() / MINUTE_MS)
  return new MinuteSeries(from, until, await alerts.minutes(pullZoneId, from, until))
}

/** Each kind over the same past, as it would have been told with these parameters. */
export async function replay(
  kinds: readonly (readonly [kind: TrafficKind, overrides: Overrides])[],
  pullZoneId: bigint,
  series: MinuteSeries,
  { store }: Pick<OperationContext, 'store'>,
): Promise<readonly Replay[]> {
  const marks = await store.marks.list(String(pullZoneId), new Date(series.from * MINUTE_MS))
  return kinds.map(([kind, overrides]) => ({
    kind,
    result: backtest(kind, parametersOf(kind, overrides), series, marks),
  }))
}
