import { beforeEach, expect, test } from 'vitest'
import { ANSWER_RETENTION_MS, MAX_ANSWERS, type NewAnswer } from '../../src/store/answers.ts'
import { MAX_ANSWER_MESSAGE_BYTES } from '../../src/store/schema/tables.ts'
import type { Store } from '../../src/store/store.ts'
import { MINUTE_MS, type StoreHarness } from './harness.ts'

const PAGE: NewAnswer = {
  id: 'a1',
  kind: 'page',
  operation: 'keys list',
  values: { page: '2', role: ['a', 'b'] },
  actorId: 'U1',
  team: 'T1',
  channelId: 'C1',
  message: JSON.stringify({ text: 'Ü\0\uD800', blocks: [{ type: 'divider' }] }),
}

/** As it is read: with its message, not the JSON of it. */
function asRead(kept: NewAnswer): object {
  return { ...kept, message: kept.message === undefined ? undefined : JSON.parse(kept.message) }
}

/** What buttons on messages belong to, on any engine. */
export function answersSuite(harness: () => StoreHarness): void {
  let store: Store
  beforeEach(async () => {
    store = await harness().open()
  })
  const clock = () => harness().clock
  const put = async (answer: NewAnswer) => {
    const [kept] = await store.answers.put(answer)
    return kept ?? expect.unreachable('It was kept')
  }

  test('an answer is read back as it was given, as often as asked, until it expires', async () => {
    const kept = await put(PAGE)
    expect(kept).toEqual({
      ...PAGE,
      createdAt: kept.createdAt,
      expiresAt: new Date(kept.createdAt.getTime() + ANSWER_RETENTION_MS),
    })
    const last = new Date(kept.expiresAt.getTime() - 1)
    expect(await store.answers.get('a1', last)).toEqual(asRead(kept))
    expect(await store.answers.get('a1', last)).toEqual(asRead(kept))
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
    expect(taken.filter((answer) => answer !== undefined)).toEqual([asRead(kept)])
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
    expect(await store.answers.take('a1', new Date(kept.expiresAt.getTime() - 1))).toEqual(asRead(kept))
  })

  test('a message of more than 64 KB is refused', async () => {
    const fits = JSON.stringify('x'.repeat(MAX_ANSWER_MESSAGE_BYTES - 2))
    await store.answers.put({ ...PAGE, message: fits })
    await expect(store.answers.put({ ...PAGE, id: 'a2', message: `${fits}x` })).rejects.toThrow(RangeError)
  })

  test('the oldest make room when it is time to clean up', async () => {
    const rows = Array.from({ length: MAX_ANSWERS }, (_, n) => `('old${n}', 'page', 'x', '{}', 'U', 'T', ${n}, 8e15)`)
    const columns = 'id, kind, operation, "values", actor_id, team, created_at, expires_at'
    await harness().sql(`insert into answers (${columns}) values ${rows.join(', ')}`)
    await store.answers.put(PAGE, { ...PAGE, id: 'a2' })
    await store.prune(clock().now())
    expect(await store.answers.get('old1', clock().now())).toBeUndefined()
    expect(await store.answers.get('old2', clock().now())).toBeDefined()
    expect(await harness().sql('select count(*) as n from answers')).toMatchObject([{ n: MAX_ANSWERS }])
  })

  test('what has expired is deleted when it is time to clean up', async () => {
    const kept = await put(PAGE)
    await store.answers.put({ ...PAGE, id: 'a2', expiresAt: new Date(kept.expiresAt.getTime() + 1) })
    await store.prune(kept.expiresAt)
    expect(await harness().sql('select id from answers')).toEqual([{ id: 'a2' }])
  })
}
