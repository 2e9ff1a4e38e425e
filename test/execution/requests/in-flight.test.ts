import { beforeEach, describe, expect, it } from 'vitest'
import { InFlight } from '../../../src/execution/requests/in-flight.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

let clock: TurnedClock
let inFlight: InFlight
beforeEach(() => {
  clock = new TurnedClock()
  inFlight = new InFlight(clock)
})

/** Work that ends when told to. */
function begin(person: string): { readonly end: () => void; readonly ended: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { end: resolve, ended: inFlight.run(person, () => promise) }
}

const busy = (sentence: RegExp) => expect.objectContaining({ code: 'busy', message: expect.stringMatching(sentence) })

describe('work in flight', () => {
  it('gives back what the work gives, and passes on what it throws', async () => {
    expect(await inFlight.run('U1', async () => 7)).toBe(7)
    await expect(inFlight.run('U1', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(inFlight.count).toBe(0)
  })

  it('is bounded for each person, who may go on when one has ended', async () => {
    const own = Array.from({ length: 6 }, () => begin('U1'))
    await expect(inFlight.run('U1', async () => 1)).rejects.toEqual(busy(/^6 of your requests/))
    expect(await inFlight.run('U2', async () => 2)).toBe(2)
    own[0]!.end()
    await own[0]!.ended
    expect(await inFlight.run('U1', async () => 3)).toBe(3)
    for (const each of own.slice(1, 5)) {
      each.end()
      await each.ended
    }
    for (let more = 0; more < 5; more += 1) begin('U1')
    await expect(inFlight.run('U1', async () => 4)).rejects.toEqual(
      busy(/^6 of your requests are still under way\. This/),
    )
  })

  it('is bounded for all', async () => {
    const all = Array.from({ length: 200 }, (_, index) => begin(`U${index}`))
    await expect(inFlight.run('UX', async () => 1)).rejects.toEqual(busy(/all it can work on/))
    expect(inFlight.count).toBe(200)
    all[0]!.end()
    await all[0]!.ended
    expect(await inFlight.run('UX', async () => 2)).toBe(2)
  })
})

describe('stopping', () => {
  it('is over at once when nothing is under way', async () => {
    expect(await inFlight.drain(1_000)).toBe(true)
    expect(clock.timers).toBe(0)
  })

  it('waits for the last work and takes nothing new meanwhile', async () => {
    const [first, second] = [begin('U1'), begin('U2')]
    const drained = inFlight.drain(1_000)
    for (const anybody of ['U3', 'U1'])
      await expect(inFlight.run(anybody, async () => 1)).rejects.toEqual(busy(/being restarted\. Nothing was done/))
    first.end()
    await first.ended
    let over = false
    void drained.then(() => (over = true))
    await Promise.resolve()
    expect(over).toBe(false)
    second.end()
    expect(await drained).toBe(true)
    expect(clock.timers).toBe(0)
  })

  it('ends when its time is over, and says that something is left', async () => {
    begin('U1')
    const drained = inFlight.drain(1_000)
    clock.turn(999)
    expect(clock.timers).toBe(1)
    clock.turn(1)
    expect(await drained).toBe(false)
    expect(inFlight.count).toBe(1)
  })

  it('waits for what has to be done in any case, and never refuses that', async () => {
    const drained = inFlight.drain(1_000)
    expect(await drained).toBe(true)
    const { promise, resolve } = Promise.withResolvers<string>()
    const tracked = inFlight.track(() => promise)
    const again = inFlight.drain(1_000)
    expect(inFlight.count).toBe(1)
    expect(await Promise.race([again, Promise.resolve('waits')])).toBe('waits')
    resolve('told')
    expect(await tracked).toBe('told')
    expect(await again).toBe(true)
  })
})
