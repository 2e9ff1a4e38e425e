import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDeliveryBench, type DeliveryBench } from '../support/delivery-bench.ts'

let bench: DeliveryBench
beforeEach(async () => {
  bench = await createDeliveryBench()
})
afterEach(() => bench.close())

describe('while the dispatcher runs', () => {
  it('what is put is posted at once', async () => {
    const { dispatcher } = bench.dispatcherWith()
    const stopping = new AbortController()
    const running = dispatcher.run(stopping.signal)
    await expect.poll(() => bench.clock.timers).toBe(1)
    await bench.happens()
    await expect.poll(() => bench.board.in('C1')).toHaveLength(1)
    stopping.abort()
    await running
  })

  it('what waits for a channel that rests, or for another try, keeps it looking each second', async () => {
    const { dispatcher } = bench.dispatcherWith()
    bench.board.refusing.set('C1', 'for a while')
    await bench.happens()
    const stopping = new AbortController()
    const running = dispatcher.run(stopping.signal)
    await expect.poll(() => bench.clock.timers).toBe(1)
    await expect.poll(async () => (await bench.store.alertPosts.waiting()).count).toBe(1)
    bench.board.refusing.clear()
    for (let second = 0; second < 60 && bench.board.in('C1').length === 0; second += 1) {
      bench.clock.turn(1_000)
      await expect.poll(() => bench.clock.timers).toBe(1)
    }
    expect(bench.board.in('C1')).toHaveLength(1)
    stopping.abort()
    await running
  })

  it('what falls due is posted at once when somebody says so, and a stop ends what is under way', async () => {
    const { dispatcher } = bench.dispatcherWith()
    const stopping = new AbortController()
    const posting = Promise.withResolvers<void>()
    const hangs = Promise.withResolvers<void>()
    bench.board.before = () => {
      posting.resolve()
      return hangs.promise
    }
    const running = dispatcher.run(stopping.signal)
    await bench.happens()
    await posting.promise
    stopping.abort()
    const ended = running.then(() => 'ended')
    expect(await Promise.race([ended, bench.store.check().then(() => 'goes on')])).toBe('goes on')
    hangs.resolve()
    await running
    expect(await bench.incident()).toMatchObject({ messageTs: '1.0' })
  })
})
