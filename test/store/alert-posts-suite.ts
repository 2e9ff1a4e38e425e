import { beforeEach, expect, test } from 'vitest'
import { MAX_ALERT_POSTS, MAX_DEAD_ALERT_POSTS, POST_TAKEN_MS, WEBHOOK_LINE } from '../../src/store/alert-posts.ts'
import { DEAD_POST_RETENTION_MS, type NewAlertPost } from '../../src/store/alert-records.ts'
import type { Store } from '../../src/store/store.ts'
import { OPENED, incident, look, newPost, told } from './alert-fixtures.ts'
import { type StoreHarness, entry } from './harness.ts'

/** What waits to be told about incidents, on any engine. */
export function alertPostsSuite(harness: () => StoreHarness): void {
  let store: Store
  beforeEach(async () => {
    store = await harness().open()
    await look(store, harness().clock, { incidents: [incident('i1'), incident('i2', { channelId: 'C2' })] })
  })
  const put = (...posts: Partial<NewAlertPost>[]) =>
    look(store, harness().clock, { posts: posts.map((post) => newPost(harness().clock, post)) })
  const change = (...posts: Partial<NewAlertPost>[]) =>
    look(store, harness().clock, {
      incidents: [incident('i1')],
      posts: posts.map((post) => newPost(harness().clock, post)),
    })
  const take = (limit = 9) => store.alertPosts.take(limit)
  const inMs = (milliseconds: number) => ({ dueAt: new Date(harness().clock.now().getTime() + milliseconds) })
  /** As if so much time had passed: the clock of a server cannot be turned. */
  const pass = (ms: number) =>
    harness().sql(`update alert_posts
      set due_at = due_at - ${ms}, held_until = held_until - ${ms}, again_at = again_at - ${ms}`)
  const count = async () => (await store.alertPosts.waiting()).count
  const card = { what: 'card' } as const
  const shown = (revision: number) => ({ revision, at: OPENED, messageTs: `${revision}.1` })

  test('posts of a channel come one at a time, in the order they were made, each until it is told', async () => {
    await put({ body: 'a' }, { body: 'b' }, { body: 'c' }, { body: 'x', incidentId: 'i2', channelId: 'C2' })
    const [a, x, ...none] = await take()
    expect(none).toEqual([])
    expect(a).toMatchObject({ body: 'a', incidentId: 'i1', channelId: 'C1', what: 'reply', attempts: 1 })
    expect(told([x!])).toEqual(['x'])
    expect(await take()).toEqual([])
    await store.alertPosts.posted(a!)
    const [b] = await take()
    await store.alertPosts.posted(b!)
    expect(told([b!, ...(await take())])).toEqual(['b', 'c'])
    expect(await count()).toBe(2)
  })

  test('who takes a post has it for a minute, and its channel waits; then it is anybody’s', async () => {
    await put({ body: 'a' }, { body: 'b' })
    await take()
    await pass(POST_TAKEN_MS - 10_000)
    expect(await take()).toEqual([])
    await pass(10_000)
    expect(await take()).toMatchObject([{ body: 'a', attempts: 2 }])
  })

  test('what waits far ahead of the clock, since that was put back, is due at once', async () => {
    await put({ body: 'a' }, { body: 'b' }, { body: 'x', channelId: 'C2', ...inMs(30_000) })
    await take()
    await pass(-3_600_000)
    expect(told(await take())).toEqual(['a', 'x'])
    expect(await take()).toEqual([])
  })

  test('of many who take at once, no two get the same', async () => {
    await put(...Array.from({ length: 30 }, (_, n) => ({ channelId: `C${n}`, body: n })))
    const taken = await Promise.all(Array.from({ length: 6 }, () => take(7)))
    const ids = taken.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length + (await take(100)).length).toBe(30)
  })

  test('a post that is not due holds up nothing but replies about its own incident', async () => {
    await put({ ...card, ...inMs(30_000) }, { body: 'a' }, { incidentId: 'i3', body: 'other' })
    expect(told(await take())).toEqual(['other'])
    await pass(30_000)
    expect(await take()).toEqual([])
    await pass(30_000)
    expect(told(await take())).toEqual(['card i1'])
  })

  test('a reply goes after the card that came with it, and before a later one', async () => {
    await put({ body: 'a' }, card)
    const [first] = await take()
    expect(told([first!])).toEqual(['card i1'])
    await store.alertPosts.posted(first!, shown(1))
    await harness().sql('update alert_posts set created_at = created_at - 10')
    await put(card)
    expect(told(await take())).toEqual(['a'])
  })

  test('cards that wait become one, which is due at the earlier time', async () => {
    await put({ ...card, ...inMs(30_000) })
    await put({ ...card, ...inMs(10_000) })
    await put({ ...card, ...inMs(20_000) })
    expect(await count()).toBe(1)
    await pass(9_000)
    expect(await take()).toEqual([])
    await pass(1_000)
    expect(told(await take())).toEqual(['card i1'])
  })

  test('what has moved on while its card was being told is told once more, when that is due', async () => {
    await put(card)
    const [first] = await take()
    await change({ ...card, ...inMs(40_000) })
    await change({ ...card, ...inMs(30_000) })
    await store.alertPosts.posted(first!, shown(1))
    expect(await store.alerts.incident('i1')).toMatchObject({ shownRevision: 1, revision: 3, messageTs: '1.1' })
    await pass(29_000)
    expect(await take()).toEqual([])
    await pass(1_000)
    const [again] = await take()
    expect(again).toMatchObject({ what: 'card', attempts: 1 })
    await store.alertPosts.posted(again!, { revision: 3, at: new Date(0) })
    const told = { shownRevision: 3, messageTs: '1.1', postedAt: OPENED }
    expect(await store.alerts.incident('i1')).toMatchObject(told)
    expect(await count()).toBe(0)
    await store.alertPosts.posted(again!, shown(2))
    expect(await store.alerts.incident('i1')).toMatchObject(told)
  })

  test('what was made before a card waits once more goes first', async () => {
    await put(card)
    const [first] = await take()
    await change(card, { body: 'a' })
    await harness().sql('update alert_posts set created_at = created_at - 10')
    await store.alertPosts.posted(first!, shown(1))
    expect(told(await take())).toEqual(['a'])
  })

  test('a card that need not be told goes, unless it was asked for again meanwhile', async () => {
    await put(card)
    const [first] = await take()
    await change(card)
    await store.alertPosts.posted(first!)
    const [second] = await take()
    expect(told([second!])).toEqual(['card i1'])
    await store.alertPosts.posted(second!)
    expect(await count()).toBe(0)
  })

  test('a slow one that shows less than was shown takes nothing back', async () => {
    await put(card)
    const [slow] = await take()
    await pass(POST_TAKEN_MS)
    await change(card)
    const [quick] = await take()
    await store.alertPosts.posted(quick!, shown(2))
    await change(card)
    await store.alertPosts.posted(slow!, shown(1))
    expect(await store.alerts.incident('i1')).toMatchObject({ shownRevision: 2, messageTs: '2.1' })
    expect(told(await take())).toEqual(['card i1'])
  })

  test('what is put off holds its channel, however urgent the next is', async () => {
    await put({ body: 'a' }, { body: 'b' })
    const [a] = await take()
    await store.alertPosts.postpone(a!.id, 30_000)
    await pass(29_000)
    expect(await take()).toEqual([])
    await pass(1_000)
    expect(told(await take())).toEqual(['a'])
  })

  test('webhooks have one line of their own, and lines that rest are left out', async () => {
    const webhook = { what: 'webhook' } as const
    await put({ ...webhook, body: 'w' }, { ...webhook, channelId: 'C2', body: 'w2' }, { body: 'a' })
    expect(await store.alertPosts.take(9, ['C1', WEBHOOK_LINE])).toEqual([])
    expect(told(await store.alertPosts.take(9, ['C1']))).toEqual(['w'])
    expect(told(await take())).toEqual(['a'])
  })

  test('what is given up is kept for a week with its reason, the last first', async () => {
    await put({ body: { text: 'Ü' } }, { channelId: 'C2', body: 'b' })
    const [a, b] = await take()
    await store.alertPosts.bury(a!.id, 'channel_not_found')
    await harness().sql('update dead_alert_posts set dead_at = dead_at - 5')
    await store.alertPosts.bury(b!.id, 'is_archived')
    await store.alertPosts.bury(b!.id, 'again')
    const dead = await store.alertPosts.dead(9)
    expect(dead).toMatchObject([{ reason: 'is_archived' }, { ...a, reason: 'channel_not_found' }])
    expect(await count()).toBe(0)
    await store.prune(new Date(dead[1]!.deadAt.getTime() + DEAD_POST_RETENTION_MS))
    expect(await store.alertPosts.dead(9)).toEqual([dead[0]])
    const rows = Array.from(
      { length: MAX_DEAD_ALERT_POSTS },
      (_, n) => `('n${n}', 'i1', 'C1', 'card', 1, 1, 1, ${n}, '')`,
    )
    await harness().sql(`insert into dead_alert_posts
      (id, incident_id, channel_id, what, created_at, due_at, attempts, dead_at, reason) values ${rows.join(', ')}`)
    await put({})
    await store.alertPosts.bury((await take())[0]!.id, 'x')
    expect(await harness().sql('select count(*) as n from dead_alert_posts')).toEqual([{ n: MAX_DEAD_ALERT_POSTS }])
    expect(await harness().sql(`select id from dead_alert_posts where id in ('n0', 'n1', 'n2')`)).toEqual([
      { id: 'n2' },
    ])
  })

  test('it says how much waits, and since when', async () => {
    expect(await store.alertPosts.waiting()).toEqual({ count: 0, oldest: undefined })
    await put({ body: 'a' }, { body: 'b', ...inMs(60_000) })
    const [first] = await take()
    expect(await store.alertPosts.waiting()).toEqual({ count: 2, oldest: first?.createdAt })
  })

  test('when too much waits, the oldest replies make room, then webhooks, and cards last', async () => {
    const waiting = (what: string, n: number) => `('${what}${n}', '${what}${n}', 'C9', '${what}', ${n}, ${n}, 0, 0, 0)`
    const rows = [
      ...Array.from({ length: MAX_ALERT_POSTS - 3 }, (_, n) => waiting('card', n)),
      waiting('webhook', 0),
      waiting('reply', 8),
      waiting('reply', 9),
    ]
    await harness().sql(`insert into alert_posts
      (id, incident_id, channel_id, what, created_at, seq, due_at, held_until, attempts) values ${rows.join(', ')}`)
    const left = async () =>
      (await harness().sql(`select id from alert_posts where what <> 'card' or seq = 0 order by id`)).map(
        ({ id }) => id,
      )
    await put(card)
    expect(await left()).toEqual(['card0', 'reply9', 'webhook0'])
    await put({ ...card, incidentId: 'i2' }, { ...card, incidentId: 'i3' }, { ...card, incidentId: 'i4' })
    expect(await left()).toEqual([])
    expect(await count()).toBe(MAX_ALERT_POSTS)
    expect(await store.alerts.acknowledge('i1', 'U1', OPENED, entry('alert_acknowledged'))).toBe('acknowledged')
  })
}
