import { describe, expect, test } from 'vitest'
import { newPost } from './alert-fixtures.ts'
import { entry, LIVE_LEASE, MINUTE_MS, changeIn } from './harness.ts'
import type { SlotShare } from '../../src/store/log-slots.ts'
import { LeaseLostError } from '../../src/store/schema/store-error.ts'
import { GONE_MS } from '../../src/store/replicas.ts'
import type { Store } from '../../src/store/store.ts'
import type { PostgresHarness } from './postgres-harness.ts'

const A = { id: 'a', name: 'host-a', version: '1', configuration: 'x' }
const B = { id: 'b', name: 'host-b', version: '1', configuration: 'x' }
const [SLOTS, BACKGROUND_SLOTS] = [30, 6]
const PERSON: SlotShare = { all: SLOTS, most: SLOTS, left: 0 }
const BACKGROUND: SlotShare = { all: SLOTS, most: BACKGROUND_SLOTS, left: 3 }

/** The lease and the log limit's slots, which several processes share. */
export function postgresReplicasSuite(harness: () => PostgresHarness): void {
  const shared = (store: Store) => {
    if (store.shared === undefined) throw new Error('A store on PostgreSQL is shared')
    return store.shared
  }
  const end = () => harness().sql(`update lease set until_at = 0`)
  const commit = (store: Store) => store.alerts.commit({ subject: 'pull/301', revision: 0, watch: 1 })

  describe('the lease', () => {
    test('has one holder, until it ends or is given up', async () => {
      const [one, two] = (await Promise.all([harness().open(), harness().open()])).map(
        (store) => shared(store).replicas,
      )
      if (one === undefined || two === undefined) throw new Error('There are two')
      const [first, second] = await Promise.all([one.beat(A), two.beat(B)])
      expect([first.fence, second.fence].filter((fence) => fence !== undefined)).toEqual([1])
      expect(await one.beat(A)).toMatchObject({ holder: first.holder ?? second.holder })
      const [holder, other, its] = first.fence === 1 ? [one, two, [A, B]] : [two, one, [B, A]]
      const [own, others] = its as [typeof A, typeof A]
      await end()
      expect(await other.beat(others)).toMatchObject({ fence: 2, holder: others.id })
      expect(await holder.beat(own)).toMatchObject({ fence: undefined, holder: others.id })
      await other.leave(others.id)
      expect(await holder.beat(own)).toMatchObject({ fence: 3, replicas: [{ name: own.name }] })
    })

    test('stays with whoever renews it', async () => {
      const { replicas } = shared(await harness().open())
      const first = await replicas.beat(A)
      const [since, [own]] = [first.since, first.replicas]
      const at = expect.any(Date) as Date
      expect(first).toEqual({ fence: 1, holder: 'a', since, replicas: [{ ...A, startedAt: at, seenAt: at }] })
      expect(Math.abs(since.getTime() - Date.now())).toBeLessThan(10_000)
      await harness().sql('update lease set until_at = until_at - 9000')
      const again = await replicas.beat({ ...A, configuration: 'y' })
      const kept = { ...own, configuration: 'y', seenAt: again.replicas[0]?.seenAt }
      expect(again).toEqual({ ...first, replicas: [kept] })
      const [lease] = await harness().sql('select until_at from lease')
      expect(Math.abs(Number(lease?.['until_at']) - Date.now() - 10_000)).toBeLessThan(5_000)
      await harness().sql('update replicas set started_at = started_at - 5000')
      expect((await replicas.beat(B)).replicas.map(({ id }) => id)).toEqual(['a', 'b'])
      // Nobody holds it for so long: what says so was written before the clock was put back.
      await harness().sql('update lease set until_at = until_at + 45000')
      expect(await replicas.beat(B)).toMatchObject({ fence: undefined })
      await harness().sql('update lease set until_at = until_at + 60000')
      expect(await replicas.beat(B)).toMatchObject({ fence: 2, holder: 'b' })
    })

    test('is given up by whoever cannot reach Slack, and left to others for a while', async () => {
      const [one, two] = await Promise.all([harness().open(), harness().open()])
      const unfit = { isFit: false }
      await shared(one).replicas.beat(A, unfit)
      expect(await shared(one).replicas.beat(A, unfit)).toMatchObject({ fence: 1 })
      expect(await shared(one).replicas.beat(A, { ...unfit, letsGo: true })).toMatchObject({ holder: undefined })
      expect(await shared(one).replicas.beat(A, unfit)).toMatchObject({ holder: undefined })
      expect(await shared(two).replicas.beat(B)).toMatchObject({ fence: 2, holder: 'b' })
      await shared(two).replicas.beat(B, { letsGo: true })
      await harness().sql('update lease set until_at = until_at - 5000')
      expect(await shared(one).replicas.beat(A, unfit)).toMatchObject({ fence: 3, holder: 'a' })
    })

    test('forgets a replica that was not heard of', async () => {
      const { replicas } = shared(await harness().open())
      await replicas.beat(A)
      await harness().sql(`update replicas set seen_at = seen_at - ${GONE_MS}`)
      expect((await replicas.beat(B)).replicas.map(({ id }) => id)).toEqual(['b'])
    })
  })

  describe('the fence', () => {
    test('refuses what a holder writes that was frozen while somebody else took the lease', async () => {
      const [frozen, next] = await Promise.all([harness().open(), harness().open()])
      const { fence } = await shared(frozen).replicas.beat(A)
      shared(frozen).replicas.holdAs(fence)
      await end()
      const taken = await shared(next).replicas.beat(B)
      shared(next).replicas.holdAs(taken.fence)

      await expect(commit(frozen)).rejects.toThrow(LeaseLostError)
      const now = harness().clock.now()
      const late = [
        () => frozen.remembered.set('roster', 1, { now, asHolder: true }),
        () => frozen.alertRules.manage([], () => entry('policy_changed')),
        () => frozen.prune(now),
      ]
      for (const write of late) await expect(write()).rejects.toThrow(LeaseLostError)
      expect(await commit(next)).toBe(true)
      await next.alerts.commit({ subject: 'pull/301', revision: 1, watch: 1, posts: [newPost(harness().clock, {})] })
      await expect(frozen.outbox.claim(10)).rejects.toThrow(LeaseLostError)
      expect(await next.outbox.claim(10)).toHaveLength(1)
    })

    test('lets nobody settle what is under way elsewhere, nor anything without the lease', async () => {
      const standby = await harness().open()
      await changeIn(standby, harness().clock, 'sending', { lease: { ...LIVE_LEASE, durationMs: 0 } })
      shared(standby).replicas.holdAs(undefined)
      const step = () => ({ audit: entry('unknown') })
      await expect(standby.changes.recover('another', harness().clock.now(), step)).rejects.toThrow(LeaseLostError)
      // What people do needs no lease.
      await standby.audit.append(entry('read'))
      expect(await standby.isFirst('a delivery')).toBe(true)
    })

    test('keeps the lease where it is until what was begun under it is committed', async () => {
      const [one, two] = await Promise.all([harness().open(), harness().open()])
      const { fence } = await shared(one).replicas.beat(A)
      await harness().connection(async (client) => {
        await client.query('begin')
        await client.query(`select fence from lease where fence = ${fence} for key share`)
        // The holder renews it all the same.
        expect(await shared(one).replicas.beat(A)).toMatchObject({ fence })
        await end()
        const taking = shared(two).replicas.beat(B)
        const winner = await Promise.race([
          taking.then(() => 'taken'),
          harness()
            .clock.sleep(300)
            .then(() => 'waits'),
        ])
        expect(winner).toBe('waits')
        await client.query('commit')
        expect(await taking).toMatchObject({ fence: 2 })
      })
    })
  })

  describe('the slots of the log limit', () => {
    const takeAll = async (stores: readonly Store[], share: SlotShare, times: number) => {
      const answers = await Promise.all(
        Array.from({ length: times }, (_, n) => shared(stores[n % stores.length] as Store).logSlots.take(301n, share)),
      )
      return answers.filter(({ taken }) => taken)
    }

    test('are thirty for all processes together', async () => {
      const stores = await Promise.all([harness().open(), harness().open()])
      // A slot that another process has in its hands is passed over, so a few may be found at the second try only.
      let taken = 0
      for (let round = 0; round < 3; round += 1) taken += (await takeAll(stores, PERSON, 40)).length
      expect(taken).toBe(SLOTS)
      const other = await shared(stores[0]).logSlots.take(302n, PERSON)
      expect(other.taken).toBe(true)
    })

    test('leave most to people', async () => {
      const { logSlots } = shared(await harness().open())
      const take = async (share: SlotShare, times: number): Promise<number> => {
        let count = 0
        for (let n = 0; n < times; n += 1) count += Number((await logSlots.take(301n, share)).taken)
        return count
      }
      expect(await take(BACKGROUND, 10)).toBe(BACKGROUND_SLOTS)
      expect(await take(PERSON, 40)).toBe(SLOTS - BACKGROUND_SLOTS)
      await harness().sql(`update log_slots set free_at = 0 where slot < 3`)
      expect(await take(BACKGROUND, 1)).toBe(0)
      expect(await take(PERSON, 5)).toBe(3)
    })

    test('have background work wait for one that it may have, however many people have left free', async () => {
      const { logSlots } = shared(await harness().open())
      for (let n = 0; n < BACKGROUND_SLOTS; n += 1) await logSlots.take(301n, BACKGROUND)
      expect(await logSlots.take(301n, BACKGROUND)).toEqual({ taken: false, waitMs: 1_000 })
      // Enough of its own are free, and too few of all.
      await harness().sql(`update log_slots set free_at =
        case when slot < 2 then 0 else floor(extract(epoch from clock_timestamp()) * 1000) + 60000 end`)
      expect(await logSlots.take(301n, BACKGROUND)).toEqual({ taken: false, waitMs: 1_000 })
    })

    test('come back after the time that is given, and by time from a process that died with one', async () => {
      const { logSlots } = shared(await harness().open())
      const first = await logSlots.take(301n, PERSON)
      if (!first.taken) throw new Error('One is free')
      await first.giveBack(10_050)
      const rows = await harness().sql(
        `select free_at - floor(extract(epoch from clock_timestamp()) * 1000)::bigint as left_ms from log_slots where free_at > 0`,
      )
      expect(Number(rows[0]?.['left_ms'])).toBeGreaterThan(9_000)
      expect(Number(rows[0]?.['left_ms'])).toBeLessThanOrEqual(10_050)

      await harness().sql(`update log_slots set free_at = free_at - 10051 where free_at > 0`)
      const again = await logSlots.take(301n, PERSON)
      // It was given back by time: the first one has no hold of it any more.
      await first.giveBack(MINUTE_MS)
      if (!again.taken) throw new Error('One is free')
      await again.giveBack(0)
      const left = await harness().sql(`select count(*) as n from log_slots
        where free_at > floor(extract(epoch from clock_timestamp()) * 1000)::bigint`)
      expect(Number(left[0]?.['n'])).toBe(0)
    })

    test('say how long to wait', async () => {
      const { logSlots } = shared(await harness().open())
      for (let n = 0; n < SLOTS; n += 1) await logSlots.take(301n, PERSON)
      expect(await logSlots.take(301n, PERSON)).toEqual({ taken: false, waitMs: 1_000 })
      // The first that it may have comes free in half a second; where that is about to be, it does not look at once.
      const freeIn = (ms: number) =>
        harness().sql(
          `update log_slots set free_at = floor(extract(epoch from clock_timestamp()) * 1000) + ${ms} + slot`,
        )
      await freeIn(500)
      const { waitMs } = (await logSlots.take(301n, PERSON)) as { readonly waitMs: number }
      expect(waitMs).toBeGreaterThan(20)
      expect(waitMs).toBeLessThanOrEqual(500)
      await freeIn(90_000)
      expect(await logSlots.take(301n, PERSON)).toMatchObject({ taken: false })
      // So long nobody has one: it was taken before the clock was put back.
      await freeIn(121_000)
      expect(await logSlots.take(301n, PERSON)).toMatchObject({ taken: true })
    })
  })
}
