import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { type CdnFailure, CdnError } from '../../src/cdn/errors.ts'
import { UserError } from '../../src/shared/errors.ts'
import type { Message } from '../../src/block-kit/message.ts'
import type { Ended } from '../../src/execution/change-sender.ts'
import type { Change } from '../../src/store/change.ts'
import { actor, type Bench, createBench, RECORD } from '../support/execution-bench.ts'
import { plainAnswer } from '../support/ledger-operations.ts'

let bench: Bench
beforeEach(async () => {
  bench = await createBench()
})
afterEach(() => bench.close())

const MASKED = { ...RECORD, variables: '••••' }
const stored = async (id: string) => bench.store.changes.get(id)

/** Sends a change, and waits until its one message in the channel says how it ended. */
async function send(change: Change): Promise<Ended & { readonly card: Message }> {
  const ended = await bench.sender.send(change)
  await ended.told
  const [posted, ...more] = bench.board.posted.filter(({ channel }) => channel === 'C1')
  expect(more).toEqual([])
  return { ...ended, card: posted?.message ?? ended.viewed }
}
const refusedBy = (failure: CdnFailure) => () => Promise.reject(new CdnError('addDnsRecord', failure))

describe('sending a confirmed change', () => {
  it('is on record before the call and after it, and erases secret values', async () => {
    const confirmed = await bench.confirmed()
    const seen: unknown[] = []
    bench.acts.write = async () => {
      seen.push((await stored(confirmed.id))?.state, await bench.record())
      return 'stored'
    }
    const { outcome, card, viewed, change } = await send(confirmed)
    expect(seen).toEqual(['sending', ['requested', 'sending']])
    expect(outcome).toBe('done')
    expect(change).toMatchObject({ state: 'done', values: MASKED, outcome: 'Add 192.0.2.10 to zone 301' })
    expect(await bench.record()).toEqual(['requested', 'sending', 'done: Add 192.0.2.10 to zone 301'])
    expect(JSON.stringify(card.blocks)).toContain('Asked by <@UOPERATOR>')
    expect(viewed.blocks).toEqual(plainAnswer('It was stored.').message.blocks)
    expect(bench.counted).toEqual(['record add done'])
  })

  it('makes the call once, however often it is asked for', async () => {
    const confirmed = await bench.confirmed()
    const ends = await Promise.all([1, 2, 3].map(() => bench.sender.send(confirmed)))
    expect(ends.map(({ outcome }) => outcome).toSorted()).toEqual(['done', 'not_sent', 'not_sent'])
    for (const { outcome, viewed } of ends) {
      if (outcome === 'not_sent') expect(viewed.text).toMatch(/Nothing was sent twice\. See \/cdn changes show/)
    }
    expect(bench.written).toEqual([`cdn-ops ${confirmed.id}`])
    expect((await stored(confirmed.id))?.state).toBe('done')
  })

  it('leaves its mark with the operation, in what is checked and where it runs', async () => {
    const confirmed = await bench.confirmed()
    await send(confirmed)
    expect(bench.written).toEqual([`cdn-ops ${confirmed.id}`])
  })

  test.each([
    {
      failure: { kind: 'rejected', status: 400, message: 'Bad name' },
      outcome: 'rejected',
      said: /nothing was changed\. .*may quote a secret/,
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
    const { card, viewed, ...ended } = await send(confirmed)
    expect(ended.outcome).toBe(outcome)
    for (const { text } of [card, viewed]) {
      expect(text).toMatch(said)
      expect(text).toContain('. Add 192.0.2.10 to zone 301. ')
    }
    expect(JSON.stringify(card.blocks)).toContain(`/cdn changes show ${confirmed.id}`)
    expect(await stored(confirmed.id)).toMatchObject({ state: outcome, values: MASKED })
    expect((await bench.record()).at(-1)).toMatch(new RegExp(`^${outcome}: `))
    const looksFor = outcome === 'unknown'
    expect(card.text.includes('That it is there as you wanted it')).toBe(outcome === 'done')
    expect(card.text.includes('A record with the value 192.0.2.10.')).toBe(looksFor)
  })

  it.each([
    { status: 302, errors: ['the platform redirects: CDN_API_URL is not its address'] },
    { status: 404, errors: [] },
  ])('says in the log that an address is wrong which redirects: $status', async ({ status, errors }) => {
    bench.acts.write = refusedBy({ kind: 'rejected', status })
    expect((await send(await bench.confirmed())).outcome).toBe('rejected')
    const logged = bench.log.filter(({ level }) => level === 'error')
    expect(logged.map(({ sentence }) => sentence)).toEqual(errors)
  })

  it('tells somebody who should look where to, and never to simply ask again', async () => {
    bench.acts.write = refusedBy({ kind: 'unreachable', reason: 'reset', sent: 'maybe' })
    const { card } = await send(await bench.confirmed())
    expect(JSON.stringify(card.blocks)).toContain('https://panel.example.com/dns-zone/301')
    expect(card.text).toContain('it is never sent again by itself')
    expect(card.text).not.toContain('Ask again in')
  })

  it('quotes the platform where no secrets were sent', async () => {
    bench.acts.write = refusedBy({ kind: 'rejected', status: 400, message: 'Bad name' })
    const { variables: _, ...open } = RECORD
    expect((await send(await bench.confirmed(open))).card.text).toContain('It says: “Bad name”.')
  })

  it('leaves out what the platform says where secrets were sent, which it may quote', async () => {
    bench.acts.write = refusedBy({ kind: 'rejected', status: 400, message: 'The value hush is not allowed' })
    const { card, viewed } = await send(await bench.confirmed())
    const kept = JSON.stringify([card, viewed, await bench.store.changes.list({ limit: 1 }), await bench.record()])
    expect(kept).not.toContain('hush')
    expect(kept).toContain('What it says may quote a secret: left out.')
  })

  it('says that nothing was sent when a rule was broken on the way', async () => {
    bench.acts.write = () => Promise.reject(new UserError('invalid_input', 'The name is too long.', 'Shorten it.'))
    const { outcome, card } = await send(await bench.confirmed())
    expect(outcome).toBe('not_sent')
    expect(card.text).toContain('The name is too long. Shorten it.')
  })

  it('calls a bug during the call unknown, under an incident number', async () => {
    bench.acts.write = () => Promise.reject(new TypeError('hush'))
    const { outcome, card } = await send(await bench.confirmed())
    expect(outcome).toBe('unknown')
    expect(JSON.stringify(card)).not.toContain('hush')
    const logged = bench.log.find(({ sentence }) => sentence === 'a bug while sending')
    expect(card.text).toContain(`Incident ${String(logged?.fields['incident'])}.`)
  })

  it('never lets a mistake in showing the answer look like a failure', async () => {
    bench.acts.show = () => {
      throw new TypeError('cannot show')
    }
    const confirmed = await bench.confirmed()
    const { outcome, card } = await send(confirmed)
    expect(outcome).toBe('done')
    expect(card.text).toMatch(/^Done, but the answer could not be read\./)
    expect((await stored(confirmed.id))?.state).toBe('done')
    expect(bench.counted).toEqual(['record add done'])
  })
})

describe('a change that cannot be sent', () => {
  it('is kept when the process is stopping, and the person is told how to stop it', async () => {
    const confirmed = await bench.confirmed()
    await bench.inFlight.drain(0)
    const { outcome, viewed } = await send(confirmed)
    expect(outcome).toBe('later')
    expect(viewed.text).toMatch(
      /restarted.*approved on record, and nothing was sent yet.*\/cdn changes cancel [0-9a-f]+/,
    )
    expect((await stored(confirmed.id))?.state).toBe('approved')
    expect(await bench.record()).toEqual(['requested'])
    expect(bench.counted).toEqual(['record add later'])
  })

  it('is cancelled when its time was over between the click and the call', async () => {
    const confirmed = await bench.confirmed()
    bench.clock.turn(10 * 60_000)
    expect((await send(confirmed)).outcome).toBe('not_sent')
    expect((await stored(confirmed.id))?.state).toBe('cancelled')
  })

  it('makes no call when the record cannot be written', async () => {
    const confirmed = await bench.confirmed()
    await bench.store.close()
    bench.acts.write = () => expect.unreachable('No audit, no action')
    const { outcome, card } = await send(confirmed)
    expect(outcome).toBe('later')
    expect(card.text).toContain('nothing was sent yet')
  })
})

describe('the end of a change', () => {
  it('is told even when it cannot be recorded, with that fact', async () => {
    const confirmed = await bench.confirmed()
    bench.acts.write = async () => {
      await bench.store.close()
      return 'stored'
    }
    const { outcome, viewed } = await send(confirmed)
    expect(outcome).toBe('done')
    expect(JSON.stringify(viewed.blocks)).toContain('could not be put on record')
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
    const { viewed } = await send(confirmed)
    expect((await stored(confirmed.id))?.state).toBe(state)
    expect(JSON.stringify(viewed.blocks)).not.toContain('could not be put on record')
  })
})
