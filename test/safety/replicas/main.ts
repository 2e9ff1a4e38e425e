import { parseArgs } from 'node:util'
import { systemClock } from '../../../src/shared/clock.ts'
import { whyNoPostgres } from '../../store/postgres-harness.ts'
import { playTrio } from './run.ts'

const EXIT_VIOLATED = 1
const EXIT_USAGE = 2
const DEFAULT_ROUNDS = '12'

/**
 * Three real bots on one PostgreSQL store, of which the one that works in the background is killed, stopped or frozen while
 * people ask, and what they left behind judged. `--rounds N`, about eight seconds each; `--seed S` repeats the choices; `--beside FOLDER` runs a bot of the older version there as well.
 * The exit code is 1 when something was violated.
 */
export async function playReplicas(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: DEFAULT_ROUNDS },
      beside: { type: 'string' },
      seed: { type: 'string', default: systemClock.newId().slice(0, 8) },
    },
  })
  const why = /^\d{1,5}$/.test(values.rounds) ? await whyNoPostgres() : '--rounds takes a whole number'
  if (why !== undefined) {
    process.stderr.write(`${why}\n`)
    return EXIT_USAGE
  }
  const { wrong, ...figures } = await playTrio(Number(values.rounds), values.seed, values.beside)
  process.stdout.write(`${JSON.stringify({ seed: values.seed, ...figures, violations: wrong.length }, undefined, 2)}\n`)
  for (const each of wrong) process.stdout.write(`VIOLATION ${each}\n`)
  return wrong.length === 0 ? 0 : EXIT_VIOLATED
}
