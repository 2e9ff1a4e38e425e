import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expireUnsent, recoverUnknown } from '../../src/execution/change-keeper.ts'
import { ChangeSender } from '../../src/execution/change-sender.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import { actor, type Bench, createBench, RECORD } from '../support/execution-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const MASKED = { ...RECORD, variables: '••••' }
const HERE = 'this process'

/** A change whose process died while the call was under way. */
async function abandoned(values: RawValues = { ...RECORD, zone: '301' }): Promise<string> {
  const confirmed = await bench.confirmed(values, actor('operator'))
  const begun = Promise.withResolvers<void>()
  bench.acts.write = () => {
    begun.resolve()
    return new Promise(() => {})
  }
  const { executor, announcer } = bench
  void new ChangeSender({ executor, announcer, holder: 'a dead process', leaseMs: 60_000 }).send(confirmed)
  await begun.promise
  return confirmed.id
}

const cards = () => bench.board.posted.map(({ texts }) => texts.at(-1) ?? '')

describe('after a crash', () => {
  it('calls unknown what was being sent, with what to look for, and erases its secret values', async () => {
    const id = await abandoned()
    expect(await recoverUnknown(bench.executor, HERE)).toMatchObject([
      { id, state: 'unknown', values: { ...MASKED, zone: '301' } },
    ])
    const [entry] = await bench.store.audit.list({ limit: 1 })
    expect(entry).toMatchObject({ event: 'unknown', actor: 'cdn-ops', changeId: id })
    await bench.announcer.announce(id)
    expect(cards()).toEqual([
      expect.stringMatching(/^Unknown: it may or may not have happened\. Add 192\.0\.2\.10 to zone 301/),
    ])
    expect(cards()[0]).toContain('A record with the value 192.0.2.10.')
  })

  it('tells who asked, in a direct message', async () => {
    const id = await abandoned()
    await recoverUnknown(bench.executor, HERE)
    await bench.courier.deliver()
    expect(bench.board.in('UOPERATOR')).toEqual([
      expect.stringMatching(/^Your change: Unknown: it may or may not have happened\. Add 192\.0\.2\.10 to zone 301/),
    ])
    expect(bench.board.in('UOPERATOR')[0]).toContain(`/cdn changes show ${id}`)
    expect(bench.board.in('UOPERATOR')[0]).toContain('What to check: A record with the value 192.0.2.10.')
  })

  it('tells the operations channel, with what to look for and how to say what was found', async () => {
    const id = await abandoned()
    await recoverUnknown(bench.executor, HERE)
    await bench.courier.deliver()
    const [told = ''] = bench.board.in('COPS')
    expect(told).toMatch(
      /^Unknown: it may or may not have happened\. Add 192\.0\.2\.10 to zone 301\. Asked by @UOPERATOR\./,
    )
    for (const words of ['A record with the value 192.0.2.10.', `/cdn changes settle ${id} happened`, 'changes show'])
      expect(told).toContain(words)
  })

  it('tells the operations channel nothing where the message about it stands there', async () => {
    bench.board.refusing.set('C1', 'for good')
    await abandoned()
    await expect.poll(() => bench.board.in('COPS')).toHaveLength(1)
    await recoverUnknown(bench.executor, HERE)
    expect((await bench.store.notices.take(9)).map(({ recipient }) => recipient)).toEqual(['UOPERATOR'])
  })

  it('settles it once, and never sends it again: the next look finds nothing', async () => {
    await abandoned()
    expect(await recoverUnknown(bench.executor, HERE)).toHaveLength(1)
    expect(await recoverUnknown(bench.executor, HERE)).toEqual([])
    expect(bench.written).toHaveLength(1)
  })

  it('leaves alone what this process is sending itself', async () => {
    const id = await abandoned()
    expect(await recoverUnknown(bench.executor, 'a dead process')).toEqual([])
    expect((await bench.store.changes.get(id))?.state).toBe('sending')
  })

  it('says what was asked where it cannot be read any more, as when the zone has lost its name', async () => {
    const id = await abandoned(RECORD)
    bench.rules.zones = []
    await recoverUnknown(bench.executor, HERE)
    await bench.announcer.announce(id)
    expect(cards()[0]).toContain('Whether this is there: Add 192.0.2.10 to zone 301.')
  })

  it('recovers what has a sentence too long for the record', async () => {
    await abandoned({ ...RECORD, zone: '301', value: 'y'.repeat(2_999) })
    expect(await recoverUnknown(bench.executor, HERE)).toHaveLength(1)
  })
})

describe('what was never sent in time', () => {
  it('expires when it was confirmed, on record, told once, and sent by nobody', async () => {
    const { id } = await bench.confirmed()
    expect(await expireUnsent(bench.executor)).toEqual([])
    bench.clock.turn(10 * 60_000)
    expect(await expireUnsent(bench.executor)).toMatchObject([{ id, state: 'expired', values: MASKED }])
    expect((await bench.record()).at(-1)).toMatch(
      /^expired: This waited too long before it could be sent\. Nothing was/,
    )
    expect(await expireUnsent(bench.executor)).toEqual([])
    await bench.courier.deliver()
    expect(bench.board.in('UOPERATOR')).toHaveLength(1)
    await bench.announcer.announce(id)
    expect(bench.board.in('C1')).toEqual([expect.stringMatching(/^Expired: nothing was sent\. .*Ask again/)])
  })

  it('expires when nobody approved it, to the moment', async () => {
    const { id, expiresAt } = await bench.waiting()
    const left = expiresAt.getTime() - bench.clock.now().getTime()
    bench.clock.turn(left - 1)
    expect(await expireUnsent(bench.executor)).toEqual([])
    bench.clock.turn(1)
    expect(await expireUnsent(bench.executor)).toMatchObject([{ id, state: 'expired' }])
    expect((await bench.record()).at(-1)).toMatch(/^expired: Nobody approved this in time\. Nothing was sent\./)
    expect(await bench.store.notices.take(9)).toMatchObject([{ recipient: 'UOPERATOR', id: `end-${id}-expired` }])
  })

  it('keeps no value of an operation that no longer exists', async () => {
    const created = await bench.store.changes.create({
      operation: 'gone add',
      values: { key: 'hush' },
      requestedBy: 'U1',
      team: 'T1',
      expiresAt: new Date(bench.clock.now().getTime() + 1),
    })
    if (created.kind !== 'created') throw new Error('The change should have begun')
    const now = bench.clock.now()
    const audit = { at: now, actor: 'U1', team: 'T1', operation: 'gone add', event: 'requested', summary: 's' } as const
    await bench.store.changes.move(created.change.id, { from: ['draft'], to: 'approved', now, audit })
    bench.clock.turn(1)
    expect(await expireUnsent(bench.executor)).toMatchObject([{ values: {} }])
  })
})
