import { beforeEach, expect, test } from 'vitest'
import { CLAIM_MS, MAX_DEAD_LETTERS, MAX_OUTBOX_ROWS } from '../../../src/store/outbox/outbox.ts'
import { DEAD_LETTER_RETENTION_MS, type NewAlertPost } from '../../../src/store/schema/alert-records.ts'
import { MAX_MESSAGE_BYTES } from '../../../src/store/schema/tables.ts'
import { putNotice } from '../../support/notices.ts'
import { OPENED, incident, look, newPost, told } from '../alert-fixtures.ts'
import { type StoreHarness, changeIn, entry } from '../harness.ts'
import { useStore } from '../use-store.ts'

/** What waits to be told, on any engine. */
export function outboxSuite(harness: StoreHarness): void {
  const store = useStore(harness)
  beforeEach(async () => {
    await look(store, harness.clock, { incidents: [incident('i1'), incident('i2', { channelId: 'C2' })] })
  })
  const put = (...posts: Partial<NewAlertPost>[]) =>
    look(store, harness.clock, { posts: posts.map((post) => newPost(harness.clock, post)) })
  const change = (...posts: Partial<NewAlertPost>[]) =>
    look(store, harness.clock, {
      incidents: [incident('i1')],
      posts: posts.map((post) => newPost(harness.clock, post)),
    })
  const claim = (limit = 9) => store.outbox.claim(limit)
  const inMs = (milliseconds: number) => ({ dueAt: new Date(harness.clock.now().getTime() + milliseconds) })
  /** As if so much time had passed: the clock of a server cannot be turned. */
  const pass = (ms: number) =>
    harness.sql(`update outbox
      set due_at = due_at - ${ms}, held_until = held_until - ${ms}`)
  const count = async () => (await store.outbox.waitingPosts()).count
  const card = { what: 'card' } as const
  const shown = (revision: number) => ({ revision, at: OPENED, messageTs: `${revision}.1` })

  test('messages of a target come one at a time, in the order they were made, each until it is delivered', async () => {
    await put({ body: 'a' }, { body: 'b' }, { body: 'c' }, { body: 'x', incidentId: 'i2', channelId: 'C2' })
    const [a, x, ...none] = await claim()
    expect(none).toEqual([])
    expect(a).toMatchObject({ body: 'a', incidentId: 'i1', channelId: 'C1', what: 'reply', attempts: 1 })
    expect(told([x!])).toEqual(['x'])
    expect(await claim()).toEqual([])
    await store.outbox.delivered(a!)
    const [b] = await claim()
    await store.outbox.delivered(b!)
    expect(told([b!, ...(await claim())])).toEqual(['b', 'c'])
    expect(await count()).toBe(2)
  })

  test('who claims a message has it for a minute, and its target waits; then it is anybody’s', async () => {
    await put({ body: 'a' }, { body: 'b' })
    await claim()
    await pass(CLAIM_MS - 10_000)
    expect(await claim()).toEqual([])
    await pass(10_000)
    expect(await claim()).toMatchObject([{ body: 'a', attempts: 2 }])
  })

  test('what waits far ahead of the clock, since that was put back, is due at once', async () => {
    await put({ body: 'a' }, { body: 'b' }, { body: 'x', channelId: 'C2', ...inMs(30_000) })
    await claim()
    await pass(-3_600_000)
    expect(told(await claim())).toEqual(['a', 'x'])
    expect(await claim()).toEqual([])
  })

  test('what was made before the clock was put back is told before what was made after', async () => {
    const putBack = () => harness.sql('update outbox set created_at = created_at + 3600000')
    await put({ body: 'a' }, { body: 'b' })
    await put({ ...card, channelId: 'C2', incidentId: 'i2' })
    await putBack()
    await put({ body: 'c' }, { channelId: 'C2', incidentId: 'i2', body: 'reply' })
    const all: unknown[] = []
    for (let claimed = await claim(); claimed.length > 0; claimed = await claim()) {
      all.push(...told(claimed))
      for (const message of claimed) await store.outbox.delivered(message)
    }
    expect(all).toEqual(['a', 'card i2', 'b', 'reply', 'c'])
  })

  test('of many who claim at once, no two get the same', async () => {
    await put(...Array.from({ length: 30 }, (_, n) => ({ channelId: `C${n}`, body: n })))
    const taken = await Promise.all(Array.from({ length: 6 }, () => claim(7)))
    const ids = taken.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length + (await claim(100)).length).toBe(30)
  })

  test('a post that is not due holds up nothing but replies about its own incident', async () => {
    await put({ ...card, ...inMs(30_000) }, { body: 'a' }, { incidentId: 'i3', body: 'other' })
    expect(told(await claim())).toEqual(['other'])
    await pass(30_000)
    expect(await claim()).toEqual([])
    await pass(30_000)
    expect(told(await claim())).toEqual(['card i1'])
  })

  test('a reply goes after the card that came with it, and before a later one', async () => {
    await put({ body: 'a' }, card)
    const [first] = await claim()
    expect(told([first!])).toEqual(['card i1'])
    await store.outbox.delivered(first!, shown(1))
    await harness.sql('update outbox set created_at = created_at - 10')
    await put(card)
    expect(told(await claim())).toEqual(['a'])
  })

  test('cards that wait become one, which is due at the earlier time', async () => {
    await put({ ...card, ...inMs(30_000) })
    await put({ ...card, ...inMs(10_000) })
    await put({ ...card, ...inMs(20_000) })
    expect(await count()).toBe(1)
    await pass(9_000)
    expect(await claim()).toEqual([])
    await pass(1_000)
    expect(told(await claim())).toEqual(['card i1'])
  })

  test('what has moved on while its card was being told is told once more, when that is due', async () => {
    await put(card)
    const [first] = await claim()
    await change({ ...card, ...inMs(40_000) })
    await change({ ...card, ...inMs(30_000) })
    await store.outbox.delivered(first!, shown(1))
    expect(await store.alerts.incident('i1')).toMatchObject({ shownRevision: 1, revision: 3, messageTs: '1.1' })
    await pass(29_000)
    expect(await claim()).toEqual([])
    await pass(1_000)
    const [again] = await claim()
    expect(again).toMatchObject({ what: 'card', attempts: 1 })
    await store.outbox.delivered(again!, { revision: 3, at: new Date(0) })
    const told = { shownRevision: 3, messageTs: '1.1', postedAt: OPENED }
    expect(await store.alerts.incident('i1')).toMatchObject(told)
    expect(await count()).toBe(0)
    await store.outbox.delivered(again!, shown(2))
    expect(await store.alerts.incident('i1')).toMatchObject(told)
  })

  test('a card that need not be told goes, and one that was asked for meanwhile stays', async () => {
    await put(card)
    const [first] = await claim()
    await change(card)
    await store.outbox.delivered(first!)
    const [second] = await claim()
    expect(told([second!])).toEqual(['card i1'])
    await store.outbox.delivered(second!)
    expect(await count()).toBe(0)
  })

  test('a slow one that shows less than was shown takes nothing back', async () => {
    await put(card)
    const [slow] = await claim()
    await pass(CLAIM_MS)
    await change(card)
    const [quick] = await claim()
    await store.outbox.delivered(quick!, shown(2))
    await change(card)
    await store.outbox.delivered(slow!, shown(1))
    expect(await store.alerts.incident('i1')).toMatchObject({ shownRevision: 2, messageTs: '2.1' })
    expect(told(await claim())).toEqual(['card i1'])
  })

  test('what is put off holds its channel, however urgent the next is', async () => {
    await put({ body: 'a' }, { body: 'b' })
    const [a] = await claim()
    await store.outbox.postpone(a!, 30_000)
    await pass(29_000)
    expect(await claim()).toEqual([])
    await pass(1_000)
    expect(told(await claim())).toEqual(['a'])
  })

  test('webhooks are one target, and targets that rest are left out', async () => {
    const webhook = { what: 'webhook' } as const
    await put({ ...webhook, body: 'w' }, { ...webhook, channelId: 'C2', body: 'w2' }, { body: 'a' })
    expect(await store.outbox.claim(9, ['C1', 'webhook'])).toEqual([])
    expect(told(await store.outbox.claim(9, ['C1']))).toEqual(['w'])
    expect(told(await claim())).toEqual(['a'])
  })

  test('what is given up is kept for a week with its reason, the last first', async () => {
    await put({ body: { text: 'Ü' } }, { channelId: 'C2', body: 'b' })
    const [a, b] = await claim()
    await store.outbox.bury(a!, 'channel_not_found')
    await harness.sql('update dead_letters set dead_at = dead_at - 5')
    await store.outbox.bury(b!, 'is_archived')
    await store.outbox.bury(b!, 'again')
    const dead = await store.outbox.deadPosts()
    const { fence: _fence, target: _target, claimedAt: _claimedAt, ...kept } = a!
    expect(dead).toMatchObject([{ reason: 'is_archived' }, { ...kept, reason: 'channel_not_found' }])
    expect(await count()).toBe(0)
    await store.prune(new Date(dead[1]!.deadAt.getTime() + DEAD_LETTER_RETENTION_MS))
    expect(await store.outbox.deadPosts()).toEqual([dead[0]])
    const rows = Array.from({ length: MAX_DEAD_LETTERS }, (_, n) => `('n${n}', 'i1', 'C1', 'card', 1, 1, 1, ${n}, '')`)
    await harness.sql(`insert into dead_letters
      (id, incident_id, channel_id, what, created_at, due_at, attempts, dead_at, reason) values ${rows.join(', ')}`)
    await put({})
    await store.outbox.bury((await claim())[0]!, 'x')
    expect(await harness.sql('select count(*) as n from dead_letters')).toEqual([{ n: MAX_DEAD_LETTERS }])
    expect(await harness.sql(`select id from dead_letters where id in ('n0', 'n1', 'n2')`)).toEqual([{ id: 'n2' }])
  })

  test('what is put off alone holds up nothing of its target', async () => {
    await put({ body: 'a' }, { body: 'b' })
    const [a] = await claim()
    await store.outbox.postpone(a!, 30_000, true)
    expect(told(await claim())).toEqual(['b'])
    await pass(30_000)
    await pass(CLAIM_MS)
    expect(told(await claim())).toEqual(['a'])
  })

  test('who comes back when the claim is over and another one has it changes nothing', async () => {
    await put({ body: 'a' })
    const [slow] = await claim()
    await pass(CLAIM_MS)
    const [quick] = await claim()
    expect(quick?.fence).toBe(slow!.fence + 1)
    await store.outbox.delivered(slow!)
    await store.outbox.bury(slow!, 'Too late')
    await store.outbox.postpone(slow!, 0)
    expect(await claim()).toEqual([])
    await store.outbox.postpone(quick!, 0)
    expect(told(await claim())).toEqual(['a'])
  })

  test('a notice is read back as it was put, and is in line with the posts of its channel', async () => {
    const message = { text: 'Ü\0\uD800', blocks: [1] }
    await putNotice(store, { id: 'n1', recipient: 'C1', message })
    await putNotice(store, { id: 'n1', recipient: 'C1', message: 'again, while it waits' })
    await putNotice(store, { recipient: 'U1', message: 'to a person' })
    await put({ body: 'a' })
    const [notice, other, ...none] = await claim()
    expect(notice).toMatchObject({ id: 'n1', what: 'notice', channelId: 'C1', body: message, attempts: 1 })
    expect(Math.abs(Number(notice?.createdAt) - Date.now())).toBeLessThan(10_000)
    expect([told([other!]), none]).toEqual([['to a person'], []])
    await store.outbox.delivered(notice!)
    expect(told(await claim())).toEqual(['a'])
    expect(await store.outbox.waitingPosts()).toMatchObject({ count: 1 })
  })

  test('a notice is bounded, and exists if and only if what it is about happened', async () => {
    const fits = 'x'.repeat(MAX_MESSAGE_BYTES - 2)
    await putNotice(store, { recipient: 'U0', message: fits })
    await expect(putNotice(store, { recipient: 'U0', message: `${fits}x` })).rejects.toThrow(RangeError)
    await claim()
    const { id } = await changeIn(store, harness.clock, 'waiting')
    const step = {
      from: ['waiting'],
      to: 'cancelled',
      now: harness.clock.now(),
      audit: entry('cancelled'),
      notices: [{ id: 'n1', recipient: 'U1', message: 'Cancelled' }],
    } as const
    const tooLong = entry('cancelled', { summary: 'x'.repeat(2_001) })
    await expect(store.changes.move(id, { ...step, audit: tooLong })).rejects.toThrow('Too big')
    expect(await claim()).toEqual([])
    await store.changes.move(id, step)
    expect(await store.changes.move(id, { ...step, notices: [{ recipient: 'U2', message: 'Again' }] })).toBeUndefined()
    expect(told(await claim())).toEqual(['Cancelled'])
  })

  test('it says how much waits, and since when', async () => {
    expect(await store.outbox.waitingPosts()).toEqual({ count: 0, oldest: undefined })
    await put({ body: 'a' }, { body: 'b', ...inMs(60_000) })
    const [first] = await claim()
    expect(await store.outbox.waitingPosts()).toEqual({ count: 2, oldest: first?.createdAt })
  })

  test('when too much waits, the oldest replies make room, then webhooks, and cards and notices last', async () => {
    const waiting = (what: string, n: number) =>
      `('${what}${n}', '${what}${n}', 'C9', 'C9', '${what}', ${n}, ${n}, 0, 0, 0, 0)`
    const rows = [
      ...Array.from({ length: MAX_OUTBOX_ROWS - 3 }, (_, n) => waiting('card', n)),
      waiting('webhook', 0),
      waiting('reply', 8),
      waiting('reply', 9),
    ]
    await harness.sql(`insert into outbox
      (id, incident_id, channel_id, target, what, created_at, seq, due_at, held_until, attempts, fence) values ${rows.join(', ')}`)
    const left = async () =>
      (await harness.sql(`select id from outbox where what <> 'card' or seq = 0 order by id`)).map(({ id }) => id)
    await put(card)
    expect(await left()).toEqual(['card0', 'reply9', 'webhook0'])
    await put({ ...card, incidentId: 'i2' }, { ...card, incidentId: 'i3' }, { ...card, incidentId: 'i4' })
    expect(await left()).toEqual([])
    expect(await count()).toBe(MAX_OUTBOX_ROWS)
    expect(await store.alerts.acknowledge('i1', { person: 'U1', at: OPENED, entry: entry('alert_acknowledged') })).toBe(
      'acknowledged',
    )
  })
}
