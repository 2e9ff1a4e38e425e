import { pullSubject } from '../../alerts/state/rule-subjects.ts'
import { backtest } from '../../alerts/watch/backtest.ts'
import type { Parameters, TrafficKind } from '../../alerts/kinds/alert-kind.ts'
import { FIRST_LAG_MS } from '../../alerts/log/lag.ts'
import { HELD_MINUTES, buildSeries } from '../../alerts/series/minute-series.ts'
import { DAY_MINUTES, MINUTE_MS, WEEK_MINUTES } from '../../shared/durations.ts'
import type { AlertRule } from '../../store/schema/alert-records.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { dateTime, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { counted } from '../../block-kit/amounts.ts'

/** What a kind would have told; `perWeek` if all time were like what is known, undefined where less than a day is. */
export type Replay = Awaited<ReturnType<typeof replay>>[number]

/**
 * What is known of a zone's past: `minutes` with those before `from` that say what is usual, `series` from `from` on. Minutes
 * are whole ones since 1970.
 */
export type KnownPast = Awaited<ReturnType<typeof loadPast>>

/** The minutes of a zone from `since` until now, and of the week before, gaps included. */
export async function loadPast(
  pullZoneId: bigint,
  since: Date,
  { alerts, now }: Pick<OperationContext, 'alerts' | 'now'>,
) {
  const from = Math.floor(since.getTime() / MINUTE_MS)
  const until = Math.floor(now.getTime() / MINUTE_MS)
  const minutes = await alerts.minutes(pullZoneId, from - HELD_MINUTES, until)
  const asked = minutes.filter(({ minute }) => minute >= from)
  return { from, until, minutes, series: buildSeries(from, asked) }
}

export async function replay(
  kinds: readonly (readonly [kind: TrafficKind, overrides: Parameters])[],
  pullZoneId: bigint,
  { from, until, minutes }: KnownPast,
  { store, now }: Pick<OperationContext, 'store' | 'now'>,
) {
  const marks = await store.marks.list(String(pullZoneId), new Date(from * MINUTE_MS))
  const subject = pullSubject(pullZoneId)
  const rules = kinds.map(([{ name }, parameters]): AlertRule => {
    return { id: name, kind: name, subject, channelId: '', parameters, createdBy: '', createdAt: now }
  })
  const played = await backtest({ rules, minutes, from, until, lagMs: FIRST_LAG_MS, marks })
  const { covered } = played
  const days = ((until - from) * covered) / DAY_MINUTES
  return kinds.map(([kind]) => {
    const firings = played.firings.filter(({ ruleId }) => ruleId === kind.name)
    return { kind, firings, perWeek: days < 1 ? undefined : (firings.length * 7) / days, covered }
  })
}

/** Whether less than a week of a zone is known, by the first minute of which something is; false where nothing is. */
function isNew(knownFrom: number | undefined, now: Date): knownFrom is number {
  return knownFrom !== undefined && now.getTime() / MINUTE_MS - knownFrom < WEEK_MINUTES
}

export function knownSince(knownFrom: number | undefined, now: Date): Mrkdwn | false {
  return isNew(knownFrom, now) && md`Known since ${dateTime(new Date(knownFrom * MINUTE_MS))}.`
}

export function newZones(knownFrom: readonly (number | undefined)[], now: Date): Mrkdwn | false {
  const many = knownFrom.filter((each) => isNew(each, now)).length
  const which = knownFrom.length === 1 ? '' : ` of ${many === 1 ? 'one zone' : `${many} zones`}`
  return many > 0 && md`Less than a week is known${which}: until then, usual peaks may raise alerts.`
}

export function firstKnown({ minutes }: Pick<KnownPast, 'minutes'>): number | undefined {
  return minutes.find(({ coveredMs }) => coveredMs > 0)?.minute
}

export function timesWords(times: number): string {
  if (times === 0) return 'not once'
  return times === 1 ? 'once' : counted(times, 'time')
}
