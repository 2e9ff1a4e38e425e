import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it, vi } from 'vitest'
import { GIVE_BACK_MS, type SharedSlots, type SlotShare } from '../../../src/cdn/http/log-limit.ts'
import { UserError } from '../../../src/shared/errors.ts'
import { BACKGROUND, PERSON, setUp, settled } from '../queued-calls.ts'

describe('the log limit', () => {
  it('lets 30 calls through, and the next only 10.05 s after an answer', async () => {
    const { clock, ran, queueMany } = setUp()
    queueMany(35, 'call')
    await vi.waitFor(() => expect(ran).toHaveLength(30))
    clock.turn(GIVE_BACK_MS - 1)
    await settled()
    expect(ran).toHaveLength(30)
    clock.turn(1)
    await vi.waitFor(() => expect(ran).toHaveLength(35))
  })

  it('gives a slot back once, from the moment the call says it was answered', async () => {
    const { clock, limit, ran, queueMany } = setUp()
    const { promise, resolve } = Promise.withResolvers<void>()
    const streaming = limit.run(1n, PERSON, async (answered) => {
      answered()
      await promise
    })
    await settled()
    clock.turn(GIVE_BACK_MS)
    resolve()
    await streaming
    clock.turn(GIVE_BACK_MS)
    queueMany(31, 'call')
    await vi.waitFor(() => expect(ran).toHaveLength(30))
    await settled()
    expect(ran).toHaveLength(30)
  })

  it('waits out the first 10.05 s of a process that cannot know what the one before it sent', async () => {
    const { clock, ran, queueMany } = setUp({})
    queueMany(31, 'call')
    clock.turn(GIVE_BACK_MS - 1)
    await settled()
    expect(ran).toEqual([])
    clock.turn(1)
    await vi.waitFor(() => expect(ran).toHaveLength(30))
    await settled()
    expect(ran).toHaveLength(30)
  })

  it('has a zone that is asked for later wait for what is left of these 10.05 s only', async () => {
    const { clock, ran, queue } = setUp({})
    clock.turn(GIVE_BACK_MS - 1_000)
    void queue('call')
    clock.turn(999)
    await settled()
    expect(ran).toEqual([])
    clock.turn(1)
    await vi.waitFor(() => expect(ran).toEqual(['call']))
  })

  it('lets background work have six slots at most', async () => {
    const { clock, ran, queueMany } = setUp()
    queueMany(10, 'background', BACKGROUND)
    await vi.waitFor(() => expect(ran).toHaveLength(6))
    queueMany(24, 'person')
    await vi.waitFor(() => expect(ran).toHaveLength(30))
    clock.turn(GIVE_BACK_MS)
    await vi.waitFor(() => expect(ran).toHaveLength(34))
  })

  it('lets people go before background work that has waited longer', async () => {
    const { clock, ran, queue, queueMany } = setUp()
    queueMany(30, 'call')
    await vi.waitFor(() => expect(ran).toHaveLength(30))
    void queue('background', BACKGROUND)
    await settled()
    void queue('person')
    clock.turn(GIVE_BACK_MS)
    await vi.waitFor(() => expect(ran.slice(30)).toEqual(['person', 'background']))
  })

  it('tells a person who waits, once, and refuses them after 20 s', async () => {
    const { clock, limit, queue } = setUp()
    const never = new Promise<void>(() => undefined)
    const running = vi.fn<() => Promise<void>>(() => never)
    for (let index = 0; index < 30; index += 1) void limit.run(1n, PERSON, running)
    await vi.waitFor(() => expect(running).toHaveBeenCalledTimes(30))
    const onWaiting = vi.fn<() => void>()
    const waiting = queue('waiting', { ...PERSON, onWaiting })
    clock.turn(999)
    expect(onWaiting).not.toHaveBeenCalled()
    clock.turn(1)
    clock.turn(18_999)
    await settled()
    expect(onWaiting).toHaveBeenCalledTimes(1)
    clock.turn(1)
    await expect(waiting).rejects.toMatchObject({
      name: 'UserError',
      code: 'busy',
      message:
        'The CDN allows 30 log requests in 10 seconds for each pull zone, and no slot came free in time. Nothing was read.',
      hint: 'Try again in a minute, or ask for fewer lines.',
    })
    expect(clock.timers).toBe(0)
  })

  it('refuses more than 500 waiting calls at once', async () => {
    const { queue, queueMany } = setUp({})
    queueMany(500, 'call')
    await expect(queue('one too many')).rejects.toMatchObject({ code: 'busy' })
  })

  it.each([PERSON, BACKGROUND])(
    'counts waits that were given up among the 500, until their turn comes: %o',
    async (wish) => {
      const { clock, ran, queue } = setUp({})
      const outcomes = new Map<unknown, number>()
      for (let index = 0; index < 520; index += 1) {
        const abort = new AbortController()
        const call = queue('gone', { ...wish, signal: abort.signal })
        abort.abort(new Error('given up'))
        const outcome = await call.catch((error: unknown) => (error instanceof UserError ? error.code : String(error)))
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
      expect([...outcomes]).toEqual([
        ['Error: given up', 500],
        ['busy', 20],
      ])
      clock.turn(GIVE_BACK_MS)
      await settled()
      await queue('after')
      expect(ran).toEqual(['after'])
    },
  )

  it('runs each call in the async context it was made in', async () => {
    const { clock, limit } = setUp({})
    const context = new AsyncLocalStorage<number>()
    const calls = [1, 2, 3].map((user) =>
      context.run(user, () => limit.run(1n, PERSON, async () => context.getStore())),
    )
    clock.turn(GIVE_BACK_MS)
    expect(await Promise.all(calls)).toEqual([1, 2, 3])
  })
})

describe('slots that several processes share', () => {
  /** So many are free, and one that is given back is free after its time. */
  function sharedSlots(free: number) {
    const asked: [bigint, SlotShare][] = []
    const given: number[] = []
    const shared: SharedSlots = {
      take: async (...args) => {
        asked.push(args)
        if (free === 0) return { taken: false, waitMs: 500 }
        free -= 1
        return { taken: true, giveBack: async (afterMs) => void given.push(afterMs) }
      },
    }
    return { shared, asked, given, free: (more: number) => void (free += more) }
  }

  it('are needed beside those of the process, and given back like them', async () => {
    const { shared, given } = sharedSlots(2)
    const { clock, ran, queueMany } = setUp({ warm: true, shared })
    queueMany(5, 'call')
    await vi.waitFor(() => expect(ran).toHaveLength(2))
    await settled()
    expect([ran.length, given]).toEqual([2, [GIVE_BACK_MS, GIVE_BACK_MS]])
    clock.turn(500)
    await settled()
    expect(ran).toHaveLength(2)
  })

  it('are waited for, and that is said after a second', async () => {
    const slots = sharedSlots(0)
    const { clock, limit } = setUp({ warm: true, shared: slots.shared })
    const onWaiting = vi.fn()
    const ran = limit.run(1n, { ...PERSON, onWaiting }, async () => 'ran')
    for (let n = 0; n < 3; n += 1) {
      await vi.waitFor(() => expect(slots.asked).toHaveLength(n + 1))
      await vi.waitFor(() => expect(clock.timers).toBeGreaterThan(0))
      clock.turn(500)
    }
    slots.free(1)
    await vi.waitFor(() => expect(slots.asked.length).toBeGreaterThan(3))
    await expect(ran).resolves.toBe('ran')
    expect(onWaiting).toHaveBeenCalledTimes(1)
  })

  it('do not come in time: nothing is read, and the slot of the process is free again', async () => {
    const slots = sharedSlots(0)
    const { clock, limit, ran, queueMany } = setUp({ warm: true, shared: slots.shared })
    const refused = limit.run(1n, PERSON, () => expect.unreachable('It has no slot')).catch((error: unknown) => error)
    for (let waited = 0; waited < 20_000; waited += 500) {
      await settled(1)
      clock.turn(500)
    }
    expect(await refused).toMatchObject({ code: 'busy' })
    slots.free(30)
    queueMany(30, 'call')
    await vi.waitFor(() => expect(ran).toHaveLength(30))
  })

  it('are asked for by one call after the other, so that people do not wait behind the background', async () => {
    const slots = sharedSlots(0)
    const { queueMany } = setUp({ warm: true, shared: slots.shared })
    queueMany(3, 'background', BACKGROUND)
    queueMany(3, 'person')
    await settled(6)
    expect(slots.asked).toEqual([
      [1n, { all: 30, most: 30, left: 0 }],
      [1n, { all: 30, most: 6, left: 3 }],
    ])
  })

  it('are no longer waited for when that is given up, and the next one asks at once', async () => {
    const slots = sharedSlots(0)
    const { clock, limit, queue, ran } = setUp({ warm: true, shared: slots.shared })
    const abort = new AbortController()
    const given = limit.run(1n, { ...PERSON, signal: abort.signal }, () => expect.unreachable('It has no slot'))
    void queue('next')
    await settled()
    expect([slots.asked.length, clock.timers]).toEqual([1, 4])
    slots.free(1)
    abort.abort(new Error('enough'))
    await expect(given).rejects.toThrow('enough')
    await vi.waitFor(() => expect(ran).toEqual(['next']))
  })

  it('are not waited for where the next try would come too late', async () => {
    const take: SharedSlots['take'] = async () => ({ taken: false, waitMs: 20_000 })
    const { limit } = setUp({ warm: true, shared: { take } })
    await expect(limit.run(1n, PERSON, () => expect.unreachable('It has no slot'))).rejects.toThrow('no slot came free')
  })

  it('that cannot be given back are no fault of the call, as they come back by time', async () => {
    const giveBack = () => Promise.reject(new Error('no store'))
    const { limit } = setUp({ warm: true, shared: { take: async () => ({ taken: true, giveBack }) } })
    expect(await limit.run(1n, PERSON, async () => 'ran')).toBe('ran')
  })

  it('fail with the store: nothing is read', async () => {
    const shared: SharedSlots = { take: () => Promise.reject(new Error('no store')) }
    const { limit } = setUp({ warm: true, shared })
    await expect(limit.run(1n, PERSON, () => expect.unreachable('It has no slot'))).rejects.toThrow('no store')
  })
})
