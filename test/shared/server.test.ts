import { expect, it } from 'vitest'
import { readWholeBody } from '../../src/shared/server.ts'

it.each([
  [6, 'abcdef'],
  [5, undefined],
])('a body of six bytes, of which %i may come, is read as %s', async (most, read) => {
  const parts = (async function* () {
    yield* [Buffer.from('abc'), Buffer.from('def')]
  })()
  expect((await readWholeBody(parts, most))?.toString()).toBe(read)
})
