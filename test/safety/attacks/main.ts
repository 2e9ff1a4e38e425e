import { parseArgs } from 'node:util'
import type { Replacement } from '../program-copy.ts'
import type { Proof } from './attack.ts'
import { ATTACKS } from './attacks.ts'
import { type Verdict, verdictOf } from './control-run.ts'

const EXIT_UNNOTICED = 1
const EXIT_USAGE = 2

interface Row {
  readonly id: string
  readonly proof: Proof
  readonly without: Replacement
}

/**
 * Takes each defence out of a copy of the program, and sees the test fail that shows it, which passes in a copy as it is.
 * `--only X1,K1` plays some of them. The exit code is 1 when a test did not notice.
 */
export async function playAttacks(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { only: { type: 'string' } } })
  const wanted = values.only?.split(',')
  const unknown = wanted?.filter((id) => !ATTACKS.some((attack) => attack.id === id)) ?? []
  if (unknown.length > 0) {
    process.stderr.write(`There is no attack ${unknown.join(', ')}.\n`)
    return EXIT_USAGE
  }
  const rows = ATTACKS.filter(({ id }) => wanted?.includes(id) ?? true).flatMap(rowsOf)
  const asItIs = new Map<string, Verdict>()
  let noticed = 0
  print('attack  as it is  without   seconds  defence, test')
  for (const { id, proof, without } of rows) {
    const startMs = performance.now()
    const name = `${proof.file} > ${proof.only ?? proof.test}`
    const before = asItIs.get(name) ?? (await verdictOf(proof))
    asItIs.set(name, before)
    const after = await verdictOf(proof, without)
    if (before === 'passed' && after === 'failed') noticed += 1
    const seconds = ((performance.now() - startMs) / 1_000).toFixed(1)
    print(`${id.padEnd(6)}  ${before.padEnd(8)}  ${after.padEnd(8)}  ${seconds.padStart(7)}  ${without.file}, ${name}`)
  }
  print(`${noticed} of ${rows.length} defences are missed by their test when they are gone`)
  return noticed === rows.length && rows.length > 0 ? 0 : EXIT_UNNOTICED
}

function rowsOf({ id, proofs }: (typeof ATTACKS)[number]): readonly Row[] {
  return proofs.flatMap((proof) => (proof.without === undefined ? [] : [{ id, proof, without: proof.without }]))
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
