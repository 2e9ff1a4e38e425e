import { describe, expect, it, test } from 'vitest'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { DEFAULT_POLICY } from '../../../src/execution/policy/policy.ts'
import type { Actor } from '../../../src/operations/declaration/role.ts'
import { shortId } from '../../../src/shared/short-id.ts'
import type { Change } from '../../../src/store/schema/change.ts'
import { actor, useBench } from '../../support/execution-bench.ts'
import { takeNotices } from '../../support/notices.ts'

const bench = useBench()

const [olga, other, vera] = [actor('operator'), actor('operator', 'UOTHER'), actor('viewer')]
const stateOf = async (id: string) => (await bench.store.changes.get(id))?.state

/** A change without an answer. */
async function unknown(): Promise<Change> {
  bench.acts.write = () => Promise.reject(new CdnError('addDnsRecord', { kind: 'rejected', status: 500 }))
  return (await bench.sender.send(await bench.confirmed())).change
}

describe('declining', () => {
  it('ends the change with the reason, on record, and tells who asked, without a mention', async () => {
    const { id } = await bench.waiting()
    const reason = 'Not on a Friday, <!here>'
    expect(await bench.approvals.decline(id, other, reason)).toMatchObject({
      kind: 'taken',
      ready: false,
      change: { state: 'denied', endedBy: 'UOTHER', outcome: `Declined: ${reason}` },
    })
    expect((await bench.record()).at(-1)).toBe(`denied: Declined: ${reason}`)
    const [notice] = await takeNotices(bench.store)
    expect(notice).toMatchObject({ recipient: olga.id })
    expect(JSON.stringify(notice!.message)).toContain('<@UOTHER>')
    expect(JSON.stringify(notice!.message)).not.toContain('<!here>')
    expect(bench.written).toEqual([])
  })

  it('needs no reason, and is final: whoever approves or cancels later finds it so', async () => {
    const { id } = await bench.waiting()
    await bench.approvals.decline(id, other, undefined)
    const later = [
      await bench.approvals.approve(id, actor('admin')),
      await bench.approvals.decline(id, actor('admin'), 'me too'),
      await bench.approvals.cancel(id, olga),
    ]
    for (const click of later) expect(click).toMatchObject({ kind: 'found', change: { state: 'denied' } })
    expect(await bench.record()).toEqual([expect.anything(), 'denied: Declined without a reason.'])
  })
})

describe('cancelling', () => {
  it('is for who asked, while it waits, and needs no notice', async () => {
    const { id } = await bench.waiting()
    expect(await bench.approvals.cancel(id, olga)).toMatchObject({ kind: 'taken', change: { state: 'cancelled' } })
    expect((await bench.record()).at(-1)).toBe('cancelled: Taken back before it was sent.')
    expect(await takeNotices(bench.store)).toEqual([])
    expect(await bench.approvals.cancel(id, olga)).toMatchObject({ kind: 'found', change: { state: 'cancelled' } })
  })

  it('is possible even for somebody who has lost their role', async () => {
    const { id } = await bench.waiting()
    expect(await bench.approvals.cancel(id, actor('none', olga.id))).toMatchObject({ kind: 'taken' })
  })

  it('races an approval: one of them wins, and the other finds it so', async () => {
    const { id } = await bench.waiting()
    const [approved, cancelled] = await Promise.all([
      bench.approvals.approve(id, other),
      bench.approvals.cancel(id, olga),
    ])
    const state = await stateOf(id)
    expect(['approved', 'cancelled']).toContain(state)
    expect(approved.kind === 'taken' && approved.ready).toBe(state === 'approved')
    expect(cancelled.kind).toBe(state === 'cancelled' ? 'taken' : 'found')
  })
})

describe('settling what has no answer', () => {
  test.each([
    { happened: true, state: 'done', said: 'A person looked: it is there.' },
    { happened: false, state: 'not_done', said: 'A person looked: it is not there.' },
  ])('as $state, on record with the name of who looked', async ({ happened, state, said }) => {
    const { id } = await unknown()
    expect(await bench.approvals.settle(id, other, happened)).toMatchObject({
      kind: 'taken',
      change: { state, outcome: said, endedBy: 'UOTHER' },
    })
    expect((await bench.record()).at(-1)).toBe(`${state}: ${said}`)
    expect(await bench.approvals.settle(id, olga, !happened)).toMatchObject({ kind: 'found', change: { state } })
  })

  it('is told to who asked, unless they looked themselves', async () => {
    const [first, second] = [await unknown(), await unknown()]
    await bench.approvals.settle(first.id, olga, true)
    await bench.approvals.settle(second.id, other, true)
    const notices = (await takeNotices(bench.store)).filter(({ recipient }) => recipient === olga.id)
    expect(notices.map(({ id }) => id)).toEqual([`end-${second.id}-done`])
    expect(JSON.stringify(notices[0]?.message)).toContain('by <@UOTHER>')
  })

  it('happens once, whoever clicks first', async () => {
    const { id } = await unknown()
    const clicks = await Promise.all([true, false].map((happened) => bench.approvals.settle(id, other, happened)))
    expect(clicks.map(({ kind }) => kind).toSorted()).toEqual(['found', 'taken'])
  })

  it('may be done by who asked, and not by a viewer or on a role that rests on silence', async () => {
    const { id } = await unknown()
    const refused: readonly (readonly [Actor, string, string?])[] = [
      [vera, 'Only operators and admins can use changes settle; you are a viewer.', 'changes settle'],
      [actor('none', 'UX'), 'Only operators and admins can use changes settle; you have no role.', 'changes settle'],
      [{ ...other, writesBarred: 'Slack is silent.' }, 'Slack is silent.'],
    ]
    for (const [person, why, access] of refused) {
      const told = { message: `${why} Nothing was done.`, hint: 'An admin can help.', access }
      await expect(bench.approvals.settle(id, person, true)).rejects.toMatchObject(told)
      expect((await bench.record()).at(-1)).toBe(`denied: ${why}`)
    }
    expect(await bench.approvals.settle(id, olga, true)).toMatchObject({ kind: 'taken' })
  })

  it('is of no use for a change that is not unknown', async () => {
    const { id } = await bench.waiting()
    expect(await bench.approvals.settle(id, other, true)).toMatchObject({ kind: 'found', change: { state: 'waiting' } })
  })
})

describe('the same by command', () => {
  it('cancels and settles, or says why not', async () => {
    const waiting = await bench.waiting()
    const actions = bench.approvals.actions(olga)
    expect(await actions.settle(waiting.id, true)).toMatchObject({ kind: 'not_now', why: 'It is waiting now.' })
    expect(await actions.cancel(shortId(waiting.id))).toMatchObject({ kind: 'done', change: { state: 'cancelled' } })
    expect(await actions.cancel(waiting.id)).toMatchObject({ kind: 'not_now', why: 'It is cancelled now.' })
    const settle = async (id: string) => actions.settle(shortId(id), false)
    const { id } = await unknown()
    expect(await settle(id)).toMatchObject({ kind: 'done', change: { state: 'not_done' } })
    expect(await settle(id)).toMatchObject({ kind: 'not_now', why: 'It is not done now.', change: { id } })
    expect(bench.written).toHaveLength(1)
    await expect(actions.cancel('8')).rejects.toThrow('Several changes begin with 8. Nothing was done.')
    await expect(settle('f'.repeat(8))).rejects.toThrow('This change is not known any more. Nothing was done.')
  })

  it('lists what waits for somebody: what others asked for, of which their word counts and was not given yet', async () => {
    bench.rules.policy = {
      ...DEFAULT_POLICY,
      version: 'two',
      quorum: { count: 2, roles: ['operator', 'admin'], groups: [] },
    }
    const [own, approved, waiting, cancelled] = [
      await bench.waiting(other),
      await bench.waiting(),
      await bench.waiting(),
      await bench.waiting(),
    ]
    await bench.approvals.approve(approved.id, other)
    await bench.approvals.cancel(cancelled.id, olga)
    const unreadable = { ...waiting, id: 'f'.repeat(32), operation: 'gone add' }
    const all = [own, approved, (await bench.store.changes.get(cancelled.id))!, unreadable, waiting]
    const listed = async (who: Actor, changes: readonly Change[] = all) =>
      (await bench.approvals.actions(who).waitingFor(changes)).map(({ id }) => all.findIndex((each) => each.id === id))
    expect(await listed(other)).toEqual([4])
    expect(await listed(actor('admin'))).toEqual([0, 1, 4])
    expect(await listed(vera)).toEqual([])
    expect(await listed({ ...actor('admin'), writesBarred: 'Slack is silent.' })).toEqual([])
    const eleven = Array.from({ length: 11 }, (_, index) => ({ ...waiting, id: `c${index}` }))
    expect((await bench.approvals.listWaitingFor(other, eleven)).map(({ id }) => id)).toEqual(
      eleven.slice(0, 10).map(({ id }) => id),
    )
    bench.people.unreachable = true
    expect(await listed(other)).toEqual([])
    expect(bench.log.at(-1)).toMatchObject({ level: 'warn' })
  })
})
