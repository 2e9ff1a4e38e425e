import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { soundSequences } from './sequences.ts'

/** `npm run test:safety -- model --runs N` says how many. */
const SEQUENCES = Number(process.env['MODEL_RUNS'] ?? '2500')
const MS_PER_SEQUENCE = 120

describe('changes, whatever people, Slack, platform, store and crashes do', () => {
  it(`stay sound in ${SEQUENCES} sequences`, { timeout: SEQUENCES * MS_PER_SEQUENCE }, async () => {
    await expect(fc.assert(soundSequences(), { numRuns: SEQUENCES })).resolves.toBeUndefined()
  })
})
