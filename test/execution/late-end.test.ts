import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { CdnError } from '../../src/cdn/errors.ts'
import { UserError } from '../../src/shared/errors.ts'
import { actor, type Bench, createBench } from '../support/execution-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const LEASE_MS = 60_000
const stored = async (id: string) => bench.store.changes.get(id)
const refused = () => Promise.reject(new CdnError('addDnsRecord', { kind: 'rejected', status: 409 }))
const neverLeft = () => Promise.reject(new UserError('invalid_input', 'The name is too long.', 'Shorten it.'))
const noAnswer = () =>
  Promise.reject(new CdnError('addDnsRecord', { kind: 'unreachable', reason: 'reset', sent: 'maybe' }))

/** Another process takes this one for dead. */
async function givenUp(): Promise<void> {
  const audit = { at: bench.clock.now(), actor: 'x', team: 'T1', operation: 'record add', summary: 's' } as const
  const step = () => ({ audit: { ...audit, event: 'unknown' } }) as const
  await bench.store.changes.recover('another process', bench.clock.now(), step)
}

/** What happens as soon as the step to the call is on record, before the call. */
function onceSending(happens: () => Promise<void> | void): void {
  const { changes } = bench.store
  const move = changes.move.bind(changes)
  changes.move = async (id, step) => {
    const moved = await move(id, step)
    if (step.to === 'sending') await happens()
    return moved
  }
}

describe('a process that stood still before the call', () => {
  beforeEach(() => {
    bench.acts.write = () => expect.unreachable('Its lease is over')
  })

  it('sends nothing when its lease is over, and says so', async () => {
    const confirmed = await bench.confirmed()
    onceSending(() => bench.clock.turn(LEASE_MS))
    const { outcome, viewed } = await bench.sender.send(confirmed)
    expect(outcome).toBe('not_sent')
    expect(viewed.text).toMatch(/^Not sent: nothing was changed\..*stood still.*so it was not sent\. Ask again/)
    expect((await stored(confirmed.id))?.state).toBe('not_sent')
    expect((await bench.record()).at(-1)).toMatch(/^not_sent: CDN Ops stood still/)
  })

  test.each(['monotonicMs', 'now'] as const)('notices it also where %s shows none of it', async (standing) => {
    const confirmed = await bench.confirmed()
    const { clock } = bench
    const before = { now: clock.now(), monotonicMs: clock.monotonicMs() }
    onceSending(() => {
      clock.turn(LEASE_MS)
      if (standing === 'now') clock.now = () => before.now
      else clock.monotonicMs = () => before.monotonicMs
    })
    expect((await bench.sender.send(confirmed)).outcome).toBe('not_sent')
  })

  it('settles what was given up meanwhile as not done', async () => {
    const confirmed = await bench.confirmed()
    onceSending(async () => {
      bench.clock.turn(LEASE_MS)
      await givenUp()
    })
    expect((await bench.sender.send(confirmed)).outcome).toBe('not_sent')
    expect((await stored(confirmed.id))?.state).toBe('not_done')
    await bench.courier.deliver()
    expect(bench.board.in('UOPERATOR').at(-1)).toContain('It did not happen')
  })
})

it('sends what is a moment short of its lease', async () => {
  const confirmed = await bench.confirmed()
  onceSending(() => bench.clock.turn(LEASE_MS - 1))
  expect((await bench.sender.send(confirmed)).outcome).toBe('done')
})

describe('an answer after a person has settled the change', () => {
  test.each([
    {
      late: async () => 'stored',
      settled: false,
      event: 'done',
      says: /carried it out.*Look in the platform which is true/,
    },
    { late: async () => 'stored', settled: true, event: 'done', says: /carried it out.*Both say the same/ },
    { late: refused, settled: true, event: 'rejected', says: /refused it.*Look in the platform which is true/ },
    { late: neverLeft, settled: false, event: 'not_sent', says: /was not sent.*Both say the same/ },
  ])('is put on record as $event and told to both, settled $settled', async ({ late, settled, event, says }) => {
    const confirmed = await bench.confirmed()
    bench.acts.write = async () => {
      await givenUp()
      await bench.approvals.settle(confirmed.id, actor('operator', 'UOTTO'), settled)
      return late()
    }
    const { viewed, change } = await bench.sender.send(confirmed)
    const state = settled ? 'done' : 'not_done'
    expect(change.state).toBe(state)
    expect(await stored(confirmed.id)).toMatchObject({ state, endedBy: 'UOTTO' })
    const known = `${event}: Known only after UOTTO had settled it as ${state.replace('_', ' ')}: `
    expect((await bench.record()).at(-1)?.slice(0, known.length)).toBe(known)
    const shown = JSON.stringify(viewed.blocks)
    expect(shown).toContain('<@UOTTO> had settled before')
    expect(shown).not.toContain('could not be put on record')
    await bench.courier.deliver()
    for (const person of ['UOPERATOR', 'UOTTO']) expect(bench.board.in(person).at(-1)).toMatch(says)
  })

  it('is told once to who asked and settled it alone', async () => {
    const confirmed = await bench.confirmed()
    bench.acts.write = async () => {
      await givenUp()
      await bench.approvals.settle(confirmed.id, actor('operator'), true)
      return 'stored'
    }
    await bench.sender.send(confirmed)
    await bench.courier.deliver()
    expect(bench.board.in('UOPERATOR').filter((text) => text.includes('became known'))).toHaveLength(1)
  })

  it('adds nothing where nobody knows more than before', async () => {
    const confirmed = await bench.confirmed()
    bench.acts.write = async () => {
      await givenUp()
      await bench.approvals.settle(confirmed.id, actor('operator', 'UOTTO'), true)
      return noAnswer()
    }
    await bench.sender.send(confirmed)
    expect((await bench.record()).at(-1)).toMatch(/^done: A person looked/)
  })
})
