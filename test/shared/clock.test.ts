import { describe, expect, it } from 'vitest'
import { sleepOn, systemClock } from '../../src/shared/clock.ts'
import { TurnedClock } from '../support/turned-clock.ts'

describe('sleeping on a clock', () => {
  it('ends when its time has come, and not before', async () => {
    const clock = new TurnedClock()
    let awake = false
    const sleeping = sleepOn(clock, 1_000).then(() => (awake = true))
    clock.turn(999)
    await Promise.resolve()
    expect(awake).toBe(false)
    clock.turn(1)
    await sleeping
    expect(awake).toBe(true)
  })

  it('ends at once with the reason when it is given up, and leaves no timer', async () => {
    const clock = new TurnedClock()
    const stopping = new AbortController()
    const sleeping = sleepOn(clock, 1_000, stopping.signal)
    stopping.abort(new Error('enough'))
    await expect(sleeping).rejects.toThrow('enough')
    expect(clock.timers).toBe(0)
  })

  it('does not begin where it is given up already', async () => {
    const clock = new TurnedClock()
    await expect(sleepOn(clock, 1_000, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
    expect(clock.timers).toBe(0)
  })
})

describe('the clock of the machine', () => {
  it('gives a new id of 32 hexadecimal digits each time', () => {
    const ids = Array.from({ length: 100 }, () => systemClock.newId())
    expect(new Set(ids).size).toBe(100)
    expect(ids.filter((id) => !/^[0-9a-f]{32}$/.test(id))).toEqual([])
  })

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
