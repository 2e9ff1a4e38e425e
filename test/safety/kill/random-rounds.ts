import { type Random, seededRandom } from '../../../src/playground/cdn/world/seeded-random.ts'
import { POINT_ROUNDS } from './points.ts'
import type { Round } from './rounds.ts'
import { STORY_NAMES } from './stories.ts'
import { ANY_TAG } from './transaction-tags.ts'

/** The longest a random life lasts: some end while the bot is still starting, some after everything is done. */
const LONGEST_LIFE_MS = 1_800
/** The most transactions that one round makes. */
const MOST_COMMITS = 14
/** Rounds that end at a moment nobody chose: so long after the start, or at some transaction. The same for a seed. */
export function randomRounds(count: number, seed: string): readonly Round[] {
  const random = seededRandom(`${seed}/kill`)
  return Array.from({ length: count }, () => randomRound(random))
}

function randomRound(random: Random): Round {
  const story = random.pick(STORY_NAMES)
  if (random.next() < 0.5) return { point: 'random moment', story, afterMs: random.integer(1, LONGEST_LIFE_MS) }
  const side = random.pick(['before', 'after'] as const)
  const inside = { tag: ANY_TAG, side, nth: random.integer(1, MOST_COMMITS) }
  return { point: `random commit:${side}`, story, inside }
}

/** So many rounds: each named point once as far as they reach, then random moments. */
export function mixedRounds(count: number, seed: string): readonly Round[] {
  return [...POINT_ROUNDS.slice(0, count), ...randomRounds(Math.max(0, count - POINT_ROUNDS.length), seed)]
}
