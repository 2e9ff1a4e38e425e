/** Something whose speed is told to whoever asks, beside the goal it should meet. */
export interface Bench {
  /** What `--only` calls it. */
  readonly name: string
  /** What is measured, in a line of the table. */
  readonly title: string
  readonly unit: 'ms'
  /** At most this much is good. */
  readonly goal: number
  /** One measurement, in the unit. */
  readonly measure: () => Promise<number>
}

/** What came of measuring a bench several times. */
export interface BenchResult {
  readonly name: string
  readonly title: string
  readonly unit: Bench['unit']
  readonly goal: number
  /** Each measurement, in the order they were taken. */
  readonly measured: readonly number[]
  /** The middle one, which a single slow moment of the machine does not move. */
  readonly median: number
  readonly isMet: boolean
}

/** Measures a bench so many times, one after the other. Rejects when a measurement fails. */
export async function runBench(bench: Bench, times: number): Promise<BenchResult> {
  const { name, title, unit, goal, measure } = bench
  const measured: number[] = []
  for (let turn = 0; turn < times; turn += 1) measured.push(await measure())
  const median = medianOf(measured)
  return { name, title, unit, goal, measured, median, isMet: median <= goal }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = sorted.length >> 1
  const [lower = 0, upper = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  return (lower + upper) / 2
}
