import type { Figures, Scale } from './bench.ts'

/** How an amount is written. Times are given in milliseconds, sizes in bytes, shares from 0 to 1. */
export type Unit = 'time' | 'size' | 'share' | 'count'

/** What is held against the limit: ours alone, ours by theirs, theirs by ours, or ours less theirs. */
export type Comparison = 'ours' | 'ratio' | 'times faster' | 'difference'

/** One line of the table: what has to hold for figures that a bench measured. */
export interface Goal {
  /** What is measured, in words. */
  readonly work: string
  /** What it is measured against in the same run; left out where ours alone counts. */
  readonly reference?: string
  /** Names of figures. */
  readonly ours: string
  readonly theirs?: string
  readonly unit: Unit
  readonly comparison: Comparison
  /**
   * Each round's figures are of all rounds until then, and the last round's count: of what is rare, such as the slowest of a
   * hundred, one round has too little.
   */
  readonly isGathered?: true
  /** At full scale and, wider, at the small one. */
  readonly atMost?: Readonly<Record<Scale, number>>
  readonly atLeast?: Readonly<Record<Scale, number>>
  /** It is met as well where ours alone is at most this: a reference can be so fast that nobody would notice the rest. */
  readonly orOursAtMost?: Readonly<Record<Scale, number>>
}

/**
 * A goal beside what came of measuring it. Medians, which a single slow moment of the machine does not move; where figures
 * are gathered, those of the last round.
 */
export interface GoalResult {
  readonly bench: string
  readonly goal: Goal
  readonly scale: Scale
  /** Ours and theirs, in the unit of the goal. */
  readonly ours: number
  readonly theirs: number | undefined
  /** What is held against the limit, of each round, in the order of the rounds. */
  readonly values: readonly number[]
  readonly value: number
  readonly isMet: boolean
}

/** Holds the rounds of a bench against one of its goals. Throws when a round lacks a figure. */
export function judge(bench: string, goal: Goal, rounds: readonly Figures[], scale: Scale): GoalResult {
  const ours = rounds.map((figures) => figureOf(figures, goal.ours))
  const { theirs: theirName } = goal
  const theirs = theirName === undefined ? undefined : rounds.map((figures) => figureOf(figures, theirName))
  const values = ours.map((own, round) => compared(goal.comparison, own, theirs?.[round] ?? Number.NaN))
  const settled = goal.isGathered === true ? lastOf : medianOf
  const value = settled(values)
  const own = settled(ours)
  const isWithin = value <= (goal.atMost?.[scale] ?? Infinity) && value >= (goal.atLeast?.[scale] ?? -Infinity)
  return {
    bench,
    goal,
    scale,
    ours: own,
    theirs: theirs === undefined ? undefined : settled(theirs),
    values,
    value,
    isMet: isWithin || own <= (goal.orOursAtMost?.[scale] ?? -Infinity),
  }
}

function figureOf(figures: Figures, name: string): number {
  const figure = figures[name]
  if (figure === undefined)
    throw new TypeError(`A round measured no “${name}”, only ${Object.keys(figures).join(', ')}`)
  return figure
}

function compared(comparison: Comparison, ours: number, theirs: number): number {
  switch (comparison) {
    case 'ours':
      return ours
    case 'ratio':
      return ours / theirs
    case 'times faster':
      return theirs / ours
    case 'difference':
      return ours - theirs
  }
}

function lastOf(values: readonly number[]): number {
  return values.at(-1) ?? Number.NaN
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = sorted.length >> 1
  const [lower = Number.NaN, upper = Number.NaN] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle],
    sorted[middle],
  ]
  return (lower + upper) / 2
}
