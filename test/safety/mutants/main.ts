import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { sourceFiles } from '../../support/source-imports.ts'
import { drawnLines } from './draw.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const EXIT_UNNOTICED = 1
const WORK_FOLDER = 'coverage/mutants'

const TESTS = { take: 'test/**/*.test.ts', leave: ['test/**/*.{slow,browser}.test.ts'] }
/** They read the program as text, or what git tracks, and Stryker writes its mutants into the text of a copy. */
const READERS = [
  'test/architecture.test.ts',
  'test/safety/attacks/{roles-by-chat,table}.test.ts',
  'test/block-kit/one-way-out.test.ts',
  'test/safety/canary/process.wire.test.ts',
  'test/{map,repository}.test.ts',
  'test/store/retention.test.ts',
]

type Results = Awaited<ReturnType<Stryker['runMutationTest']>>

/**
 * Has Stryker make lines of the program wrong, in every way it knows, and sees whether the tests
 * of `npm test` notice. `--seed S` and `--count N` say which lines are drawn, `--only src/a.ts:12` takes one line instead,
 * `--out FILE` writes what became of each mutant. The exit code is 1 when one survives. One that survives needs a second look:
 * the types may refuse it, and where a module keeps what it made at first, Stryker runs only the test that came first.
 */
export async function playMutants(args: readonly string[]): Promise<number> {
  process.chdir(ROOT)
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '60' },
      only: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const lines = drawnLines(sourceFiles('src'), values.seed, Number(values.count))
  const places = values.only?.split(',') ?? lines.map(({ file, line }) => `${file}:${line}`)
  const results = await played(places.map((place) => `${place}-${place.split(':')[1]}`))
  const tried = results.filter(({ status }) => status !== 'Ignored')
  const rows = [...Map.groupBy(tried, ({ fileName }) => roomOf(fileName))].map(([room, of]) => ({
    room,
    mutants: of.length,
    caught: of.filter(isCaught).length,
  }))
  for (const result of tried.filter((each) => each.status !== 'Killed')) print(await differenceOf(result))
  for (const { room, mutants, caught } of rows) print(`${room.padEnd(12)} ${caught} of ${mutants} are caught`)
  const caught = tried.filter(isCaught).length
  print(`${caught} of ${tried.length} mutants on ${places.length} lines are caught, of the seed ${values.seed}`)
  if (values.out !== undefined) await writeFile(values.out, JSON.stringify({ ...values, rows, results }, undefined, 2))
  return caught === tried.length && tried.length > 0 ? 0 : EXIT_UNNOTICED
}

async function played(mutate: string[]): Promise<Results> {
  const stryker = new Stryker({
    mutate,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/vitest.config.ts', related: false },
    testFiles: globSync(TESTS.take, { exclude: [...TESTS.leave, ...READERS] }),
    coverageAnalysis: 'perTest',
    // What runs once, when a file is loaded, would cost a whole run of all tests for each mutant.
    ignoreStatic: true,
    // It can read no configuration with TypeScript 7, and needs none where nothing is compiled.
    tsconfigFile: 'none',
    concurrency: 1,
    dryRunTimeoutMinutes: 30,
    // A test that only takes long on a busy machine would count as one that hangs.
    timeoutMS: 60_000,
    tempDirName: WORK_FOLDER,
    cleanTempDir: 'always',
    reporters: ['progress-append-only'],
  })
  return stryker.runMutationTest()
}

function isCaught({ status }: Results[number]): boolean {
  return status === 'Killed' || status === 'Timeout'
}

/** The folder of `src`. */
function roomOf(path: string): string {
  return /\/src\/([^/]+)\//.exec(path)?.[1] ?? 'src'
}

async function differenceOf({
  fileName,
  location,
  replacement,
  status,
  mutatorName,
}: Results[number]): Promise<string> {
  const { start, end } = location
  const lines = (await readFile(fileName, 'utf8')).split('\n').slice(start.line - 1, end.line)
  const before = lines[0]?.slice(0, start.column - 1)
  const behind = lines.at(-1)?.slice(end.column - 1)
  const where = `${fileName.replace(/^.*\/src\//, 'src/')}:${start.line}`
  return `${status}: ${where}, ${mutatorName}\n${marked('- ', lines.join('\n'))}\n${marked('+ ', `${before}${replacement}${behind}`)}`
}

function marked(sign: string, lines: string): string {
  return lines.replaceAll(/^/gm, sign)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
