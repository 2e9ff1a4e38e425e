import { afterEach, describe, expect, it, test } from 'vitest'
import type { Actor } from '../../../src/operations/declaration/role.ts'
import { DEFAULT_POLICY } from '../../../src/execution/policy/policy.ts'
import { actor, useBench } from '../../support/execution-bench.ts'

const bench = useBench()
// Each refusal leaves the change waiting, is counted, and nothing is sent.
afterEach(() => {
  if (bench.written.length > 0) throw new Error('The platform was called')
})

const [olga, other] = [actor('operator'), actor('operator', 'UOTHER')]
const OWN = 'Nobody approves or declines what they asked for themselves.'
const NO_ROLE = 'Changes are decided by people with a role.'
const VIEWER = 'With the role viewer alone one cannot decide this.'
const LOST = 'With the role viewer alone one cannot decide this; you were an operator until lately.'
const BUTTON = 'A button in a message that is not the one about this change.'

/** What somebody is told who is refused: what happened, what helps, and for which operation a button asks for access. */
type Told = readonly [why: string, hint?: string, access?: string]
const notOwn: Told = ['You asked for this yourself, so somebody else has to decide.', 'You can cancel it.']
const asksAdmin: Told = [NO_ROLE, 'An admin can help.', 'record add']
const silent = { writesBarred: 'Slack is silent.' }

const STRANGERS: readonly (readonly [who: string, by: Actor, why: string, told: Told])[] = [
  ['who asked', olga, OWN, notOwn],
  ['who asked, an admin meanwhile', { ...actor('admin', olga.id), groups: ['SLAW'] }, OWN, notOwn],
  ['a viewer', actor('viewer'), VIEWER, [VIEWER, 'An admin can help.', 'record add']],
  ['somebody without a role', actor('none', 'UX'), NO_ROLE, asksAdmin],
  [
    'a guest',
    { ...actor('none'), barred: true, roleSource: 'guests have no role' },
    NO_ROLE,
    [NO_ROLE, 'Guests have no role.'],
  ],
  [
    'an operator who is a viewer now',
    { ...actor('viewer'), formerRole: 'operator' },
    LOST,
    [LOST, 'An admin can help.', 'record add'],
  ],
  [
    'an admin by silence',
    { ...actor('admin'), ...silent },
    silent.writesBarred,
    [silent.writesBarred, 'The message says whose approval it takes.'],
  ],
  [
    'a viewer by silence',
    { ...actor('viewer'), ...silent },
    silent.writesBarred,
    [silent.writesBarred, 'An admin can help.'],
  ],
]

describe('is refused on record, and changes nothing:', () => {
  test.each(STRANGERS)('%s approves, declines, or only looks', async (_, by, why, [happened, hint, access]) => {
    const change = await bench.waiting()
    for (const click of [
      () => bench.approvals.approve(change.id, by),
      () => bench.approvals.decline(change.id, by, 'no'),
      () => bench.approvals.prompt(change.id, by),
    ]) {
      const message = `${happened} Nothing was done.`
      await expect(click()).rejects.toMatchObject({ code: 'not_permitted', message, hint, access })
    }
    expect((await bench.record()).slice(1)).toEqual(Array.from({ length: 3 }, () => `denied: ${why}`))
    const [entry] = await bench.store.audit.list({ limit: 1 })
    expect(entry).toMatchObject({ actor: by.id, changeId: change.id, operation: 'record add' })
    expect((await bench.store.changes.get(change.id))?.state).toBe('waiting')
    expect(await bench.store.approvals.of(change.id)).toEqual([])
    expect(bench.counted).toEqual(Array.from({ length: 3 }, () => 'record add denied'))
  })

  it('somebody outside of the group that has to approve, admin or not', async () => {
    bench.people.list({ ...actor('viewer', 'ULAW'), groups: ['SLAW'] })
    const quorum = { count: 1, roles: [], groups: ['SLAW'] }
    bench.rules.policy = { ...DEFAULT_POLICY, version: 'law', quorum }
    const { id } = await bench.waiting()
    await expect(bench.approvals.approve(id, actor('admin'))).rejects.toMatchObject({
      message: 'With the role admin alone one cannot decide this. Nothing was done.',
      hint: 'The message says whose approval it takes.',
      access: undefined,
    })
    const lawyer = await bench.people.actor('ULAW')
    expect(await bench.approvals.approve(id, lawyer)).toMatchObject({ kind: 'taken', ready: true })
  })

  it('somebody else cancels', async () => {
    const { id } = await bench.waiting()
    await expect(bench.approvals.cancel(id, actor('admin'))).rejects.toMatchObject({
      message: 'Only who asked for a change may cancel it. Nothing was done.',
      hint: 'Whoever may approve it can decline it.',
    })
    expect((await bench.record()).at(-1)).toBe('denied: Only who asked for a change may cancel it.')
    expect((await bench.store.changes.get(id))?.state).toBe('waiting')
  })
})

describe('a click on a message', () => {
  it('counts on the one message about the change', async () => {
    const { id } = await bench.waiting()
    const place = await bench.announcer.announce(id)
    expect(place).toEqual({ channel: 'COPS', ts: expect.any(String) })
    expect(await bench.approvals.prompt(id, other, place)).toMatchObject({
      prompt: { change: { id, state: 'waiting' } },
    })
  })

  it.each([
    { where: 'another channel', place: { channel: 'C1', ts: '1.0' } },
    { where: 'another message', place: { channel: 'COPS', ts: '9.0' } },
  ])('in $where is refused on record', async ({ place }) => {
    const { id } = await bench.waiting()
    expect(await bench.announcer.announce(id)).toEqual({ channel: 'COPS', ts: '1.0' })
    await expect(bench.approvals.prompt(id, other, place)).rejects.toMatchObject({
      code: 'expired',
      message: 'This button does not belong to the message about the change. Nothing was done.',
      hint: 'See /cdn changes list.',
    })
    expect((await bench.record()).at(-1)).toBe(`denied: ${BUTTON}`)
  })

  it('that came before Slack had answered the post is about the message that then stands', async () => {
    const { id } = await bench.waiting()
    const posting = Promise.withResolvers<void>()
    bench.board.before = () => posting.promise
    void bench.announcer.announce(id)
    const clicked = bench.approvals.prompt(id, other, { channel: 'COPS', ts: '1.0' })
    posting.resolve()
    expect(await clicked).toMatchObject({ change: { id, messageTs: '1.0' } })
  })

  it('is refused while the change has no message at all', async () => {
    const { id } = await bench.waiting()
    for (const place of ['COPS', 'UOPERATOR']) bench.board.refusing.set(place, 'for a while')
    await expect(bench.approvals.prompt(id, other, { channel: 'COPS', ts: '1.0' })).rejects.toMatchObject({
      code: 'expired',
    })
  })

  it('about a draft, or nothing that is known, says so', async () => {
    const draft = await bench.changes.begin(bench.operation('record add'), {}, olga, 'C1')
    for (const id of [draft.id, 'f'.repeat(32), '']) {
      for (const click of [
        () => bench.approvals.prompt(id, other, { channel: 'COPS', ts: '1.0' }),
        () => bench.approvals.approve(id, other),
        () => bench.approvals.cancel(id, olga),
        () => bench.approvals.settle(id, other, true),
      ]) {
        await expect(click()).rejects.toMatchObject({
          code: 'expired',
          message: 'This change is not known any more. Nothing was done.',
          hint: 'See /cdn changes list.',
        })
      }
    }
  })
})
