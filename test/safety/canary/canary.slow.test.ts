import { expect, it } from 'vitest'
import { leaked } from './leak.ts'
import { canaries, foundIn } from './spellings.ts'

const PLANTED = canaries('slow')

it('a careless program lets no key out through its streams, in no spelling', async () => {
  expect(PLANTED.length).toBeGreaterThanOrEqual(40)
  const output = await leaked(PLANTED, true)
  expect(output).toContain('uncaught [secret]')
  expect(foundIn(output, PLANTED)).toEqual([])
})

it('without the scrubber it lets all of them out in every spelling, so the search would have found them', async () => {
  const output = await leaked(PLANTED, false)
  const spellings = PLANTED.flatMap((each) => Object.keys(each.spellings).map((name) => `${each.kind}, ${name}`))
  expect(foundIn(output, PLANTED)).toEqual(spellings)
})
