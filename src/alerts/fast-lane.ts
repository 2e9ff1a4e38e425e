import type { TrafficView, Words } from './alert-kind.ts'
import type { Reading } from './reading.ts'
import { percent, shareText } from './reading-sentence.ts'
import { COLUMN, type Column } from './traffic.ts'
import { inTime, numbersOf, seenNumber } from './traffic-reading.ts'
import { shareOf } from './wilson.ts'

/** Where this share of a minute's lines is STALE or 5xx, something is broken for everybody. */
const FAST_SHARE = 0.25
/** Fewer such lines in a minute prove nothing. */
const FAST_MINIMUM = 5

export interface Lane {
  /** Which lines this kind is about. */
  readonly own: Column
  /** As in "STALE". */
  readonly word: string
}

/**
 * Adds `fast` to a reading where the newest minute alone is bad beyond doubt: the lower bound of its share of lines that are
 * STALE or 5xx is over 25 %, and at least half of these are what the kind is about, so that an outage which answers with
 * errors is not told as one that answers with old content. Two such minutes in a row count. Where the windows are not bad
 * themselves, the facts are about that minute; where they are a warning, the sentence says first why it is critical.
 */
export function withFastLane(reading: Reading, { series, at }: TrafficView, { own }: Lane): Reading {
  const from = at - 1
  const bad = series.total(COLUMN.stale, from, at) + series.total(COLUMN.c5xx, from, at)
  if (bad < FAST_MINIMUM || series.total(own, from, at) * 2 < bad) return reading
  const lines = Math.max(series.total(COLUMN.cacheable, from, at), series.total(COLUMN.lines, from, at))
  const all = shareOf(bad, lines)
  if (all.low <= FAST_SHARE) return reading
  if (reading.level === 'critical') return { ...reading, fast: true }
  const seen = { bad, badOf: lines }
  if (reading.level === 'warning') return { ...reading, fast: true, seen: { ...reading.seen, ...seen } }
  const facts = numbersOf({ series, at, minutes: 1 }, 'share', all.value, all.sample, FAST_SHARE)
  return { ...reading, fast: true, facts, seen }
}

/** The words of such a reading; `own` are those of the kind by itself. */
export function fastWords(reading: Reading, { word }: Lane, own: (reading: Reading) => Words): Words {
  if (reading.seen?.['bad'] === undefined) return own(reading)
  const all = shareOf(seenNumber(reading, 'bad'), seenNumber(reading, 'badOf'))
  const sentence = `In the newest minute ${shareText(all, `STALE or 5xx, mostly ${word}`)}; certainly above ${percent(FAST_SHARE)} in two successive minutes is critical at once.`
  if (reading.level !== 'warning') {
    return { sentence: inTime(reading.facts, sentence), interval: [all.low, all.high] }
  }
  const { sentence: byWindow, interval } = own(reading)
  return { sentence: `${sentence} By its window alone it is a warning: ${byWindow}`, interval }
}
