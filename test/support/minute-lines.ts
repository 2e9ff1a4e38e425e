import type { TrafficKind, TrafficView } from '../../src/alerts/alert-kind.ts'
import { factsInWords } from '../../src/alerts/bound-rule.ts'
import { MinuteSeries } from '../../src/alerts/minute-series.ts'
import { parametersOf } from '../../src/alerts/parameters.ts'
import type { Facts, Reading } from '../../src/alerts/reading.ts'
import type { TrafficTrust } from '../../src/alerts/traffic-trust.ts'
import type { CountName, MinuteCounts } from '../../src/store/minute-counts.ts'

/** What a test says of minutes that are alike. Counts that are not given are 0. */
export interface Minutes extends Partial<Record<CountName, number>> {
  /** So many of them. */
  readonly of: number
  /** Share of each that was read; all of it if not given. 0 leaves the minutes out. */
  readonly covered?: number
}

/** The first minute of series made for tests: 2026-11-20 00:00 UTC. */
export const FIRST_MINUTE = Date.UTC(2026, 10, 20) / 60_000

/** A series of stretches of minutes, one after the other; `at` is the minute after the last. */
export function seriesOf(...stretches: readonly Minutes[]): { readonly series: MinuteSeries; readonly at: number } {
  const minutes: MinuteCounts[] = []
  let minute = FIRST_MINUTE
  for (const { of, covered = 1, ...counts } of stretches) {
    for (const end = minute + of; minute < end; minute += 1) {
      if (covered > 0) minutes.push({ ...NONE, ...counts, minute, coveredMs: covered * 60_000 })
    }
  }
  return { series: new MinuteSeries(FIRST_MINUTE, minute, minutes), at: minute }
}

/** Reading goes well. */
export const TRUSTED: TrafficTrust = { lagMs: 120_000, behindMinutes: 0, covered: 1, limited: 0 }

interface Look extends Partial<Pick<TrafficView, 'firing' | 'frozenBaseline' | 'trust'>> {
  readonly parameters?: Readonly<Record<string, number>>
}

/** A reading in words. */
interface WordedReading extends Omit<Reading, 'facts' | 'seen'> {
  readonly facts: Facts
}

/** What a kind says right after some stretches of minutes. */
export function readingOf(kind: TrafficKind, stretches: readonly Minutes[], look: Look = {}): WordedReading {
  const { firing = false, frozenBaseline, trust = TRUSTED, parameters = {} } = look
  return observed(kind, { ...seriesOf(...stretches), firing, frozenBaseline, trust }, parameters)
}

/** What a kind says of a view. */
export function observed(
  kind: TrafficKind,
  view: TrafficView,
  parameters: Readonly<Record<string, number>> = {},
): WordedReading {
  const { seen, ...reading } = kind.rule(parametersOf(kind, parameters)).observe(view)
  return { ...reading, facts: factsInWords({ kind: kind.name, parameters }, { ...reading, seen }) }
}

const NONE: Record<CountName, number> = {
  hit: 0,
  miss: 0,
  stale: 0,
  updating: 0,
  revalidated: 0,
  bypass: 0,
  uncached: 0,
  other: 0,
  c1xx: 0,
  c2xx: 0,
  c3xx: 0,
  c4xx: 0,
  c5xx: 0,
  uncoded: 0,
}
