import { describe, expect, it } from 'vitest'
import { ACK_BUDGET_MS, withinBudget } from '../../src/slack/ack-budget.ts'
import { TurnedClock } from '../support/turned-clock.ts'

describe('the budget of an acknowledgement', () => {
  it('leaves a second of the three that Slack waits', () => {
    expect(ACK_BUDGET_MS).toBe(2_000)
  })

  it('gives what was ready in time, and leaves no timer', async () => {
    const clock = new TurnedClock()
    const late: unknown[] = []
    expect(await withinBudget(clock, Promise.resolve(undefined), (value) => late.push(value))).toEqual({
      inTime: true,
      value: undefined,
    })
    clock.turn(ACK_BUDGET_MS)
    expect(clock.timers).toBe(0)
    expect(late).toEqual([])
  })

  it('passes on what fails in time', async () => {
    const clock = new TurnedClock()
    await expect(withinBudget(clock, Promise.reject(new Error('no')), () => undefined)).rejects.toThrow('no')
    expect(clock.timers).toBe(0)
  })

  it('says to the moment when it ran out, and then what came late, once', async () => {
    const clock = new TurnedClock()
    const { promise, resolve } = Promise.withResolvers<string>()
    const late: string[] = []
    let over = false
    const result = withinBudget(clock, promise, (value) => late.push(value)).finally(() => (over = true))
    clock.turn(ACK_BUDGET_MS - 1)
    await Promise.resolve()
    expect(over).toBe(false)
    clock.turn(1)
    expect(await result).toEqual({ inTime: false })
    resolve('ready')
    await expect.poll(() => late).toEqual(['ready'])
  })

  it('lets late work fail in silence', async () => {
    const clock = new TurnedClock()
    const { promise, reject } = Promise.withResolvers<string>()
    const result = withinBudget(clock, promise, () => expect.unreachable('It failed'), 10)
    clock.turn(10)
    expect(await result).toEqual({ inTime: false })
    reject(new Error('too late to matter'))
    await expect(promise).rejects.toThrow('too late')
  })
})
