import { expect, test } from 'vitest'
import { DELIVERY_RETENTION_MS } from '../../../src/store/outbox/idempotency-keys.ts'
import { type StoreHarness, entry } from '../harness.ts'
import { useStore } from '../use-store.ts'

/** What Slack delivers more than once, on any engine. */
export function deliveriesSuite(harness: StoreHarness): void {
  const store = useStore(harness)
  const soon = () => harness.clock.monotonicMs() + 60_000
  const once = (key: string, notAfterMs = soon()) => ({ key, notAfterMs })
  const record = (key: string, notAfterMs?: number) =>
    store.audit.record(({ append }) => append(entry('zone_added')), once(key, notAfterMs))
  const entries = async () => (await store.audit.list({ limit: 100 })).length

  test('the first delivery has its effect, a later one says that it was done before', async () => {
    expect(await record('command:1')).toMatchObject({ seq: 1 })
    await expect(record('command:1')).rejects.toMatchObject({ name: 'UserError', code: 'repeated' })
    expect(await record('command:2')).toMatchObject({ seq: 2 })
    expect(await entries()).toBe(2)
  })

  test('what is noted by itself comes first once, whoever asks at the same time, and is forgotten with the others', async () => {
    const asked = await Promise.all(Array.from({ length: 5 }, () => store.isFirst('request:1')))
    expect(asked.filter(Boolean)).toHaveLength(1)
    expect([await store.isFirst('request:1'), await store.isFirst('request:2')]).toEqual([false, true])
    await store.prune(new Date(harness.clock.now().getTime() + DELIVERY_RETENTION_MS + 1))
    expect(await store.isFirst('request:1')).toBe(true)
  })

  test('of many deliveries at once, one has its effect', async () => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => record('command:1')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
    for (const reason of reasons) expect(reason).toMatchObject({ code: 'repeated' })
    expect(await entries()).toBe(1)
  })

  test('what is too late is taken back, and may be delivered again', async () => {
    await expect(record('command:1', harness.clock.monotonicMs())).rejects.toMatchObject({
      name: 'UserError',
      code: 'busy',
    })
    expect(await entries()).toBe(0)
    expect(await harness.sql('select * from deliveries')).toEqual([])
    expect(await record('command:1')).toMatchObject({ seq: 1 })
  })

  test('time that the work itself takes counts', async () => {
    let now = 0
    const clock = { ...harness.clock, monotonicMs: () => now }
    Object.assign(store, await harness.open({ clock }))
    const work = store.audit.record(
      async ({ append }) => {
        await append(entry('zone_added'))
        now = 2_001
      },
      once('command:1', 2_000),
    )
    await expect(work).rejects.toMatchObject({ code: 'busy' })
    expect(await entries()).toBe(0)
  })

  test('the name of a zone is added and removed once', async () => {
    const zone = { kind: 'pull', name: 'www', zoneId: '201', addedBy: 'U1', addedAt: new Date(1) } as const
    const add = () => store.zones.add(zone, entry('zone_added'), once('command:1'))
    expect(await add()).toBe('added')
    await expect(add()).rejects.toMatchObject({ code: 'repeated' })
    const remove = () => store.zones.remove('pull', 'www', () => entry('zone_removed'), once('button:1'))
    expect(await remove()).toMatchObject({ name: 'www' })
    await expect(remove()).rejects.toMatchObject({ code: 'repeated' })
  })

  test('what Slack gave is not kept as it was given, and is forgotten after two days', async () => {
    await record('command:13345224609.738474920.8088930838d88f008e0')
    const [row] = await harness.sql('select id, at from deliveries')
    expect(row?.['id']).toMatch(/^[0-9a-f]{64}$/)
    const at = Number(row?.['at'])
    await store.prune(new Date(at + DELIVERY_RETENTION_MS - 1))
    expect(await harness.sql('select id from deliveries')).toHaveLength(1)
    await store.prune(new Date(at + DELIVERY_RETENTION_MS))
    expect(await harness.sql('select id from deliveries')).toEqual([])
  })
}
