import { COLUMN, type Column, rateIn, type Traffic } from './traffic.ts'

/** So many minutes without a line, one after the other, are silence of the log. */
const SILENT_MINUTES = 3

/** Windows of so many minutes each, one directly before the other, the newest of which ends at `until`. */
export interface Windows {
  readonly until: number
  readonly minutes: number
  readonly count: number
}

/** What a window says; undefined where it says nothing. Minutes, the end excluded. */
export type Measure = (from: number, until: number) => number | undefined

/** What part of a column another one is, where that column holds at least so much. */
export function shareMeasure(traffic: Traffic, part: Column, whole: Column, least: number): Measure {
  return (from, until) => {
    const all = traffic.total(whole, from, until)
    return all < least ? undefined : traffic.total(part, from, until) / all
  }
}

/** The rate of lines a minute, where enough was read to tell. */
export function rateMeasure(traffic: Traffic): Measure {
  return (from, until) => rateIn(traffic, from, until)
}

/** The same without windows in which the log fell silent: that says nothing about traffic, now or as a measure for it. */
export function spokenRateMeasure(traffic: Traffic): Measure {
  return (from, until) => (hasSilence(traffic, from, until) ? undefined : rateIn(traffic, from, until))
}

/** What the windows say that say something, the newest first. */
export function measureWindows({ until, minutes, count }: Windows, measure: Measure): readonly number[] {
  const values: number[] = []
  for (let index = 0; index < count; index += 1) {
    const end = until - index * minutes
    const value = measure(end - minutes, end)
    if (value !== undefined) values.push(value)
  }
  return values
}

/** Zones with enough traffic to be judged have no such minutes by chance; how long a silence matters is `log-silence`'s. */
function hasSilence(traffic: Traffic, from: number, until: number): boolean {
  for (let end = from + SILENT_MINUTES; end <= until; end += SILENT_MINUTES) {
    const start = end - SILENT_MINUTES
    if (traffic.total(COLUMN.lines, start, end) > 0) continue
    if (traffic.total(COLUMN.known, start, end) === SILENT_MINUTES) return true
  }
  return false
}
