import { describe, expect, test } from 'vitest'
import { whyNoPostgres } from '../../store/postgres-harness.ts'
import { POINT_NAMES, POINT_ROUNDS } from './points.ts'
import { randomRounds } from './random-rounds.ts'
import { playRun, type RunResult } from './run.ts'
import { BUG_NAMES, type BugName, isFound, plantBug } from './seeded-bugs.ts'
import { STORE_KINDS } from './store-under-test.ts'

const RANDOM_ROUNDS = 20
const ZOMBIES = 2
/** Fixed, so that a failure can be had again; other runs draw their own. */
const SEED = 'slow test'
const TIMEOUT_MS = 600_000

const noPostgres = await whyNoPostgres()

describe('the bot, killed over and over', () => {
  test.concurrent.for(STORE_KINDS)(
    'at every named point and at random moments loses nothing and does nothing twice: %s',
    { timeout: TIMEOUT_MS },
    async (kind, { skip }) => {
      if (kind === 'postgres' && noPostgres !== undefined) skip(noPostgres)
      // Whoever is killed while telling something leaves that to wait for a minute: the points come last, and end with reads.
      const rounds = [...randomRounds(RANDOM_ROUNDS, SEED), ...POINT_ROUNDS]
      const result = await playRun({ kind, rounds, zombies: ZOMBIES })
      expect(result.violations).toEqual([])
      expect(unreached(result)).toEqual([])
      expect(result.changes).toBeGreaterThan(POINT_ROUNDS.length / 2)
    },
  )

  test('has at least twenty points, each before and after', () => {
    const names = new Set(POINT_NAMES.map((name) => name.replace(/:(before|after)$/, '')))
    expect(names.size).toBeGreaterThanOrEqual(20)
  })
})

describe('a mistake in the program', () => {
  /** The rounds in which each can be seen. */
  const TELLING: Readonly<Record<BugName, RegExp>> = {
    'retry-on-recovery': /^write at the platform:after$/,
    'no-write-ahead': /^write at the platform:after$|^done:after$/,
    'http-retry': /^unknown:after$|^not_done:after$/,
  }

  test.concurrent.for(BUG_NAMES)('is found: %s', { timeout: TIMEOUT_MS }, async (bug) => {
    await using copy = await plantBug(bug)
    const rounds = POINT_ROUNDS.filter(({ point }) => TELLING[bug].test(point))
    const { violations } = await playRun({ kind: 'sqlite', main: copy.main, rounds })
    expect({ isFound: isFound(bug, violations), violations }).toMatchObject({ isFound: true })
  })
})

/** Points that were never come by: then their rounds proved nothing. */
function unreached({ ends }: RunResult): readonly string[] {
  const reached = new Set(ends.filter(({ isReached }) => isReached).map(({ point }) => point))
  return POINT_NAMES.filter((name) => !reached.has(name))
}
