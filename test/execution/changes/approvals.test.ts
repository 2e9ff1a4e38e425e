import { afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../../src/execution/policy/policy.ts'
import { actor, useBench } from '../../support/execution-bench.ts'
import { takeNotices } from '../../support/notices.ts'

const bench = useBench()
// Whatever is clicked, the service itself never calls the platform.
afterEach(() => {
  if (bench.written.length > 0) throw new Error('The platform was called')
})

const [olga, other] = [actor('operator'), actor('operator', 'UOTHER')]
const [ada, admin] = [actor('admin', 'UADA'), actor('admin')]
const ASKED = 'requested: waits for approval'
const stateOf = async (id: string) => (await bench.store.changes.get(id))?.state
const takesTwo = () => {
  const quorum = { count: 2, roles: ['operator', 'admin'], groups: [] } as const
  bench.rules.policy = { ...DEFAULT_POLICY, version: 'two', quorum }
}

describe('approving', () => {
  it('by one other person makes the change ready where it takes one, on record', async () => {
    const { id } = await bench.waiting()
    expect(await bench.approvals.approve(id, other)).toMatchObject({
      kind: 'taken',
      ready: true,
      change: { id, state: 'approved' },
    })
    expect(await bench.record()).toEqual([ASKED, 'approval: as operator', 'approved: Approved by UOTHER'])
    const [approved, approval] = await bench.store.audit.list({ limit: 2 })
    expect([approved, approval]).toMatchObject([{ actor: 'cdn-ops' }, { actor: 'UOTHER', changeId: id }])
  })

  it('takes as many different people as the policy says', async () => {
    takesTwo()
    const { id } = await bench.waiting()
    expect(await bench.approvals.approve(id, other)).toMatchObject({ kind: 'taken', ready: false })
    expect(await bench.approvals.approve(id, other)).toMatchObject({ kind: 'found', repeated: true })
    expect(await stateOf(id)).toBe('waiting')
    bench.clock.turn(1_000)
    expect(await bench.approvals.approve(id, ada)).toMatchObject({ kind: 'taken', ready: true })
    expect(await bench.record()).toEqual([
      ASKED,
      'approval: as operator',
      'approval: as admin',
      'approved: Approved by UOTHER, UADA',
    ])
  })

  it.each([
    { first: ada, second: other, more: 'one operator or admin' },
    { first: other, second: ada, more: 'one admin' },
  ])('by $first.id counts for one of two quorums only: the other takes $second.id', async ({ first, second, more }) => {
    const quorum = { count: 1, roles: ['admin'], groups: [] } as const
    bench.rules.policy = { ...DEFAULT_POLICY, version: 'rule', rules: [{ name: 'rule', decision: 'approve', quorum }] }
    const { id } = await bench.waiting()
    expect(await bench.approvals.approve(id, first)).toMatchObject({ kind: 'taken', ready: false })
    const shown = () => JSON.stringify(bench.board.posted[0]?.message.blocks)
    await expect.poll(shown).toContain(`Approved by <@${first.id}> (1 more needed: ${more})`)
    expect(await bench.approvals.approve(id, second)).toMatchObject({ kind: 'taken', ready: true })
  })

  it('by two at the same moment counts both, and makes it ready once', async () => {
    for (const prepare of [takesTwo, () => (bench.rules.policy = DEFAULT_POLICY)]) {
      prepare()
      const { id } = await bench.waiting()
      const clicks = await Promise.all([other, ada].map((person) => bench.approvals.approve(id, person)))
      expect(clicks.filter((click) => click.kind === 'taken' && click.ready)).toHaveLength(1)
      expect(await stateOf(id)).toBe('approved')
    }
  })

  it('stays on record when what follows from it cannot be found out now: the next round does', async () => {
    const { id } = await bench.waiting()
    const { approvals } = bench.store
    const add = approvals.add.bind(approvals)
    approvals.add = async (approval, entry) => {
      const added = await add(approval, entry)
      bench.people.unreachable = true
      return added
    }
    expect(await bench.approvals.approve(id, other)).toMatchObject({ kind: 'taken', ready: false, change: { id } })
    expect(await bench.record()).toEqual([ASKED, 'approval: as operator'])
    bench.people.unreachable = false
    expect(await bench.approvals.meetQuorum((await bench.store.changes.get(id))!)).toMatchObject({ state: 'approved' })
  })

  it('does not count any more once the person has lost the role', async () => {
    takesTwo()
    const { id } = await bench.waiting()
    await bench.approvals.approve(id, other)
    bench.people.list(actor('viewer', other.id))
    expect(await bench.approvals.approve(id, ada)).toMatchObject({ kind: 'taken', ready: false })
    expect(await bench.approvals.approve(id, admin)).toMatchObject({ kind: 'taken', ready: true })
    expect((await bench.record()).at(-1)).toBe('approved: Approved by UADA, UADMIN')
  })

  it('comes too late when its time is over, by the clock of the store', async () => {
    const { id, expiresAt } = await bench.waiting()
    bench.clock.turn(expiresAt.getTime() - bench.clock.now().getTime())
    expect(await bench.approvals.approve(id, other)).toMatchObject({ kind: 'found', repeated: false })
    expect(await bench.record()).toEqual([ASKED])
  })

  it('does nothing while Slack cannot say who people are', async () => {
    const { id } = await bench.waiting()
    bench.people.unreachable = true
    await expect(bench.approvals.approve(id, other)).rejects.toMatchObject({ code: 'not_permitted' })
    expect(await stateOf(id)).toBe('waiting')
  })
})

describe('a change that waits and may not go on', () => {
  it.each<[what: string, happen: () => unknown]>([
    ['whoever asked has lost the role', () => bench.people.list(actor('none', olga.id))],
    ['the policy is another', () => (bench.rules.policy = { ...DEFAULT_POLICY, version: 'new' })],
    ['the zone has another id', () => (bench.rules.zones = [])],
  ])('ends at the next click when %s; who clicked finds it so, and who asked is told', async (_what, happen) => {
    const { id } = await bench.waiting()
    happen()
    expect(await bench.approvals.approve(id, other)).toMatchObject({ kind: 'found', change: { state: 'cancelled' } })
    expect(await bench.record()).toEqual([
      ASKED,
      expect.stringMatching(/^cancelled: (Whoever asked|What this would do)/),
    ])
    expect(await takeNotices(bench.store)).toMatchObject([{ recipient: olga.id, id: `end-${id}-cancelled` }])
    expect((await bench.store.changes.get(id))?.values['variables']).toBe('••••')
  })
})

describe('what somebody who may decide is shown first', () => {
  it('is the change as it reads now, and who has approved it', async () => {
    takesTwo()
    const change = await bench.waiting()
    await bench.approvals.approve(change.id, ada)
    const { prompt } = await bench.approvals.prompt(change.id, other)
    expect(prompt).toMatchObject({
      change: { id: change.id },
      invocation: { sentence: 'Add 192.0.2.10 to zone 301' },
      decision: { kind: 'approve', quorums: [{ count: 2 }] },
      approvals: [{ person: 'UADA', hash: change.hash }],
      alike: [],
    })
  })

  it('is nothing when it waits no longer, or ends by looking', async () => {
    const change = await bench.waiting()
    await bench.approvals.cancel(change.id, olga)
    const found = await bench.approvals.prompt(change.id, other)
    expect(found).toEqual({ change: expect.objectContaining({ state: 'cancelled' }) })
    const second = await bench.waiting()
    bench.rules.zones = []
    expect(await bench.approvals.prompt(second.id, other)).not.toHaveProperty('prompt')
    expect(await stateOf(second.id)).toBe('cancelled')
  })
})
