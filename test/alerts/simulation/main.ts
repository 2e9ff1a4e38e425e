import { parseArgs } from 'node:util'
import { playDay } from './day.ts'
import { problemsOf } from './problems.ts'
import { byMishap, comparison, judged } from './table.ts'

/**
 * `npm run simulate`: plays days of simulated traffic with scripted incidents and says how they were told, beside the
 * rules of others. `--days 50` sets how many, `--first 1` the first seed. The exit code is 1 when a promise was broken.
 */

const { values } = parseArgs({
  options: { days: { type: 'string', default: '50' }, first: { type: 'string', default: '1' } },
})
const first = Number(values.first)
const days = Array.from({ length: Number(values.days) }, (_, at) => judged(playDay(`day ${first + at}`)))
const problems = days.flatMap(problemsOf)
process.stdout.write(`${comparison(days)}\n${byMishap(days)}\n`)
for (const problem of problems) process.stdout.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
