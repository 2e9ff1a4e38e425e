import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { alertsBench } from './alerts.ts'
import { type Bench, judge, type Result, type Round, tableOf } from './bench.ts'
import { commandsBench } from './commands.ts'
import { dayFileBench } from './day-file.ts'
import { logLimitBench } from './log-limit.ts'
import { pagesBench } from './pages.ts'
import { idleBench, startBench } from './start.ts'
import { Testbed } from './testbed.ts'

/**
 * `npm run bench`: how fast and small things are, beside references measured in the same run, and the limits they have to
 * keep. `--only name` (more than once, or with commas) chooses, `--quick` takes small inputs and wider limits. The exit
 * code is 1 when a limit was missed.
 */

/** In the order of the table. */
const BENCHES = [dayFileBench, pagesBench, commandsBench, logLimitBench, alertsBench, startBench, idleBench]

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true }, quick: { type: 'boolean' } } })
  const wanted = (values.only ?? []).flatMap((names) => names.split(','))
  const known = BENCHES.map(({ name }) => name)
  if (!wanted.every((name) => known.includes(name))) throw new Error(`There is: ${known.join(', ')}`)
  const chosen = BENCHES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  const results = await resultsOf(chosen, new Testbed(), values.quick === true)
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), Node ${process.version}`
  process.stdout.write(`${tableOf(results)}\n\n${machine}\n`)
  return results.every(({ isMet }) => isMet) ? 0 : 1
}

/** In the order given. First those that mostly wait, with the others beside them, and then those that run alone. */
async function resultsOf(benches: readonly Bench[], testbed: Testbed, quick: boolean): Promise<readonly Result[]> {
  const results = new Map<Bench, readonly Result[]>()
  const run = async (bench: Bench): Promise<void> => {
    const startedAt = performance.now()
    const rounds: Round[] = []
    for await (const round of bench.rounds(testbed, quick)) rounds.push(round)
    results.set(bench, judge(bench.rows, rounds, quick))
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    process.stderr.write(`${bench.name}: ${seconds} s\n`)
  }
  const oneByOne = async (runs: Bench['runs']): Promise<void> => {
    for (const bench of benches) if (bench.runs === runs) await run(bench)
  }
  await Promise.all([...benches.filter(({ runs }) => runs === 'beside').map(run), oneByOne(undefined)])
  await oneByOne('alone')
  return benches.flatMap((bench) => results.get(bench) ?? [])
}
