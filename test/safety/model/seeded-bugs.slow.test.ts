import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEEDED_BUGS } from './seeded-bugs.ts'
import { soundSequences } from './sequences.ts'

const MAX_SEQUENCES = 1_500
const SEED = 20_261_120

describe('the sequences that changes stay sound in', () => {
  it.each(SEEDED_BUGS)('would show that $name', async (bug) => {
    const { failed, errorInstance } = await fc.check(soundSequences(bug), {
      numRuns: MAX_SEQUENCES,
      seed: SEED,
      endOnFailure: true,
    })
    expect(failed).toBe(true)
    expect(String(errorInstance).replace(/^Error: /, '')).toMatch(bug.noticed)
  })
})
