import { parseArgs } from 'node:util'
import { systemClock } from '../../../src/shared/clock.ts'
import type { Course } from './flatness.ts'
import { soak, type Soaked } from './run.ts'

const EXIT_FAILED = 1
const EXIT_USAGE = 2
const MAX_GROWTH_PERCENT = 15
/** Links and connections come and go: so many more are no leak. */
const MAX_MORE_HANDLES = 5

/**
 * The real bot under mixed load over loopback while faults of the platform, of Slack
 * and of the store strike at random. `--seed S` draws the same load and faults again, though not at the same moments.
 * The exit code is 1 when it crashed, lost or doubled a change, or grew.
 */
export async function playSoak(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '20' },
      seed: { type: 'string', default: systemClock.newId().slice(0, 8) },
    },
  })
  const minutes = Number(values.minutes)
  if (!(minutes > 0 && minutes <= 120)) {
    process.stderr.write('--minutes takes a number up to 120.\n')
    return EXIT_USAGE
  }
  const soaked = await soak(minutes, values.seed)
  const problems = problemsOf(soaked)
  process.stdout.write(`${reportOf(soaked, problems)}\nSeed: ${values.seed}\n`)
  return problems.length === 0 ? 0 : EXIT_FAILED
}

function problemsOf({ violations, rss, handles, unhandled, lastWords }: Soaked): readonly string[] {
  return [
    ...violations.map(({ rule, about }) => `${rule}: ${about}`),
    ...(rss.growth <= MAX_GROWTH_PERCENT ? [] : [`memory grew by ${rss.growth.toFixed(1)} %`]),
    ...(handles.last - handles.first <= MAX_MORE_HANDLES ? [] : ['file handles grew']),
    ...(unhandled === 0 ? [] : [`${unhandled} errors that nothing handled`]),
    ...(lastWords === undefined ? [] : [`it wrote last:\n${lastWords}`]),
  ]
}

function reportOf({ done, struck, rss, handles, changes, requests }: Soaked, problems: readonly string[]): string {
  return [
    `stories played to the end ${done.stories}, given up ${done.givenUp}; reads ${done.reads}; commands in floods ${done.flooded}`,
    `changes asked for ${changes}; writes at the platform ${requests}`,
    `faults: ${[...struck].map(([name, times]) => `${name} ${times}`).join(', ')}`,
    `memory in MB: ${courseWords(rss)}`,
    `file handles: ${courseWords(handles)}`,
    `problems: ${problems.length}`,
    ...problems.map((problem) => `  ${problem}`),
  ].join('\n')
}

function courseWords({ first, last, most, growth }: Course): string {
  return `${first.toFixed(1)} at first, ${last.toFixed(1)} at last (${growth.toFixed(1)} %), ${most.toFixed(1)} at most`
}
