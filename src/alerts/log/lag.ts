import * as z from 'zod'

/** How long a minute's lines are waited for while nothing is known, and at least and at most otherwise. */
export const FIRST_LAG_MS = 120_000
const MIN_LAG_MS = 30_000
const MAX_LAG_MS = 600_000
/** Added to the time by which 95 % of the lines are there. */
const MARGIN_MS = 30_000
const PRESENT_SHARE = 0.95

/** Ages are told apart by so much; what is older than ten minutes and a half is one age. */
const STEP_MS = 10_000
const STEPS = 63
/** Fewer lines than this prove nothing about an age. */
const MIN_LINES = 200
/** With each stretch that is settled, what was learnt before counts this much less. */
const FADING = 0.98
/** What is there when a stretch is looked at last counts as all of it if that is so long after its end. */
export const SETTLED_MS = 300_000
const MAX_OPEN = 32

/** What was learnt of lag: for each age, in steps of 10 s, how many lines were there then, of how many in the end. */
export const LagRecord = z.object({
  lagMs: z.number().min(MIN_LAG_MS).max(MAX_LAG_MS),
  ages: z.array(z.tuple([z.int().min(0).max(STEPS), z.number().min(0), z.number().min(0)])).max(STEPS + 1),
})
export type LagRecord = z.output<typeof LagRecord>

export const FIRST_LAG: LagRecord = { lagMs: FIRST_LAG_MS, ages: [] }

/**
 * Learns how late the lines of a zone come, by looking at the same stretch of time again and again: what is there at
 * some age, of what is there in the end. A stretch without lines says nothing, so a quiet zone is not taken for a slow one.
 */
export class LagMeter {
  /** Of each stretch how many lines it had, at which age in steps. */
  readonly #open = new Map<number, { readonly age: number; readonly lines: number }[]>()

  /** A stretch that ended `ageMs` ago has so many lines. The first look at it has to come early to be of use. */
  look(stretch: number, ageMs: number, lines: number): void {
    const looks = this.#open.get(stretch)
    // A clock that was put back makes ages of less than nothing.
    const age = Math.max(0, Math.min(Math.floor(ageMs / STEP_MS), STEPS))
    if (looks !== undefined) looks.push({ age, lines })
    else if (this.#open.size < MAX_OPEN) this.#open.set(stretch, [{ age, lines }])
  }

  /** Takes in the stretches that are not among those still looked at, and says what follows from all that is known. */
  learn(before: LagRecord, still: ReadonlySet<number>): LagRecord {
    let ages = new Map(before.ages.map(([age, present, all]) => [age, { present, all }]))
    let learnt = false
    for (const [stretch, looks] of this.#open) {
      if (still.has(stretch)) continue
      this.#open.delete(stretch)
      const { age: lastAge, lines: all } = looks.at(-1) ?? { age: 0, lines: 0 }
      if (lastAge < SETTLED_MS / STEP_MS || all === 0) continue
      learnt = true
      ages = new Map(
        [...ages].map(([age, { present, all }]) => [age, { present: present * FADING, all: all * FADING }]),
      )
      for (const { age, lines } of looks) {
        const sum = ages.get(age) ?? { present: 0, all: 0 }
        ages.set(age, { present: sum.present + Math.min(lines, all), all: sum.all + all })
      }
    }
    if (!learnt) return before
    const kept = [...ages].filter(([, { all }]) => all >= 1).toSorted(([a], [b]) => a - b)
    const rounded = kept.map(([age, { present, all }]) => [age, Math.round(present), Math.round(all)] as const)
    return { lagMs: deriveLag(rounded, before.lagMs), ages: rounded.map((entry) => [...entry]) }
  }
}

/**
 * 95 % of the lines come between the last age at which they were not there and the first one after it at which they
 * were. The lag stays as it is where that allows it, and else moves as little as it has to.
 */
function deriveLag(ages: readonly (readonly [number, number, number])[], presentMs: number): number {
  const proven = ages.filter(([, , all]) => all >= MIN_LINES)
  const missing = proven.findLast(([, present, all]) => present < all * PRESENT_SHARE)
  const there = proven.find(([age]) => age > (missing?.[0] ?? -1))
  const least = missing === undefined ? MIN_LAG_MS : (missing[0] + 1) * STEP_MS + MARGIN_MS
  const most = there === undefined ? MAX_LAG_MS : (there[0] + 1) * STEP_MS + MARGIN_MS
  return Math.min(Math.max(presentMs, least), Math.max(most, least), MAX_LAG_MS)
}
