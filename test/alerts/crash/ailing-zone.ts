import type { Cdn, LogResult } from '../../../src/cdn/contract/cdn.ts'
import type { LogEntry } from '../../../src/cdn/contract/log-entry.ts'
import type { Clock } from '../../../src/shared/clock.ts'

const MINUTE_MS = 60_000
const LINES_A_MINUTE = 24
/** Most lines are there after this; every so manieth needs longer. */
const USUAL_LATENESS_MS = 20_000
const LATE_EVERY = 11
const LATE_MS = 150_000
/** While the origin is down, every so manieth line shows it. */
const BAD_EVERY = 2

/** When the origin of the zone is down, in milliseconds since 1970. */
export interface Outage {
  readonly fromMs: number
  readonly untilMs: number
}

/** What a minute's log holds once every line is there, by cache status. */
export interface Truth {
  readonly hit: number
  readonly stale: number
  readonly miss: number
  readonly c5xx: number
}

/**
 * A platform with one pull zone, whose lines come late, some twice, and some so late that a minute has been read by then.
 * Nothing else can be asked of it.
 */
export function ailingZone(clock: Pick<Clock, 'now'>, outages: readonly Outage[]): Cdn {
  const platform: Pick<Cdn, 'queryLogs'> = {
    async queryLogs(_, { from = new Date(0), to = clock.now(), order }, { maxEntries }): Promise<LogResult> {
      const nowMs = clock.now().getTime()
      const lines = linesBetween(from.getTime(), Math.min(to.getTime(), nowMs), outages)
        .filter(({ thereMs }) => thereMs <= nowMs)
        .map(({ entry }) => entry)
      const ordered = order === 'asc' ? lines : lines.toReversed()
      const entries = ordered.slice(0, maxEntries)
      return {
        entries,
        truncated: ordered.length > entries.length,
        next: undefined,
        pages: 1,
        appliedFrom: from,
        appliedTo: to,
        duplicates: 0,
        skipped: 0,
        pageRows: 2_000,
      }
    },
  }
  return platform as Cdn // calling anything else fails the test
}

/** What the store has to know of a minute in the end. */
export function truthOf(minute: number, outages: readonly Outage[]): Truth {
  const lines = linesBetween(minute * MINUTE_MS, (minute + 1) * MINUTE_MS, outages).map(({ entry }) => entry)
  const count = (status: string): number => lines.filter(({ cacheStatus }) => cacheStatus === status).length
  const c5xx = lines.filter(({ statusCode = 0 }) => statusCode >= 500).length
  return { hit: count('HIT'), stale: count('STALE'), miss: count('MISS'), c5xx }
}

function linesBetween(fromMs: number, untilMs: number, outages: readonly Outage[]) {
  const lines: { readonly entry: LogEntry; readonly thereMs: number }[] = []
  const spacing = MINUTE_MS / LINES_A_MINUTE
  for (let at = Math.ceil(fromMs / spacing); at * spacing < untilMs; at += 1) {
    const atMs = at * spacing
    const isLate = at % LATE_EVERY === 0
    const isDown = outages.some((outage) => outage.fromMs <= atMs && outage.untilMs > atMs)
    const isBad = isDown && at % BAD_EVERY === 0
    const [cacheStatus, statusCode] = !isBad
      ? ['HIT', 200]
      : at % (2 * BAD_EVERY) === 0
        ? ['STALE', 200]
        : ['MISS', 502]
    lines.push({
      entry: {
        cacheStatus,
        statusCode,
        timestamp: new Date(atMs),
        requestId: at.toString(16).padStart(32, '0'),
        host: 'www.shop.example',
        path: `/page/${at % 7}`,
        edgeLocation: 'WA',
      },
      thereMs: atMs + (isLate ? LATE_MS : USUAL_LATENESS_MS),
    })
  }
  return lines
}
