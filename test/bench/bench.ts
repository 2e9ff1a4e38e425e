import type { Goal } from './goal.ts'

/** `full` is what `.github/docs/performance.md` shows; `quick` is small enough, and its goals wide enough, for every run of all checks. */
export type Scale = 'full' | 'quick'

/** What one round measured, by name. Times are milliseconds and sizes bytes unless the name says otherwise. */
export type Figures = Readonly<Record<string, number>>

/** A kind of work that is measured beside a reference doing the same, as often as it takes for the noise to cancel. */
export interface Bench {
  /** What `--only` calls it. */
  readonly name: string
  /** How many rounds at full scale. Seven, unless one is a minute long. */
  readonly rounds?: number
  /** It hardly uses the machine, only time: it is measured beside the others, from the first one on. */
  readonly isBeside?: true
  /** What has to hold, a line of the table each. */
  readonly goals: readonly Goal[]
  /**
   * Makes what it is measured with. Disposing ends every process and removes every file it made. Rejects with `NotMeasurable`
   * where the machine lacks something.
   */
  readonly prepare: (scale: Scale) => Promise<PreparedBench>
}

export interface PreparedBench extends AsyncDisposable {
  /** One round: ours and the reference, one after the other, the first one first in even turns and last in odd ones. */
  readonly measure: (turn: number) => Promise<Figures>
}

/** This machine lacks what a bench measures with. The message says what, in words for whoever asked for the figures. */
export class NotMeasurable extends Error {
  override readonly name = 'NotMeasurable'
}

/** Runs all, one after the other: as they stand in even turns, backwards in odd ones. Results are in the order given. */
export async function inTurn<T>(turn: number, works: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results = new Map<() => Promise<T>, T>()
  for (const work of turn % 2 === 0 ? works : works.toReversed()) results.set(work, await work())
  return works.map((work) => results.get(work) as T)
}
