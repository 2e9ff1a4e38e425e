import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { sourceFiles } from '../../support/source-imports.ts'
import { copyProgram, type ProgramCopy } from '../program-copy.ts'
import { drawnLines, drawnOfLines, type Line } from './draw.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const EXIT_UNNOTICED = 1
/** Lines drawn for each that is wanted: of some of them Stryker makes nothing that it can try. */
const SPARE = 1.2
const WORK_FOLDER = 'coverage/mutants'
/** Four times what all tests take. */
const RUN_MS = 600_000

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
type Mutant = Results[number]

/**
 * Has Stryker make drawn lines of the program wrong, in every way it knows. One mutant of each line is drawn, and the tests of
 * `npm test` have to notice it, or else the types. `--seed S` and `--count N` say which lines and mutants are drawn,
 * `--only src/a.ts:12` takes all mutants of one line instead, `--out FILE` writes what became of each. The exit code is 1 when
 * a drawn one survives. What survives Stryker is looked at twice: it sees nothing of the processes that tests start, and of
 * what a module keeps only the test that made it.
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
  const { seed } = values
  const count = Number(values.count)
  const lines = drawnLines(sourceFiles('src'), seed, Math.ceil(count * SPARE))
  const places = values.only?.split(',') ?? lines.map(({ file, line }) => `${file}:${line}`)
  await using copy = await copyProgram([])
  for (const holds of [fitsTypes, passesTests])
    if (!(await holds(copy.folder))) throw new Error(`${holds.name}: not before anything is made wrong`)
  const results = await played(places.map((place) => `${place}-${place.split(':')[1]}`))
  const tried = results
    .filter(({ status }) => status !== 'Ignored')
    .toSorted((one, other) => Number(one.id) - Number(other.id))
  const possible = ({ file, line }: Line) => tried.filter((each) => lineOf(each) === `${file}:${line}`)
  const drawn = values.only === undefined ? drawnOfLines(lines, possible, { seed, count }) : tried
  const survived = drawn.filter((mutant) => !isNoticed(mutant))
  const refused = await refusedBy(fitsTypes, survived, copy)
  const left = survived.filter((mutant) => !refused.includes(mutant))
  print(`Each of ${left.length} that survive Stryker and the types has a whole run of the tests:`)
  for (const mutant of left) print(await differenceOf(mutant))
  const failed = await refusedBy(passesTests, left, copy)
  const isCaught = (mutant: Mutant): boolean => isNoticed(mutant) || [...refused, ...failed].includes(mutant)
  print('These survive:')
  for (const mutant of drawn.filter((each) => !isCaught(each))) print(await differenceOf(mutant))
  const caught = drawn.filter(isCaught).length
  const [byTypes, byWholeRun] = [refused.length, failed.length]
  print(
    `${caught} of ${drawn.length} mutants are caught, of the seed ${seed}: ${byTypes} by the types alone, ${byWholeRun} by a whole run of the tests`,
  )
  print(`Of all ${tried.length} on these ${places.length} lines Stryker alone caught ${tried.filter(isNoticed).length}`)
  if (values.out !== undefined)
    await writeFile(values.out, JSON.stringify({ ...values, results, drawn, refused, failed }, undefined, 2))
  return caught === drawn.length && drawn.length > 0 ? 0 : EXIT_UNNOTICED
}

async function played(mutate: string[]): Promise<Results> {
  const stryker = new Stryker({
    mutate,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/vitest.config.ts', related: false },
    testFiles: testFiles(),
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

function testFiles(): string[] {
  return globSync(TESTS.take, { exclude: [...TESTS.leave, ...READERS] })
}

function isNoticed({ status }: Mutant): boolean {
  return status === 'Killed' || status === 'Timeout'
}

/** Those with which the copy does not hold. */
async function refusedBy(
  holds: (folder: string) => Promise<boolean>,
  mutants: Results,
  { folder }: ProgramCopy,
): Promise<Results> {
  const refused: Mutant[] = []
  for (const mutant of mutants) {
    const path = join(folder, relative(ROOT, mutant.fileName))
    const text = await readFile(path, 'utf8')
    await writeFile(path, mutated(text, mutant))
    if (!(await holds(folder))) refused.push(mutant)
    await writeFile(path, text)
  }
  return refused
}

/** As `npm run check` checks types: Stryker runs the tests without. */
async function fitsTypes(folder: string): Promise<boolean> {
  return succeeds('tsc', ['--noEmit'], folder)
}

/** All tests, once more where one fails: it may have failed by itself. */
async function passesTests(folder: string): Promise<boolean> {
  const projects = ['unit', 'bulk', 'wire'].map((name) => `--project=${name}`)
  const options = ['run', '--config=test/vitest.config.ts', '--reporter=dot', '--bail=1', ...projects, ...testFiles()]
  return (await succeeds('vitest', options, folder)) || succeeds('vitest', options, folder)
}

/** False also when it hangs. Throws when the command cannot be run, or somebody else ends it: that is no refusal. */
async function succeeds(command: string, args: readonly string[], folder: string): Promise<boolean> {
  try {
    await promisify(execFile)(command, args, { cwd: folder, timeout: RUN_MS, maxBuffer: Infinity })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'killed' in error)
      if (typeof error.code === 'number' || error.killed === true) return false
    throw error
  }
}

function lineOf({ fileName, location }: Mutant): string {
  return `${relative(ROOT, fileName)}:${location.start.line}`
}

async function differenceOf(mutant: Mutant): Promise<string> {
  const { fileName, location, status, mutatorName } = mutant
  const before = (await readFile(fileName, 'utf8')).split('\n')
  const after = mutated(before.join('\n'), mutant).split('\n')
  const first = location.start.line - 1
  const removed = before.slice(first, location.end.line)
  const added = after.slice(first, location.end.line + after.length - before.length)
  return [
    `${status}: ${lineOf(mutant)}, ${mutatorName}`,
    ...removed.map((line) => `- ${line}`),
    ...added.map((line) => `+ ${line}`),
  ].join('\n')
}

function mutated(text: string, { location: { start, end }, replacement }: Mutant): string {
  const lines = text.split('\n')
  const before = [...lines.slice(0, start.line - 1), lines[start.line - 1]?.slice(0, start.column - 1)]
  const behind = [lines[end.line - 1]?.slice(end.column - 1), ...lines.slice(end.line)]
  return `${before.join('\n')}${replacement}${behind.join('\n')}`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
