import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { playSoak } from '../load/soak.ts'
import { playAttacks } from './attacks/main.ts'
import { playMutants } from './mutants/main.ts'

/**
 * `npm run test:safety`: whether the promises hold under force. With a name it plays one suite, with that suite's options;
 * without, the first seven one after the other. The exit code is 1 when a promise was broken, 2 when it was asked wrongly.
 */

const EXIT_BROKEN = 1
const EXIT_USAGE = 2

type Play = (args: readonly string[]) => Promise<number>

/** Played when no suite is named. */
const PROMISES: Readonly<Record<string, Play>> = {
  kill: tests(['kill'], 'rounds', 'seed', 'only'),
  model: tests(['model'], 'runs', 'seed'),
  faults: tests(['faults']),
  roles: tests(['roles']),
  attacks: playAttacks,
  canary: tests(['canary', '../end-to-end/secrets.wire.test.ts']),
  replicas: tests(['replicas'], 'rounds', 'seed', 'beside'),
}

/** These take as long as they are given. */
const LONG: Readonly<Record<string, Play>> = {
  fuzz: tests(['fuzz'], 'runs', 'seed'),
  mutants: playMutants,
  soak: playSoak,
}

process.exitCode = await main(process.argv.slice(2))

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined) return playAll()
  const play = PROMISES[name] ?? LONG[name]
  if (play !== undefined) return play(args).catch(usage)
  const names = [...Object.keys(PROMISES), ...Object.keys(LONG)].join(', ')
  process.stderr.write(`There is no suite ${name}; there are: ${names}.\n`)
  return EXIT_USAGE
}

async function playAll(): Promise<number> {
  const broken: string[] = []
  for (const [name, play] of Object.entries(PROMISES)) {
    process.stdout.write(`\n=== ${name}\n`)
    if ((await play([])) !== 0) broken.push(name)
  }
  process.stdout.write(broken.length === 0 ? '\nAll promises held.\n' : `\nBroken: ${broken.join(', ')}.\n`)
  return broken.length === 0 ? 0 : EXIT_BROKEN
}

/** Plays all tests of these places, the slow ones too. An option `--rounds N` goes to them as the variable `SAFETY_ROUNDS`. */
function tests(places: readonly string[], ...names: readonly string[]): Play {
  return async (args) => {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]))
    const { values } = parseArgs({ args: [...args], options })
    const given = Object.entries(values).map(([name, value]) => [`SAFETY_${name.toUpperCase()}`, String(value)])
    const paths = places.map((place) => new URL(place, import.meta.url).pathname)
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', ...paths]
    const env = { ...process.env, ...Object.fromEntries(given) }
    const [code] = await once(spawn(process.execPath, vitest, { env, stdio: 'inherit' }), 'close')
    return code === 0 ? 0 : EXIT_BROKEN
  }
}

/** What `parseArgs` says of options that there are not. */
function usage(error: unknown): number {
  if (!(error instanceof TypeError) || !('code' in error)) throw error
  process.stderr.write(`${error.message}\n`)
  return EXIT_USAGE
}
