import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NotDelivered } from '../../src/alerts/notifier.ts'
import { NOTICE_RETENTION_MS, TAKEN_MS } from '../../src/store/notices.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { type Bench, createBench } from '../support/execution-bench.ts'
import { plainAnswer } from '../support/ledger-operations.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const put = (recipient: string, text: string) =>
  bench.store.notices.put({ id: text, recipient, message: plainAnswer(text).message })

describe('the courier', () => {
  it('delivers what waits, the oldest first, once', async () => {
    for (const text of ['one', 'two', 'three']) {
      await put('UADA', text)
      bench.clock.turn(1)
    }
    await bench.courier.deliver()
    await bench.courier.deliver()
    bench.clock.turn(TAKEN_MS)
    await bench.courier.deliver()
    expect(bench.board.in('UADA')).toEqual(['one', 'two', 'three'])
  })

  it('tries again after 10 s, 1, 5 and 15 minutes, and then every 15', async () => {
    await put('UADA', 'hard to tell')
    const tries: number[] = []
    const startMs = bench.clock.monotonicMs()
    bench.board.before = () => {
      tries.push((bench.clock.monotonicMs() - startMs) / 1_000)
      throw new NotDelivered('ratelimited', false)
    }
    for (let second = 0; second <= 2_200; second += 10) {
      await bench.courier.deliver()
      bench.clock.turn(10_000)
    }
    expect(tries).toEqual([0, 10, 70, 370, 1_270, 2_170])
  })

  it('waits as long as Slack asks for', async () => {
    await put('UADA', 'later')
    bench.board.before = () => {
      throw new NotDelivered('ratelimited', false, 45_000)
    }
    await bench.courier.deliver()
    bench.board.before = () => undefined
    bench.clock.turn(44_999)
    await bench.courier.deliver()
    expect(bench.board.posted).toEqual([])
    bench.clock.turn(1)
    await bench.courier.deliver()
    expect(bench.board.in('UADA')).toEqual(['later'])
  })

  it('gives up aloud what can never be delivered, and goes on with the rest', async () => {
    bench.board.refusing.set('UGONE', 'for good')
    await put('UGONE', 'for nobody')
    await put('UADA', 'for Ada')
    await bench.courier.deliver()
    expect(bench.board.in('UADA')).toEqual(['for Ada'])
    expect(bench.log).toMatchObject([{ level: 'error', fields: { recipient: 'UGONE', reason: 'is_archived' } }])
    bench.clock.turn(NOTICE_RETENTION_MS)
    await bench.courier.deliver()
    expect(bench.log).toHaveLength(1)
  })

  it('goes on trying while the app lacks a right that it can be given again', async () => {
    await put('UADA', 'permitted at last')
    bench.board.before = () => {
      throw new NotDelivered('missing_scope', 'until permitted')
    }
    await bench.courier.deliver()
    bench.board.before = () => undefined
    bench.clock.turn(TAKEN_MS)
    await bench.courier.deliver()
    expect(bench.board.in('UADA')).toEqual(['permitted at last'])
  })

  it('gives up aloud what Slack has not taken for three days', async () => {
    bench.board.refusing.set('UADA', 'for a while')
    await put('UADA', 'too late')
    await bench.courier.deliver()
    bench.clock.turn(NOTICE_RETENTION_MS)
    await bench.courier.deliver()
    expect(bench.log.at(-1)).toMatchObject({ level: 'error', fields: { notice: 'too late', recipient: 'UADA' } })
    bench.board.refusing.clear()
    bench.clock.turn(TAKEN_MS)
    await bench.courier.deliver()
    expect(bench.board.posted).toEqual([])
  })

  it('does not let one that ends in a bug hold up the others', async () => {
    await put('UADA', 'broken')
    bench.clock.turn(1)
    await put('UBEN', 'whole')
    bench.board.before = (_, recipient) => {
      if (recipient === 'UADA') throw new TypeError('a bug')
    }
    await bench.courier.deliver()
    expect(bench.board.in('UBEN')).toEqual(['whole'])
    expect(bench.log.at(-1)).toMatchObject({
      level: 'error',
      fields: { notice: 'broken', err: new TypeError('a bug') },
    })
  })

  it('ends its round when the store fails', async () => {
    await put('UADA', 'told')
    bench.store.notices.delivered = () => Promise.reject(new StoreError('locked'))
    await expect(bench.courier.deliver()).rejects.toMatchObject({ kind: 'locked' })
  })

  it('repeats after a crash between telling and noting, once its minute is over', async () => {
    await put('UADA', 'told')
    const { notices } = bench.store
    const delivered = notices.delivered.bind(notices)
    notices.delivered = () => Promise.reject(new StoreError('unreachable'))
    await expect(bench.courier.deliver()).rejects.toMatchObject({ kind: 'unreachable' })
    notices.delivered = delivered
    await bench.courier.deliver()
    expect(bench.board.in('UADA')).toEqual(['told'])
    bench.clock.turn(TAKEN_MS)
    await bench.courier.deliver()
    await bench.courier.deliver()
    expect(bench.board.in('UADA')).toEqual(['told', 'told'])
  })

  it('stops delivering before somebody else may take the same', async () => {
    for (const text of ['one', 'two', 'three', 'four']) {
      await put('UADA', text)
      bench.clock.turn(1)
    }
    bench.board.before = () => bench.clock.turn(15_000)
    await bench.courier.deliver()
    expect(bench.board.in('UADA')).toEqual(['one', 'two', 'three'])
    bench.clock.turn(TAKEN_MS - 45_000)
    await bench.courier.deliver()
    expect(bench.board.in('UADA')).toEqual(['one', 'two', 'three', 'four'])
  })

  it('ends after the one under way when the bot stops', async () => {
    await put('UADA', 'one')
    bench.clock.turn(1)
    await put('UADA', 'two')
    const stopping = new AbortController()
    bench.board.before = () => stopping.abort()
    await bench.courier.deliver(stopping.signal)
    expect(bench.board.in('UADA')).toEqual(['one'])
  })
})
