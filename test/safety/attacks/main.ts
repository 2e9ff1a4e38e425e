import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { copyProgram } from '../program-copy.ts'
import type { Proof } from './attack.ts'
import { ATTACKS } from './attacks.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const EXIT_UNNOTICED = 1
const EXIT_USAGE = 2
/** How long one run of tests may take. */
const MAX_RUN_MS = 600_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
/** Most of a run is one core starting; two of them keep a small machine busy. */
const AT_ONCE = 2

interface Row {
  readonly id: string
  readonly proof: Proof
}

/**
 * Plants each seeded bug of the table in a copy of the program, and sees the test fail that shows the defence, which passes
 * in the program as it is. `--only X1,C3` plays some of them. The exit code is 1 when a test did not notice.
 */
export async function playAttacks(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { only: { type: 'string' } } })
  const wanted = values.only?.split(',')
  const unknown = wanted?.filter((id) => !ATTACKS.some((attack) => attack.id === id)) ?? []
  if (unknown.length > 0) {
    process.stderr.write(`There is no attack ${unknown.join(', ')}.\n`)
    return EXIT_USAGE
  }
  const rows = ATTACKS.filter(({ id }) => wanted?.includes(id) ?? true).flatMap(({ id, proofs }) =>
    proofs.filter(({ bugs }) => bugs.length > 0).map((proof) => ({ id, proof })),
  )
  const passing = await passingAsItIs(rows)
  let noticed = 0
  const left = [...rows]
  const playLeft = async (): Promise<void> => {
    for (let row = left.shift(); row !== undefined; row = left.shift()) {
      const isGood = await playRow(row, passing).catch(tellUnplanted)
      if (isGood) noticed += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, playLeft))
  print(`${noticed} of ${rows.length} seeded bugs are noticed by their test`)
  return noticed === rows.length && rows.length > 0 ? 0 : EXIT_UNNOTICED
}

/** Those that pass in the program as it is. Tests that take the same environment are run together. */
async function passingAsItIs(rows: readonly Row[]): Promise<ReadonlySet<Proof>> {
  const passing = new Set<Proof>()
  for (const alike of Map.groupBy(rows, ({ proof }) => JSON.stringify(proof.env)).values()) {
    const proofs = alike.map(({ proof }) => proof)
    const ends = await run(ROOT, proofs)
    for (const proof of proofs) if (verdictOf(proof, ends).verdict === 'passed') passing.add(proof)
  }
  return passing
}

/** Whether its test passes as it is and fails, for the right reason, with the bug. */
async function playRow({ id, proof }: Row, passing: ReadonlySet<Proof>): Promise<boolean> {
  const startMs = performance.now()
  await using copy = await copyProgram(proof.bugs)
  const { verdict, why } = verdictOf(proof, await run(copy.folder, [proof]))
  const isGood = passing.has(proof) && verdict === 'failed' && (proof.says?.test(why) ?? true)
  const asItIs = passing.has(proof) ? '' : 'does not pass as it is, '
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1)
  const test = `${proof.file} > ${proof.only ?? proof.test}`
  print(
    `${isGood ? 'noticed    ' : 'NOT NOTICED'} ${id.padEnd(4)} ${seconds.padStart(6)} s  ${asItIs}${verdict}: ${test}`,
  )
  if (!isGood && verdict === 'failed') print(why.slice(0, 2_000))
  return isGood
}

/** What is replaced is not in the program any more. The other rows are played all the same. */
function tellUnplanted(error: unknown): false {
  print(`NOT NOTICED ${String(error)}`)
  return false
}

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
})
type Ends = z.output<typeof Report>['testResults'] | 'too long'

/** Runs these tests in the program in a folder. They take the same environment. */
async function run(folder: string, proofs: readonly Proof[]): Promise<Ends> {
  const place = await mkdtemp(join(tmpdir(), 'cdn-ops-report-'))
  try {
    const report = join(place, 'report.json')
    const named = proofs.map((proof) => nameOf(proof).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    const files = new Set(proofs.map(({ file }) => file))
    const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs')
    const args = ['run', '--config', 'test/vitest.config.ts', '--reporter', 'json', '--outputFile', report]
    const options = {
      cwd: folder,
      env: { ...process.env, ...proofs[0]?.env },
      timeout: MAX_RUN_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
    }
    const inTime = await new Promise((resolve) => {
      execFile(process.execPath, [vitest, ...args, '-t', named.join('|'), ...files], options, (error) =>
        resolve(error?.killed !== true),
      )
    })
    if (!inTime) return 'too long'
    return Report.parse(JSON.parse(await readFile(report, 'utf8').catch(() => '{"testResults":[]}'))).testResults
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** What became of a test, `not run` when none has its name or its file does not load, and what it said. */
function verdictOf(proof: Proof, ends: Ends): { readonly verdict: string; readonly why: string } {
  if (ends === 'too long') return { verdict: ends, why: '' }
  const tests = ends
    .filter(({ name }) => name.endsWith(`/${proof.file}`))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName, status }) => fullName.includes(nameOf(proof)) && (status === 'passed' || status === 'failed'))
  const failed = tests.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return { verdict: tests.length > 0 ? 'passed' : 'not run', why: '' }
  return { verdict: 'failed', why: failed.flatMap(({ failureMessages }) => failureMessages ?? []).join('\n') }
}

function nameOf({ only, test }: Proof): string {
  return only ?? test
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
