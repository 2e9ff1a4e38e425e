import { describe, expect, it } from 'vitest'
import { NotDelivered } from '../../src/delivery/notifier.ts'
import { CLAIM_MS, OUTBOX_RETENTION_MS } from '../../src/store/outbox/outbox.ts'
import { StoreError } from '../../src/store/schema/store-error.ts'
import { createDeliveryBench, deliverDue } from '../support/delivery-bench.ts'
import { plainAnswer } from '../support/ledger-operations.ts'
import { putNotice } from '../support/notices.ts'
import { forEachTest } from '../support/for-each-test.ts'

const MINUTE_MS = 60_000
const bench = forEachTest(createDeliveryBench)

const put = (recipient: string, text: string) =>
  putNotice(bench.store, { id: text, recipient, message: plainAnswer(text).message })
const waiting = async () => (await bench.store.outbox.claim(100)).map(({ id }) => id)

describe('the order', () => {
  it('within a channel is kept, a second apart, while other channels go on', async () => {
    const { dispatcher } = bench.dispatcherWith()
    await bench.happens()
    await bench.happens({ id: 'i2' })
    await bench.happens({ id: 'i3', channelId: 'C2' })
    expect(await deliverDue(dispatcher)).toBe(2)
    expect(await deliverDue(dispatcher)).toBe(0)
    bench.clock.turn(999)
    expect(await deliverDue(dispatcher)).toBe(0)
    bench.clock.turn(1)
    expect(await deliverDue(dispatcher)).toBe(1)
    expect(bench.board.posted.map(({ channel }) => channel)).toEqual(['C1', 'C2', 'C1'])
  })

  it('is not held up by a channel that does not answer', async () => {
    const { dispatcher } = bench.dispatcherWith()
    const hangs = Promise.withResolvers<void>()
    bench.board.before = (_, channel) => (channel === 'C1' ? hangs.promise : undefined)
    await bench.happens()
    const first = deliverDue(dispatcher)
    await bench.happens({ id: 'i2', channelId: 'C2' })
    await deliverDue(dispatcher)
    expect(bench.board.in('C2')).toHaveLength(1)
    hangs.resolve()
    await first
    expect(bench.board.in('C1')).toHaveLength(1)
  })

  it('is not kept by more than eight messages at once', async () => {
    const { dispatcher } = bench.dispatcherWith()
    for (let n = 0; n < 9; n += 1) await put(`U${n}`, `to ${n}`)
    const hangs = Promise.withResolvers<void>()
    bench.board.before = () => hangs.promise
    const first = deliverDue(dispatcher)
    await expect.poll(() => waiting()).toMatchObject(['to 8'])
    expect(await deliverDue(dispatcher)).toBe(0)
    hangs.resolve()
    expect(await first).toBe(8)
  })

  it('heeds for how long Slack wants to be left alone, at most a minute', async () => {
    const { dispatcher } = bench.dispatcherWith()
    const waits = [7_000, 600_000]
    bench.board.before = () => {
      const retryAfterMs = waits.shift()
      if (retryAfterMs !== undefined) throw new NotDelivered('ratelimited', false, retryAfterMs)
    }
    await bench.happens()
    await deliverDue(dispatcher)
    bench.clock.turn(6_999)
    expect(await deliverDue(dispatcher)).toBe(0)
    bench.clock.turn(1)
    await deliverDue(dispatcher)
    bench.clock.turn(MINUTE_MS)
    await deliverDue(dispatcher)
    expect(bench.board.posted).toHaveLength(1)
  })
})

describe('a message that fails', () => {
  it('by a fault of the program is given up after a few times, aloud', async () => {
    const tries: number[] = []
    const startMs = bench.clock.monotonicMs()
    const words = async () => {
      tries.push((bench.clock.monotonicMs() - startMs) / 1_000)
      throw new TypeError('a bug')
    }
    const { dispatcher, lines } = bench.dispatcherWith({ words })
    await bench.happens()
    for (let passed = 0; passed <= 400; passed += 5) {
      await deliverDue(dispatcher)
      bench.clock.turn(5_000)
    }
    expect([...new Set(tries)]).toEqual([0, 5, 20, 80, 380])
    const [dead, ...others] = await bench.store.outbox.deadPosts()
    expect([dead?.attempts, others]).toEqual([5, []])
    const about = { message: dead?.id, what: 'card', channel: 'C1', incident: 'i1' }
    const sentence = 'a message could not be delivered'
    const tried = { level: 'error', sentence, fields: { ...about, err: new TypeError('a bug') } }
    const reason = 'It failed by a fault of CDN Ops; see the log'
    const given = { level: 'error', sentence: 'a message was given up', fields: { ...about, reason } }
    expect(lines).toEqual([tried, tried, tried, tried, tried, given])
  })

  it('because its incident cannot be read is given up too, and what waits behind it is told', async () => {
    const { store } = bench
    const incident = async (id: string) => {
      if (id === 'i1') throw new StoreError('corrupt')
      return store.alerts.incident(id)
    }
    const { dispatcher } = bench.dispatcherWith({ store: { ...store, alerts: { incident } } })
    await bench.happens()
    await bench.happens({ id: 'i2' })
    for (let round = 0; round < 10; round += 1) {
      await deliverDue(dispatcher)
      bench.clock.turn(2 * MINUTE_MS)
    }
    expect(await store.outbox.deadPosts()).toMatchObject([{ incidentId: 'i1', attempts: 5 }])
    expect(bench.board.posted).toHaveLength(1)
  })

  it('since the store does not answer waits until its claim is over', async () => {
    const { store } = bench
    let failures = 1
    const incident = async (id: string) => {
      if ((failures -= 1) >= 0) throw new StoreError('unreachable')
      return store.alerts.incident(id)
    }
    const { dispatcher, lines } = bench.dispatcherWith({ store: { ...store, alerts: { incident } } })
    await bench.happens()
    await deliverDue(dispatcher)
    bench.clock.turn(CLAIM_MS - 1)
    expect(await deliverDue(dispatcher)).toBe(0)
    bench.clock.turn(1)
    await deliverDue(dispatcher)
    expect(bench.board.posted).toHaveLength(1)
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info'])
  })

  it('is tried for three days and then given up', async () => {
    const { dispatcher } = bench.dispatcherWith()
    bench.board.refusing.set('C1', 'for a while')
    await bench.happens()
    await deliverDue(dispatcher)
    bench.clock.turn(3 * 86_400_000)
    await deliverDue(dispatcher)
    expect(await bench.store.outbox.deadPosts()).toEqual([])
    bench.clock.turn(15_000)
    await deliverDue(dispatcher)
    const reason = 'Not taken for days by Slack: ratelimited'
    expect(await bench.store.outbox.deadPosts()).toMatchObject([{ reason }])
  })
})

describe('a notice', () => {
  it('is delivered once, in the order of its recipient, a person beside a channel', async () => {
    const { dispatcher } = bench.dispatcherWith()
    for (const text of ['one', 'two', 'three']) await put('UADA', text)
    await bench.happens()
    await put('C1', 'after the card')
    await bench.all(dispatcher)
    bench.clock.turn(CLAIM_MS)
    await bench.all(dispatcher)
    expect(bench.board.in('UADA')).toEqual(['one', 'two', 'three'])
    expect(bench.board.in('C1')).toEqual([expect.stringContaining('first'), 'after the card'])
  })

  it('is tried again after 5, 15 and 30 seconds, and then every minute, for three days', async () => {
    const { dispatcher, lines } = bench.dispatcherWith()
    await put('UADA', 'hard to tell')
    await put('UADA', 'behind it')
    const tries: number[] = []
    const startMs = bench.clock.monotonicMs()
    bench.board.before = () => {
      tries.push((bench.clock.monotonicMs() - startMs) / 1_000)
      throw new NotDelivered('ratelimited', false)
    }
    for (let passed = 0; passed <= 170; passed += 5) {
      await deliverDue(dispatcher)
      bench.clock.turn(5_000)
    }
    expect(tries).toEqual([0, 5, 20, 50, 110, 170])
    bench.clock.turn(OUTBOX_RETENTION_MS)
    await deliverDue(dispatcher)
    const about = { message: 'hard to tell', what: 'notice', channel: 'UADA', incident: undefined }
    const sentence = 'Slack did not take a message: it is tried again'
    expect(lines[0]).toEqual({ level: 'warn', sentence, fields: { ...about, reason: 'ratelimited' } })
    const reason = 'Not taken for days by Slack: ratelimited'
    expect(lines.at(-1)).toMatchObject({ sentence: 'a message was given up', fields: { ...about, reason } })
    bench.board.before = () => undefined
    await bench.all(dispatcher)
    bench.clock.turn(1_000)
    await bench.all(dispatcher)
    expect(bench.board.in('UADA')).toEqual(['behind it'])
  })

  it('that can never be delivered is given up at once, aloud, and holds up nothing', async () => {
    const { dispatcher, lines } = bench.dispatcherWith()
    bench.board.refusing.set('UGONE', 'for good')
    await put('UGONE', 'for nobody')
    await put('UADA', 'for Ada')
    await bench.all(dispatcher)
    expect(bench.board.in('UADA')).toEqual(['for Ada'])
    const about = { channel: 'UGONE', reason: 'Slack will never take it: is_archived' }
    expect(lines).toMatchObject([{ level: 'error', fields: about }])
    bench.clock.turn(CLAIM_MS)
    expect(await waiting()).toEqual([])
    // Only what was told of incidents is listed to people.
    expect(await bench.store.outbox.deadPosts()).toEqual([])
  })

  it('that Slack refuses for what it says is given up at once', async () => {
    const codes = ['msg_too_long', 'invalid_blocks', 'invalid_blocks_format', 'invalid_arguments', 'invalid_charset']
    codes.push('invalid_form_data', 'no_text', 'thread_not_found', 'message_not_found', 'cannot_reply_to_message')
    codes.push('restricted_action_non_threadable_channel', 'restricted_action_thread_locked')
    const { dispatcher, lines } = bench.dispatcherWith()
    bench.board.before = (_, channel) => {
      throw new NotDelivered(channel, false)
    }
    for (const code of codes) await put(code, code)
    await bench.all(dispatcher)
    const reasons = lines.map(({ fields }) => String(fields['reason']))
    expect(reasons.toSorted()).toEqual(codes.map((code) => `Slack refuses it as it is: ${code}`).toSorted())
  })

  it('that is not permitted is tried until it is, and what may be told there goes on', async () => {
    const { dispatcher } = bench.dispatcherWith()
    bench.board.before = () => {
      bench.board.before = () => undefined
      throw new NotDelivered('restricted_action', 'until permitted')
    }
    await put('C1', 'permitted at last')
    await put('C1', 'behind it')
    await bench.all(dispatcher)
    bench.clock.turn(CLAIM_MS)
    await bench.all(dispatcher)
    expect(bench.board.in('C1')).toEqual(['behind it', 'permitted at last'])
  })

  it('that ends in a bug is tried for three days, and holds up nothing', async () => {
    const { dispatcher, lines } = bench.dispatcherWith()
    await put('UADA', 'broken')
    await put('UADA', 'whole')
    let tries = 0
    bench.board.before = () => {
      tries += 1
      if (tries !== 2) throw new TypeError('a bug')
    }
    await bench.all(dispatcher)
    expect(bench.board.in('UADA')).toEqual(['whole'])
    expect(lines).toMatchObject([{ level: 'error', fields: { message: 'broken', err: new TypeError('a bug') } }])
    for (let round = 0; round < 20; round += 1) {
      bench.clock.turn(6 * MINUTE_MS)
      await deliverDue(dispatcher)
    }
    expect(tries).toBe(22)
    bench.clock.turn(OUTBOX_RETENTION_MS)
    await deliverDue(dispatcher)
    expect(lines.at(-1)).toMatchObject({ sentence: 'a message was given up' })
    bench.clock.turn(OUTBOX_RETENTION_MS)
    expect(await waiting()).toEqual([])
  })

  it('is not repeated where only its note failed, and that the store fails is said once', async () => {
    await put('UADA', 'told')
    const { dispatcher, lines } = bench.dispatcherWith()
    const { outbox } = bench.store
    const [delivered, claim] = [outbox.delivered.bind(outbox), outbox.claim.bind(outbox)]
    const failure = new StoreError('unreachable')
    outbox.delivered = () => Promise.reject(failure)
    await deliverDue(dispatcher)
    outbox.claim = () => Promise.reject(failure)
    expect(await deliverDue(dispatcher)).toBe(0)
    Object.assign(outbox, { delivered, claim })
    bench.clock.turn(CLAIM_MS)
    await bench.all(dispatcher)
    bench.clock.turn(CLAIM_MS)
    expect([bench.board.in('UADA'), await waiting()]).toEqual([['told'], []])
    const sentence = 'the store does not answer: messages are delivered later'
    const again = 'the store answers again: messages are delivered'
    expect(lines).toEqual([
      { level: 'warn', sentence, fields: { err: failure } },
      { level: 'info', sentence: again, fields: {} },
    ])
  })

  it('is repeated where the notes of a thousand others failed after its own', async () => {
    const { outbox } = bench.store
    const { dispatcher } = bench.dispatcherWith()
    const delivered = outbox.delivered.bind(outbox)
    outbox.delivered = () => Promise.reject(new StoreError('unreachable'))
    for (let n = 0; n <= 1_000; n += 1) await put(`U${n}`, `${n}`)
    while ((await deliverDue(dispatcher)) > 0);
    outbox.delivered = delivered
    bench.clock.turn(CLAIM_MS)
    while ((await deliverDue(dispatcher)) > 0);
    expect([bench.board.in('U0'), bench.board.in('U1'), bench.board.posted.length]).toEqual([['0', '0'], ['1'], 1_002])
  })

  it('is repeated after a crash between telling and noting, once its claim is over', async () => {
    await put('UADA', 'told')
    const { outbox } = bench.store
    const delivered = outbox.delivered.bind(outbox)
    outbox.delivered = () => Promise.reject(new StoreError('unreachable'))
    await deliverDue(bench.dispatcherWith().dispatcher)
    outbox.delivered = delivered
    const { dispatcher } = bench.dispatcherWith()
    await bench.all(dispatcher)
    expect(bench.board.in('UADA')).toEqual(['told'])
    bench.clock.turn(CLAIM_MS)
    await bench.all(dispatcher)
    bench.clock.turn(CLAIM_MS)
    await bench.all(dispatcher)
    expect(bench.board.in('UADA')).toEqual(['told', 'told'])
  })
})

describe('while the dispatcher runs', () => {
  it('a bug in what it asks for is in the log, and the next look goes on', async () => {
    await put('UADA', 'told')
    const { dispatcher, lines } = bench.dispatcherWith()
    const { outbox } = bench.store
    const claim = outbox.claim.bind(outbox)
    outbox.claim = () => Promise.reject(new TypeError('a bug'))
    expect(await deliverDue(dispatcher)).toBe(0)
    outbox.claim = claim
    await bench.all(dispatcher)
    expect(bench.board.in('UADA')).toEqual(['told'])
    const fields = { err: new TypeError('a bug') }
    expect(lines).toEqual([{ level: 'error', sentence: 'delivering a message failed', fields }])
  })

  it('what is put is posted at once', async () => {
    const { dispatcher } = bench.dispatcherWith()
    const stopping = new AbortController()
    const running = dispatcher.run(stopping.signal)
    await expect.poll(() => bench.clock.timers).toBe(1)
    await bench.happens()
    await expect.poll(() => bench.board.in('C1')).toHaveLength(1)
    stopping.abort()
    await running
  })

  it('what waits for a channel that rests, or for another try, keeps it looking each second', async () => {
    const { dispatcher } = bench.dispatcherWith()
    bench.board.refusing.set('C1', 'for a while')
    await bench.happens()
    const stopping = new AbortController()
    const running = dispatcher.run(stopping.signal)
    await expect.poll(() => bench.clock.timers).toBe(1)
    await expect.poll(async () => (await bench.store.outbox.waitingPosts()).count).toBe(1)
    bench.board.refusing.clear()
    for (let second = 0; second < 60 && bench.board.in('C1').length === 0; second += 1) {
      bench.clock.turn(1_000)
      await expect.poll(() => bench.clock.timers).toBe(1)
    }
    expect(bench.board.in('C1')).toHaveLength(1)
    stopping.abort()
    await running
  })

  it('what falls due is posted at once when somebody says so, and a stop ends what is under way', async () => {
    const { dispatcher } = bench.dispatcherWith()
    const stopping = new AbortController()
    const posting = Promise.withResolvers<void>()
    const hangs = Promise.withResolvers<void>()
    bench.board.before = () => {
      posting.resolve()
      return hangs.promise
    }
    const running = dispatcher.run(stopping.signal)
    await bench.happens()
    await posting.promise
    stopping.abort()
    const ended = running.then(() => 'ended')
    expect(await Promise.race([ended, bench.store.check().then(() => 'goes on')])).toBe('goes on')
    hangs.resolve()
    await running
    expect(await bench.incident()).toMatchObject({ messageTs: '1.0' })
  })
})
