import { describe, expect, it, test } from 'vitest'
import { DEFAULT_POLICY } from '../../../src/execution/policy/policy.ts'
import { recheck } from '../../../src/execution/changes/recheck.ts'
import { utcText } from '../../../src/block-kit/mrkdwn.ts'
import type { Change } from '../../../src/store/schema/change.ts'
import { actor, RECORD, useBench } from '../../support/execution-bench.ts'
import { ChangeSender } from '../../../src/execution/changes/change-sender.ts'
import { StoreError } from '../../../src/store/schema/store-error.ts'
import { shortId } from '../../../src/shared/short-id.ts'

const bench = useBench()

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
  const now = await recheck(bench.services, change)
  if ('stopped' in now) throw new Error(now.stopped)
  return { ids: now.approvers.map(({ id }) => id), more: now.open.map(({ count }) => count) }
}

describe('looking at a change anew stops it', () => {
  const lists = (...people: Parameters<typeof actor>) => bench.people.list(actor(...people))
  const NOT_ANY_MORE = 'Whoever asked may not do this any more: '
  test.each<[what: string, happen: () => unknown, why: string]>([
    ['the zone it names has another id', () => (bench.rules.zones = []), CHANGED],
    ['the policy is another', () => (bench.rules.policy = version({ version: 'another' })), CHANGED],
    [
      'whoever asked has a lesser role',
      () => lists('viewer', olga.id),
      `${NOT_ANY_MORE}Only operators and admins can use record add; they are a viewer.`,
    ],
    [
      'whoever asked is nobody any more',
      () => lists('none', olga.id),
      `${NOT_ANY_MORE}Only operators and admins can use record add; they have no role.`,
    ],
    [
      'the policy denies it, though its version says that nothing changed',
      () => (bench.rules.policy = version({ rules: [{ name: 'r', decision: 'deny', reason: 'Frozen.' }] })),
      `${NOT_ANY_MORE}Frozen.`,
    ],
  ])('when %s', async (_what, happen, stopped) => {
    const change = await bench.waiting()
    expect(await recheck(bench.services, change)).not.toHaveProperty('stopped')
    happen()
    expect(await recheck(bench.services, change)).toEqual({ stopped })
  })

  it('when its operation is gone, its values do not fit its hash, or it never had one', async () => {
    const change = await bench.waiting()
    const values = [{ operation: 'gone add' }, { values: RECORD }, { values: {} }]
    for (const other of [...values, { hash: 'f'.repeat(64) }, { hash: undefined }])
      expect(await recheck(bench.services, { ...change, ...other })).toEqual({ stopped: CHANGED })
  })

  it('not while Slack cannot say who people are: that is for another time', async () => {
    const change = await bench.waiting()
    bench.people.unreachable = true
    await expect(recheck(bench.services, change)).rejects.toMatchObject({ code: 'not_permitted' })
  })

  test.each([
    { what: 'which role whoever asked has', person: { ...actor('none', olga.id), unsure: 'Slack is silent' } },
    { what: 'whether they have it still', person: { ...olga, writesBarred: 'Silent.', unsure: 'Slack is silent' } },
  ])('nor while it does not say, by user groups, $what', async ({ person }) => {
    const change = await bench.waiting()
    bench.people.list(person)
    await expect(recheck(bench.services, change)).rejects.toMatchObject({
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
    await expect(recheck(bench.services, { ...change, state: 'approved' })).rejects.toMatchObject({
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
    const rebound = await bench.changes.review(
      await bench.changes.begin(bench.operation('record add'), change.values, olga, 'C1'),
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
    expect(await recheck(bench.services, change)).toEqual({ stopped: CHANGED })
  })
})

describe('roles are looked at', () => {
  it('as Slack gives them now, for who asked and for each who approved', async () => {
    const change = await bench.waiting()
    await approve(change, 'UOTHER')
    await recheck(bench.services, change)
    expect(bench.people.askedAfresh).toEqual([olga.id, 'UOTHER'])
  })

  it('as Slack gave them within the last minute where that is enough', async () => {
    await recheck(bench.services, await bench.waiting(), { fresh: false })
    expect(bench.people.askedAfresh).toEqual([])
  })
})

const stored = async ({ id }: Change) => bench.store.changes.get(id)
/** A change that somebody else has approved. */
async function approved(): Promise<Change> {
  const { id } = await bench.waiting()
  await bench.announcer.announce(id)
  const clicked = await bench.approvals.approve(id, actor('operator', 'UOTHER'))
  if (clicked.kind !== 'taken' || !clicked.ready) throw new Error('It should be ready')
  return clicked.change
}

/** What is said of a change that is kept, until when, and how to stop it. */
const later = (why: string, { id, expiresAt }: Change) => ({
  text: `${why} It stays approved, and nothing was sent yet. CDN Ops sends it by itself when it can, until ${utcText(expiresAt)}. To stop it: /cdn changes cancel ${shortId(id)}`,
})

describe('right before the call', () => {
  it('roles are asked for as they are right now', async () => {
    const change = await approved()
    bench.people.askedAfresh.length = 0
    await bench.sender.send(change)
    expect(bench.people.askedAfresh).toEqual([olga.id, 'UOTHER'])
  })

  test.each<[what: string, happen: () => unknown, why: string]>([
    [
      'who asked has lost the role',
      () => bench.people.list(actor('viewer', olga.id)),
      'Whoever asked may not do this any more: Only operators and admins can use record add; they are a viewer.',
    ],
    [
      'who approved has lost the role',
      () => bench.people.list(actor('viewer', 'UOTHER')),
      'It has not the approvals it takes, as roles are now.',
    ],
    ['the zone is another', () => (bench.rules.zones = []), CHANGED],
    ['its time is over', () => bench.clock.turn(9 * 3_600_000), 'This was answered already, or it waited too long.'],
  ])('nothing is sent when %s; that is on record, and who asked is told', async (_what, happen, why) => {
    const change = await approved()
    happen()
    const { outcome, viewed, announced } = await bench.sender.send(change)
    await announced
    expect(outcome).toBe('not_sent')
    expect(bench.written).toEqual([])
    expect(viewed.text).toBe(`${why} Nothing was sent. Ask again.`)
    expect(await stored(change)).toMatchObject({ state: 'cancelled', outcome: `${why} Nothing was sent.` })
    expect((await bench.record()).at(-1)).toMatch(/^cancelled: /)
    expect(bench.board.in('COPS')).toEqual([expect.stringMatching(/^Cancelled: nothing was sent/)])
    await bench.deliver()
    expect(bench.board.in(olga.id)).toEqual([expect.stringMatching(/^Cancelled: nothing was sent/)])
  })

  it('nothing is sent when who confirmed it alone has lost the role, and the prompt alone says so', async () => {
    const change = await bench.confirmed()
    bench.people.list(actor('viewer', olga.id))
    const { viewed, announced } = await bench.sender.send(change)
    await announced
    expect(viewed.text).toContain('Nothing was sent.')
    expect(await stored(change)).toMatchObject({ state: 'cancelled' })
    await bench.deliver()
    expect(bench.board.in(olga.id)).toEqual([])
  })

  it('what was approved is kept while Slack cannot say who is who, and sent when it can', async () => {
    const change = await approved()
    bench.people.unreachable = true
    expect(await bench.sender.send(change)).toMatchObject({
      outcome: 'later',
      change: { state: 'approved' },
      viewed: later('At this moment nobody can say who may do what, or the audit log does not answer.', change),
    })
    expect(bench.written).toEqual([])
    bench.people.unreachable = false
    bench.clock.turn(10_000)
    await bench.reconciler.reconcile()
    expect(bench.written).toEqual([`cdn-ops ${shortId(change.id)}`])
  })

  it('nothing is sent without its entry in the record, whatever else can be written', async () => {
    const change = await approved()
    const { changes } = bench.store
    const move = changes.move.bind(changes)
    changes.move = async (id, step) => {
      if (step.to === 'sending') throw new StoreError('full')
      return move(id, step)
    }
    expect(await bench.sender.send(change)).toMatchObject({
      outcome: 'later',
      viewed: later('The audit log cannot be used now.', change),
    })
    expect(bench.written).toEqual([])
    changes.move = move
    expect((await stored(change))?.state).toBe('approved')
    expect((await bench.sender.send(change)).outcome).toBe('done')
  })

  it('nothing is promised where the record did not say whether sending may begin', async () => {
    const change = await approved()
    const { changes } = bench.store
    const move = changes.move.bind(changes)
    changes.move = async (id, step) => {
      await move(id, step)
      throw new StoreError('unanswered')
    }
    const { outcome, viewed } = await bench.sender.send(change)
    expect({ outcome, text: viewed.text }).toEqual({
      outcome: 'later',
      text: 'The database did not answer, and nothing was sent yet. CDN Ops sends it by itself if it is still approved; else it is listed as unknown, though it was not sent.',
    })
    expect(bench.written).toEqual([])
  })

  it.each<[what: string, ends: () => Promise<undefined>, says: string]>([
    ['cannot be ended either', () => Promise.reject(new StoreError('full')), CHANGED],
    [
      'is gone',
      async () => undefined,
      'Somebody or something was faster: this is approved now. Nothing was sent twice.',
    ],
  ])('what may not be sent any more is not, where it %s', async (_, ends, says) => {
    const confirmed = await bench.confirmed()
    bench.rules.policy = version({ version: 'another' })
    bench.store.changes.get = ends
    const { outcome, viewed } = await bench.sender.send(confirmed)
    expect([outcome, bench.written]).toEqual(['not_sent', []])
    expect(viewed.text.slice(0, says.length)).toBe(says)
  })

  it('nothing can fail any more that is not the call itself', async () => {
    const change = await approved()
    const createContext = () => Promise.reject(new TypeError('a fault'))
    const sender = new ChangeSender({ ...bench.services, createContext })
    expect(await sender.send(change)).toMatchObject({
      outcome: 'later',
      viewed: later('A fault of CDN Ops hinders it.', change),
    })
    expect(await bench.record()).not.toContain('sending')
  })
})

describe('what others approved', () => {
  it('is sent as it was approved, once, with all of them on record', async () => {
    const change = await approved()
    const { announced } = await bench.sender.send(change)
    await announced
    expect(bench.written).toEqual([`cdn-ops ${shortId(change.id)}`])
    expect(await bench.record()).toEqual([
      'requested: waits for approval',
      'approval: as operator',
      'approved: Approved by UOTHER',
      'sending',
      'done: Add 192.0.2.10 to zone 301',
    ])
    const [, sending] = await bench.store.audit.list({ limit: 2 })
    expect(sending).toMatchObject({ event: 'sending', actor: olga.id })
  })

  it('is told to who asked, who is at no prompt any more; a confirmation is not', async () => {
    await bench.sender.send(await approved())
    await bench.deliver()
    expect(bench.board.in(olga.id)).toEqual([expect.stringMatching(/^Done\nAdd 192\.0\.2\.10/)])
    await bench.sender.send(await bench.confirmed())
    await bench.deliver()
    expect(bench.board.in(olga.id)).toHaveLength(1)
  })

  it('is sent though Slack takes no message about it', async () => {
    const change = await approved()
    bench.board.before = () => new Promise(() => {})
    expect((await bench.sender.send(change)).outcome).toBe('done')
    expect((await stored(change))?.state).toBe('done')
  })
})

describe('the lease', () => {
  it('names who sends, for as long as the setting says, and ends with the sending', async () => {
    const change = await bench.confirmed()
    let during: Change | undefined
    bench.acts.write = async () => {
      during = await stored(change)
      return 'stored'
    }
    const sender = new ChangeSender({ ...bench.services, holder: 'me', leaseMs: 45_000 })
    await sender.send(change)
    const leaseUntil = new Date(bench.clock.now().getTime() + 45_000)
    expect(during).toMatchObject({ state: 'sending', leaseHolder: 'me', leaseUntil, sentAt: bench.clock.now() })
    expect((await stored(change))?.leaseHolder).toBeUndefined()
  })
})
