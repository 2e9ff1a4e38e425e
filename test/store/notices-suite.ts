import { beforeEach, expect, test } from 'vitest'
import { MAX_NOTICES, NOTICE_RETENTION_MS, TAKEN_MS } from '../../src/store/notices.ts'
import { MAX_NOTICE_BYTES } from '../../src/store/tables.ts'
import type { Store } from '../../src/store/store.ts'
import { type StoreHarness, changeIn, entry } from './harness.ts'

/** What waits to be told, on any engine. */
export function noticesSuite(harness: () => StoreHarness): void {
  let store: Store
  beforeEach(async () => {
    store = await harness().open()
  })
  const put = (id: string, message: unknown = { text: id }) => store.notices.put({ id, recipient: 'C1', message })
  const takenIds = async (limit = 100) => (await store.notices.take(limit)).map(({ id }) => id)
  /** As if so much time had passed: the clock of a server cannot be turned. */
  const pass = (milliseconds: number) => harness().sql(`update notices set due_at = due_at - ${milliseconds}`)
  const count = async () => Number((await harness().sql('select count(*) as n from notices'))[0]?.['n'])

  test('a notice is read back as it was put, with the tries it has had', async () => {
    await store.notices.put({ recipient: 'U1', message: { text: 'Ü\0\uD800', blocks: [1] } })
    const [notice, ...others] = await store.notices.take(10)
    expect(notice).toMatchObject({ recipient: 'U1', message: { text: 'Ü\0\uD800', blocks: [1] }, attempts: 1 })
    expect(Math.abs(Number(notice?.createdAt) - Date.now())).toBeLessThan(10_000)
    expect(others).toEqual([])
    await pass(TAKEN_MS)
    expect(await store.notices.take(10)).toEqual([{ ...notice, attempts: 2 }])
  })

  test('who takes a notice has it for a minute; then it is anybody’s, until it is delivered', async () => {
    await put('a')
    expect(await takenIds()).toEqual(['a'])
    await pass(TAKEN_MS - 10_000)
    expect(await takenIds()).toEqual([])
    await pass(10_000)
    expect(await takenIds()).toEqual(['a'])
    await store.notices.delivered('a')
    await pass(TAKEN_MS)
    expect(await takenIds()).toEqual([])
    expect(await count()).toBe(0)
  })

  test('the oldest come first, so many as asked for, and at most a hundred', async () => {
    const rows = Array.from({ length: 105 }, (_, n) => `('n${String(n).padStart(3, '0')}', 'C1', '{}', ${n}, 0, 0)`)
    await harness().sql(
      `insert into notices (id, recipient, message, created_at, due_at, attempts) values ${rows.toReversed().join(', ')}`,
    )
    expect(await takenIds(2)).toEqual(['n000', 'n001'])
    const next = await takenIds(1_000)
    expect(next).toHaveLength(100)
    expect(next.slice(0, 2)).toEqual(['n002', 'n003'])
    expect(next).toEqual(next.toSorted())
  })

  test('of many who take at once, no two get the same', async () => {
    for (let n = 0; n < 20; n++) await put(`n${n}`)
    const taken = await Promise.all(Array.from({ length: 5 }, () => takenIds(7)))
    expect(taken.flat()).toHaveLength(new Set(taken.flat()).size)
    const rest = await takenIds()
    expect(new Set([...taken.flat(), ...rest]).size).toBe(20)
  })

  test('what could not be told is due again when it was put off to', async () => {
    await put('a')
    await takenIds()
    await store.notices.postpone('a', 300_000)
    await pass(290_000)
    expect(await takenIds()).toEqual([])
    await pass(10_000)
    expect(await takenIds()).toEqual(['a'])
  })

  test('asked for again while it waits, it stays one', async () => {
    await put('a', { text: 'first' })
    await put('a', { text: 'second' })
    expect(await store.notices.take(10)).toMatchObject([{ id: 'a', message: { text: 'first' } }])
  })

  test('what nobody took for three days is given up and returned', async () => {
    await put('old')
    await harness().sql(`update notices set created_at = created_at - 5000`)
    await put('new')
    const [old] = await harness().sql(`select created_at as at from notices where id = 'old'`)
    const end = Number(old?.['at']) + NOTICE_RETENTION_MS
    expect(await store.notices.giveUp(new Date(end - 1))).toEqual([])
    expect(await store.notices.giveUp(new Date(end))).toMatchObject([{ id: 'old', recipient: 'C1' }])
    expect(await takenIds()).toEqual(['new'])
  })

  test('a message is bounded, and the oldest notices make room', async () => {
    const fits = 'x'.repeat(MAX_NOTICE_BYTES - 2)
    await put('fits', fits)
    await expect(put('larger', `${fits}x`)).rejects.toThrow(RangeError)
    const rows = Array.from({ length: MAX_NOTICES - 1 }, (_, n) => `('n${n}', 'C1', '{}', ${n}, 0, 0)`)
    await harness().sql(
      `insert into notices (id, recipient, message, created_at, due_at, attempts) values ${rows.join(', ')}`,
    )
    await put('one more')
    expect(await count()).toBe(MAX_NOTICES)
    expect(await harness().sql(`select id from notices where id in ('n0', 'n1', 'fits', 'one more')`)).toHaveLength(3)
    expect(await harness().sql(`select id from notices where id = 'n0'`)).toEqual([])
  })

  test('it exists if and only if what it is about happened', async () => {
    const { id } = await changeIn(store, harness().clock, 'waiting')
    const step = {
      from: ['waiting'],
      to: 'cancelled',
      now: harness().clock.now(),
      audit: entry('cancelled'),
      notices: [{ id: 'n1', recipient: 'U1', message: 'Cancelled' }],
    } as const
    const tooLong = entry('cancelled', { summary: 'x'.repeat(2_001) })
    await expect(store.changes.move(id, { ...step, audit: tooLong })).rejects.toThrow('Too big')
    expect(await count()).toBe(0)
    await store.changes.move(id, step)
    expect(await takenIds()).toEqual(['n1'])
    expect(await store.changes.move(id, { ...step, notices: [{ recipient: 'U1', message: 'Again' }] })).toBeUndefined()
    expect(await count()).toBe(1)
  })
}
