import { describe, expect, it, test, vi, beforeEach } from 'vitest'
import { type CdnFailure, CdnError } from '../../../src/cdn/contract/errors.ts'
import { UserError } from '../../../src/shared/errors.ts'
import type { Message } from '../../../src/block-kit/message.ts'
import type { Ended } from '../../../src/execution/changes/change-sender.ts'
import type { Change } from '../../../src/store/schema/change.ts'
import { StoreError } from '../../../src/store/schema/store-error.ts'
import { actor, RECORD, useBench } from '../../support/execution-bench.ts'
import { drawn } from '../../support/drawn.ts'
import { plainAnswer } from '../../support/ledger-operations.ts'
import { shortId } from '../../../src/shared/short-id.ts'

const bench = useBench()

const MASKED = { ...RECORD, variables: '••••' }
const stored = async (id: string) => bench.store.changes.get(id)

/** Sends a change, and waits until its one message in the channel says how it ended. */
async function send(change: Change): Promise<Ended & { readonly card: Message }> {
  const ended = await bench.sender.send(change)
  await ended.announced
  const [posted, ...more] = bench.board.posted.filter(({ channel }) => channel === 'C1')
  expect(more).toEqual([])
  return { ...ended, card: posted?.message ?? ended.viewed }
}
const refusedBy = (failure: CdnFailure) => (): Promise<string> => Promise.reject(new CdnError('addDnsRecord', failure))

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

  it('says that it is being sent after two seconds, and not before', async () => {
    const answer = Promise.withResolvers<string>()
    bench.acts.write = () => answer.promise
    const confirmed = await bench.confirmed()
    const sending = bench.sender.send(confirmed)
    await vi.waitFor(async () => expect(await stored(confirmed.id)).toMatchObject({ state: 'sending' }))
    bench.clock.turn(1_999)
    expect(bench.board.in('C1')).toEqual([])
    bench.clock.turn(1)
    await vi.waitFor(() => expect(bench.board.in('C1')).toEqual([expect.stringMatching(/^Being sent\n/)]))
    answer.resolve('stored')
    await (
      await sending
    ).announced
    expect(bench.board.in('C1').at(-1)).toBe('It was stored.')
  })

  it('makes the call once, however often it is asked for', async () => {
    const confirmed = await bench.confirmed()
    const ends = await Promise.all([1, 2, 3].map(() => bench.sender.send(confirmed)))
    expect(ends.map(({ outcome }) => outcome).toSorted()).toEqual(['done', 'not_sent', 'not_sent'])
    for (const { outcome, viewed } of ends) {
      if (outcome === 'not_sent')
        expect(viewed.text).toMatch(
          /^Somebody or something was faster: this is (being sent|sending|done) now\. Nothing was sent twice\. See \/cdn changes show 8[0-9a-f]{7}\.$/,
        )
    }
    expect(bench.written).toEqual([`cdn-ops ${shortId(confirmed.id)}`])
    expect((await stored(confirmed.id))?.state).toBe('done')
  })

  const PANEL = 'https://panel.example.com/dns-zone/301'
  const STEPS = `\n1. Open it in the CDN’s panel (${PANEL})\n2. A record with the value 192.0.2.10.\n3. Press It exists or It does not exist in the channel. It is never sent again by itself: if it does not exist, ask for it anew.`
  const NOT_KNOWN = 'Unknown: it may or may not have happened'
  const ANEW = 'Ask again in a minute; if it stays so, tell whoever runs CDN Ops.'
  test.each<[outcome: string, failure: CdnFailure, headline: string, happened: string, next: string]>([
    [
      'rejected',
      { kind: 'rejected', status: 400, message: 'Bad name' },
      'Refused by the CDN: nothing was changed',
      'The CDN did not accept a value (400). What it says may quote a secret: left out.',
      'Correct the value and ask again.',
    ],
    [
      'unknown',
      { kind: 'rejected', status: 503, message: 'The value hush is not allowed' },
      NOT_KNOWN,
      'The CDN failed (503). What it says may quote a secret: left out.',
      STEPS,
    ],
    [
      'not_sent',
      { kind: 'unreachable', reason: 'refused', sent: 'no' },
      'Not sent: nothing was changed',
      'Nothing listens at the address of the CDN.',
      ANEW,
    ],
    [
      'unknown',
      { kind: 'unreachable', reason: 'timeout', sent: 'maybe' },
      NOT_KNOWN,
      'The CDN did not answer in time.',
      STEPS,
    ],
    [
      'done',
      { kind: 'malformed', status: 201, why: 'it is no JSON' },
      'Done, but the answer could not be read',
      'The CDN answered 201, but unreadably: it is no JSON.',
      `It was carried out: check in the CDN’s panel that it is as you wanted it. See it in the panel (${PANEL})`,
    ],
  ])('ends as %s after %o', async (outcome, failure, headline, happened, next) => {
    const confirmed = await bench.confirmed()
    bench.acts.write = refusedBy(failure)
    const { card, viewed, ...ended } = await send(confirmed)
    expect(ended.outcome).toBe(outcome)
    for (const { text } of [card, viewed])
      expect(text).toBe(`${headline}\nAdd 192.0.2.10 to zone 301\n${happened} ${next}`.replace(' \n', '\n'))
    expect(JSON.stringify(card.blocks)).toContain(`/cdn changes show ${shortId(confirmed.id)}`)
    expect(await stored(confirmed.id)).toMatchObject({ state: outcome, values: MASKED, outcome: happened })
    expect((await bench.record()).at(-1)).toBe(`${outcome}: ${happened}`)
    expect(bench.counted).toEqual([`record add ${outcome}`])
  })

  it.each([
    { status: 302, errors: ['the CDN redirects: CDN_API_URL is not its address'] },
    { status: 400, errors: [] },
  ])('says in the log that an address is wrong which redirects: $status', async ({ status, errors }) => {
    bench.acts.write = refusedBy({ kind: 'rejected', status })
    expect((await send(await bench.confirmed())).outcome).toBe('rejected')
    const logged = bench.log.filter(({ level }) => level === 'error')
    expect(logged.map(({ sentence }) => sentence)).toEqual(errors)
  })

  it('quotes the platform where no secrets were sent', async () => {
    bench.acts.write = refusedBy({ kind: 'rejected', status: 400, message: 'Bad name' })
    const { variables: _, ...open } = RECORD
    expect((await send(await bench.confirmed(open))).card.text).toContain('It says: “Bad name”.')
  })

  it.each([
    ['Shorten it.', 'The name is too long. Shorten it.'],
    [undefined, 'The name is too long. Ask again.'],
  ])('says that nothing was sent when a rule was broken on the way, and what to do: %s', async (hint, says) => {
    bench.acts.write = () => Promise.reject(new UserError('invalid_input', 'The name is too long.', hint))
    const { outcome, card } = await send(await bench.confirmed())
    expect(outcome).toBe('not_sent')
    expect(card.text).toContain(says)
  })

  it('calls a bug during the call unknown, under an incident number', async () => {
    bench.acts.write = () => Promise.reject(new TypeError('hush'))
    const { outcome, card } = await send(await bench.confirmed())
    expect(outcome).toBe('unknown')
    expect(JSON.stringify(card)).not.toContain('hush')
    const logged = bench.log.find(({ sentence }) => sentence === 'a bug while sending')
    expect(card.text).toContain(
      `Something went wrong inside CDN Ops while it was sent or shown. Incident ${String(logged?.fields['incident'])}.\n1. `,
    )
  })

  it('never lets a mistake in showing the answer look like a failure', async () => {
    bench.acts.show = () => {
      throw new TypeError('cannot show')
    }
    const confirmed = await bench.confirmed()
    const { outcome, card } = await send(confirmed)
    expect(outcome).toBe('done')
    expect(card.text).toMatch(
      /^Done, but the answer could not be read\n.*\n.* Incident [0-9a-f]{8}\. Tell whoever runs CDN Ops the incident number\. See it/,
    )
    expect((await stored(confirmed.id))?.state).toBe('done')
    expect(bench.counted).toEqual(['record add done'])
    expect(bench.log.map(({ sentence }) => sentence)).toEqual(['a bug while sending'])
  })
})

describe('a change that cannot be sent', () => {
  it('is kept when the process is stopping, and the person is told how to stop it', async () => {
    const confirmed = await bench.confirmed()
    await bench.inFlight.drain(0)
    const { outcome, viewed } = await send(confirmed)
    expect(outcome).toBe('later')
    expect(viewed.text).toMatch(
      /^CDN Ops is being restarted, or has all it can work on\. It stays approved, and nothing/,
    )
    expect((await stored(confirmed.id))?.state).toBe('approved')
    expect(await bench.record()).toEqual(['requested'])
    expect(bench.counted).toEqual(['record add later'])
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
    expect(drawn(viewed)).toEqual([
      'It was stored.',
      '~ This end could not be written into the audit log. Once that can be written, the change is listed as unknown: say then how it ended. Tell whoever runs CDN Ops.',
    ])
  })

  it('is told with the same where the change is gone meanwhile, and logged', async () => {
    const { changes } = bench.store
    const confirmed = await bench.confirmed()
    bench.acts.write = async () => {
      changes.move = async () => undefined
      changes.get = async () => undefined
      return 'stored'
    }
    const { outcome, viewed } = await bench.sender.send(confirmed)
    expect(outcome).toBe('done')
    expect(drawn(viewed).at(-1)).toMatch(/^~ This end could not be written into the audit log\./)
    expect(bench.log.at(-1)?.sentence).toBe('a change ended that was not being sent any more')
  })

  it('that could not be recorded is unknown when its lease is over, and somebody can say what it was', async () => {
    const confirmed = await bench.confirmed()
    const { id } = confirmed
    const full = vi.spyOn(bench.store.changes, 'move')
    bench.acts.write = async () => {
      full.mockRejectedValue(new StoreError('full'))
      return 'stored'
    }
    await bench.sender.send(confirmed)
    full.mockRestore()
    bench.clock.turn(LEASE_MS - 1)
    await bench.reconciler.reconcile()
    expect((await stored(id))?.state).toBe('sending')
    bench.clock.turn(1)
    await bench.reconciler.reconcile()
    expect((await stored(id))?.state).toBe('unknown')
    expect(await bench.approvals.settle(id, actor('operator'), true)).toMatchObject({ kind: 'taken' })
    expect(bench.written).toHaveLength(1)
  })

  test.each([
    { late: async () => 'stored', state: 'done' },
    { late: refusedBy({ kind: 'rejected', status: 409 }), state: 'not_done' },
    { late: refusedBy({ kind: 'unreachable', reason: 'reset', sent: 'maybe' }), state: 'unknown' },
  ])('settles as $state what was given up as unknown meanwhile', async ({ late, state }) => {
    const confirmed = await bench.confirmed(RECORD, actor('admin'))
    bench.acts.write = async () => {
      await givenUp()
      return late()
    }
    const { viewed } = await send(confirmed)
    expect((await stored(confirmed.id))?.state).toBe(state)
    expect(JSON.stringify(viewed.blocks)).not.toContain('could not be written into the audit log')
  })
})

const LEASE_MS = 60_000
const refused = refusedBy({ kind: 'rejected', status: 409 })
const neverLeft = () => Promise.reject(new UserError('invalid_input', 'The name is too long.', 'Shorten it.'))
const noAnswer = refusedBy({ kind: 'unreachable', reason: 'reset', sent: 'maybe' })
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

describe('what happens between the look at a change and the call', () => {
  beforeEach(() => {
    bench.acts.write = () => expect.unreachable('It may not be sent')
  })

  it('sends nothing when its lease is over, and says so', async () => {
    const confirmed = await bench.confirmed()
    onceSending(() => bench.clock.turn(LEASE_MS))
    const { outcome, viewed } = await bench.sender.send(confirmed)
    expect(outcome).toBe('not_sent')
    expect(viewed.text).toBe(
      'Not sent: nothing was changed\nAdd 192.0.2.10 to zone 301\nCDN Ops stood still for too long just before this was to be sent. It may have been given up meanwhile, so it was not sent. Ask again if it is still wanted, and was not asked for anew.',
    )
    expect((await stored(confirmed.id))?.state).toBe('not_sent')
    expect((await bench.record()).at(-1)).toMatch(/^not_sent: CDN Ops stood still/)
  })

  it('sends nothing when the rules have changed since it was looked at, and says so', async () => {
    const confirmed = await bench.confirmed()
    onceSending(() => void (bench.rules.policy = { ...bench.rules.policy, version: 'another' }))
    const { outcome, viewed } = await bench.sender.send(confirmed)
    expect(outcome).toBe('not_sent')
    expect(viewed.text).toBe(
      'Not sent: nothing was changed\nAdd 192.0.2.10 to zone 301\nWhat this would do, or the rules for it, have changed since it was reviewed. It was not sent. Ask again if it is still wanted.',
    )
    expect((await stored(confirmed.id))?.state).toBe('not_sent')
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
    await bench.deliver()
    expect(bench.board.in('UOPERATOR').at(-1)).toContain('It did not happen')
  })
})

it('sends what is a moment short of its lease', async () => {
  const confirmed = await bench.confirmed()
  onceSending(() => bench.clock.turn(LEASE_MS - 1))
  expect((await bench.sender.send(confirmed)).outcome).toBe('done')
})

describe('an answer after a person has settled the change', () => {
  const CHECK =
    'That stands, and the audit log has both. Check in the CDN’s panel which is true before anybody asks again.'
  const SAME = 'Both say the same.'
  test.each<[event: string, settled: boolean, late: () => Promise<string>, says: string, next: string]>([
    ['done', false, async () => 'stored', '*Done*.', CHECK],
    ['done', true, async () => 'stored', '*Done*.', SAME],
    ['rejected', true, refused, '*Refused by the CDN: nothing was changed*.', CHECK],
    ['not_sent', false, neverLeft, '*Not sent: nothing was changed*.', SAME],
  ])('is put on record as %s and told to both, settled %s', async (event, settled, late, says, next) => {
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
    const note = `<@UOTTO> had settled before that it ${settled ? 'happened' : 'did not happen'}. ${next}`
    expect(drawn(viewed).at(-1)).toBe(`~ ${note}`)
    await bench.deliver()
    for (const person of ['UOPERATOR', 'UOTTO'])
      expect(drawn(bench.board.posted.findLast(({ channel }) => channel === person)!.message)).toEqual([
        ':warning: *It became known how this ended, after it was settled*\nAdd 192.0.2.10 to zone 301',
        `${says} ${note}`,
        `~ \`/cdn changes show ${shortId(confirmed.id)}\``,
      ])
  })

  it('is told once to who asked and settled it alone', async () => {
    const confirmed = await bench.confirmed()
    bench.acts.write = async () => {
      await givenUp()
      await bench.approvals.settle(confirmed.id, actor('operator'), true)
      return 'stored'
    }
    await bench.sender.send(confirmed)
    await bench.deliver()
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
