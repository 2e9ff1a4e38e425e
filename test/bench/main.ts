import { parseArgs } from 'node:util'
import { runBench, type Bench } from './bench.ts'
import { playgroundBench } from './playground-bench.ts'
import { resultTable } from './result-table.ts'

/**
 * `npm run bench`: how fast things are, beside the goals they should meet. `--only name` (more than once, or with commas)
 * chooses, `--quick` measures once, `--json` prints for programs. The exit code is 1 when a goal was missed.
 */

const BENCHES: readonly Bench[] = [playgroundBench]
const TIMES = 5
const QUICK_TIMES = 1
const EXIT_MISSED = 1
const EXIT_USAGE = 2

process.exitCode = await main()

async function main(): Promise<number> {
  const { only, quick, json } = options()
  const unknown = only.filter((name) => !BENCHES.some((bench) => bench.name === name))
  if (unknown.length > 0) {
    const known = BENCHES.map(({ name }) => name).join(', ')
    process.stderr.write(`There is no bench ${unknown.join(', ')}. There are: ${known}\n`)
    return EXIT_USAGE
  }
  const results = []
  for (const bench of BENCHES) {
    if (only.length > 0 && !only.includes(bench.name)) continue
    results.push(await runBench(bench, quick ? QUICK_TIMES : TIMES))
  }
  process.stdout.write(json ? `${JSON.stringify(results, undefined, 2)}\n` : resultTable(results))
  return results.every(({ isMet }) => isMet) ? 0 : EXIT_MISSED
}

function options(): { readonly only: readonly string[]; readonly quick: boolean; readonly json: boolean } {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  return { ...values, only: values.only.flatMap((names) => names.split(',')) }
}
