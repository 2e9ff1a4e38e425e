/**
 * How hard chance alone explains numbers, in nats: 9 is about once in ten thousand windows, each three more are twenty times
 * as rare. Both are Chernoff's bounds, which hold for few lines as well as for many.
 */

/** Of `bad` among `lines` where the usual share of bad ones is `share`; 0 where there are not more than usual. */
export function shareSurprise(bad: number, lines: number, share: number): number {
  if (lines <= 0 || bad / lines <= share) return 0
  const good = lines - bad
  const rest = good > 0 ? good * Math.log(good / lines / (1 - share)) : 0
  return bad * Math.log(bad / lines / share) + rest
}

/**
 * Of `count` lines where `mean` are expected, either way. `dispersion` is the variance of counts over their mean: 1 where
 * lines come one by one, more where they come as visitors' pages do (negative binomial).
 */
export function countSurprise(count: number, mean: number, dispersion: number): number {
  if (mean <= 0) return 0
  const size = mean / Math.max(dispersion - 1, 0.05)
  const own = count > 0 ? count * Math.log(count / mean) : 0
  return own - (count + size) * Math.log((count + size) / (mean + size))
}
