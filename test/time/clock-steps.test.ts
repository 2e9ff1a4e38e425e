import { beforeEach, describe, expect, it } from 'vitest'
import { Scheduler } from '../../src/alerts/watch/scheduler.ts'
import { type Clock, systemClock } from '../../src/shared/clock.ts'
import type { Store } from '../../src/store/store.ts'
import { changeIn, entry, LIVE_LEASE, MINUTE_MS, silentLog } from '../store/harness.ts'
import { createSqliteHarness } from '../store/sqlite-harness.ts'
import { turnOfTheLoop } from '../../src/shared/clock.ts'
import { TurnedClock } from '../support/turned-clock.ts'
import { forEachTest } from '../support/for-each-test.ts'

const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** A clock whose wall time somebody sets, while durations go on as they do. */
class SetClock extends TurnedClock {
  #setByMs = 0

  override now(): Date {
    return new Date(super.now().getTime() + this.#setByMs)
  }

  /** Puts the wall time forward, or back when it is less than 0. */
  set(byMs: number): void {
    this.#setByMs += byMs
  }
}

describe('a subject of alerts', () => {
  const watching = () => {
    const clock = new SetClock()
    const scheduler = new Scheduler(clock, silentLog)
    let count = 0
    const look = async (): Promise<number> => {
      count += 1
      return clock.now().getTime() + HOUR_MS
    }
    scheduler.keep(new Map([['pull/301', '1']]), () => ({ isHealthy: () => true, look }))
    const begin = async (): Promise<number> => {
      scheduler.begin(new AbortController().signal)
      await turnOfTheLoop()
      return count
    }
    return { clock, begin }
  }

  it.each([
    ['forward by a day', DAY_MS],
    ['back by 6 minutes', -6 * MINUTE_MS],
    ['back by an hour', -HOUR_MS],
    ['back by a day', -DAY_MS],
  ])('is looked at once, and not late, when the clock is put %s', async (_how, byMs) => {
    const { clock, begin } = watching()
    expect(await begin()).toBe(1)
    clock.set(byMs)
    expect([await begin(), await begin()]).toEqual([2, 2])
    clock.turn(HOUR_MS)
    expect([await begin(), await begin()]).toEqual([3, 3])
  })

  it('is not looked at more often while a clock is put right bit by bit', async () => {
    const { clock, begin } = watching()
    await begin()
    for (let n = 0; n < 60; n++) {
      clock.turn(500)
      // As fast as clocks are put right that way.
      clock.set(-40)
      expect(await begin()).toBe(1)
    }
  })
})

describe('what the store keeps', () => {
  const harness = forEachTest(createSqliteHarness)
  let clock: SetClock
  let store: Store
  beforeEach(async () => {
    clock = new SetClock(systemClock.now().toISOString())
    store = await harness.open({ clock: clock satisfies Clock })
  })

  const send = (id: string) =>
    store.changes.move(id, {
      from: ['approved'],
      to: 'sending',
      lease: LIVE_LEASE,
      now: clock.now(),
      audit: entry('sending'),
    })

  it('never goes out after its deadline, and does not come to life again when the clock is put back', async () => {
    const { id } = await changeIn(store, clock, 'approved', { expiresAt: new Date(clock.now().getTime() + HOUR_MS) })
    clock.set(2 * HOUR_MS)
    expect(await send(id)).toBeUndefined()
    expect(await store.changes.expire(clock.now(), () => ({ audit: entry('expired') }))).toMatchObject([{ id }])
    clock.set(-2 * HOUR_MS)
    expect(await send(id)).toBeUndefined()
    expect(await store.changes.get(id)).toMatchObject({ state: 'expired' })
  })

  it('is on record in the order in which it happened, whatever the clock said', async () => {
    for (const byMs of [0, -DAY_MS, 2 * DAY_MS, -400 * DAY_MS]) {
      clock.set(byMs)
      await store.audit.append(entry('read', { at: clock.now() }))
    }
    expect(await store.audit.verify()).toMatchObject({ ok: true, entries: 4 })
    expect((await store.audit.list({ limit: 10 })).map(({ seq }) => seq)).toEqual([4, 3, 2, 1])
  })

  it('is not deleted for a clock that was back for a while, nor kept for ever for one that was ahead', async () => {
    await store.audit.append(entry('read'))
    const { id } = await changeIn(store, clock, 'done')
    clock.set(-365 * DAY_MS)
    await store.prune(clock.now())
    clock.set(365 * DAY_MS)
    await store.prune(clock.now())
    expect(await store.changes.get(id)).toMatchObject({ state: 'done' })
    clock.set(500 * DAY_MS)
    await store.prune(clock.now())
    expect(await store.changes.get(id)).toBeUndefined()
    expect((await store.audit.head()).seq).toBe(5)
  })

  it('silences as long as was said by the wall, from where it is put to', async () => {
    const until = new Date(clock.now().getTime() + HOUR_MS)
    const silence = { id: 's1', subject: 'pull/301', from: clock.now(), until, by: 'U1' } as const
    await store.silences.add([silence], () => entry('alert_silenced'))
    const live = async () => (await store.silences.list(clock.now())).filter((each) => each.until > clock.now()).length
    clock.set(2 * HOUR_MS)
    expect(await live()).toBe(0)
    clock.set(-2 * HOUR_MS)
    expect(await live()).toBe(1)
  })
})
