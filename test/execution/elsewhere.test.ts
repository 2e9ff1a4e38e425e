import { describe, expect, it, beforeEach } from 'vitest'
import { actor, useBench } from '../support/execution-bench.ts'
import { CdnError } from '../../src/cdn/contract/errors.ts'
import { drawn } from '../support/drawn.ts'
import { takeNotices } from '../support/notices.ts'

const bench = useBench()

const olga = actor('operator')

describe('a message that stands elsewhere', () => {
  it('says so, and what can be done', async () => {
    bench.board.refusing.set('C1', 'for good')
    const change = await bench.confirmed()
    await bench.announcer.announce(change.id)
    const advice = '~ CDN Ops could not write where this was asked. In a channel it can be invited: with /invite.'
    const said = () => drawn(bench.board.posted[0]!.message).at(-1)
    expect(said()).toBe(advice)
    await (
      await bench.sender.send(change)
    ).announced
    expect(said()).toBe(advice)
  })

  it('goes to who asked when the operations channel does not take what others have to approve, and says why', async () => {
    bench.board.refusing.set('COPS', 'for good')
    const { id } = await bench.waiting()
    expect(await bench.announcer.announce(id)).toMatchObject({ channel: olga.id })
    expect(drawn(bench.board.posted[0]!.message).at(-1)).toBe(
      '~ CDN Ops could not write in the channel where approvals are asked for: invite it there with /invite.',
    )
  })
})

beforeEach(() => {
  bench.acts.write = () => Promise.reject(new CdnError('addDnsRecord', { kind: 'rejected', status: 500 }))
})
const CHECK = 'A record with the value 192.0.2.10.'
const told = async () => {
  const notices = await takeNotices(bench.store)
  return notices.map(({ id, recipient, message }) => [id, recipient, JSON.stringify(message).includes(CHECK)])
}

describe('an end that nobody knows', () => {
  it('is told in the operations channel where it was confirmed elsewhere; who asked is at the prompt', async () => {
    const { id } = await bench.confirmed()
    await bench.announcer.announce(id)
    await bench.sender.send((await bench.store.changes.get(id))!)
    expect(await told()).toEqual([[`unknown-${id}`, 'COPS', true]])
  })

  it('is told to who waited for others, with what to look for; its message stands in the operations channel', async () => {
    const { id } = await bench.waiting()
    await bench.announcer.announce(id)
    const { change } = await bench.approvals.approve(id, actor('operator', 'UOTHER'))
    await bench.sender.send(change)
    expect(await told()).toEqual([[`end-${id}-unknown`, 'UOPERATOR', true]])
  })

  it('is the only one that is told there', async () => {
    bench.acts.write = async () => 'stored'
    await bench.sender.send(await bench.confirmed())
    expect(await told()).toEqual([])
  })
})
