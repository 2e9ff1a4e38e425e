import { availableParallelism, cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { type Bench, type Figures, NotMeasurable, type Scale } from './bench.ts'
import { BENCHES } from './benches.ts'
import { goalMarkdown, goalTable } from './goal-table.ts'
import { judge, type GoalResult } from './goal.ts'

/**
 * `npm run bench`: how fast and small things are, each beside a reference measured in the same run and the goal it has to
 * meet. `--only name` (more than once, or with commas) chooses, `--quick` takes small inputs and wider goals, `--json` and
 * `--markdown` print for programs and for `.github/docs/performance.md`. The exit code is 1 when a goal was missed, and 3
 * when none was missed but some could not be measured on this machine, which is said.
 */

const ROUNDS = 7
const QUICK_ROUNDS = 3
const EXIT_MISSED = 1
const EXIT_USAGE = 2
const EXIT_INCOMPLETE = 3
const GIB = 1024 ** 3
const EXIT_INTERRUPTED = 130

// Inputs go when the process exits, which a signal alone would skip.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(EXIT_INTERRUPTED))
process.exitCode = await main()

async function main(): Promise<number> {
  const { only, quick, json, markdown } = options()
  const unknown = only.filter((name) => !BENCHES.some((bench) => bench.name === name))
  if (unknown.length > 0) {
    const known = BENCHES.map(({ name }) => name).join(', ')
    process.stderr.write(`There is no bench ${unknown.join(', ')}. There are: ${known}\n`)
    return EXIT_USAGE
  }
  const scale: Scale = quick ? 'quick' : 'full'
  const chosen = BENCHES.filter(({ name }) => only.length === 0 || only.includes(name))
  const outcomes = await outcomesOf(chosen, scale)
  const results = outcomes.flatMap((outcome) => outcome.results)
  const left = outcomes.flatMap((outcome) => outcome.left)
  const print = json ? asJson : markdown ? goalMarkdown : goalTable
  process.stdout.write(`${print(results).trimEnd()}\n`)
  if (!json) process.stdout.write(`\n${machine()}\n`)
  for (const reason of left) process.stderr.write(`not measured: ${reason}\n`)
  if (!results.every(({ isMet }) => isMet)) return EXIT_MISSED
  return left.length > 0 ? EXIT_INCOMPLETE : 0
}

interface Outcome {
  readonly results: readonly GoalResult[]
  /** Why it could not be measured here, if so. */
  readonly left: readonly string[]
}

/** In the order given. One after the other, but for those that only wait. */
async function outcomesOf(benches: readonly Bench[], scale: Scale): Promise<readonly Outcome[]> {
  const outcomes = new Map<Bench, Promise<Outcome>>()
  for (const bench of benches) if (bench.isBeside === true) outcomes.set(bench, outcomeOf(bench, scale))
  for (const bench of benches) {
    if (bench.isBeside === true) continue
    const outcome = outcomeOf(bench, scale)
    outcomes.set(bench, outcome)
    await outcome
  }
  return Promise.all(benches.flatMap((bench) => outcomes.get(bench) ?? []))
}

async function outcomeOf(bench: Bench, scale: Scale): Promise<Outcome> {
  try {
    return { results: await resultsOf(bench, scale), left: [] }
  } catch (error) {
    if (!(error instanceof NotMeasurable)) throw error
    return { results: [], left: [`${bench.name}: ${error.message}`] }
  }
}

async function resultsOf(bench: Bench, scale: Scale): Promise<GoalResult[]> {
  const wanted = bench.rounds ?? ROUNDS
  const count = scale === 'quick' ? Math.min(QUICK_ROUNDS, wanted) : wanted
  process.stderr.write(`${bench.name}: getting ready\n`)
  await using prepared = await bench.prepare(scale)
  const rounds: Figures[] = []
  for (let turn = 0; turn < count; turn += 1) {
    process.stderr.write(`${bench.name}: round ${turn + 1} of ${count}\n`)
    rounds.push(await prepared.measure(turn))
  }
  return bench.goals.map((goal) => judge(bench.name, goal, rounds, scale))
}

function asJson(results: readonly GoalResult[]): string {
  return JSON.stringify({ machine: machine(), results }, undefined, 2)
}

function machine(): string {
  const memory = `${Math.round(totalmem() / GIB)} GiB of memory`
  return `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${memory}, Node ${process.version}`
}

function options(): {
  readonly only: readonly string[]
  readonly quick: boolean
  readonly json: boolean
  readonly markdown: boolean
} {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
    },
  })
  return { ...values, only: values.only.flatMap((names) => names.split(',')) }
}
