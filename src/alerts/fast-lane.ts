import type { Counts } from './minute-series.ts'
import type { Facts, Reading } from './reading.ts'
import { percent, shareText } from './reading-sentence.ts'
import { cacheable, factsOf, shareNumbers } from './traffic-reading.ts'
import { windowOf } from './window.ts'
import type { TrafficView } from './alert-kind.ts'
import { shareOf } from './wilson.ts'

/** Where this share of a minute's lines is STALE or 5xx, something is broken for everybody. */
const FAST_SHARE = 0.25
/** Fewer such lines in a minute prove nothing. */
const FAST_MINIMUM = 5

interface Lane {
  /** Which lines this kind is about. */
  readonly own: (counts: Counts) => number
  /** As in "STALE". */
  readonly word: string
}

/**
 * Adds `fast` to a reading where the newest minute alone is bad beyond doubt: the lower bound of its share of lines that are
 * STALE or 5xx is over 25 %, and at least half of these are what the kind is about, so that an outage which answers with
 * errors is not told as one that answers with old content. Two such minutes in a row count. Where the windows are not bad
 * themselves, the facts are about that minute; where they are a warning, the sentence says first why it is critical.
 */
export function withFastLane(reading: Reading, view: TrafficView, { own, word }: Lane): Reading {
  const minute = windowOf(view.series, view.at, 1)
  const { counts } = minute
  const bad = counts.stale + counts.c5xx
  const all = shareOf(bad, Math.max(cacheable(counts), counts.lines))
  if (bad < FAST_MINIMUM || own(counts) * 2 < bad || all.low <= FAST_SHARE) return reading
  if (reading.level === 'critical') return { ...reading, fast: true }
  const sentence = `In the newest minute ${shareText(all, `STALE or 5xx, mostly ${word}`)}; certainly above ${percent(FAST_SHARE)} in two successive minutes is critical at once.`
  if (reading.level === 'warning') {
    const both = `${sentence} By its window alone it is a warning: ${reading.facts.sentence}`
    return { ...reading, fast: true, facts: { ...reading.facts, sentence: both } }
  }
  const facts: Facts = factsOf(minute, sentence, { ...shareNumbers(all), threshold: FAST_SHARE })
  return { ...reading, fast: true, facts }
}
