import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../src/execution/policy.ts'
import { actor, type Bench, BILLED, createBench, RECORD, reviewed } from '../support/execution-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const olga = actor('operator')
const stateOf = async (id: string) => (await bench.store.changes.get(id))?.state
const changed = expect.objectContaining({
  code: 'expired',
  message: 'What this would do, or the rules for it, have changed since it was reviewed. Nothing was sent.',
})

describe('submitting what one confirms alone', () => {
  it('is on record before anything is sent', async () => {
    const { change } = await reviewed(bench)
    const submitted = await bench.desk.submit(change.id, olga)
    expect(submitted).toMatchObject({
      kind: 'confirmed',
      change: { state: 'approved', requestedAt: bench.clock.now() },
    })
    expect(await bench.record()).toEqual(['requested'])
    const summary = 'Add 192.0.2.10 to zone 301'
    expect(await bench.store.audit.list({ limit: 1 })).toMatchObject([
      { actor: olga.id, team: 'T1', changeId: change.id, operation: 'record add', summary },
    ])
    expect(bench.written).toEqual([])
  })

  it('works once: each later click finds the state that is there', async () => {
    const { change } = await reviewed(bench)
    const clicks = await Promise.all([1, 2, 3].map(() => bench.desk.submit(change.id, olga)))
    expect(clicks.map(({ kind }) => kind).toSorted()).toEqual(['answered', 'answered', 'confirmed'])
    expect(await bench.desk.submit(change.id, olga)).toMatchObject({ kind: 'answered', change: { state: 'approved' } })
    expect(await bench.record()).toEqual(['requested'])
  })

  it('is for the owner alone', async () => {
    const { change } = await reviewed(bench)
    await expect(bench.desk.submit(change.id, actor('admin'))).rejects.toMatchObject({ code: 'expired' })
    expect(await stateOf(change.id)).toBe('draft')
  })

  it('takes a zone by its id where the review named it: what is done is the same', async () => {
    const { change } = await reviewed(bench)
    await bench.desk.save(change, { ...RECORD, zone: '301' })
    expect(await bench.desk.submit(change.id, olga)).toMatchObject({ kind: 'confirmed' })
  })

  it('confirms nothing when the record cannot be written', async () => {
    const { change } = await reviewed(bench)
    await bench.store.close()
    await expect(bench.desk.submit(change.id, olga)).rejects.toMatchObject({ name: 'StoreError' })
  })
})

describe('submitting what is not what was reviewed', () => {
  it('refuses when a name means another zone than it did in the review', async () => {
    const { change } = await reviewed(bench)
    bench.rules.zones = [{ kind: 'dns', name: 'shop', zoneId: '666', managed: true }]
    await expect(bench.desk.submit(change.id, olga)).rejects.toEqual(changed)
    bench.rules.zones = []
    await expect(bench.desk.submit(change.id, olga)).rejects.toEqual(changed)
    expect(await stateOf(change.id)).toBe('draft')
  })

  it('refuses values that were changed behind the review, and a draft without one', async () => {
    const { change } = await reviewed(bench)
    await bench.desk.save(change, { ...RECORD, value: '203.0.113.9' })
    await expect(bench.desk.submit(change.id, olga)).rejects.toEqual(changed)
    const bare = await bench.desk.begin(bench.operation('record add'), RECORD, olga, 'C1')
    await expect(bench.desk.submit(bare.id, olga)).rejects.toEqual(changed)
  })

  it('refuses when another review of the same form comes in between its look and its step', async () => {
    const { change } = await reviewed(bench)
    const { changes } = bench.store
    const move = changes.move.bind(changes)
    changes.move = async (id, step) => {
      changes.move = move
      await bench.desk.review(change, { ...RECORD, value: '192.0.2.66' }, olga)
      return move(id, step)
    }
    await expect(bench.desk.submit(change.id, olga)).rejects.toEqual(changed)
    expect(await stateOf(change.id)).toBe('draft')
    expect(await bench.record()).toEqual([])
  })

  it('refuses when the policy is another than it was, which a new review mends', async () => {
    const { change } = await reviewed(bench)
    bench.rules.policy = { ...DEFAULT_POLICY, version: 'another' }
    await expect(bench.desk.submit(change.id, olga)).rejects.toEqual(changed)
    await bench.desk.review(change, RECORD, olga)
    expect(await bench.desk.submit(change.id, olga)).toMatchObject({ kind: 'confirmed' })
  })

  it('ends the change, on record, when the role was lost since the review', async () => {
    const { change } = await reviewed(bench)
    await expect(bench.desk.submit(change.id, actor('viewer', olga.id))).rejects.toMatchObject({
      code: 'not_permitted',
      message: expect.stringMatching(/needs the role operator; yours is viewer\. Nothing was done\.$/),
    })
    expect(await bench.store.changes.get(change.id)).toMatchObject({
      state: 'denied',
      values: { ...RECORD, variables: '••••' },
    })
    expect(await bench.record()).toEqual(['denied: record add needs the role operator; yours is viewer.'])
    expect(bench.counted).toEqual(['record add denied'])
  })

  it.each([
    { name: 'an admin who is only an operator now', before: 'admin', now: 'operator' },
    {
      name: 'an operator who is an admin now, and was shown that others would be asked',
      before: 'operator',
      now: 'admin',
    },
  ] as const)('is refused for $name: their prompt would be another one', async ({ before, now }) => {
    const { change } = await reviewed(bench, BILLED, actor(before, 'U1'))
    await expect(bench.desk.submit(change.id, actor(now, 'U1'))).rejects.toMatchObject({ code: 'expired' })
    expect((await bench.store.changes.get(change.id))?.state).toBe('draft')
  })
})

it.each([
  ['confirms', RECORD, undefined],
  ['asks others', BILLED, undefined],
  ['goes alone', BILLED, 'The shop is down'],
])('writes nothing down that %s when it is too late', async (_, values, reason) => {
  bench.rules.policy = { ...DEFAULT_POLICY, breakGlassGroups: ['S1'] }
  const by = { ...olga, groups: ['S1'] }
  const { change } = await reviewed(bench, values, by)
  const tooLate = bench.clock.monotonicMs()
  await expect(bench.desk.submit(change.id, by, reason, tooLate)).rejects.toMatchObject({ code: 'busy' })
  expect(await stateOf(change.id)).toBe('draft')
  expect(await bench.record()).toEqual([])
})

describe('submitting what takes others', () => {
  it('makes it wait for them for as long as the policy says, on record', async () => {
    const { change, decision } = await reviewed(bench, BILLED)
    expect(decision.kind).toBe('approve')
    const now = bench.clock.now().getTime()
    expect(await bench.desk.submit(change.id, olga)).toMatchObject({
      kind: 'waiting',
      decision: { quorums: [DEFAULT_POLICY.quorum] },
      change: { state: 'waiting', expiresAt: new Date(now + DEFAULT_POLICY.approvalMs), requestedAt: new Date(now) },
    })
    expect(await bench.record()).toEqual(['requested: waits for approval'])
    expect(await bench.desk.submit(change.id, olga)).toMatchObject({ kind: 'answered', change: { state: 'waiting' } })
    expect(await bench.record()).toHaveLength(1)
  })

  it('is refused at its review, on record, where nobody else could approve it', async () => {
    for (const id of ['UOTHER', 'UADMIN', 'UADA', 'UOLGA', 'UOTTO']) bench.people.list(actor('viewer', id))
    await expect(reviewed(bench, BILLED)).rejects.toMatchObject({
      code: 'not_permitted',
      message: expect.stringMatching(/Besides you .*who could give it.* Nothing was done\.$/),
    })
    expect(await bench.record()).toEqual([expect.stringMatching(/^denied: .*Besides you /)])
    expect(await bench.store.changes.list({ states: ['denied'], limit: 9 })).toHaveLength(1)
  })

  it('is refused on the click, too, when those who could have left meanwhile', async () => {
    const { change } = await reviewed(bench, BILLED)
    for (const id of ['UOTHER', 'UADMIN', 'UADA', 'UOLGA', 'UOTTO']) bench.people.list(actor('none', id))
    await expect(bench.desk.submit(change.id, olga)).rejects.toMatchObject({ code: 'not_permitted' })
    expect(await stateOf(change.id)).toBe('denied')
  })

  it('leaves the draft as it is while Slack cannot say who could', async () => {
    const { change } = await reviewed(bench, BILLED)
    bench.people.unreachable = true
    await expect(bench.desk.submit(change.id, olga)).rejects.toMatchObject({
      message: expect.stringContaining('Slack'),
    })
    expect(await stateOf(change.id)).toBe('draft')
    bench.people.unreachable = false
    expect(await bench.desk.submit(change.id, olga)).toMatchObject({ kind: 'waiting' })
  })

  it('can be taken back by who asked, not by others', async () => {
    const change = await bench.waiting()
    await bench.desk.takeBack(change.id, 'UOTHER', 'a try')
    expect(await stateOf(change.id)).toBe('waiting')
    await bench.desk.takeBack(change.id, olga.id, 'too slow')
    expect(await stateOf(change.id)).toBe('cancelled')
  })
})
