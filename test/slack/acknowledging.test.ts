import { describe, expect, it } from 'vitest'
import { acknowledging } from '../../src/slack/reception.ts'
import { TurnedClock } from '../support/turned-clock.ts'

/** A delivery whose work says in `order` what it does. */
function delivery(ack: () => Promise<void> = async () => undefined) {
  const clock = new TurnedClock()
  const order: string[] = []
  const heard = async (): Promise<void> => {
    order.push('ack')
    await ack()
  }
  return { clock, order, heard }
}

describe('a delivery is acknowledged', () => {
  it('when its work is over', async () => {
    const { clock, order, heard } = delivery()
    await acknowledging(clock, heard, async () => void order.push('work'))
    expect(order).toEqual(['work', 'ack'])
    expect(clock.timers).toBe(0)
  })

  it('when its work says so, and not again', async () => {
    const { clock, order, heard } = delivery()
    await acknowledging(clock, heard, async (acknowledge) => {
      await acknowledge()
      order.push('work')
      await acknowledge()
    })
    expect(order).toEqual(['ack', 'work'])
  })

  it('when 2 s are over, while its work goes on', async () => {
    const { clock, order, heard } = delivery()
    const working = Promise.withResolvers<void>()
    const done = acknowledging(clock, heard, () => working.promise)
    clock.turn(1_999)
    expect(order).toEqual([])
    clock.turn(1)
    expect(order).toEqual(['ack'])
    working.resolve()
    await done
    expect(order).toEqual(['ack'])
  })

  it('when its work fails, which is told all the same', async () => {
    const { clock, order, heard } = delivery()
    const failing = acknowledging(clock, heard, () => Promise.reject(new TypeError('a bug')))
    await expect(failing).rejects.toThrow('a bug')
    expect(order).toEqual(['ack'])
  })

  it('in vain when the link is lost, which is told once', async () => {
    const { clock, order, heard } = delivery(() => Promise.reject(new Error('the link was lost')))
    const working = Promise.withResolvers<void>()
    const done = acknowledging(clock, heard, () => working.promise)
    clock.turn(2_000)
    working.resolve()
    await expect(done).rejects.toThrow('the link was lost')
    expect(order).toEqual(['ack'])
  })
})
