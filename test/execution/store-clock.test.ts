import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../src/shared/clock.ts'
import { openSqlite } from '../../src/store/engine/sqlite-engine.ts'
import { createStore } from '../../src/store/store.ts'
import { silentLog } from '../store/harness.ts'
import { createSqliteHarness } from '../store/sqlite-harness.ts'
import { actor, type Bench, createBench, RECORD, reviewed } from '../support/execution-bench.ts'
import { shortId } from '../../src/shared/short-id.ts'

const MINUTE_MS = 60_000
const APPROVAL_MS = 8 * 60 * MINUTE_MS

describe.each([
  ['ahead of', 11],
  ['behind', -11],
])('where the clock of the database is eleven minutes %s that of the bot', (_which, aheadMinutes) => {
  let bench: Bench
  beforeEach(async () => {
    const harness = createSqliteHarness()
    const clock = { now: () => new Date(bench.clock.now().getTime() + aheadMinutes * MINUTE_MS) }
    const open = async ({ clock: own }: { readonly clock?: Clock } = {}) => {
      if (own === undefined) throw new Error('The bench has a clock')
      const engine = await openSqlite(harness.path, own)
      const nowMs = async () => clock.now().getTime()
      return createStore({ ...engine, nowMs }, { clock: own, log: silentLog })
    }
    const close = async () => {
      await bench.store.close()
      await harness.close()
    }
    bench = await createBench({ harness: { open, close } })
  })
  afterEach(() => bench.close())
  const stateOf = async (id: string) => (await bench.store.changes.get(id))?.state

  test('a write is reviewed, confirmed, and sent once', async () => {
    const { change, invocation } = await reviewed(bench)
    expect(invocation.sentence).toContain('192.0.2.10')
    bench.clock.turn(9 * MINUTE_MS)
    const submitted = await bench.changes.submit(change.id, actor('operator'))
    if (submitted.kind !== 'confirmed') throw new Error(`It is ${submitted.kind}`)
    expect(await bench.sender.send(submitted.change)).toMatchObject({ outcome: 'done' })
    expect(bench.written).toEqual([`cdn-ops ${shortId(change.id)}`])
  })

  test('a form has its ten minutes from the last page, and no more', async () => {
    const { change } = await reviewed(bench)
    bench.clock.turn(9 * MINUTE_MS)
    await bench.changes.save(change, RECORD)
    bench.clock.turn(10 * MINUTE_MS - 1)
    expect(await bench.changes.draft(change.id, actor('operator'))).toMatchObject({ id: change.id })
    bench.clock.turn(1)
    await expect(bench.changes.submit(change.id, actor('operator'))).rejects.toMatchObject({
      code: 'expired',
      message: expect.stringContaining('waited for more than 10 minutes') as string,
    })
  })

  test('what was confirmed and could not be sent expires after its ten minutes', async () => {
    const { id } = await bench.confirmed()
    bench.clock.turn(10 * MINUTE_MS - 1)
    await bench.store.changes.expire(bench.clock.now(), () => ({ audit: EXPIRED }))
    expect(await stateOf(id)).toBe('approved')
    bench.clock.turn(1)
    await bench.reconciler.reconcile()
    expect(await stateOf(id)).toBe('expired')
    expect(bench.written).toEqual([])
  })

  test('what waits for approval can be approved for as long as the policy says, and expires then', async () => {
    const [{ id }, late] = [await bench.waiting(), await bench.waiting()]
    bench.clock.turn(APPROVAL_MS - 1)
    await bench.reconciler.reconcile()
    expect(await bench.approvals.approve(id, actor('admin'))).toMatchObject({ kind: 'taken', ready: true })
    bench.clock.turn(1)
    await bench.reconciler.reconcile()
    expect(await stateOf(late.id)).toBe('expired')
  })
})

const EXPIRED = {
  at: new Date('2026-11-20T12:00:00Z'),
  actor: 'cdn-ops',
  team: 'T1',
  operation: 'record add',
  event: 'expired',
  summary: 'It expired',
} as const
