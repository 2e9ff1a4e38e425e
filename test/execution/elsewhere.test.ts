import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { actor, type Bench, createBench, RECORD } from '../support/execution-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const olga = actor('operator')

describe('a message that stands elsewhere', () => {
  it.each([
    ['C1', /invite it there with \/invite/],
    ['G1', /In a channel, though not in a direct message, it can be invited/],
    ['D1', /direct message between people: CDN Ops cannot write there/],
  ])('advises what can be done where it was asked in %s', async (channel, advice) => {
    bench.board.refusing.set(channel, 'for good')
    const draft = await bench.desk.begin(bench.operation('record add'), RECORD, olga, channel)
    const { change } = await bench.desk.review(draft, RECORD, olga)
    await bench.desk.submit(change.id, olga)
    await bench.announcer.announce(change.id)
    const said = () => JSON.stringify(bench.board.posted[0]!.message)
    expect(said()).toMatch(advice)
    expect(said().includes('invite it there')).toBe(channel === 'C1')
    await (
      await bench.sender.send((await bench.store.changes.get(change.id))!)
    ).told
    expect(said()).toMatch(advice)
  })

  it('goes to who asked when the operations channel does not take what others have to approve, and says why', async () => {
    bench.board.refusing.set('COPS', 'for good')
    const { id } = await bench.waiting()
    expect(await bench.announcer.announce(id)).toMatchObject({ channel: olga.id })
    expect(JSON.stringify(bench.board.posted[0]!.message)).toContain('the channel where approvals are asked for')
  })
})
