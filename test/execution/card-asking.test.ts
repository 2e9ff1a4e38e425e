import { describe, expect, it } from 'vitest'
import { findApprovalFacts, ChangeAnnouncer } from '../../src/execution/changes/change-announcer.ts'
import { DEFAULT_POLICY } from '../../src/execution/policy/policy.ts'
import { actor, useBench } from '../support/execution-bench.ts'

const bench = useBench()

const [other, ada] = [actor('operator', 'UOTHER'), actor('admin', 'UADA')]
const GONE = 'The approval of <@UOTHER> no longer counts'
const TOO_FEW = 'Too few are left who could approve this:* it takes one member of the user group'
const SILENT = 'Slack has not said who is in its user groups'
const card = () => JSON.stringify(bench.board.posted[0]!.message.blocks)
const edits = () => bench.board.posted[0]!.texts.length - 1

/** Two approvals are asked for, one is there, and it is shown. */
async function halfApproved(): Promise<string> {
  const quorum = { count: 2, roles: ['operator', 'admin'], groups: [] } as const
  bench.rules.policy = { ...DEFAULT_POLICY, version: 'two', quorum }
  const { id } = await bench.waiting()
  await bench.approvals.approve(id, other)
  await bench.reconciler.reconcile()
  expect(card()).toContain('Approved by <@UOTHER> (1 more needed)')
  return id
}

/** Only a group may approve, and this is who is in it. */
async function askedOfLawyers(): Promise<string> {
  bench.people.list({ ...actor('viewer', 'ULAW'), groups: ['SLAW'] })
  bench.rules.policy = { ...DEFAULT_POLICY, version: 'law', quorum: { count: 1, roles: [], groups: ['SLAW'] } }
  const { id } = await bench.waiting()
  await bench.reconciler.reconcile()
  return id
}

describe('an approval of somebody who lost their role', () => {
  it('is no longer shown as one that counts, and is again when they have it back', async () => {
    await halfApproved()
    bench.people.list(actor('viewer', 'UOTHER'))
    await bench.reconciler.reconcile()
    expect(card()).toContain(`${GONE}, as roles and user groups are now (2 more needed)`)
    expect(card()).not.toContain('Approved by')
    bench.people.list(other)
    await bench.reconciler.reconcile()
    expect(card()).toContain('Approved by <@UOTHER> (1 more needed)')
    expect(bench.board.posted).toHaveLength(1)
  })

  it('is told from those that count, also to whoever decides next', async () => {
    const id = await halfApproved()
    bench.rules.policy = { ...bench.rules.policy, quorum: { ...bench.rules.policy.quorum, count: 3 } }
    await bench.approvals.approve(id, ada)
    bench.people.list(actor('viewer', 'UOTHER'))
    await bench.reconciler.reconcile()
    expect(card()).toContain('Approved by <@UADA> (2 more needed)')
    expect(card()).toContain(GONE)
    expect(await bench.approvals.prompt(id, actor('operator', 'UOTTO'))).toMatchObject({
      prompt: { lapsed: ['UOTHER'] },
    })
  })

  it('is left as it stands while Slack is silent', async () => {
    await halfApproved()
    const before = edits()
    bench.people.list({ ...actor('viewer', 'UOTHER'), unsure: SILENT })
    await bench.reconciler.reconcile()
    expect(edits()).toBe(before)
  })

  it('is looked at without asking Slack anew, and edits nothing while it stands', async () => {
    await halfApproved()
    const [before, asked] = [edits(), bench.people.askedAfresh.length]
    await bench.reconciler.reconcile()
    await bench.reconciler.reconcile()
    expect([edits(), bench.people.askedAfresh.length]).toEqual([before, asked])
  })

  it('is found by a new process, too, which draws what waits once', async () => {
    await halfApproved()
    const before = edits()
    const restarted = new ChangeAnnouncer(bench.services)
    bench.people.list(actor('viewer', 'UOTHER'))
    const waiting = await bench.store.changes.list({ states: ['waiting'], limit: 9 })
    await restarted.lookAgain(waiting)
    await restarted.lookAgain(waiting)
    expect(card()).toContain(GONE)
    expect(edits()).toBe(before + 1)
  })
})

describe('where not enough people are left', () => {
  it('says so in the message, cancels nothing, and takes it back when there are again', async () => {
    const id = await askedOfLawyers()
    expect(card()).not.toContain('Too few are left')
    bench.people.list(actor('viewer', 'ULAW'))
    await bench.reconciler.reconcile()
    expect(card()).toContain(TOO_FEW)
    expect(bench.board.in('COPS')[0]).toContain('Too few are left who could approve this: it takes one member')
    expect((await bench.store.changes.get(id))?.state).toBe('waiting')
    bench.people.list({ ...actor('viewer', 'ULAW'), groups: ['SLAW'] })
    await bench.reconciler.reconcile()
    expect(card()).not.toContain('Too few are left')
  })

  it('says nothing of it while Slack is silent about user groups, but whose approval it takes', async () => {
    const id = await askedOfLawyers()
    bench.people.list(actor('viewer', 'ULAW'), { ...actor('operator'), unsure: SILENT })
    await bench.reconciler.reconcile()
    expect(card()).not.toContain('Too few are left')
    const asking = await findApprovalFacts(bench.services, (await bench.store.changes.get(id))!)
    expect(asking).toMatchObject({ quorums: [{ groups: ['SLAW'] }], short: undefined, fingerprint: undefined })
  })
})
