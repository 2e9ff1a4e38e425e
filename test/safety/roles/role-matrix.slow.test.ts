import { describe, expect, it } from 'vitest'
import { IN_CI } from '../../support/in-ci.ts'
import { disagreements } from './meeting.ts'
import { IDENTITY_NAMES } from './identities.ts'

/** Every so manieth cell: all by hand. */
const STEP = IN_CI ? 3 : 1

describe('the whole role matrix', () => {
  it.each(IDENTITY_NAMES)('is what happens to %s', async (who) => {
    expect(await disagreements(who, STEP)).toEqual([])
  })
})
