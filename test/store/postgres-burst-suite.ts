import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/shared/clock.ts'
import type { WritableState } from '../../src/store/engine/database.ts'
import { openStore } from '../../src/store/store.ts'
import { actor, type Bench, createBench, ask } from '../support/execution-bench.ts'
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts'
import { entry, silentLog } from './harness.ts'
import type { PostgresHarness } from './postgres-harness.ts'

/** As many as may be let in within seconds, by many people. */
const BURST = 480
const AT_ONCE = 200

/** What holds when much is asked at once of a server that is some way off. */
export function postgresBurstSuite(harness: () => PostgresHarness): void {
  describe.each([2, 4, 10])('a burst on a database %i ms away', (delayMs) => {
    let proxy: CuttingProxy
    let bench: Bench
    let told: WritableState[]
    beforeEach(async () => {
      proxy = await startCuttingProxy(harness().url, { delayMs })
      told = []
      const onWritable = (state: WritableState) => void told.push(state)
      const open = () => openStore({ url: proxy.url, clock: systemClock, log: silentLog, onWritable })
      bench = await createBench({ harness: { open, close: () => bench.store.close() } })
    })
    afterEach(async () => {
      await bench.close()
      await proxy.close()
    })

    const burst = <T>(one: (person: string) => Promise<T>) =>
      Promise.all(Array.from({ length: BURST }, (_, n) => one(`U${n}`)))

    test('of refusals leaves an entry for each person, and tells operators nothing', async () => {
      await burst(async (person) => {
        await ask(bench, 'lines list', actor('none', person))
      })
      // On a busy machine the names of zones may be left out of a refusal, with a warning; its entry never is.
      expect(bench.log.filter(({ level }) => level === 'error')).toEqual([])
      expect(await bench.store.audit.verify()).toMatchObject({ ok: true, entries: BURST })
      expect(told).toEqual([])
    })

    test('of names that are added leaves no refusal without its entry', async () => {
      const zone = { kind: 'pull', zoneId: '301', addedBy: 'U1', addedAt: systemClock.now() } as const
      const add = (person: string) => bench.store.zones.add({ ...zone, name: person }, entry('zone_added'))
      const [adds, refusals] = await Promise.all([
        Promise.allSettled(Array.from({ length: BURST }, (_, n) => add(`name ${n}`))),
        Promise.allSettled(Array.from({ length: BURST }, () => bench.store.audit.append(entry('denied')))),
      ])
      expect(refusals.filter(({ status }) => status === 'rejected')).toEqual([])
      const added = adds.filter(({ status }) => status === 'fulfilled').length
      for (const end of adds) if (end.status === 'rejected') expect(end.reason).toMatchObject({ kind: 'busy' })
      expect(await bench.store.audit.verify()).toMatchObject({ ok: true, entries: BURST + added })
      expect(told).toEqual([])
    })

    test('of key reads puts each on record before it is made, or does not make it', async () => {
      let [made, over] = [0, 0]
      const othersOver = Promise.withResolvers<void>()
      bench.acts.read = async () => {
        made += 1
        await othersOver.promise
        throw new RangeError('enough')
      }
      await burst(async (person) => {
        await ask(bench, 'keys list', actor('operator', person))
        over += 1
        if (over === BURST - AT_ONCE) othersOver.resolve()
      })
      // More at once are refused before anything is put on record.
      expect(made).toBe(AT_ONCE)
      expect(await bench.store.audit.verify()).toMatchObject({ ok: true, entries: made })
      expect(told).toEqual([])
    })
  })
}
