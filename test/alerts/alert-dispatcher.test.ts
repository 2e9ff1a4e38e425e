import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ReplyBody } from '../../src/alerts/incident-reply.ts'
import { NotDelivered } from '../../src/alerts/notifier.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { createDeliveryBench, type DeliveryBench } from '../support/delivery-bench.ts'
import { sampleAlert } from '../support/sample-incident.ts'

const MINUTE_MS = 60_000
let bench: DeliveryBench
beforeEach(async () => {
  bench = await createDeliveryBench()
})
afterEach(() => bench.close())

const replying = (broadcast = false): { readonly what: 'reply'; readonly body: ReplyBody } => ({
  what: 'reply',
  body: { kind: 'worse', alert: sampleAlert(), broadcast },
})

describe('the message about an incident', () => {
  it('is posted, noted with its place, and edited when the incident moves on', async () => {
    const { dispatcher } = bench.dispatcherWith()
    await bench.happens()
    await bench.all(dispatcher)
    expect(await bench.incident()).toMatchObject({ messageTs: '1.0', shownRevision: 1 })
    await bench.happens({ sentence: 'second' })
    await bench.all(dispatcher)
    expect(bench.board.posted).toHaveLength(1)
    expect(bench.board.posted[0]?.texts.map((text) => /first|second/.exec(text)?.[0])).toEqual(['first', 'second'])
    expect((await bench.store.alertPosts.waiting()).count).toBe(0)
  })

  it('shows the newest state, however many were to be told, after Slack was away for hours', async () => {
    const { dispatcher } = bench.dispatcherWith()
    bench.board.refusing.set('C1', 'for a while')
    await bench.happens()
    await bench.all(dispatcher)
    for (let round = 0; round < 24; round += 1) {
      bench.clock.turn(5 * MINUTE_MS)
      await bench.happens({ sentence: `after ${round}`, ...(round === 23 && { endedAt: bench.clock.now() }) })
      await bench.all(dispatcher)
    }
    bench.board.refusing.clear()
    bench.clock.turn(MINUTE_MS)
    await bench.all(dispatcher)
    expect(bench.board.posted).toHaveLength(1)
    expect(bench.board.in('C1')[0]).toMatch(/^✅|after 23/)
  })

  it('that is gone is posted anew', async () => {
    const { dispatcher } = bench.dispatcherWith()
    await bench.happens()
    await bench.all(dispatcher)
    bench.board.clear('C1')
    await bench.happens({ sentence: 'second' })
    await bench.all(dispatcher)
    expect(bench.board.in('C1')).toEqual([expect.stringContaining('second')])
    expect(await bench.incident()).toMatchObject({ messageTs: '2.0' })
  })

  it('shows what happened while it was being posted', async () => {
    const { dispatcher } = bench.dispatcherWith()
    await bench.happens()
    bench.board.before = async () => {
      bench.board.before = () => undefined
      await bench.happens({ sentence: 'meanwhile' })
    }
    await bench.all(dispatcher)
    expect(bench.board.posted).toHaveLength(1)
    expect(bench.board.in('C1')).toEqual([expect.stringContaining('meanwhile')])
  })

  it('that Slack has taken is not repeated because the store failed then', async () => {
    await bench.happens()
    const posted = bench.store.alertPosts.posted.bind(bench.store.alertPosts)
    let failures = 1
    bench.store.alertPosts.posted = async (...given) => {
      failures -= 1
      if (failures >= 0) throw new StoreError('locked')
      return posted(...given)
    }
    const { dispatcher, lines } = bench.dispatcherWith()
    await bench.all(dispatcher)
    bench.clock.turn(2 * MINUTE_MS)
    await bench.all(dispatcher)
    expect(bench.board.posted).toHaveLength(1)
    expect(await bench.incident()).toMatchObject({ messageTs: '1.0' })
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info'])
  })
})

describe('the order', () => {
  it('within a channel is kept, a second apart, while other channels go on', async () => {
    const { dispatcher } = bench.dispatcherWith()
    await bench.happens()
    await bench.happens({ id: 'i2' })
    await bench.happens({ id: 'i3', channelId: 'C2' })
    expect(await dispatcher.deliverDue()).toBe(2)
    expect(await dispatcher.deliverDue()).toBe(0)
    bench.clock.turn(999)
    expect(await dispatcher.deliverDue()).toBe(0)
    bench.clock.turn(1)
    expect(await dispatcher.deliverDue()).toBe(1)
    expect(bench.board.posted.map(({ channel }) => channel)).toEqual(['C1', 'C2', 'C1'])
  })

  it('is not held up by a channel that does not answer', async () => {
    const { dispatcher } = bench.dispatcherWith()
    const hangs = Promise.withResolvers<void>()
    bench.board.before = (_, channel) => (channel === 'C1' ? hangs.promise : undefined)
    await bench.happens()
    const first = dispatcher.deliverDue()
    await bench.happens({ id: 'i2', channelId: 'C2' })
    await dispatcher.deliverDue()
    expect(bench.board.in('C2')).toHaveLength(1)
    hangs.resolve()
    await first
    expect(bench.board.in('C1')).toHaveLength(1)
  })

  it('heeds for how long Slack wants to be left alone, at most a minute', async () => {
    const { dispatcher } = bench.dispatcherWith()
    const waits = [7_000, 600_000]
    bench.board.before = () => {
      const retryAfterMs = waits.shift()
      if (retryAfterMs !== undefined) throw new NotDelivered('ratelimited', false, retryAfterMs)
    }
    await bench.happens()
    await dispatcher.deliverDue()
    bench.clock.turn(6_999)
    expect(await dispatcher.deliverDue()).toBe(0)
    bench.clock.turn(1)
    await dispatcher.deliverDue()
    bench.clock.turn(MINUTE_MS)
    await dispatcher.deliverDue()
    expect(bench.board.posted).toHaveLength(1)
  })
})

describe('a reply', () => {
  it('goes into the thread, and into the channel where that is wanted', async () => {
    const { dispatcher } = bench.dispatcherWith()
    await bench.happens()
    await bench.all(dispatcher)
    await bench.happens(replying(true))
    await bench.all(dispatcher)
    expect(bench.board.posted[1]).toMatchObject({ thread: '1.0', broadcast: true })
    expect(bench.board.posted[1]?.message.text).toContain('has become worse')
  })

  it('from before the message was there is left out: the message says it', async () => {
    const { dispatcher } = bench.dispatcherWith()
    bench.board.refusing.set('C1', 'for a while')
    await bench.happens()
    await bench.all(dispatcher)
    await bench.happens(replying())
    bench.board.refusing.clear()
    bench.clock.turn(MINUTE_MS)
    await bench.all(dispatcher)
    expect(bench.board.posted.map(({ thread }) => thread)).toEqual([undefined])
  })

  it('to what happened while the message was being posted is told: the message does not say it', async () => {
    const { dispatcher } = bench.dispatcherWith()
    let happened: Promise<void> | undefined
    bench.board.before = async () => {
      await (happened ??= bench.happens({ sentence: 'worse', ...replying(true) }))
      bench.clock.turn(1_000)
    }
    await bench.happens()
    await bench.all(dispatcher)
    expect(bench.board.posted.map(({ thread, broadcast }) => [thread, broadcast])).toEqual([
      [undefined, undefined],
      ['1.0', true],
    ])
  })

  it('that Slack refuses to put there holds up nothing', async () => {
    const { dispatcher } = bench.dispatcherWith()
    await bench.happens()
    await bench.all(dispatcher)
    bench.board.before = (what) => {
      if (what === 'reply') throw new NotDelivered('thread_not_found', false)
    }
    await bench.happens({ ...replying() })
    await bench.happens({ id: 'i2' })
    await bench.all(dispatcher)
    expect(bench.board.posted).toHaveLength(2)
    expect(await bench.store.alertPosts.dead(9)).toMatchObject([{ what: 'reply' }])
  })

  it('that nothing can be under, or of half an hour ago, is left out', async () => {
    const { dispatcher } = bench.dispatcherWith()
    await bench.happens(replying())
    bench.clock.turn(1_000)
    await bench.happens()
    await bench.all(dispatcher)
    await bench.happens(replying())
    bench.clock.turn(31 * MINUTE_MS)
    await bench.all(dispatcher)
    expect(bench.board.posted.filter(({ thread }) => thread !== undefined)).toEqual([])
    expect((await bench.store.alertPosts.waiting()).count).toBe(0)
  })
})
