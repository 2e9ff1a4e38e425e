import { seededRandom } from '../../../src/playground/cdn/world/seeded-random.ts'
import { SITES, type Site } from './sites.ts'

/** What goes wrong in a simulated day. */
export type Mishap =
  | 'origin outage'
  | 'purge storm'
  | 'bypass slip'
  | 'traffic surge'
  | 'traffic drop'
  | 'log silence'
  | 'logging refused'
  | 'marked purge'

/** Something that goes wrong with a site for a while. Times are milliseconds since 1970. */
export interface Scripted {
  readonly what: Mishap
  readonly site: Site
  readonly fromMs: number
  readonly untilMs: number
}

const MINUTE_MS = 60_000
/** The day begins with an hour of nothing, and ends with time to resolve what happened last. */
const FIRST_MINUTE = 60
const LAST_MINUTE = 1_230

interface Plan {
  readonly what: Mishap
  /** Below that many requests a minute the definition cannot hold, or only by day. */
  readonly least: number
  readonly most: number
  /** How long, in minutes. */
  readonly lasts: readonly [number, number]
}

/** Told, each of them. A purge that somebody marked comes on top and is not. */
function plansOf(seed: string): readonly Plan[] {
  const traffic = seededRandom(`${seed}/traffic`).pick(['traffic surge', 'traffic drop'] as const)
  return [
    { what: 'origin outage', least: 10, most: 100_000, lasts: [20, 50] },
    { what: 'purge storm', least: 200, most: 100_000, lasts: [25, 40] },
    { what: 'bypass slip', least: 200, most: 100_000, lasts: [30, 60] },
    { what: traffic, least: 200, most: 20_000, lasts: [25, 45] },
    { what: 'log silence', least: 40, most: 100_000, lasts: [30, 50] },
    { what: 'logging refused', least: 10, most: 100_000, lasts: [35, 50] },
  ]
}

/** Six things that have to be told and one that must not, each on a site where its definition can hold. */
export function scriptOf(seed: string, startMs: number): readonly Scripted[] {
  const random = seededRandom(`${seed}/script`)
  const plans = plansOf(seed)
  const sites = assigned(plans, () => shuffled(SITES, () => random.next()))
  const told = plans.map(({ what, lasts: [least, most] }, at): Scripted => {
    const fromMs = startMs + random.integer(FIRST_MINUTE * MINUTE_MS, LAST_MINUTE * MINUTE_MS)
    return { what, site: sites[at]!, fromMs, untilMs: fromMs + random.integer(least * MINUTE_MS, most * MINUTE_MS) }
  })
  return [...told, markedPurge(told, startMs)]
}

/** At the other end of the day of a site that has one more thing to go through. */
function markedPurge(told: readonly Scripted[], startMs: number): Scripted {
  const slip = told.find(({ what }) => what === 'bypass slip')!
  const noon = startMs + 720 * MINUTE_MS
  const fromMs = slip.fromMs < noon ? slip.fromMs + 480 * MINUTE_MS : slip.fromMs - 480 * MINUTE_MS
  return { what: 'marked purge', site: slip.site, fromMs, untilMs: fromMs + 30 * MINUTE_MS }
}

function assigned(plans: readonly Plan[], deal: () => readonly Site[]): readonly Site[] {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const sites = deal()
    if (plans.every(({ least, most }, at) => fits(sites[at]!, least, most))) return sites
  }
  throw new Error('No site fits')
}

function fits({ perMinute }: Site, least: number, most: number): boolean {
  return perMinute >= least && perMinute <= most
}

function shuffled<Item>(items: readonly Item[], next: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, key: next() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
