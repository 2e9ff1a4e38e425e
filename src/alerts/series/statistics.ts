/** Undefined of none; of an even number of them between the two in the middle. */
export function median(values: readonly number[]): number | undefined {
  const sorted = Float64Array.from(values).sort()
  const place = (sorted.length - 1) / 2
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return below === undefined || above === undefined ? undefined : (below + above) / 2
}

/** The median of how far numbers lie from their median, which a few outliers do not change; 0 of none. */
export function medianDeviation(values: readonly number[]): number {
  const middle = median(values) ?? 0
  return median(values.map((value) => Math.abs(value - middle))) ?? 0
}

/** The slope through points by Theil and Sen: the median of the slopes of all pairs. Undefined of fewer than two places. */
export function theilSen(points: readonly { readonly x: number; readonly y: number }[]): number | undefined {
  const slopes = points.flatMap((one, index) =>
    points
      .slice(index + 1)
      .filter((other) => other.x !== one.x)
      .map((other) => (other.y - one.y) / (other.x - one.x)),
  )
  return median(slopes)
}

/**
 * How hard chance alone explains numbers, in nats: 9 is about once in ten thousand windows, each three more are twenty times
 * as rare. Both are Chernoff's bounds, which hold for few lines as well as for many.
 */

/** Of `bad` among `lines` where the usual share of bad ones is `share`; 0 where there are not more than usual. */
export function scoreShare(bad: number, lines: number, share: number): number {
  if (lines <= 0 || bad / lines <= share) return 0
  const good = lines - bad
  const rest = good > 0 ? good * Math.log(good / lines / (1 - share)) : 0
  return bad * Math.log(bad / lines / share) + rest
}

/**
 * Of `count` lines where `mean` are expected, either way. `dispersion` is the variance of counts over their mean: 1 where
 * lines come one by one, more where they come as visitors' pages do (negative binomial).
 */
export function scoreCount(count: number, mean: number, dispersion: number): number {
  if (mean <= 0) return 0
  const size = mean / Math.max(dispersion - 1, 0.05)
  const own = count > 0 ? count * Math.log(count / mean) : 0
  return own - (count + size) * Math.log((count + size) / (mean + size))
}
