import { beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../src/execution/policy/policy.ts'
import type { Actor } from '../../src/operations/declaration/role.ts'
import { actor, BILLED, reviewed, useBench } from '../support/execution-bench.ts'
import { takeNotices } from '../support/notices.ts'

const bench = useBench()
beforeEach(() => {
  bench.rules.policy = { ...DEFAULT_POLICY, version: 'with break-glass', breakGlassGroups: ['SNIGHT'] }
  bench.people.list(member)
})

const member: Actor = { ...actor('operator'), groups: ['SNIGHT'] }
const WHY = 'The shop is <!channel> down'

async function submitted(reason: string | undefined, by = member) {
  const { change } = await reviewed(bench, BILLED, member)
  return { id: change.id, end: bench.changes.submit(change.id, by, reason) }
}

describe('going without approval', () => {
  it('is confirmed at once with a reason, which stands on record and with the change', async () => {
    const { id, end } = await submitted(WHY)
    expect(await end).toMatchObject({ kind: 'confirmed', change: { id, state: 'approved', breakGlass: WHY } })
    expect(await bench.record()).toEqual([`break_glass: ${WHY}`])
  })

  it('tells every admin but the one who did it, once, in direct messages that mention nobody else', async () => {
    bench.people.list({ ...member, role: 'admin', id: 'UADA' })
    await (
      await submitted(WHY)
    ).end
    await bench.deliver()
    await bench.deliver()
    expect(bench.board.posted.map(({ channel }) => channel).toSorted()).toEqual(['UADA', 'UADMIN'])
    const [told] = bench.board.posted
    expect(told!.texts[0]).toContain('somebody confirmed alone what takes an approval: Add 192.0.2.10 to zone 301.')
    expect(JSON.stringify(told!.message)).toContain('<@UOPERATOR> confirmed alone')
    expect(JSON.stringify(told!.message)).toContain('&lt;!channel&gt;')
    expect(JSON.stringify(told!.message)).not.toContain('<!channel>')
  })

  it('is sent without anybody else, with the reason on its message', async () => {
    const { id, end } = await submitted(WHY)
    await end
    const change = await bench.store.changes.get(id)
    const ended = await bench.sender.send(change!)
    expect(ended).toMatchObject({ outcome: 'done', change: { state: 'done' } })
    await ended.announced
    expect(JSON.stringify(bench.board.posted.at(-1)!.message)).toContain('Without approval, because: The shop')
    expect(await bench.record()).toEqual([
      expect.stringMatching(/^break_glass/),
      'sending',
      expect.stringMatching(/^done/),
    ])
  })

  it('is possible where nobody could approve, which is what it is for', async () => {
    for (const id of ['UOTHER', 'UADMIN', 'UADA', 'UOLGA', 'UOTTO']) bench.people.list(actor('viewer', id))
    expect(await (await submitted(WHY)).end).toMatchObject({ kind: 'confirmed' })
  })

  it('still asks others when no reason is given', async () => {
    expect(await (await submitted(undefined)).end).toMatchObject({ kind: 'waiting' })
    expect(await takeNotices(bench.store)).toEqual([])
  })

  it('takes the reason: being in the group alone opens no way past the others', async () => {
    const { id, end } = await submitted(undefined)
    await end
    await bench.reconciler.reconcile()
    expect((await bench.store.changes.get(id))?.state).toBe('waiting')
    expect(bench.written).toEqual([])
  })

  it('is refused to whoever is not in the group, and ends the change on record', async () => {
    const { id, end } = await submitted(WHY, actor('operator'))
    await expect(end).rejects.toMatchObject({
      code: 'not_permitted',
      message: 'Only a named group may go without approval. Nothing was done.',
    })
    expect(await bench.record()).toEqual(['denied: Only a named group may go without approval.'])
    expect((await bench.store.changes.get(id))?.state).toBe('denied')
    expect(await takeNotices(bench.store)).toEqual([])
  })

  it('is not sent when the person has left the group before it is', async () => {
    const { id, end } = await submitted(WHY)
    await end
    bench.people.list(actor('operator'))
    const change = await bench.store.changes.get(id)
    expect(await bench.sender.send(change!)).toMatchObject({ outcome: 'not_sent', change: { state: 'cancelled' } })
    expect(bench.written).toEqual([])
  })
})
