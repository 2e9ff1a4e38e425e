import { beforeEach, describe, expect, it } from 'vitest'
import type { Delivery } from '../../src/slack/listeners/delivery.ts'
import { serve } from '../../src/slack/listeners.ts'
import { useSlackBench } from '../support/slack-bench.ts'

const bench = useSlackBench()
let order: string[]
beforeEach(() => {
  order = []
})

const ack = async (): Promise<void> => void order.push('ack')
const lost = (): Promise<void> => ack().then(() => Promise.reject(new Error('the link was lost')))

/** A command of somebody, which does `work`. */
function served(work: (delivery: Delivery) => Promise<void>, acknowledge = ack): Promise<void> {
  const origin = { userId: 'UOLGA', channelId: 'C1', arrivedMs: bench.clock.monotonicMs() }
  return serve({ what: 'a command', origin, key: 'command:1', ack: acknowledge }, bench.slack, work)
}

describe('a delivery is acknowledged', () => {
  it('when its work is over', async () => {
    await served(async () => void order.push('work'))
    expect(order).toEqual(['work', 'ack'])
    expect(bench.clock.timers).toBe(0)
  })

  it('when its work accepts it, and not again', async () => {
    await served(async ({ accept }) => {
      expect(await accept()).toBe(true)
      order.push('work')
      expect(await accept()).toBe(true)
    })
    expect(order).toEqual(['ack', 'work'])
  })

  it('when 2 s are over, while its work goes on', async () => {
    const working = Promise.withResolvers<void>()
    const done = served(() => working.promise)
    bench.clock.turn(1_999)
    expect(order).toEqual([])
    bench.clock.turn(1)
    expect(order).toEqual(['ack'])
    working.resolve()
    await done
    expect(order).toEqual(['ack'])
  })

  it('in vain when the link is lost, which is told once', async () => {
    const working = Promise.withResolvers<void>()
    const done = served(() => working.promise, lost)
    bench.clock.turn(2_000)
    working.resolve()
    await expect(done).rejects.toThrow('the link was lost')
    expect(order).toEqual(['ack'])
  })
})

describe('a delivery that cannot be served', () => {
  it('ends as a message to whoever sent it, and is acknowledged all the same', async () => {
    bench.script.before = ({ method }) => order.push(method)
    await served(() => Promise.reject(new TypeError('a bug')))
    expect(order).toEqual(['chat.postEphemeral', 'ack'])
    expect(bench.said()).toEqual([expect.stringContaining('Something went wrong inside CDN Ops')])
  })

  it('because it could not be acknowledged is told by Slack itself', async () => {
    await expect(served(async ({ accept }) => void (await accept()), lost)).rejects.toThrow('the link was lost')
    expect(bench.calls).toEqual([])
  })

  it('is waited for by a stop until the person knows', async () => {
    const working = Promise.withResolvers<void>()
    const done = served(() => working.promise)
    const drained = bench.slack.inFlight.drain(60_000)
    working.reject(new TypeError('a bug'))
    expect(await drained).toBe(true)
    expect(bench.said()).toHaveLength(1)
    await done
  })
})
