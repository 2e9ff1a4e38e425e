import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Bench, createBench } from '../support/execution-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

it('edits or posts no further message when the bot stops', async () => {
  for (let n = 0; n < 3; n += 1) await bench.waiting()
  const stopping = new AbortController()
  bench.board.before = () => stopping.abort()
  await bench.keeper.keep(stopping.signal)
  expect(bench.board.posted).toHaveLength(1)
})

it('sends nothing more that was confirmed: the next process does', async () => {
  const before = [await bench.confirmed(), await bench.confirmed()]
  bench.clock.turn(10_000)
  const stopping = new AbortController()
  bench.acts.write = async () => {
    stopping.abort()
    return 'stored'
  }
  await bench.keeper.keep(stopping.signal)
  expect(bench.written).toHaveLength(1)
  const states = await Promise.all(before.map(async ({ id }) => (await bench.store.changes.get(id))?.state))
  expect(new Set(states)).toEqual(new Set(['approved', 'done']))
})

it('does nothing in a round that begins after the stop', async () => {
  await bench.confirmed()
  bench.clock.turn(10_000)
  await bench.keeper.keep(AbortSignal.abort())
  expect([bench.written, bench.board.posted]).toEqual([[], []])
})
