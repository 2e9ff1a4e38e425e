import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CdnError } from '../../src/cdn/errors.ts'
import { actor, type Bench, createBench, RECORD, reviewed } from '../support/execution-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const HOUR_MS = 3_600_000
const alike = async (values = RECORD, by = actor('admin')) =>
  (await reviewed(bench, values, by)).alike.map(({ id, state }) => `${state} ${id}`)

describe('a review warns of what asks for the same', () => {
  it('and was done within 24 hours, whoever asked; not of what was done before', async () => {
    const { id } = await bench.confirmed()
    expect((await bench.sender.send((await bench.store.changes.get(id))!)).outcome).toBe('done')
    bench.clock.turn(24 * HOUR_MS)
    expect(await alike()).toEqual([`done ${id}`])
    bench.clock.turn(1)
    expect(await alike()).toEqual([])
  })

  it('and is on its way, or without an answer, however long ago', async () => {
    const change = await bench.confirmed()
    expect(await alike()).toEqual([`approved ${change.id}`])
    bench.acts.write = () => Promise.reject(new CdnError('addDnsRecord', { kind: 'rejected', status: 500 }))
    await bench.sender.send(change)
    bench.clock.turn(400 * HOUR_MS)
    expect(await alike()).toEqual([`unknown ${change.id}`])
  })

  it('in other words: by the id of the zone, and under another policy', async () => {
    const { id } = await bench.confirmed()
    bench.rules.policy = { ...bench.rules.policy, version: 'another' }
    expect(await alike({ ...RECORD, zone: '301' })).toEqual([`approved ${id}`])
  })

  it('but of nothing that differs, was refused or given up, nor of itself', async () => {
    await bench.confirmed({ ...RECORD, value: '203.0.113.9' })
    const closed = await reviewed(bench)
    await bench.desk.close(closed.change.id, 'UOPERATOR')
    const back = await bench.confirmed()
    await bench.desk.takeBack(back.id, 'UOPERATOR', 'changed my mind')
    const { change } = await reviewed(bench)
    const again = await bench.desk.review(change, RECORD, actor('operator'))
    expect(again.alike).toEqual([])
  })

  it('keeps nobody from going on', async () => {
    await bench.confirmed()
    expect((await bench.confirmed(RECORD, actor('admin'))).state).toBe('approved')
  })
})
