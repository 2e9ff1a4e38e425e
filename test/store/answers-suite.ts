import { expect, test } from 'vitest'
import {
  ANSWER_RETENTION_MS,
  MAX_ANSWERS,
  type NewAnswer,
  ADDRESS_RETENTION_MS,
  MAX_ADDRESSES,
} from '../../src/store/answers.ts'
import { MAX_ANSWER_MESSAGE_BYTES } from '../../src/store/schema/tables.ts'
import { MINUTE_MS, type StoreHarness } from './harness.ts'
import { useStore } from './use-store.ts'

const PAGE: NewAnswer = {
  id: 'a1',
  kind: 'page',
  operation: 'keys list',
  values: { page: '2', role: ['a', 'b'] },
  actorId: 'U1',
  team: 'T1',
  channelId: 'C1',
  message: { text: 'Ü\0\uD800', blocks: [{ type: 'divider' }] },
}

/** What buttons on messages belong to, on any engine. */
export function answersSuite(harness: StoreHarness): void {
  const store = useStore(harness)
  const clock = () => harness.clock
  const put = async (answer: NewAnswer) => {
    await store.answers.put(answer)
    return (await store.answers.get(answer.id, clock().now())) ?? expect.unreachable('It was kept')
  }

  test('an answer is read back as it was given, as often as asked, until it expires', async () => {
    const kept = await put(PAGE)
    expect(kept).toEqual({
      ...PAGE,
      createdAt: kept.createdAt,
      expiresAt: new Date(kept.createdAt.getTime() + ANSWER_RETENTION_MS),
    })
    const last = new Date(kept.expiresAt.getTime() - 1)
    expect(await store.answers.get('a1', last)).toEqual(kept)
    expect(await store.answers.get('a1', last)).toEqual(kept)
    expect(await store.answers.get('a1', kept.expiresAt)).toBeUndefined()
    expect(await store.answers.get('a2', last)).toBeUndefined()
  })

  test('an answer without a channel and a message has neither', async () => {
    const { channelId: _channel, message: _message, ...bare } = PAGE
    await store.answers.put(bare)
    const read = await store.answers.get('a1', clock().now())
    expect(read?.channelId ?? read?.message).toBeUndefined()
  })

  test('of many who take an answer at once, one gets it', async () => {
    const kept = await put(PAGE)
    const taken = await Promise.all(Array.from({ length: 5 }, () => store.answers.take('a1', clock().now())))
    expect(taken.filter((answer) => answer !== undefined)).toEqual([kept])
    expect(await store.answers.get('a1', clock().now())).toBeUndefined()
  })

  test('the answers of one message are kept together, or none of them', async () => {
    await store.answers.put(PAGE, { ...PAGE, id: 'a2' })
    expect(await store.answers.get('a2', clock().now())).toMatchObject({ id: 'a2' })
    await expect(store.answers.put({ ...PAGE, id: 'a3' }, PAGE)).rejects.toThrow('The store refused')
    expect(await store.answers.get('a3', clock().now())).toBeUndefined()
  })

  test('an expired answer cannot be taken', async () => {
    const kept = await put({ ...PAGE, expiresAt: new Date(clock().now().getTime() + MINUTE_MS) })
    expect(await store.answers.take('a1', kept.expiresAt)).toBeUndefined()
    expect(await store.answers.take('a1', new Date(kept.expiresAt.getTime() - 1))).toEqual(kept)
  })

  test('a message of more than 64 KB is refused', async () => {
    const fits = 'x'.repeat(MAX_ANSWER_MESSAGE_BYTES - 2)
    await store.answers.put({ ...PAGE, message: fits })
    await expect(store.answers.put({ ...PAGE, id: 'a2', message: `${fits}x` })).rejects.toThrow(RangeError)
  })

  test('the oldest make room when it is time to clean up', async () => {
    const rows = Array.from({ length: MAX_ANSWERS }, (_, n) => `('old${n}', 'page', 'x', '{}', 'U', 'T', ${n}, 8e15)`)
    const columns = 'id, kind, operation, "values", actor_id, team, created_at, expires_at'
    await harness.sql(`insert into answers (${columns}) values ${rows.join(', ')}`)
    await store.answers.put(PAGE, { ...PAGE, id: 'a2' })
    await store.prune(clock().now())
    expect(await store.answers.get('old1', clock().now())).toBeUndefined()
    expect(await store.answers.get('old2', clock().now())).toBeDefined()
    expect(await harness.sql('select count(*) as n from answers')).toMatchObject([{ n: MAX_ANSWERS }])
  })

  test('what has expired is deleted when it is time to clean up', async () => {
    const kept = await put(PAGE)
    await store.answers.put({ ...PAGE, id: 'a2', expiresAt: new Date(kept.expiresAt.getTime() + 1) })
    await store.prune(kept.expiresAt)
    expect(await harness.sql('select id from answers')).toEqual([{ id: 'a2' }])
  })
}

/** Where forms are answered, on any engine. */
export function responseAddressesSuite(harness: StoreHarness): void {
  const store = useStore(harness)
  const kept = () => harness.sql('select id from response_addresses order by id')

  test('an address is read back by its change, as it was given first, until its time is over', async () => {
    await store.responseAddresses.put('c1', 'sealed')
    await store.responseAddresses.put('c1', 'another')
    expect(await store.responseAddresses.get('c1')).toBe('sealed')
    expect(await store.responseAddresses.get('c2')).toBeUndefined()
    harness.clock.advance(ADDRESS_RETENTION_MS)
    expect(await store.responseAddresses.get('c1')).toBeUndefined()
  })

  test('those whose time is over are deleted when it is time to clean up', async () => {
    await store.responseAddresses.put('c1', 'sealed')
    harness.clock.advance(ADDRESS_RETENTION_MS)
    await store.responseAddresses.put('c2', 'sealed')
    await store.prune(harness.clock.now())
    expect(await kept()).toEqual([{ id: 'c2' }])
  })

  test('the oldest make room when it is time to clean up', async () => {
    const rows = Array.from({ length: MAX_ADDRESSES }, (_, n) => `('old${n}', 'sealed', ${8e15 - MAX_ADDRESSES + n})`)
    await harness.sql(`insert into response_addresses (id, sealed, expires_at) values ('oldest', 'sealed', 7e15)`)
    await harness.sql(`insert into response_addresses (id, sealed, expires_at) values ${rows.join(', ')}`)
    await store.prune(harness.clock.now())
    expect(await kept()).toHaveLength(MAX_ADDRESSES)
    expect(await kept()).not.toContainEqual({ id: 'oldest' })
  })
}
