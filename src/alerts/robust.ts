/** What turns a median absolute deviation into the standard deviation of a normal distribution. */
const MAD_TO_DEVIATION = 1.4826

export function median(values: readonly number[]): number | undefined {
  return quantile(values, 0.5)
}

/** The number below which a share `at` (0 to 1) of the numbers lies, interpolated; undefined of none. */
export function quantile(values: readonly number[], at: number): number | undefined {
  const sorted = Float64Array.from(values).sort()
  const place = (sorted.length - 1) * at
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  return below === undefined || above === undefined ? undefined : below + (above - below) * (place % 1)
}

/** How far numbers spread around their median, as a standard deviation that a few outliers do not change; 0 of none. */
export function robustDeviation(values: readonly number[], around: number = median(values) ?? 0): number {
  return MAD_TO_DEVIATION * (median(values.map((value) => Math.abs(value - around))) ?? 0)
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
