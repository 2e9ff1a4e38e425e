import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChangeSender } from '../../src/execution/change-sender.ts'
import { DEFAULT_POLICY } from '../../src/execution/policy.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { actor, type Bench, createBench, RECORD } from '../support/execution-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const [olga, other] = [actor('operator'), actor('operator', 'UOTHER')]
const GRACE_MS = 10_000
const stateOf = async (id: string) => (await bench.store.changes.get(id))?.state

describe('what was confirmed and nobody is at any more', () => {
  it('is sent after ten seconds, and not before: somebody may be taking it back', async () => {
    const { id } = await bench.confirmed()
    bench.clock.turn(GRACE_MS - 1)
    await bench.keeper.keep()
    expect(await stateOf(id)).toBe('approved')
    bench.clock.turn(1)
    await bench.keeper.keep()
    expect(await stateOf(id)).toBe('done')
    expect(bench.written).toEqual([`cdn-ops ${id}`])
    expect(bench.board.in('C1')).toEqual(['It was stored.'])
  })

  it('is sent once, however many rounds and processes there are', async () => {
    const { id } = await bench.confirmed()
    bench.clock.turn(GRACE_MS)
    await Promise.all([bench.keeper.keep(), bench.keeper.keep()])
    await bench.keeper.keep()
    expect(bench.written).toEqual([`cdn-ops ${id}`])
  })

  it('is sent oldest first where there is more than one round takes on', async () => {
    const ids: string[] = []
    for (let n = 0; n < 103; n += 1) {
      const person = actor('operator', `UP${n}`)
      bench.people.list(person)
      ids.push((await bench.confirmed(RECORD, person)).id)
      bench.clock.turn(1)
    }
    bench.clock.turn(GRACE_MS)
    await bench.keeper.keep()
    expect(bench.written).toEqual(ids.slice(0, 100).map((id) => `cdn-ops ${id}`))
    await bench.keeper.keep()
    expect(bench.written).toHaveLength(103)
  })

  it('is not sent when its time is over: it expires first', async () => {
    const { id } = await bench.confirmed()
    bench.clock.turn(10 * 60_000)
    await bench.keeper.keep()
    expect(await stateOf(id)).toBe('expired')
    expect(bench.written).toEqual([])
  })

  it('is not sent when the person has lost the role', async () => {
    const { id } = await bench.confirmed()
    bench.people.list(actor('none', olga.id))
    bench.clock.turn(GRACE_MS)
    await bench.keeper.keep()
    expect(await stateOf(id)).toBe('cancelled')
    expect(bench.written).toEqual([])
  })
})

describe('a round', () => {
  it('writes nothing where nothing is under way', async () => {
    const { audit } = bench.store
    const recorded = vi.spyOn(audit, 'record')
    await bench.keeper.keep()
    expect(recorded).not.toHaveBeenCalled()
    await bench.confirmed()
    bench.clock.turn(GRACE_MS)
    await bench.keeper.keep()
    expect(recorded).toHaveBeenCalled()
  })
})

describe('what waits', () => {
  it('is sent when everybody had approved before a crash', async () => {
    const { id, hash = '' } = await bench.waiting()
    const at = bench.clock.now()
    const entry = { at, actor: other.id, team: 'T1', operation: 'record add', event: 'approval', summary: 's' } as const
    await bench.store.approvals.add({ changeId: id, person: other.id, hash, at }, entry)
    await bench.keeper.keep()
    expect(await stateOf(id)).toBe('done')
    expect(await bench.record()).toEqual([
      'requested: waits for approval',
      'approval',
      'approved: Approved by UOTHER',
      'sending',
      'done: Add 192.0.2.10 to zone 301',
    ])
  })

  it('goes on waiting while approvals are missing', async () => {
    const { id } = await bench.waiting()
    await bench.keeper.keep()
    expect(await stateOf(id)).toBe('waiting')
    expect(bench.board.in('COPS')).toEqual([expect.stringMatching(/^Waiting for approval/)])
  })

  it('is cancelled when whoever asked has lost the role, and they are told', async () => {
    const { id } = await bench.waiting()
    await bench.announcer.announce(id)
    bench.people.list(actor('none', olga.id))
    await bench.keeper.keep()
    expect(await stateOf(id)).toBe('cancelled')
    expect((await bench.record()).at(-1)).toMatch(
      /^cancelled: Whoever asked may not do this any more: .*they have none/,
    )
    expect(bench.board.in('COPS')).toEqual([expect.stringMatching(/^Cancelled: nothing was sent/)])
    await bench.courier.deliver()
    expect(bench.board.in(olga.id)).toHaveLength(1)
  })

  it('asks Slack no more than once a minute who has which role, until it is to be sent', async () => {
    await bench.waiting()
    await bench.keeper.keep()
    expect(bench.people.askedAfresh).toEqual([])
  })

  it('expires', async () => {
    const { id } = await bench.waiting()
    bench.clock.turn(DEFAULT_POLICY.approvalMs)
    await bench.keeper.keep()
    expect(await stateOf(id)).toBe('expired')
  })

  it('waits on while Slack cannot say who people are', async () => {
    const { id } = await bench.waiting()
    bench.people.unreachable = true
    await bench.keeper.keep()
    expect(await stateOf(id)).toBe('waiting')
    expect(bench.log.filter(({ level }) => level === 'error').map(({ fields }) => fields['what'])).toEqual([
      'look at a change that waits',
    ])
  })
})

describe('a round', () => {
  it('calls unknown what a dead process was sending, and says so in its message', async () => {
    const { executor, announcer } = bench
    const change = await bench.confirmed()
    const begun = Promise.withResolvers<void>()
    bench.acts.write = () => {
      begun.resolve()
      return new Promise(() => {})
    }
    void new ChangeSender({ executor, announcer, holder: 'a dead process', leaseMs: 60_000 }).send(change)
    await begun.promise
    await bench.keeper.keep()
    expect(await stateOf(change.id)).toBe('unknown')
    expect(bench.board.in('C1')).toEqual([expect.stringMatching(/^Unknown: it may or may not have happened/)])
    expect(bench.written).toHaveLength(1)
  })

  it('brings messages up to date that Slack did not take', async () => {
    bench.board.refusing.set('COPS', 'for a while')
    const { id } = await bench.waiting()
    await bench.announcer.announce(id)
    bench.board.refusing.clear()
    await bench.keeper.keep()
    expect(bench.board.in('COPS')).toHaveLength(1)
  })

  it('goes on with the next step, and the next change, when one fails', async () => {
    bench.store.changes.recover = () => Promise.reject(new StoreError('locked'))
    const [first, second] = [await bench.confirmed(), await bench.confirmed()]
    bench.clock.turn(GRACE_MS)
    bench.acts.write = async ({ marker }) => {
      if (marker === `cdn-ops ${second.id}`) throw new TypeError('a bug')
      return 'stored'
    }
    await bench.keeper.keep()
    expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(['done', 'unknown'])
    expect(bench.log.find(({ fields }) => fields['what'] === 'recover what was being sent')).toBeDefined()
  })
})
