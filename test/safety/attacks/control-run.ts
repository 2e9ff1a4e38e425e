import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { copyProgram, type Replacement } from '../program-copy.ts'
import type { Proof } from './attack.ts'

const VITEST = ['run', '--config', 'test/vitest.config.ts', '--reporter', 'json']

/** How long one run of a test may take. */
const MAX_RUN_MS = 300_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** What became of a test: `not run` when none has its name or its file does not load, `too long` when it did not end. */
export type Verdict = 'passed' | 'failed' | 'not run' | 'too long'

/** How a test ends in a copy of the repository, as it is or without a defence. */
export async function verdictOf(proof: Proof, without?: Replacement): Promise<Verdict> {
  await using copy = await copyProgram(without === undefined ? [] : [without])
  const report = join(copy.folder, 'report.json')
  const named = (proof.only ?? proof.test).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  const ended = await run(copy.folder, ['--outputFile', report, '-t', named, proof.file])
  return ended ? judged(await readFile(report, 'utf8').catch(() => undefined)) : 'too long'
}

/** Whether it came to an end in time. */
async function run(folder: string, args: readonly string[]): Promise<boolean> {
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs')
  return new Promise((resolve) => {
    const options = { cwd: folder, timeout: MAX_RUN_MS, maxBuffer: MAX_OUTPUT_BYTES }
    execFile(process.execPath, [vitest, ...VITEST, ...args], options, (error) => resolve(error?.killed !== true))
  })
}

const Report = z.object({
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ status: z.string() })) })),
})

function judged(report: string | undefined): Verdict {
  if (report === undefined) return 'not run'
  const { testResults } = Report.parse(JSON.parse(report))
  const ends = new Set(testResults.flatMap((file) => file.assertionResults.map(({ status }) => status)))
  if (ends.has('failed')) return 'failed'
  return ends.has('passed') ? 'passed' : 'not run'
}
