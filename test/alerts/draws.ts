import type { Random } from '../../src/playground/cdn/world/seeded-random.ts'

/** Up to so many expected hits a draw is exact; beyond, the normal curve is nearer than anything that is counted here. */
const EXACT_UP_TO = 30

/** How many of `n` things with the chance `p` each happen. */
export function binomial(random: Random, n: number, p: number): number {
  if (n <= 0 || p <= 0) return 0
  if (p >= 1) return n
  if (p > 0.5) return n - binomial(random, n, 1 - p)
  const mean = n * p
  if (mean > EXACT_UP_TO) return Math.min(n, poisson(random, mean, 1 - p))
  // Counts the gaps between hits, which are geometric.
  const logMiss = Math.log1p(-p)
  let hits = 0
  for (let at = gap(random, logMiss); at <= n; at += gap(random, logMiss)) hits += 1
  return hits
}

/** How often something happens that is expected `mean` times; where that is often, its variance can be less. */
export function poisson(random: Random, mean: number, spread = 1): number {
  if (mean <= 0) return 0
  if (mean > EXACT_UP_TO) return Math.max(0, Math.round(mean + Math.sqrt(mean * spread) * normal(random)))
  let count = 0
  for (let left = mean + Math.log(positive(random)); left > 0; left += Math.log(positive(random))) count += 1
  return count
}

/** One of the standard normal curve. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(positive(random))) * Math.cos(2 * Math.PI * random.next())
}

function gap(random: Random, logMiss: number): number {
  return Math.floor(Math.log(positive(random)) / logMiss) + 1
}

function positive(random: Random): number {
  return 1 - random.next()
}
