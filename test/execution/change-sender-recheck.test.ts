import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { ChangeSender } from '../../src/execution/change-sender.ts'
import { DEFAULT_POLICY } from '../../src/execution/policy.ts'
import { StoreError } from '../../src/store/store-error.ts'
import type { Change } from '../../src/store/change.ts'
import { actor, type Bench, createBench } from '../support/execution-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const olga = actor('operator')
const stored = async ({ id }: Change) => bench.store.changes.get(id)

/** A change that somebody else has approved. */
async function approved(): Promise<Change> {
  const { id } = await bench.waiting()
  await bench.announcer.announce(id)
  const clicked = await bench.approvals.approve(id, actor('operator', 'UOTHER'))
  if (clicked.kind !== 'taken' || !clicked.ready) throw new Error('It should be ready')
  return clicked.change
}

describe('right before the call', () => {
  test.each<{ what: string; happen: () => unknown; why: string }>([
    {
      what: 'who asked has lost the role',
      happen: () => bench.people.list(actor('viewer', olga.id)),
      why: 'Whoever asked',
    },
    { what: 'who asked is nobody', happen: () => bench.people.list(actor('none', olga.id)), why: 'Whoever asked' },
    {
      what: 'who approved has lost the role',
      happen: () => bench.people.list(actor('viewer', 'UOTHER')),
      why: 'It has not the approvals it takes, as roles are now.',
    },
    {
      what: 'the policy is another',
      happen: () => (bench.rules.policy = { ...DEFAULT_POLICY, version: 'another' }),
      why: 'What this would do, or the rules for it, have changed',
    },
    { what: 'the zone is another', happen: () => (bench.rules.zones = []), why: 'What this would do' },
    { what: 'its time is over', happen: () => bench.clock.turn(9 * 3_600_000), why: 'This was answered already, or' },
  ])('nothing is sent when $what; that is on record, and who asked is told', async ({ happen, why }) => {
    const change = await approved()
    happen()
    const { outcome, viewed, told } = await bench.sender.send(change)
    await told
    expect(outcome).toBe('not_sent')
    expect(bench.written).toEqual([])
    expect(viewed.text).toContain(why)
    expect(await stored(change)).toMatchObject({ state: 'cancelled', outcome: expect.stringContaining(why) })
    expect((await bench.record()).at(-1)).toMatch(/^cancelled: /)
    expect(bench.board.in('COPS')).toEqual([expect.stringMatching(/^Cancelled: nothing was sent/)])
    await bench.courier.deliver()
    expect(bench.board.in(olga.id)).toEqual([expect.stringMatching(/^Your change: Cancelled: nothing was sent/)])
  })

  it('roles are asked for as they are right now', async () => {
    const change = await approved()
    bench.people.askedAfresh.length = 0
    await bench.sender.send(change)
    expect(bench.people.askedAfresh).toEqual([olga.id, 'UOTHER'])
  })

  it('what was approved is kept while Slack cannot say who is who, and sent when it can', async () => {
    const change = await approved()
    bench.people.unreachable = true
    expect(await bench.sender.send(change)).toMatchObject({ outcome: 'later', change: { state: 'approved' } })
    expect(bench.written).toEqual([])
    bench.people.unreachable = false
    bench.clock.turn(10_000)
    await bench.keeper.keep()
    expect(bench.written).toEqual([`cdn-ops ${change.id}`])
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
      viewed: { text: expect.stringMatching(/record cannot be written.*nothing was sent yet/) as string },
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
      text: expect.stringMatching(/nothing was sent yet.*still approved.*else it is listed as unknown/) as string,
    })
    expect(bench.written).toEqual([])
  })

  it('nothing can fail any more that is not the call itself', async () => {
    const change = await approved()
    bench.executor.context = () => Promise.reject(new StoreError('unreachable'))
    expect((await bench.sender.send(change)).outcome).toBe('later')
    expect(await bench.record()).not.toContain('sending')
  })
})

describe('what others approved', () => {
  it('is sent as it was approved, once, with all of them on record', async () => {
    const change = await approved()
    const { told } = await bench.sender.send(change)
    await told
    expect(bench.written).toEqual([`cdn-ops ${change.id}`])
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
    await bench.courier.deliver()
    expect(bench.board.in(olga.id)).toEqual([expect.stringMatching(/^Your change: Done\. Add 192\.0\.2\.10/)])
    await bench.sender.send(await bench.confirmed())
    await bench.courier.deliver()
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
    const { executor, announcer } = bench
    const change = await bench.confirmed()
    let during: Change | undefined
    bench.acts.write = async () => {
      during = await stored(change)
      return 'stored'
    }
    const sender = new ChangeSender({ executor, announcer, holder: 'me', leaseMs: 45_000 })
    await sender.send(change)
    const leaseUntil = new Date(bench.clock.now().getTime() + 45_000)
    expect(during).toMatchObject({ state: 'sending', leaseHolder: 'me', leaseUntil, sentAt: bench.clock.now() })
    expect((await stored(change))?.leaseHolder).toBeUndefined()
  })
})
