import { describe, expect, test } from 'vitest'
import { whyNoPostgres } from '../../store/postgres-harness.ts'
import { IN_CI } from '../../support/in-ci.ts'
import { POINT_NAMES, POINT_ROUNDS, randomRounds } from './points.ts'
import type { Round } from './rounds.ts'
import { playRun, type RunResult } from './run.ts'
import { STORE_KINDS, type StoreKind } from './store-under-test.ts'
import { asksForChange } from './stories.ts'

/** Of a seeded bug the points that show it are enough. */
const POINTS = process.env['SAFETY_ONLY']
const ROUNDS = POINT_ROUNDS.filter(({ point }) => new RegExp(POINTS ?? '').test(point))
const RANDOM_ROUNDS = POINTS === undefined ? Number(process.env['SAFETY_ROUNDS'] ?? (IN_CI ? '4' : '12')) : 0
const ZOMBIES = POINTS === undefined ? 2 : 0
/** Fixed, so that a failure can be had again. */
const SEED = process.env['SAFETY_SEED'] ?? 'slow test'
/** Rounds of both stores run beside each other: some seconds for each, however busy the machine is. */
const TIMEOUT_MS = 600_000 + RANDOM_ROUNDS * 6_000

/**
 * Two stages for each store, as a round mostly waits. Whoever is killed while telling something leaves that to wait for a
 * minute: so each part ends with rounds that tell nothing.
 */
const SECOND_PART = POINTS === undefined ? ROUNDS.findIndex(({ point }) => point.startsWith('delivery')) : 0
const PARTS = [
  {
    name: 'first part',
    rounds: [...randomRounds(RANDOM_ROUNDS, SEED), ...ROUNDS.slice(0, SECOND_PART)],
    zombies: ZOMBIES,
  },
  { name: 'second part', rounds: ROUNDS.slice(SECOND_PART), zombies: 0 },
].filter(({ rounds }) => rounds.length > 0)

/** Where less is played each store has half of the pairs of points, and how what was interrupted is recovered. */
const ALWAYS = new Set(POINT_ROUNDS.slice(-3))
function onStore(kind: StoreKind, rounds: readonly Round[]): readonly Round[] {
  if (!IN_CI || POINTS !== undefined) return rounds
  const turn = STORE_KINDS.indexOf(kind)
  return rounds.filter((round, at) => ALWAYS.has(round) || Math.floor(at / 2) % STORE_KINDS.length === turn)
}

const noPostgres = await whyNoPostgres()

describe('the bot, killed over and over', () => {
  test.concurrent.for(
    STORE_KINDS.flatMap((kind) => PARTS.map((part) => ({ kind, ...part, rounds: onStore(kind, part.rounds) }))),
  )(
    'at every named point and at random moments loses nothing and does nothing twice: $kind, $name',
    { timeout: TIMEOUT_MS },
    async ({ kind, rounds, zombies }, { skip }) => {
      if (kind === 'postgres' && noPostgres !== undefined) skip(noPostgres)
      const result = await playRun({ kind, rounds, zombies })
      if (result.violations.length > 0) throw new Error(result.violations.join('\n'))
      expect(unreached(result, rounds)).toEqual([])
      const asked = result.changes.filter(({ wasAskedFor }) => wasAskedFor)
      // Some are killed before they ask, as their points mean them to be.
      const asking = rounds.filter(({ story }) => asksForChange(story))
      if (POINTS === undefined) expect(asked.length).toBeGreaterThan(asking.length / 4)
    },
  )

  test('has at least twenty points, each before and after', () => {
    const names = new Set(POINT_NAMES.map((name) => name.replace(/:(before|after)$/, '')))
    expect(names.size).toBeGreaterThanOrEqual(20)
  })
})

/** Named points that were never come by: then their rounds proved nothing. */
function unreached({ ends }: RunResult, rounds: readonly Round[]): readonly string[] {
  const reached = new Set(ends.filter(({ isReached }) => isReached).map(({ point }) => point))
  return rounds.map(({ point }) => point).filter((name) => !reached.has(name) && POINT_NAMES.includes(name))
}
