import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CdnError } from '../../src/cdn/errors.ts'
import { actor, type Bench, createBench } from '../support/execution-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
  bench.acts.write = () => Promise.reject(new CdnError('addDnsRecord', { kind: 'rejected', status: 500 }))
})
afterEach(() => bench.close())

const CHECK = 'What to check: A record with the value 192.0.2.10.'
const told = async () => {
  const notices = await bench.store.notices.take(9)
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
