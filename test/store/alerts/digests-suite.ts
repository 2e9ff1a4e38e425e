import { beforeEach, expect, test } from 'vitest'
import { MAX_DIGESTS, type NewDigest } from '../../../src/store/alerts/digests.ts'
import { rule } from '../alert-fixtures.ts'
import { type StoreHarness, entry } from '../harness.ts'
import { useStore } from '../use-store.ts'

/** When channels are told what happened, on any engine. */
export function digestsSuite(harness: StoreHarness): void {
  let now: Date
  const store = useStore(harness)
  beforeEach(async () => {
    now = harness.clock.now()
  })
  const later = (ms: number): Date => new Date(now.getTime() + ms)
  const digest = (channelId: string, more: Partial<NewDigest> = {}): NewDigest => {
    const time = { cadence: 'weekly', minute: 540, weekday: 0, timeZone: 'Europe/Berlin' } as const
    return { channelId, ...time, nextAt: later(-1_000), toldUntil: later(-5_000), ...more }
  }
  const set = (given: NewDigest, unlessSet = false) =>
    store.digests.set(given, entry('digest_set'), undefined, { unlessSet })
  const recorded = async () => (await store.audit.list({ limit: 100 })).length
  const due = async () => (await store.digests.firstDue()).digest

  test('a digest is set, set anew and kept, each on record', async () => {
    await set(digest('C1'))
    expect(await store.digests.get('C1')).toEqual({ ...digest('C1'), revision: 1 })
    await set(digest('C1', { cadence: 'daily', minute: 5 }), true)
    expect(await recorded()).toBe(1)
    const other = digest('C1', {
      cadence: 'daily',
      minute: 5,
      weekday: 3,
      timeZone: 'UTC',
      nextAt: now,
      toldUntil: now,
    })
    await set(other)
    expect(await store.digests.get('C1')).toEqual({ ...other, toldUntil: later(-5_000), revision: 2 })
    await set(digest('C1', { cadence: 'off', toldUntil: now }))
    await set(digest('C1', { toldUntil: now }))
    expect(await store.digests.get('C1')).toMatchObject({ cadence: 'weekly', toldUntil: now, revision: 4 })
    expect(await recorded()).toBe(4)
    expect(await store.digests.get('C2')).toBeUndefined()
  })

  test('what is due by the store’s clock comes in the order of time, and what is off never', async () => {
    await set(digest('C1'))
    await set(digest('C2', { nextAt: later(-9_000) }))
    await set(digest('C3', { nextAt: later(60_000) }))
    await set(digest('C4', { cadence: 'off' }))
    for (const channelId of ['C2', 'C1']) {
      const first = await due()
      expect(first).toMatchObject({ channelId })
      await store.digests.tell(first!, { nextAt: later(60_000) })
    }
    expect(await due()).toBeUndefined()
    expect(Math.abs((await store.digests.firstDue()).now.getTime() - Date.now())).toBeLessThan(10_000)
  })

  test('what is due and cannot be read holds up no other', async () => {
    await set(digest('C1', { nextAt: later(-9_000) }))
    await set(digest('C2'))
    await harness.sql(`update digests set cadence = 'hourly' where channel_id = 'C1'`)
    expect(await due()).toMatchObject({ channelId: 'C2' })
  })

  test('of two who tell a digest one does, and its message waits if and only if it has moved on', async () => {
    await set(digest('C1'))
    const read = await due()
    const told = { nextAt: later(60_000), toldUntil: later(-1_000), message: { text: 'told' } }
    const [one, other] = await Promise.all([store.digests.tell(read!, told), store.digests.tell(read!, told)])
    expect(one).toBe(!other)
    const messages = await store.outbox.claim(9)
    expect(messages).toMatchObject([{ what: 'digest', channelId: 'C1', target: 'C1', body: { text: 'told' } }])
    expect(await due()).toBeUndefined()
    expect(await store.digests.get('C1')).toMatchObject({ nextAt: later(60_000), toldUntil: later(-1_000) })
    await set(digest('C1'))
    const again = await due()
    expect(await store.digests.tell(again!, { nextAt: later(70_000) })).toBe(true)
    expect(await store.digests.get('C1')).toMatchObject({ nextAt: later(70_000), toldUntil: later(-1_000) })
    const tooLarge = { ...told, message: 'x'.repeat(70_000) }
    await set(digest('C1'))
    const last = await due()
    await expect(store.digests.tell(last!, tooLarge)).rejects.toThrow(RangeError)
    expect(await due()).toMatchObject({ channelId: 'C1' })
  })

  test('those of channels without alerts make room', async () => {
    await store.alertRules.add([rule('r1', { channelId: 'C1' })], () => entry('alert_added'))
    await set(digest('C1'))
    const fill = Array.from({ length: MAX_DIGESTS - 1 }, (_, n) => `('n${n}', 'weekly', 'UTC', 0, 0, 1, 0, 0)`)
    const columns = 'channel_id, cadence, time_zone, minute, weekday, revision, next_at, told_until'
    await harness.sql(`insert into digests (${columns}) values ${fill.join(', ')}`)
    await set(digest('C2'))
    expect(await harness.sql('select channel_id from digests order by channel_id')).toEqual([
      { channel_id: 'C1' },
      { channel_id: 'C2' },
    ])
  })
}
