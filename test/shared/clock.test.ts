import { describe, expect, it } from 'vitest'
import { lookFor, systemClock, waitAtMost, withTimeout } from '../../src/shared/clock.ts'
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

it('what is looked for is looked for ten times a second, until it is there or the time is over', async () => {
  const clock = new TurnedClock()
  const startedMs = clock.monotonicMs()
  const looks: number[] = []
  clock.sleep = async (ms) => clock.turn(ms)
  const look = (there: number) => async () => {
    looks.push(clock.monotonicMs() - startedMs)
    return looks.length >= there ? 'it' : undefined
  }
  expect([await lookFor(clock, 300, look(3)), looks.splice(0)]).toEqual(['it', [0, 100, 200]])
  expect([await lookFor(clock, 200, look(9)), looks]).toEqual([undefined, [200, 300, 400]])
})

it('work that takes too long is told to end, and leaves no timer', async () => {
  const clock = new TurnedClock()
  const work = withTimeout(clock, 1_000, async (signal) => {
    clock.turn(999)
    const before = signal.aborted
    clock.turn(1)
    return [before, signal.aborted]
  })
  expect([await work, await withTimeout(clock, 1_000, async () => 'done'), clock.timers]).toEqual([
    [false, true],
    'done',
    0,
  ])
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
