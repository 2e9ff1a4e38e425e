import { describe, expect, it } from 'vitest'
import { systemClock, waitAtMost } from '../../src/shared/clock.ts'
import { TurnedClock } from '../support/turned-clock.ts'

describe('waiting for work, at most for a time', () => {
  it('gives what was ready in time, and leaves no timer', async () => {
    const clock = new TurnedClock()
    expect(await waitAtMost(clock, 1_000, Promise.resolve(undefined))).toEqual({ value: undefined })
    expect(clock.timers).toBe(0)
  })

  it('ends to the moment when the time is over, and lets late work fail in silence', async () => {
    const clock = new TurnedClock()
    const { promise, reject } = Promise.withResolvers<string>()
    let over = false
    const waiting = waitAtMost(clock, 1_000, promise).finally(() => (over = true))
    clock.turn(999)
    await Promise.resolve()
    expect(over).toBe(false)
    clock.turn(1)
    expect(await waiting).toBeUndefined()
    reject(new Error('too late to matter'))
    await expect(promise).rejects.toThrow('too late')
  })
})

describe('the clock of the machine', () => {
  it('never runs work that was cancelled', async () => {
    const ran: string[] = []
    systemClock.after(0, () => ran.push('cancelled')).cancel()
    await new Promise<void>((resolve) => {
      systemClock.after(0, () => {
        ran.push('kept')
        resolve()
      })
      // What is waited for keeps no process alive, so something else must.
      void systemClock.sleep(50)
    })
    expect(ran).toEqual(['kept'])
  })

  it('stops sleeping when it is given up', async () => {
    const stopping = new AbortController()
    const sleeping = systemClock.sleep(60_000, stopping.signal)
    stopping.abort()
    await expect(sleeping).rejects.toThrow(/abort/)
  })
})
