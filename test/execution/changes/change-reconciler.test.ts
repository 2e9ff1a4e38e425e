import { describe, expect, it, vi } from 'vitest'
import { ChangeSender } from '../../../src/execution/changes/change-sender.ts'
import { StoreError } from '../../../src/store/schema/store-error.ts'
import { actor, RECORD, useBench } from '../../support/execution-bench.ts'
import { shortId } from '../../../src/shared/short-id.ts'
import { expireUnsent, recoverUnknown } from '../../../src/execution/changes/change-reconciler.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { takeNotices } from '../../support/notices.ts'

const bench = useBench()

const [olga, other] = [actor('operator'), actor('operator', 'UOTHER')]
const GRACE_MS = 10_000
const stateOf = async (id: string) => (await bench.store.changes.get(id))?.state

describe('what was confirmed and nobody is at any more', () => {
  it('is sent after ten seconds, and not before: somebody may be taking it back', async () => {
    const { id } = await bench.confirmed()
    bench.clock.turn(GRACE_MS - 1)
    await bench.reconciler.reconcile()
    expect(await stateOf(id)).toBe('approved')
    bench.clock.turn(1)
    await bench.reconciler.reconcile()
    expect(await stateOf(id)).toBe('done')
    expect(bench.written).toEqual([`cdn-ops ${shortId(id)}`])
    expect(bench.board.in('C1')).toEqual(['It was stored.'])
  })

  it('is sent once, however many rounds and processes there are', async () => {
    const { id } = await bench.confirmed()
    bench.clock.turn(GRACE_MS)
    await Promise.all([bench.reconciler.reconcile(), bench.reconciler.reconcile()])
    await bench.reconciler.reconcile()
    expect(bench.written).toEqual([`cdn-ops ${shortId(id)}`])
  })
})

describe('a round without work', () => {
  it('writes nothing where nothing is under way', async () => {
    const { audit } = bench.store
    const recorded = vi.spyOn(audit, 'record')
    await bench.reconciler.reconcile()
    expect(recorded).not.toHaveBeenCalled()
    await bench.confirmed()
    bench.clock.turn(GRACE_MS)
    await bench.reconciler.reconcile()
    expect(recorded).toHaveBeenCalled()
  })
})

/** A change that its process left waiting when it ended, though everybody had approved it. */
async function leftApproved(): Promise<string> {
  const { id, hash = '' } = await bench.waiting()
  const at = bench.clock.now()
  const entry = { at, actor: other.id, team: 'T1', operation: 'record add', event: 'approval', summary: 's' } as const
  await bench.store.approvals.add({ changeId: id, person: other.id, hash, at }, entry)
  return id
}

describe('what waits', () => {
  it('is sent when everybody had approved before a crash', async () => {
    const id = await leftApproved()
    await bench.reconciler.reconcile()
    expect(await stateOf(id)).toBe('done')
    expect(await bench.record()).toEqual([
      'requested: waits for approval',
      'approval',
      'approved: Approved by UOTHER',
      'sending',
      'done: Add 192.0.2.10 to zone 301',
    ])
  })

  it('is cancelled when whoever asked has lost the role, and they are told', async () => {
    const { id } = await bench.waiting()
    await bench.announcer.announce(id)
    bench.people.list(actor('none', olga.id))
    await bench.reconciler.reconcile()
    expect(await stateOf(id)).toBe('cancelled')
    expect((await bench.record()).at(-1)).toMatch(
      /^cancelled: Whoever asked may not do this any more: .*they have no role/,
    )
    expect(bench.board.in('COPS')).toEqual([expect.stringMatching(/^Cancelled: nothing was sent/)])
    await bench.deliver()
    expect(bench.board.in(olga.id)).toHaveLength(1)
  })

  it('asks Slack no more than once a minute who has which role, until it is to be sent', async () => {
    await bench.waiting()
    await bench.reconciler.reconcile()
    expect(bench.people.askedAfresh).toEqual([])
  })

  it('waits on while Slack cannot say who people are', async () => {
    const { id } = await bench.waiting()
    bench.people.unreachable = true
    await bench.reconciler.reconcile()
    expect(await stateOf(id)).toBe('waiting')
    expect(bench.log.filter(({ level }) => level === 'error').map(({ fields }) => fields['what'])).toEqual([
      'look at a change that waits',
    ])
  })
})

describe('a round', () => {
  it('goes on with the next step, and the next change, when one fails', async () => {
    bench.store.changes.recover = () => Promise.reject(new StoreError('locked'))
    const [first, second] = [await bench.confirmed(), await bench.confirmed()]
    bench.clock.turn(GRACE_MS)
    bench.acts.write = async ({ marker }) => {
      if (marker === `cdn-ops ${shortId(second.id)}`) throw new TypeError('a bug')
      return 'stored'
    }
    await bench.reconciler.reconcile()
    expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(['done', 'unknown'])
    expect(bench.log.find(({ fields }) => fields['what'] === 'recover what was being sent')).toBeDefined()
  })
})

const MASKED = { ...RECORD, variables: '••••' }
const HERE = 'this process'
/** A change whose process died while the call was under way. */
async function abandoned(values: RawValues = { ...RECORD, zone: '301' }): Promise<string> {
  const confirmed = await bench.confirmed(values, actor('operator'))
  const begun = Promise.withResolvers<void>()
  bench.acts.write = () => {
    begun.resolve()
    return new Promise(() => {})
  }
  void new ChangeSender({ ...bench.services, holder: 'a dead process' }).send(confirmed)
  await begun.promise
  return confirmed.id
}
const cards = () => bench.board.posted.map(({ texts }) => texts.at(-1) ?? '')

describe('after a crash', () => {
  it('calls unknown what was being sent, with what to look for, and erases its secret values', async () => {
    const id = await abandoned()
    expect(await recoverUnknown(bench.services, HERE)).toMatchObject([
      { id, state: 'unknown', values: { ...MASKED, zone: '301' } },
    ])
    const [entry] = await bench.store.audit.list({ limit: 1 })
    expect(entry).toMatchObject({ event: 'unknown', actor: 'cdn-ops', changeId: id })
    await bench.announcer.announce(id)
    expect(cards()).toEqual([
      expect.stringMatching(/^Unknown: it may or may not have happened\nAdd 192\.0\.2\.10 to zone 301/),
    ])
    expect(cards()[0]).toContain('A record with the value 192.0.2.10.')
    expect(cards()[0]).toContain('https://panel.example.com/dns-zone/301')
  })

  it('tells who asked, and the operations channel, with what to look for', async () => {
    const id = await abandoned()
    await recoverUnknown(bench.services, HERE)
    const notices = (await takeNotices(bench.store)).map(({ message, ...to }) => [
      to.id,
      to.recipient,
      JSON.stringify(message),
    ])
    const look = expect.stringContaining('A record with the value 192.0.2.10. Then ') as string
    expect(notices.toSorted(([one = ''], [other = '']) => one.localeCompare(other))).toEqual([
      [`end-${id}-unknown`, 'UOPERATOR', look],
      [`unknown-${id}`, 'COPS', look],
    ])
  })

  it('tells the operations channel nothing where the message about it stands there', async () => {
    bench.board.refusing.set('C1', 'for good')
    await abandoned()
    bench.clock.turn(2_000)
    await expect.poll(() => bench.board.in('COPS')).toHaveLength(1)
    await recoverUnknown(bench.services, HERE)
    expect((await takeNotices(bench.store)).map(({ recipient }) => recipient)).toEqual(['UOPERATOR'])
  })

  it('settles it once, and never sends it again: the next look finds nothing', async () => {
    await abandoned()
    expect(await recoverUnknown(bench.services, HERE)).toHaveLength(1)
    expect(await recoverUnknown(bench.services, HERE)).toEqual([])
    expect(bench.written).toHaveLength(1)
  })

  it('leaves alone what this process is sending itself', async () => {
    const id = await abandoned()
    expect(await recoverUnknown(bench.services, 'a dead process')).toEqual([])
    expect((await bench.store.changes.get(id))?.state).toBe('sending')
  })

  it('says what was asked where it cannot be read any more, as when the zone has lost its name', async () => {
    const id = await abandoned(RECORD)
    bench.rules.zones = []
    await recoverUnknown(bench.services, HERE)
    await bench.announcer.announce(id)
    expect(cards()[0]).toContain('Look for it: Add 192.0.2.10 to zone 301.')
  })
})

describe('what was never sent in time', () => {
  it('expires when it was confirmed, on record, told once, and sent by nobody', async () => {
    const { id } = await bench.confirmed()
    expect(await expireUnsent(bench.services)).toEqual([])
    bench.clock.turn(10 * 60_000)
    expect(await expireUnsent(bench.services)).toMatchObject([{ id, state: 'expired', values: MASKED }])
    expect((await bench.record()).at(-1)).toMatch(
      /^expired: This waited too long before it could be sent\. Nothing was/,
    )
    expect(await expireUnsent(bench.services)).toEqual([])
    await bench.deliver()
    expect(bench.board.in('UOPERATOR')).toHaveLength(1)
    await bench.announcer.announce(id)
    expect(bench.board.in('C1')).toEqual([expect.stringMatching(/^Expired: nothing was sent\n[\s\S]*Ask again/)])
  })

  it('expires when nobody approved it, to the moment', async () => {
    const { id, expiresAt } = await bench.waiting()
    const left = expiresAt.getTime() - bench.clock.now().getTime()
    bench.clock.turn(left - 1)
    expect(await expireUnsent(bench.services)).toEqual([])
    bench.clock.turn(1)
    expect(await expireUnsent(bench.services)).toMatchObject([{ id, state: 'expired' }])
    expect((await bench.record()).at(-1)).toMatch(/^expired: Nobody approved this in time\. Nothing was sent\./)
    expect(await takeNotices(bench.store)).toMatchObject([{ recipient: 'UOPERATOR', id: `end-${id}-expired` }])
  })

  it('keeps no value of an operation that no longer exists', async () => {
    const created = await bench.store.changes.create({
      operation: 'gone add',
      values: { key: 'hush' },
      requestedBy: 'U1',
      team: 'T1',
      expiresAt: new Date(bench.clock.now().getTime() + 1),
    })
    if (created.kind !== 'created') throw new Error('The change should have begun')
    const now = bench.clock.now()
    const audit = { at: now, actor: 'U1', team: 'T1', operation: 'gone add', event: 'requested', summary: 's' } as const
    await bench.store.changes.move(created.change.id, { from: ['draft'], to: 'approved', now, audit })
    bench.clock.turn(1)
    expect(await expireUnsent(bench.services)).toMatchObject([{ values: {} }])
  })
})

it('edits or posts no further message when the bot stops', async () => {
  for (let n = 0; n < 3; n += 1) await bench.waiting()
  const stopping = new AbortController()
  bench.board.before = () => stopping.abort()
  await bench.reconciler.reconcile(stopping.signal)
  expect(bench.board.posted).toHaveLength(1)
})

it.each([
  ['confirmed', 'approved', async () => (await bench.confirmed()).id],
  ['approved', 'waiting', leftApproved],
])('sends nothing more that was %s: the next process does', async (_, kept, leave) => {
  const before = [await leave(), await leave()]
  bench.clock.turn(GRACE_MS)
  const stopping = new AbortController()
  bench.acts.write = async () => {
    stopping.abort()
    return 'stored'
  }
  await bench.reconciler.reconcile(stopping.signal)
  expect(bench.written).toHaveLength(1)
  expect(new Set(await Promise.all(before.map(stateOf)))).toEqual(new Set([kept, 'done']))
})

it('does nothing in a round that begins after the stop', async () => {
  await bench.confirmed()
  bench.clock.turn(10_000)
  await bench.reconciler.reconcile(AbortSignal.abort())
  expect([bench.written, bench.board.posted]).toEqual([[], []])
})
