import { writeSync } from 'node:fs'
import { leaked } from './leak.ts'
import { careful } from './process-sinks.ts'
import { canaries, foundIn } from './spellings.ts'
import { tour } from './tour.ts'

const STANDARD_OUTPUT = 1
const print = (line: string): void => void writeSync(STANDARD_OUTPUT, `${line}\n`)

/**
 * Plants more than forty kinds of keys wherever the bot meets one, plays the whole tour at the
 * level debug, and looks for every spelling of each in all that leaves the bot or stays behind. Then a copy of the bot
 * lets all of them out on purpose, with the scrubber and, to see that the search finds them, without. The exit code is 1
 * when one is found that should not be, or not found that should be.
 */
export async function playCanaries(args: readonly string[]): Promise<number> {
  const seed = args[0] ?? 'canary'
  const planted = canaries(seed)
  const all = planted.flatMap(({ spellings }) => Object.keys(spellings)).length
  print(`${planted.length} keys, ${all} spellings, seed ${seed}`)
  const { sinks, missed } = await tour(planted, print)
  const streams = {
    ...(await careful(planted)),
    'both streams of a careless copy': await leaked(planted, true),
  }
  let hits = 0
  let empty = 0
  for (const [name, text] of Object.entries({ ...sinks, ...streams })) {
    const found = foundIn(text, planted)
    hits += found.length
    // Where nothing is, nothing was looked through.
    if (text.length === 0) empty += 1
    print(`${String(found.length).padStart(4)} found in ${String(text.length).padStart(9)} characters: ${name}`)
    for (const each of found) print(`     ${each}`)
  }
  const control = foundIn(await leaked(planted, false), planted).length
  print(`${String(control).padStart(4)} of ${all} found in a careless copy without the scrubber`)
  print(`${hits} found, ${empty} places empty, ${missed} steps not as expected`)
  return hits === 0 && empty === 0 && missed === 0 && control === all ? 0 : 1
}
