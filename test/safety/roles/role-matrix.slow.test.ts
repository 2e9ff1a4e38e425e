import { describe, expect, it } from 'vitest'
import { disagreements } from './disagreements.ts'
import { IDENTITY_NAMES } from './identities.ts'

describe('the whole role matrix', () => {
  it.each(IDENTITY_NAMES)('is what happens to %s', async (who) => {
    expect(await disagreements(who, 1)).toEqual([])
  })
})
