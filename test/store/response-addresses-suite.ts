import { beforeEach, expect, test } from 'vitest'
import { ADDRESS_RETENTION_MS, MAX_ADDRESSES } from '../../src/store/response-addresses.ts'
import type { Store } from '../../src/store/store.ts'
import type { StoreHarness } from './harness.ts'

/** Where forms are answered, on any engine. */
export function responseAddressesSuite(harness: () => StoreHarness): void {
  let store: Store
  beforeEach(async () => {
    store = await harness().open()
  })
  const kept = () => harness().sql('select id from response_addresses order by id')

  test('an address is read back by its change, as it was given first, until its time is over', async () => {
    await store.responseAddresses.put('c1', 'sealed')
    await store.responseAddresses.put('c1', 'another')
    expect(await store.responseAddresses.get('c1')).toBe('sealed')
    expect(await store.responseAddresses.get('c2')).toBeUndefined()
    harness().clock.advance(ADDRESS_RETENTION_MS)
    expect(await store.responseAddresses.get('c1')).toBeUndefined()
  })

  test('those whose time is over are deleted when it is time to clean up', async () => {
    await store.responseAddresses.put('c1', 'sealed')
    harness().clock.advance(ADDRESS_RETENTION_MS)
    await store.responseAddresses.put('c2', 'sealed')
    await store.prune(harness().clock.now())
    expect(await kept()).toEqual([{ id: 'c2' }])
  })

  test('the oldest make room when it is time to clean up', async () => {
    const rows = Array.from({ length: MAX_ADDRESSES }, (_, n) => `('old${n}', 'sealed', ${8e15 - MAX_ADDRESSES + n})`)
    await harness().sql(`insert into response_addresses (id, sealed, expires_at) values ('oldest', 'sealed', 7e15)`)
    await harness().sql(`insert into response_addresses (id, sealed, expires_at) values ${rows.join(', ')}`)
    await store.prune(harness().clock.now())
    expect(await kept()).toHaveLength(MAX_ADDRESSES)
    expect(await kept()).not.toContainEqual({ id: 'oldest' })
  })
}
