import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { soundSequences } from './sequences.ts'

const SEQUENCES = 2_500

describe('changes, whatever people, Slack, platform, store and crashes do', () => {
  it(`stay sound in ${SEQUENCES} sequences`, async () => {
    await expect(fc.assert(soundSequences(), { numRuns: SEQUENCES })).resolves.toBeUndefined()
  })
})
