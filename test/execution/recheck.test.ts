import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/execution/policy.ts'
import { recheck } from '../../src/execution/recheck.ts'
import type { Change } from '../../src/store/change.ts'
import { actor, type Bench, createBench, RECORD } from '../support/execution-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const olga = actor('operator')
const CHANGED = 'What this would do, or the rules for it, have changed since it was reviewed.'
const version = (extra: object) => ({ ...DEFAULT_POLICY, ...extra })

/** Puts an approval down as if whoever gave it had been entitled then. */
async function approve(change: Change, person: string, hash = change.hash ?? ''): Promise<void> {
  const at = bench.clock.now()
  const entry = { at, actor: person, team: 'T1', operation: 'record add', event: 'approval', summary: 's' } as const
  expect(await bench.store.approvals.add({ changeId: change.id, person, hash, at }, entry)).toMatchObject({
    kind: 'approved',
  })
  bench.clock.turn(1)
}

const approvers = async (change: Change) => {
  const now = await recheck(bench.executor, change)
  if ('stopped' in now) throw new Error(now.stopped)
  return { ids: now.approvers.map(({ id }) => id), more: now.open.map(({ count }) => count) }
}

describe('looking at a change anew stops it', () => {
  test.each<{ what: string; happen: () => unknown; why: string | RegExp }>([
    { what: 'the zone it names has another id', happen: () => (bench.rules.zones = []), why: CHANGED },
    {
      what: 'the policy is another',
      happen: () => (bench.rules.policy = version({ version: 'another' })),
      why: CHANGED,
    },
    {
      what: 'whoever asked has a lesser role',
      happen: () => bench.people.list(actor('viewer', olga.id)),
      why: /^Whoever asked may not do this any more: record add needs the role operator; theirs is viewer\.$/,
    },
    {
      what: 'whoever asked is nobody any more',
      happen: () => bench.people.list(actor('none', olga.id)),
      why: /^Whoever asked may not do this any more: .*they have none\.$/,
    },
    {
      what: 'the policy denies it, though its version says that nothing changed',
      happen: () => (bench.rules.policy = version({ rules: [{ name: 'r', decision: 'deny', reason: 'Frozen.' }] })),
      why: /^Whoever asked may not do this any more: Frozen\./,
    },
  ])('when $what', async ({ happen, why }) => {
    const change = await bench.waiting()
    expect(await recheck(bench.executor, change)).not.toHaveProperty('stopped')
    happen()
    const { stopped } = (await recheck(bench.executor, change)) as { stopped: string }
    if (typeof why === 'string') expect(stopped).toBe(why)
    else expect(stopped).toMatch(why)
  })

  it('when its operation is gone, its values do not fit its hash, or it never had one', async () => {
    const change = await bench.waiting()
    const others = [
      { operation: 'gone add' },
      { values: RECORD },
      { values: {} },
      { hash: 'f'.repeat(64) },
      { hash: undefined },
    ]
    for (const other of others) {
      expect(await recheck(bench.executor, { ...change, ...other })).toEqual({ stopped: CHANGED })
    }
  })

  it('not while Slack cannot say who people are: that is for another time', async () => {
    const change = await bench.waiting()
    bench.people.unreachable = true
    await expect(recheck(bench.executor, change)).rejects.toMatchObject({ code: 'not_permitted' })
  })

  test.each([
    { what: 'which role whoever asked has', person: { ...actor('none', olga.id), unsure: 'Slack is silent' } },
    { what: 'whether they have it still', person: { ...olga, writesBarred: 'Silent.', unsure: 'Slack is silent' } },
  ])('nor while it does not say, by user groups, $what', async ({ person }) => {
    const change = await bench.waiting()
    bench.people.list(person)
    await expect(recheck(bench.executor, change)).rejects.toMatchObject({
      message: 'Slack is silent. Nothing was done.',
    })
    bench.people.list({ ...olga, unsure: 'Slack is silent' })
    expect(await approvers(change)).toEqual({ ids: [], more: [1] })
  })

  it('nor when it was approved by those of whom Slack does not say whether they still may', async () => {
    const change = await bench.waiting()
    await approve(change, 'UOTHER')
    const silent = { ...actor('operator', 'UOTHER'), writesBarred: 'Silent.', unsure: 'Slack is silent' }
    bench.people.list(silent)
    expect(await approvers(change)).toEqual({ ids: [], more: [1] })
    await expect(recheck(bench.executor, { ...change, state: 'approved' })).rejects.toMatchObject({
      code: 'not_permitted',
    })
  })
})

describe('what is still missing', () => {
  it('is nothing for what one confirms alone', async () => {
    expect(await approvers(await bench.confirmed())).toEqual({ ids: [], more: [] })
  })

  it('is what the approvals that count leave open, with roles as they are now', async () => {
    const quorum = { count: 2, roles: ['operator', 'admin'], groups: [] } as const
    bench.rules.policy = version({ version: 'another', quorum })
    const change = await bench.waiting()
    expect(await approvers(change)).toEqual({ ids: [], more: [2] })
    await approve(change, 'UOTHER')
    await approve(change, 'UADA')
    expect(await approvers(change)).toEqual({ ids: ['UOTHER', 'UADA'], more: [] })
    bench.people.list(actor('viewer', 'UOTHER'))
    expect(await approvers(change)).toEqual({ ids: ['UADA'], more: [1] })
    bench.people.list({ ...actor('admin', 'UADA'), writesBarred: 'Slack is silent.' })
    expect(await approvers(change)).toEqual({ ids: [], more: [2] })
  })

  it('counts no approval of something else', async () => {
    const change = await bench.waiting()
    await approve(change, 'UOTHER')
    bench.rules.policy = version({ version: 'another' })
    const rebound = await bench.desk.review(
      await bench.desk.begin(bench.operation('record add'), change.values, olga, 'C1'),
      change.values,
      olga,
    )
    expect(await approvers({ ...change, hash: rebound.change.hash })).toEqual({ ids: [], more: [1] })
  })

  it('counts no approval of whoever asked', async () => {
    const change = await bench.waiting()
    await approve(change, 'UOTHER')
    expect(await approvers({ ...change, requestedBy: 'UOTHER' })).toEqual({ ids: [], more: [1] })
  })

  it('stops where the role of who asked was raised: what was asked of others is not confirmed by that', async () => {
    const change = await bench.waiting()
    bench.people.list(actor('admin', olga.id))
    expect(await recheck(bench.executor, change)).toEqual({
      stopped: expect.stringContaining('have changed') as string,
    })
  })
})

describe('roles are looked at', () => {
  it('as Slack gives them now, for who asked and for each who approved', async () => {
    const change = await bench.waiting()
    await approve(change, 'UOTHER')
    await recheck(bench.executor, change)
    expect(bench.people.askedAfresh).toEqual([olga.id, 'UOTHER'])
  })

  it('as Slack gave them within the last minute where that is enough', async () => {
    await recheck(bench.executor, await bench.waiting(), { fresh: false })
    expect(bench.people.askedAfresh).toEqual([])
  })
})
