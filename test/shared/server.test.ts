import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
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

it('what comes of a body that is too large is not kept', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: unknown = runInNewContext('gc')
  if (typeof collectGarbage !== 'function') throw new Error('Garbage cannot be collected')
  const heldBytes = (): number => {
    collectGarbage()
    return process.memoryUsage().arrayBuffers
  }
  const before = heldBytes()
  const parts = (async function* () {
    for (let part = 0; part < 50; part += 1) yield new Uint8Array(1_000_000)
    // What is collected is given back by another thread.
    await vi.waitFor(() => expect(heldBytes() - before).toBeLessThan(10_000_000), 5_000)
  })()
  expect(await readWholeBody(parts, 2_000_000)).toBeUndefined()
})
