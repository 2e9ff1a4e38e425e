import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IN_CI } from '../../support/in-ci.ts'
import { soundSequences } from './sequences.ts'

/** `npm run test:safety -- model --runs N` says how many. */
const SEQUENCES = Number(process.env['SAFETY_RUNS'] ?? (IN_CI ? '300' : '1000'))
/** Of a seeded bug the first sequence that is not sound is enough, and the same ones are drawn each time. */
const SEED = process.env['SAFETY_SEED']
const SEEDED = SEED === undefined ? {} : { seed: Number(SEED), endOnFailure: true }
/** Far more than one takes, as a busy machine needs. */
const MS_PER_SEQUENCE = 1_000

describe('changes, whatever people, Slack, platform, store and crashes do', () => {
  it(`stay sound in ${SEQUENCES} sequences`, { timeout: SEQUENCES * MS_PER_SEQUENCE }, async () => {
    const run = await fc.check(soundSequences(), { numRuns: SEQUENCES, includeErrorInReport: true, ...SEEDED })
    // An assertion would cut off what is in it.
    if (run.failed) throw new Error(fc.defaultReportMessage(run))
    expect(run.numRuns).toBe(SEQUENCES)
  })
})
