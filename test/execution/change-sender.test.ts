import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { type CdnFailure, CdnError } from '../../src/cdn/errors.ts'
import { UserError } from '../../src/shared/errors.ts'
import { actor, type Bench, createBench, RECORD } from '../support/execution-bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const MASKED = { ...RECORD, variables: '••••' }
const stored = async (id: string) => bench.store.changes.get(id)
const refusedBy = (failure: CdnFailure) => () => Promise.reject(new CdnError('addDnsRecord', failure))

describe('sending a confirmed change', () => {
  it('is on record before the call and after it, and erases secret values', async () => {
    const confirmed = await bench.confirmed()
    const seen: unknown[] = []
    bench.acts.write = async () => {
      seen.push((await stored(confirmed.change.id))?.state, await bench.record())
      return 'stored'
    }
    const { outcome, message, viewed, change } = await bench.sender.send(confirmed)
    expect(seen).toEqual(['sending', ['requested', 'sending']])
    expect(outcome).toBe('done')
    expect(change).toMatchObject({ state: 'done', values: MASKED, outcome: 'Add 192.0.2.10 to zone 301' })
    expect(await bench.record()).toEqual(['requested', 'sending', 'done: Add 192.0.2.10 to zone 301'])
    expect(JSON.stringify(message.blocks)).toContain('Asked by <@UOPERATOR>')
    expect(JSON.stringify(viewed.blocks)).not.toContain('Asked by')
    expect(bench.counted).toEqual(['record add done'])
  })

  it('makes the call once, however often it is asked for', async () => {
    const confirmed = await bench.confirmed()
    let calls = 0
    bench.acts.write = async () => {
      calls += 1
      return 'stored'
    }
    const ends = await Promise.all([1, 2, 3].map(() => bench.sender.send(confirmed)))
    expect(ends.map(({ outcome }) => outcome)).toEqual(['done', 'not_sent', 'not_sent'])
    expect(ends[1]!.message.text).toBe('This was answered already, or it waited too long. Nothing was sent. Ask again.')
    expect(calls).toBe(1)
    expect((await stored(confirmed.change.id))?.state).toBe('done')
  })

  test.each([
    {
      failure: { kind: 'rejected', status: 400, message: 'Bad name' },
      outcome: 'rejected',
      said: /nothing was changed\. .*“Bad name”/,
    },
    {
      failure: { kind: 'rejected', status: 503 },
      outcome: 'unknown',
      said: /may or may not have happened\. .*\(503\)/,
    },
    {
      failure: { kind: 'unreachable', reason: 'refused', sent: 'no' },
      outcome: 'not_sent',
      said: /^Not sent: nothing was changed\./,
    },
    {
      failure: { kind: 'unreachable', reason: 'timeout', sent: 'maybe' },
      outcome: 'unknown',
      said: /did not answer in time/,
    },
    {
      failure: { kind: 'malformed', status: 201, why: 'it is no JSON' },
      outcome: 'done',
      said: /^Done, but the answer could not be read\./,
    },
  ] as const)('ends as $outcome after $failure', async ({ failure, outcome, said }) => {
    const confirmed = await bench.confirmed()
    bench.acts.write = refusedBy(failure)
    const ended = await bench.sender.send(confirmed)
    expect(ended.outcome).toBe(outcome)
    expect(ended.message.text).toMatch(said)
    expect(ended.message.text).toContain('. Add 192.0.2.10 to zone 301. ')
    expect(ended.message.text).toContain(`Change ${confirmed.change.id}.`)
    expect(await stored(confirmed.change.id)).toMatchObject({ state: outcome, values: MASKED })
    expect((await bench.record()).at(-1)).toMatch(new RegExp(`^${outcome}: `))
    const looksFor = outcome === 'unknown'
    expect(ended.message.text.includes('That it is there as you wanted it')).toBe(outcome === 'done')
    expect(ended.message.text.includes('A record with the value 192.0.2.10.')).toBe(looksFor)
  })

  it('tells somebody who should look where to, and never to simply ask again', async () => {
    bench.acts.write = refusedBy({ kind: 'unreachable', reason: 'reset', sent: 'maybe' })
    const { message } = await bench.sender.send(await bench.confirmed())
    expect(JSON.stringify(message.blocks)).toContain('https://panel.example.com/dns-zone/301')
    expect(message.text).toContain('it is never sent again by itself')
    expect(message.text).not.toContain('Ask again in')
  })

  it('says that nothing was sent when a rule was broken on the way', async () => {
    bench.acts.write = () => Promise.reject(new UserError('invalid_input', 'The name is too long.', 'Shorten it.'))
    const { outcome, message } = await bench.sender.send(await bench.confirmed())
    expect(outcome).toBe('not_sent')
    expect(message.text).toContain('The name is too long. Shorten it.')
  })

  it('calls a bug during the call unknown, under an incident number', async () => {
    bench.acts.write = () => Promise.reject(new TypeError('hush'))
    const { outcome, message } = await bench.sender.send(await bench.confirmed())
    expect(outcome).toBe('unknown')
    expect(JSON.stringify(message)).not.toContain('hush')
    const logged = bench.log.find(({ sentence }) => sentence === 'a bug while sending')
    expect(message.text).toContain(`Incident ${String(logged?.fields['incident'])}.`)
  })

  it('never lets a mistake in showing the answer look like a failure', async () => {
    bench.acts.show = () => {
      throw new TypeError('cannot show')
    }
    const confirmed = await bench.confirmed()
    const { outcome, message } = await bench.sender.send(confirmed)
    expect(outcome).toBe('done')
    expect(message.text).toMatch(/^Done, but the answer could not be read\./)
    expect((await stored(confirmed.change.id))?.state).toBe('done')
    expect(bench.counted).toEqual(['record add done'])
  })
})

describe('a change that cannot be sent', () => {
  it('is cancelled when the process is stopping, and the person is told', async () => {
    const confirmed = await bench.confirmed()
    await bench.inFlight.drain(0)
    const { outcome, message } = await bench.sender.send(confirmed)
    expect({ outcome, text: message.text }).toEqual({
      outcome: 'not_sent',
      text: 'CDN Ops is being restarted. Nothing was done. Ask again in a minute.',
    })
    expect(await stored(confirmed.change.id)).toMatchObject({ state: 'cancelled', values: MASKED })
    expect((await bench.record()).at(-1)).toBe('cancelled: CDN Ops is being restarted. Nothing was done.')
    expect(bench.counted).toEqual(['record add not_sent'])
  })

  it('is cancelled when its time was over between the click and the call', async () => {
    const confirmed = await bench.confirmed()
    bench.clock.turn(10 * 60_000)
    expect((await bench.sender.send(confirmed)).outcome).toBe('not_sent')
    expect((await stored(confirmed.change.id))?.state).toBe('cancelled')
  })

  it('makes no call when the record cannot be written', async () => {
    const confirmed = await bench.confirmed()
    await bench.store.close()
    bench.acts.write = () => expect.unreachable('No audit, no action')
    const { outcome, message } = await bench.sender.send(confirmed)
    expect(outcome).toBe('not_sent')
    expect(message.text).toContain('without its record CDN Ops does not act')
  })
})

describe('the end of a change', () => {
  it('is told even when it cannot be recorded, with that fact', async () => {
    const confirmed = await bench.confirmed()
    bench.acts.write = async () => {
      await bench.store.close()
      return 'stored'
    }
    const { outcome, message, viewed } = await bench.sender.send(confirmed)
    expect(outcome).toBe('done')
    for (const { blocks } of [message, viewed]) expect(JSON.stringify(blocks)).toContain('could not be put on record')
  })

  test.each([
    { late: async () => 'stored', state: 'done' },
    { late: refusedBy({ kind: 'rejected', status: 409 }), state: 'not_done' },
    { late: refusedBy({ kind: 'unreachable', reason: 'reset', sent: 'maybe' }), state: 'unknown' },
  ])('settles as $state what was given up as unknown meanwhile', async ({ late, state }) => {
    const confirmed = await bench.confirmed(RECORD, actor('admin'))
    bench.acts.write = async () => {
      const audit = { at: bench.clock.now(), actor: 'x', team: 'T1', operation: 'record add', summary: 's' } as const
      const now = bench.clock.now()
      await bench.store.changes.recover('another process', now, () => ({ audit: { ...audit, event: 'unknown' } }))
      return late()
    }
    const { message } = await bench.sender.send(confirmed)
    expect((await stored(confirmed.change.id))?.state).toBe(state)
    expect(JSON.stringify(message.blocks)).not.toContain('could not be put on record')
  })
})
