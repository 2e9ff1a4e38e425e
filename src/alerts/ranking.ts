/** Up to so many numbers sorting them one by one into place is faster than asking the engine to sort. */
const FEW = 64
/** More windows than any baseline has: twelve hours of minutes. */
const MOST = 1_024
/** What turns a median absolute deviation into the standard deviation of a normal distribution. */
const MAD_TO_DEVIATION = 1.4826

/**
 * A few numbers in the order in which they came, and what their ranks say. Made to be filled anew at each look, since looks
 * come by the thousand: nothing is allocated, and each is sorted once.
 */
export class Ranking {
  readonly #values = new Float64Array(MOST)
  readonly #sorted = new Float64Array(MOST)
  readonly #part = new Float64Array(MOST)
  #length = 0
  /** So many were there when they were sorted. */
  #sortedLength = 0

  clear(): void {
    this.#length = 0
    this.#sortedLength = 0
  }

  /** Numbers beyond 1,024 are left out. */
  add(value: number): void {
    const length = this.#length
    if (length === MOST) return
    this.#values[length] = value
    this.#length = length + 1
  }

  /** The first so many of some numbers; all at once, since each one by itself would have to be boxed. */
  addAll(values: Float64Array, count: number): void {
    const length = this.#length
    const added = Math.min(count, MOST - length)
    for (let index = 0; index < added; index += 1) this.#values[length + index] = values[index] ?? 0
    this.#length = length + added
  }

  get length(): number {
    return this.#length
  }

  /** In the order in which they came; NaN where there is none. */
  at(index: number): number {
    return index < this.#length ? (this.#values[index] ?? Number.NaN) : Number.NaN
  }

  /** The number below which a share `at` (0 to 1) of the numbers lies, interpolated; NaN of none. */
  quantile(at: number): number {
    this.#sort()
    return quantileOf(this.#sorted, this.#length, at)
  }

  median(): number {
    return this.quantile(0.5)
  }

  /** The median of those from one place to another, its end excluded; NaN of none. */
  medianOf(from: number, until: number): number {
    const end = Math.min(until, this.#length)
    const length = Math.max(0, end - from)
    sortInto(this.#part, this.#values, from, length)
    return quantileOf(this.#part, length, 0.5)
  }

  /** How far they spread around a number, as a standard deviation that a few outliers do not change; 0 of none. */
  deviation(around: number): number {
    if (this.#length === 0) return 0
    this.#sort()
    const sorted = this.#sorted
    const length = this.#length
    let right = 0
    while (right < length && (sorted[right] ?? 0) < around) right += 1
    let left = right - 1
    // Distances grow both ways from there, so the middle one is found by walking outwards.
    const middle = (length - 1) / 2
    let before = 0
    let distance = 0
    for (let rank = 0; rank <= Math.ceil(middle); rank += 1) {
      before = distance
      const below = left >= 0 ? around - (sorted[left] ?? 0) : Infinity
      const above = right < length ? (sorted[right] ?? 0) - around : Infinity
      if (below <= above) {
        distance = below
        left -= 1
      } else {
        distance = above
        right += 1
      }
    }
    const median = middle % 1 === 0 ? distance : before + (distance - before) * (middle % 1)
    return MAD_TO_DEVIATION * median
  }

  #sort(): void {
    if (this.#sortedLength === this.#length) return
    sortInto(this.#sorted, this.#values, 0, this.#length)
    this.#sortedLength = this.#length
  }
}

function quantileOf(sorted: Float64Array, length: number, at: number): number {
  if (length === 0) return Number.NaN
  const place = (length - 1) * at
  const below = sorted[Math.floor(place)] ?? 0
  const above = sorted[Math.ceil(place)] ?? 0
  return below + (above - below) * (place % 1)
}

function sortInto(target: Float64Array, values: Float64Array, from: number, length: number): void {
  if (length > FEW) {
    target.set(values.subarray(from, from + length))
    target.subarray(0, length).sort()
    return
  }
  for (let index = 0; index < length; index += 1) {
    const value = values[from + index] ?? 0
    let at = index
    while (at > 0) {
      const before = target[at - 1] ?? 0
      if (before <= value) break
      target[at] = before
      at -= 1
    }
    target[at] = value
  }
}
