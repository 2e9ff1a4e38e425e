const WARM_UP = 0.25
const PART = 0.25

/** What the system says of a process. */
export interface Size {
  readonly rssMb: number
  readonly handles: number
}

/** How a quantity went: its median soon after the start, and at the end. */
export interface Course {
  readonly first: number
  readonly last: number
  readonly most: number
  /** Of the first, in percent; negative when it fell. */
  readonly growth: number
}

/** Without the first quarter, in which caches fill up: the next quarter against the last one. */
export function courseOf(sizes: readonly Size[], what: keyof Size): Course {
  const warm = sizes.slice(Math.floor(sizes.length * WARM_UP)).map((size) => size[what])
  const part = Math.max(1, Math.ceil(sizes.length * PART))
  const first = median(warm.slice(0, part))
  const last = median(warm.slice(-part))
  return { first, last, most: Math.max(0, ...sizes.map((size) => size[what])), growth: (last / first - 1) * 100 }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
