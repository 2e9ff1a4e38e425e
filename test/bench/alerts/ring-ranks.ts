/** The numbers that are ranked: filled anew for each question. */
export const values = new Float64Array(64)
const sorted = new Float64Array(64)

/** Sorts the first values, from one on, and returns the middle. */
export function medianOf(length: number, from = 0): number {
  for (let index = 0; index < length; index += 1) {
    const value = values[from + index]!
    let at = index
    while (at > 0 && sorted[at - 1]! > value) {
      sorted[at] = sorted[at - 1]!
      at -= 1
    }
    sorted[at] = value
  }
  return quantileOf(length, 0.5)
}

/** Of what was sorted last. */
export function quantileOf(length: number, at: number): number {
  if (length === 0) return Number.NaN
  const place = (length - 1) * at
  const below = sorted[Math.floor(place)]!
  return below + (sorted[Math.ceil(place)]! - below) * (place % 1)
}

/** The robust deviation of what was sorted last, found by walking outwards from the middle. */
export function deviationOf(length: number, around: number): number {
  let right = 0
  while (right < length && sorted[right]! < around) right += 1
  let left = right - 1
  const middle = (length - 1) / 2
  let [before, distance] = [0, 0]
  for (let rank = 0; rank <= Math.ceil(middle); rank += 1) {
    before = distance
    const below = left >= 0 ? around - sorted[left]! : Infinity
    const above = right < length ? sorted[right]! - around : Infinity
    distance = Math.min(below, above)
    if (below <= above) left -= 1
    else right += 1
  }
  return 1.4826 * (middle % 1 === 0 ? distance : (before + distance) / 2)
}
