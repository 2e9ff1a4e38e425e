import { expect, test } from 'vitest'
import { MAX_ZONE_NAMES, type ZoneName } from '../../src/store/zone-names.ts'
import { type StoreHarness, entry } from './harness.ts'
import { useStore } from './use-store.ts'

const SHOP: ZoneName = {
  kind: 'pull',
  name: 'Shöp',
  zoneId: '9223372036854775807',
  addedBy: 'U1',
  addedAt: new Date('2026-11-20T10:00:00.001Z'),
}

/** What names of zones must keep to, on any engine. */
export function zoneNamesSuite(harness: StoreHarness): void {
  const store = useStore(harness)
  const recorded = async () => (await store.audit.list({ limit: 100 })).map(({ event }) => event)

  test('a name is added with its entry, listed by kind and name, and removed with its entry', async () => {
    const docs: ZoneName = { ...SHOP, kind: 'dns', name: 'docs', zoneId: '7' }
    expect(await store.zones.add(SHOP, entry('zone_added'))).toBe('added')
    expect(await store.zones.add(docs, entry('zone_added'))).toBe('added')
    const first: ZoneName = { ...SHOP, name: 'assets' }
    expect(await store.zones.add(first, entry('zone_added'))).toBe('added')
    expect(await store.zones.list()).toEqual([docs, first, SHOP])
    await store.zones.remove('pull', 'ASSETS', () => entry('zone_removed'))
    const removed = await store.zones.remove('pull', 'sHÖP', ({ zoneId }) => entry('zone_removed', { summary: zoneId }))
    expect(removed).toEqual(SHOP)
    expect(await store.zones.list()).toEqual([docs])
    expect(await store.audit.list({ limit: 1 })).toMatchObject([{ event: 'zone_removed', summary: SHOP.zoneId }])
  })

  test('a name that differs in case only is the same, in its kind', async () => {
    await store.zones.add(SHOP, entry('zone_added'))
    const again = { ...SHOP, name: 'SHÖP', zoneId: '2' }
    expect(await store.zones.add(again, entry('zone_added'))).toEqual({ existing: SHOP })
    // The same letter, of two characters.
    expect(await store.zones.add({ ...SHOP, name: 'Sho\u0308p' }, entry('zone_added'))).toEqual({ existing: SHOP })
    expect(await store.zones.add({ ...again, kind: 'storage' }, entry('zone_added'))).toBe('added')
    expect(await recorded()).toEqual(['zone_added', 'zone_added'])
  })

  test('removing what is not there does nothing and records nothing', async () => {
    expect(await store.zones.remove('dns', 'shop', () => entry('zone_removed'))).toBeUndefined()
    expect(await recorded()).toEqual([])
  })

  test('of two people who add the same name at once, one does', async () => {
    const results = await Promise.all(
      ['1', '2', '3'].map((id) => store.zones.add({ ...SHOP, zoneId: id }, entry('zone_added'))),
    )
    expect(results.filter((result) => result === 'added')).toHaveLength(1)
    expect(await store.zones.list()).toHaveLength(1)
    expect(await recorded()).toEqual(['zone_added'])
  })

  test('a name that cannot be put on record is not added, and one that cannot is not removed', async () => {
    const tooLong = entry('zone_added', { summary: 'x'.repeat(2_001) })
    await expect(store.zones.add(SHOP, tooLong)).rejects.toThrow('Too big')
    expect(await store.zones.list()).toEqual([])
    await store.zones.add(SHOP, entry('zone_added'))
    await expect(store.zones.remove('pull', 'shöp', () => tooLong)).rejects.toThrow('Too big')
    expect(await store.zones.list()).toEqual([SHOP])
  })

  test('there is room for a bounded number of names', async () => {
    const numbers = Array.from({ length: MAX_ZONE_NAMES - 1 }, (_, n) => `('pull', 'z${n}', 'z${n}', '1', 'U1', 1)`)
    const columns = 'kind, folded_name, name, zone_id, added_by, added_at'
    await harness.sql(`insert into zone_names (${columns}) values ${numbers.join(', ')}`)
    expect(await store.zones.add(SHOP, entry('zone_added'))).toBe('added')
    expect(await store.zones.add({ ...SHOP, name: 'one more' }, entry('zone_added'))).toBe('full')
    expect(await store.zones.add({ ...SHOP, name: 'Z1' }, entry('zone_added'))).toMatchObject({
      existing: { name: 'z1' },
    })
    expect(await store.zones.list()).toHaveLength(MAX_ZONE_NAMES)
  })

  test('an id that is no number is refused', async () => {
    await expect(store.zones.add({ ...SHOP, zoneId: '12a' }, entry('zone_added'))).rejects.toThrow('zoneId')
  })
}
