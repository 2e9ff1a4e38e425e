import { describe, expect, it } from 'vitest'
import type { ReplyBody } from '../../../src/alerts/incidents/incident-reply.ts'
import { NotDelivered } from '../../../src/delivery/notifier.ts'
import type { Clock } from '../../../src/shared/clock.ts'
import { StoreError } from '../../../src/store/schema/store-error.ts'
import { createDeliveryBench } from '../../support/delivery-bench.ts'
import { sampleAlert } from '../../support/sample-incident.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const MINUTE_MS = 60_000
const bench = forEachTest(createDeliveryBench)

const replying = (broadcast = false): { readonly what: 'reply'; readonly body: ReplyBody } => ({
  what: 'reply',
  body: { kind: 'worse', alert: sampleAlert(), broadcast },
})

/** An incident of which the message is there. */
async function opened(changes: Parameters<typeof bench.dispatcherWith>[0] = {}) {
  const { dispatcher } = bench.dispatcherWith(changes)
  await bench.happens()
  await bench.all(dispatcher)
  return dispatcher
}

describe('the message about an incident', () => {
  it('is posted, noted with its place, and edited when the incident moves on', async () => {
    const dispatcher = await opened()
    expect(await bench.incident()).toMatchObject({ messageTs: '1.0', shownRevision: 1 })
    await bench.happens({ sentence: 'second' })
    await bench.all(dispatcher)
    expect(bench.board.posted).toHaveLength(1)
    expect(bench.board.posted[0]?.texts.map((text) => /first|second/.exec(text)?.[0])).toEqual(['first', 'second'])
    expect((await bench.store.outbox.waitingPosts()).count).toBe(0)
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
    const dispatcher = await opened()
    bench.board.clear('C1')
    await bench.happens({ sentence: 'second' })
    await bench.all(dispatcher)
    expect(bench.board.in('C1')).toEqual([expect.stringContaining('second')])
    expect(await bench.incident()).toMatchObject({ messageTs: '2.0' })
  })

  it('is not posted any more once the incident is deleted, and holds up nothing', async () => {
    await bench.happens({ endedAt: new Date(0) })
    await bench.store.prune(bench.clock.now())
    await bench.happens({ id: 'i2' })
    const { dispatcher, lines } = bench.dispatcherWith()
    await bench.all(dispatcher)
    expect([bench.board.posted.length, lines, (await bench.store.outbox.waitingPosts()).count]).toEqual([1, [], 0])
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
    const posted = bench.store.outbox.delivered.bind(bench.store.outbox)
    let failures = 1
    bench.store.outbox.delivered = async (...given) => {
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

describe('a reply', () => {
  it('goes into the thread, and into the channel where that is wanted', async () => {
    const dispatcher = await opened()
    await bench.happens(replying(true))
    await bench.all(dispatcher)
    expect(bench.board.posted[1]).toMatchObject({ thread: '1.0', broadcast: true })
    expect(bench.board.posted[1]?.message.text).toContain('shop-web is worse: ')
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

  it('with what a person did is said however late, and though the incident was dismissed meanwhile', async () => {
    const { dispatcher } = bench.dispatcherWith()
    bench.board.refusing.set('C1', 'for a while')
    await bench.happens()
    const by = (event: 'alert_noted' | 'alert_taken_over' | 'alert_released') => {
      const entry = { at: bench.clock.now(), actor: 'UANA', team: 'T1', operation: 'alerts', summary: 'Said', event }
      return { person: 'UANA', at: bench.clock.now(), entry }
    }
    await bench.store.alerts.assign('i1', 'UBEN', by('alert_taken_over'))
    await bench.store.alerts.assign('i1', 'UANA', by('alert_taken_over'))
    await bench.store.alerts.release('i1', by('alert_released'))
    await bench.store.alerts.note('i1', 'the *disk* <!channel>', by('alert_noted'))
    const dismissing = { ...by('alert_noted').entry, event: 'alert_dismissed' } as const
    await bench.store.alerts.dismiss('i1', { person: 'UANA', at: bench.clock.now(), entry: dismissing })
    await bench.all(dispatcher)
    bench.clock.turn(61 * MINUTE_MS)
    bench.board.refusing.clear()
    await bench.all(dispatcher)
    const said = bench.board.posted.slice(1)
    expect(said.every(({ thread, broadcast }) => thread === '1.0' && broadcast === false)).toBe(true)
    expect(said.map(({ message }) => JSON.stringify(message.blocks).replace(/^.*"text":"(.*?)".*$/, '$1'))).toEqual([
      '👀 <@UANA> hands this over to <@UBEN>.',
      '👀 <@UANA> looks after this now.',
      '↩️ <@UANA> has taken the acknowledgement back: nobody looks after this now.',
      '📝 Noted by <@UANA>: the *disk∗ &lt;!channel&gt;',
    ])
  })

  it.each([5, -5, 45, -45])('is dropped by no clock that is %s minutes before the store’s', async (minutes) => {
    const own = bench.clock
    const clock: Clock = {
      now: () => new Date(own.now().getTime() + minutes * MINUTE_MS),
      monotonicMs: () => own.monotonicMs(),
      after: (delayMs, work) => own.after(delayMs, work),
      sleep: (delayMs, signal) => own.sleep(delayMs, signal),
      newId: () => own.newId(),
    }
    const dispatcher = await opened({ clock })
    await bench.happens(replying())
    await bench.all(dispatcher)
    expect(bench.board.posted.map(({ thread }) => thread)).toEqual([undefined, '1.0'])
    // What is old by the store's clock is old.
    await bench.happens(replying())
    bench.clock.turn(31 * MINUTE_MS)
    await bench.all(dispatcher)
    expect(bench.board.posted).toHaveLength(2)
  })

  it('that Slack refuses to put there holds up nothing', async () => {
    const dispatcher = await opened()
    bench.board.before = (what) => {
      if (what === 'reply') throw new NotDelivered('thread_not_found', false)
    }
    await bench.happens({ ...replying() })
    await bench.happens({ id: 'i2' })
    await bench.all(dispatcher)
    expect(bench.board.posted).toHaveLength(2)
    expect(await bench.store.outbox.deadPosts()).toMatchObject([{ what: 'reply' }])
  })

  it('that nothing can be under is left out', async () => {
    const { dispatcher } = bench.dispatcherWith()
    await bench.happens(replying())
    bench.clock.turn(1_000)
    await bench.happens()
    await bench.all(dispatcher)
    expect(bench.board.posted.filter(({ thread }) => thread !== undefined)).toEqual([])
    expect((await bench.store.outbox.waitingPosts()).count).toBe(0)
  })

  it.each([
    [30 * MINUTE_MS, 1],
    [30 * MINUTE_MS + 1, 0],
  ])('that waited for %i ms is told %i times: later than half an hour it is left out', async (waitedMs, times) => {
    const { dispatcher } = bench.dispatcherWith()
    await bench.happens()
    await bench.all(dispatcher)
    await bench.happens(replying())
    bench.clock.turn(waitedMs)
    await bench.all(dispatcher)
    expect(bench.board.posted.filter(({ thread }) => thread !== undefined)).toHaveLength(times)
    expect((await bench.store.outbox.waitingPosts()).count).toBe(0)
  })
})

describe('whom an alert calls next', () => {
  const body: ReplyBody = { kind: 'nobody acknowledged', alert: sampleAlert(), escalate: 'S0NEXT', broadcast: true }
  const calling = { what: 'reply', body } as const
  const calls = () => bench.board.posted.filter(({ message }) => JSON.stringify(message.blocks).includes('S0NEXT'))
  const entry = (event: 'alert_acknowledged' | 'alert_silenced') => {
    return { at: bench.clock.now(), actor: 'U1', team: 'T1', operation: 'alerts', summary: 'Said', event }
  }

  it('is called by the next process, once, where the one that decided it has ended', async () => {
    await opened()
    await bench.happens(calling)
    await bench.all(bench.dispatcherWith().dispatcher)
    await bench.all(bench.dispatcherWith().dispatcher)
    expect(calls()).toMatchObject([{ thread: '1.0', broadcast: true }])
  })

  it('is called however long Slack was away, and though the message was not there yet', async () => {
    const { dispatcher } = bench.dispatcherWith()
    bench.board.refusing.set('C1', 'for a while')
    await bench.happens()
    await bench.happens(calling)
    for (let minute = 0; minute < 45; minute += 1) {
      await bench.all(dispatcher)
      bench.clock.turn(MINUTE_MS)
    }
    bench.board.refusing.clear()
    await bench.all(dispatcher)
    expect(bench.board.posted).toHaveLength(2)
    expect(calls()).toHaveLength(1)
  })

  it.each<[string, () => Promise<unknown>]>([
    [
      'somebody has acknowledged it',
      () => {
        const by = { person: 'U3', at: bench.clock.now(), entry: entry('alert_acknowledged') }
        return bench.store.alerts.acknowledge('i1', by)
      },
    ],
    ['it is over', () => bench.happens({ endedAt: bench.clock.now() })],
    [
      'it is silenced',
      () => {
        const from = bench.clock.now()
        const until = new Date(from.getTime() + MINUTE_MS)
        const silence = { id: 's1', subject: 'pull/301', from, until, by: 'U3' }
        return bench.store.silences.add([silence], () => entry('alert_silenced'))
      },
    ],
  ])('is not called any more where %s meanwhile', async (_, happens) => {
    const dispatcher = await opened()
    await bench.happens(calling)
    bench.clock.turn(1_000)
    await happens()
    await bench.all(dispatcher)
    expect(calls()).toEqual([])
    expect((await bench.store.outbox.waitingPosts()).count).toBe(0)
  })
})
