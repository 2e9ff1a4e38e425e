import type { Parameter, ParameterName } from './alert-kind.ts'

/** A parameter of which the name is known, so that nobody can ask a kind for one it has not. */
export type Named<Name extends ParameterName> = Parameter & { readonly name: Name }

interface Bounds {
  readonly unit: Parameter['unit']
  readonly usual: number
  readonly min?: number
  readonly max: number
  /** A sentence. */
  readonly meaning: string
}

/** The threshold of a kind's milder severity. */
export function warningAt(bounds: Bounds): Named<'warning'> {
  return threshold('warning', 'Warning', bounds)
}

/** The threshold of a kind's graver severity. */
export function criticalAt(bounds: Bounds): Named<'critical'> {
  return threshold('critical', 'Critical', bounds)
}

/** What has to be reached again before a kind counts as clear. */
export function clearAt(bounds: Bounds): Named<'clear'> {
  return threshold('clear', 'Clear again', bounds)
}

/** A threshold, or another number, under any name. */
export function threshold<Name extends ParameterName>(
  name: Name,
  label: string,
  { unit, usual, min = 0, max, meaning }: Bounds,
): Named<Name> {
  return { name, label, meaning, unit, default: usual, min, max }
}

/** How long a kind has to be clear before its alert ends. */
export function clearFor(minutes: number): Named<'clear-for'> {
  const meaning = 'How long it has to be clear without a break before the alert ends.'
  return threshold('clear-for', 'Clear for', { unit: 'minutes', usual: minutes, min: 1, max: 720, meaning })
}

/** The window of a kind that makes it longer where traffic is low. */
export function growingWindow(minutes: number): Named<'window'> {
  const meaning = 'How many of the newest minutes are looked at; more, up to 60, where they hold too few lines.'
  return threshold('window', 'Window', { unit: 'minutes', usual: minutes, min: 1, max: 60, meaning })
}

/** The window of a kind that always looks at as many minutes. */
export function fixedWindow(minutes: number, max = 60): Named<'window'> {
  const meaning = 'How many of the newest minutes are looked at.'
  return threshold('window', 'Window', { unit: 'minutes', usual: minutes, min: 1, max, meaning })
}

/** How long something has to be so at every look before it is told. */
export function lasting(minutes: number): Named<'for'> {
  const meaning = 'How long it has to be so at every look before it is told.'
  return threshold('for', 'Lasting', { unit: 'minutes', usual: minutes, max: 60, meaning })
}

/** The fewest lines that prove anything. */
export function minimumLines(lines: number, meaning = 'With fewer lines than this nothing is said.'): Named<'minimum'> {
  return threshold('minimum', 'Minimum', { unit: 'lines', usual: lines, min: 20, max: 1_000_000, meaning })
}

/** The fewest bad lines that prove anything. */
export function minimumBad(lines: number, meaning: string): Named<'minimum-bad'> {
  return threshold('minimum-bad', 'Minimum of bad lines', {
    unit: 'lines',
    usual: lines,
    min: 1,
    max: 100_000,
    meaning,
  })
}

/** How far back a kind looks for what is usual. */
export function baselineHours(): Named<'baseline-hours'> {
  const meaning = 'What is usual is the median over so many hours before.'
  return threshold('baseline-hours', 'Baseline', { unit: 'hours', usual: 4, min: 3, max: 12, meaning })
}
