import { parseArgs } from 'node:util'
import { systemClock } from '../../../src/shared/clock.ts'
import { whyNoPostgres } from '../../store/postgres-harness.ts'
import { POINT_NAMES, POINT_ROUNDS } from './points.ts'
import { mixedRounds } from './random-rounds.ts'
import { reportOf } from './report.ts'
import type { Round } from './rounds.ts'
import { playRun, type RunResult } from './run.ts'
import { STORE_KINDS, type StoreKind } from './store-under-test.ts'

const EXIT_VIOLATED = 1
const EXIT_USAGE = 2
const DEFAULT_RANDOM = 8
const DEFAULT_ZOMBIES = 2

/**
 * The real bot, killed over and over while people use it, and what it left behind judged. `--rounds N` on each store (the named points first, then random moments), `--store sqlite|postgres|both`, `--seed S`
 * repeats the random ones, `--point name` plays one point alone, `--zombies N` stops so many processes past their lease,
 * `--json` prints for programs. The exit code is 1 when something was violated.
 */
export async function playKills(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: String(POINT_ROUNDS.length + DEFAULT_RANDOM) },
      store: { type: 'string', default: 'both' },
      seed: { type: 'string', default: systemClock.newId().slice(0, 8) },
      point: { type: 'string' },
      zombies: { type: 'string', default: String(DEFAULT_ZOMBIES) },
      json: { type: 'boolean', default: false },
    },
  })
  const stores = storesOf(values.store)
  const rounds = roundsOf(Number(values.rounds), values.seed, values.point)
  const zombies = Number(values.zombies)
  if (!isCount(values.rounds) || !isCount(values.zombies))
    return complain('--rounds and --zombies take a whole number.')
  if (stores.length === 0) return complain('--store takes sqlite, postgres or both.')
  if (values.point !== undefined && rounds.length === 0)
    return complain(`--point takes one of: ${POINT_NAMES.join(', ')}`)
  const why = stores.includes('postgres') ? await whyNoPostgres() : undefined
  if (why !== undefined) return complain(`PostgreSQL cannot be used: ${why}`)
  // The stores are independent of each other, so their runs go on side by side.
  const results = await Promise.all(stores.map((kind) => playRun({ kind, rounds, zombies })))
  print(values.json ? `${JSON.stringify({ seed: values.seed, results }, undefined, 2)}\n` : text(values.seed, results))
  return results.every(({ violations }) => violations.length === 0) ? 0 : EXIT_VIOLATED
}

function isCount(given: string): boolean {
  return /^\d{1,6}$/.test(given)
}

function storesOf(given: string): readonly StoreKind[] {
  return STORE_KINDS.filter((kind) => given === 'both' || given === kind)
}

/** A round that has to be prepared comes after the one that prepares it. */
function roundsOf(count: number, seed: string, point: string | undefined): readonly Round[] {
  if (point === undefined) return mixedRounds(count, seed)
  return POINT_ROUNDS.flatMap((round, index) => {
    const before = round.pauseMs === undefined ? undefined : POINT_ROUNDS[index - 1]
    return round.point === point ? [...(before === undefined ? [] : [before]), round] : []
  })
}

function text(seed: string, results: readonly RunResult[]): string {
  return `${results.map(reportOf).join('\n')}\nSeed: ${seed}\n`
}

function complain(sentence: string): number {
  process.stderr.write(`${sentence}\n`)
  return EXIT_USAGE
}

function print(words: string): void {
  process.stdout.write(words)
}
