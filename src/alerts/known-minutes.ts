import type { AlertRule } from '../store/alert-records.ts'
import { COUNTS, type MinuteCounts } from '../store/minute-counts.ts'
import type { Minutes } from '../store/minutes.ts'
import type { Stretch } from './alert-kind.ts'
import { alertKind } from './kinds.ts'
import { MinuteSeries } from './minute-series.ts'
import { parametersOf } from './parameters.ts'
import { TRUST_MINUTES } from './zone-record.ts'

/** The minutes of a zone that a look needs, as they are kept and as they were just read. */
export interface KnownMinutes {
  readonly series: MinuteSeries
  /** Of what was just read, only what says more than what is kept. */
  readonly news: readonly MinuteCounts[]
}

export interface MinutesWanted {
  readonly pullZoneId: string
  readonly rules: readonly AlertRule[]
  /** The looks, each by the first minute it does not see; in order. */
  readonly looks: readonly number[]
  /** Just read, oldest first. */
  readonly fresh: readonly MinuteCounts[]
  /** The first minute that is not over. */
  readonly until: number
}

/** Loads as much as the rules look back on. Throws `StoreError`. */
export async function knownMinutes(minutes: Minutes, wanted: MinutesWanted): Promise<KnownMinutes> {
  const { pullZoneId, looks, fresh, until } = wanted
  const stretches = stretchesOf(wanted)
  const first = Math.min(looks[0] ?? until, fresh[0]?.minute ?? until) - TRUST_MINUTES
  const from = Math.min(first, ...stretches.filter((stretch) => stretch.until >= first).map((stretch) => stretch.from))
  const near = await minutes.read(pullZoneId, from, until)
  const far: (readonly MinuteCounts[])[] = []
  for (const stretch of stretches) {
    if (stretch.until < first) far.push(await minutes.read(pullZoneId, stretch.from, stretch.until))
  }
  const kept = new Map(near.map((counts) => [counts.minute, counts]))
  const news = fresh.filter((counts) => saysMore(counts, kept.get(counts.minute)))
  const start = Math.min(from, ...stretches.map((stretch) => stretch.from))
  return { series: new MinuteSeries(start, until, [...far.flat(), ...near, ...news]), news }
}

/** A minute that is known better is not replaced; one that is known as well is, since later readings see late lines. */
export function saysMore(counts: MinuteCounts, kept: MinuteCounts | undefined): boolean {
  if (kept === undefined || counts.coveredMs > kept.coveredMs) return true
  return counts.coveredMs === kept.coveredMs && COUNTS.some((name) => counts[name] !== kept[name])
}

function stretchesOf({ rules, looks }: MinutesWanted): readonly Stretch[] {
  const stretches = new Map<string, Stretch>()
  for (const { kind: name, parameters: overrides } of rules) {
    const kind = alertKind(name)
    if (kind?.subject !== 'pull') continue
    const parameters = parametersOf(kind, overrides)
    const due = looks.filter((at) => at % kind.every === 0)
    const [first] = due
    const last = due.at(-1)
    if (first === undefined || last === undefined) continue
    const near = { from: first - kind.history(parameters), until: last }
    // Of looks that follow each other, the farther stretches lie side by side.
    const far = due.flatMap((at) => kind.farther?.(at, parameters) ?? [])
    for (const stretch of [near, ...far]) stretches.set(`${stretch.from}-${stretch.until}`, stretch)
  }
  return [...stretches.values()]
}
