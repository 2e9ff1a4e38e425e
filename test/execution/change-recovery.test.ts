import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expireUnsent, recoverUnknown } from '../../src/execution/change-recovery.ts'
import { ChangeSender } from '../../src/execution/change-sender.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import { actor, type Bench, createBench, RECORD } from '../support/execution-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const MASKED = { ...RECORD, variables: '••••' }

/** A change whose process died while the call was under way. */
async function abandoned(values: RawValues = { ...RECORD, zone: '301' }): Promise<string> {
  const confirmed = await bench.confirmed(values, actor('operator'))
  const begun = Promise.withResolvers<void>()
  bench.acts.write = () => {
    begun.resolve()
    return new Promise(() => {})
  }
  void new ChangeSender(bench.executor, 'a dead process').send(confirmed)
  await begun.promise
  return confirmed.change.id
}

describe('after a crash', () => {
  it('calls unknown what was being sent, with what to look for, and erases its secret values', async () => {
    const id = await abandoned()
    const [ended, ...more] = await recoverUnknown(bench.executor, 'this process')
    expect(more).toEqual([])
    expect(ended).toMatchObject({
      outcome: 'unknown',
      change: { id, state: 'unknown', values: { ...MASKED, zone: '301' } },
    })
    expect(ended!.message.text).toMatch(/^Unknown: it may or may not have happened\. Add 192\.0\.2\.10 to zone 301/)
    expect(ended!.message.text).toContain('A record with the value 192.0.2.10.')
    const [entry] = await bench.store.audit.list({ limit: 1 })
    expect(entry).toMatchObject({ event: 'unknown', actor: 'cdn-ops', changeId: id })
  })

  it('settles it once: the next look finds nothing', async () => {
    await abandoned()
    expect(await recoverUnknown(bench.executor, 'this process')).toHaveLength(1)
    expect(await recoverUnknown(bench.executor, 'this process')).toEqual([])
  })

  it('leaves alone what this process is sending itself', async () => {
    const id = await abandoned()
    expect(await recoverUnknown(bench.executor, 'a dead process')).toEqual([])
    expect((await bench.store.changes.get(id))?.state).toBe('sending')
  })

  it('says what was asked where it cannot be read any more, as when the zone has lost its name', async () => {
    await abandoned(RECORD)
    const [ended] = await recoverUnknown(bench.executor, 'this process')
    expect(ended!.message.text).toContain('Whether this is there: Add 192.0.2.10 to zone 301.')
  })

  it('recovers what has a sentence too long for the record', async () => {
    await abandoned({ ...RECORD, zone: '301', value: 'y'.repeat(2_999) })
    expect(await recoverUnknown(bench.executor, 'this process')).toHaveLength(1)
  })
})

describe('what was confirmed and never sent', () => {
  it('expires when its time is over, on record, and nothing is announced twice', async () => {
    const { change } = await bench.confirmed()
    expect(await expireUnsent(bench.executor)).toEqual([])
    bench.clock.turn(10 * 60_000)
    const [ended, ...more] = await expireUnsent(bench.executor)
    expect(more).toEqual([])
    expect(ended).toMatchObject({ outcome: 'not_sent', change: { id: change.id, state: 'expired', values: MASKED } })
    expect(ended!.message.text).toMatch(/^Not sent: nothing was changed\..*Ask again if it is still wanted\./)
    expect((await bench.record()).at(-1)).toMatch(/^expired: /)
    expect(await expireUnsent(bench.executor)).toEqual([])
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
    expect(await expireUnsent(bench.executor)).toMatchObject([{ change: { values: {} } }])
  })
})
