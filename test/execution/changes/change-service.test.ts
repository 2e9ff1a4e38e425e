import { describe, expect, it } from 'vitest'
import { MAX_OPEN_CHANGES_PER_PERSON } from '../../../src/store/changes/changes.ts'
import { actor, RECORD, reviewed, useBench, BILLED } from '../../support/execution-bench.ts'
import { DEFAULT_POLICY } from '../../../src/execution/policy/policy.ts'
import { shortId } from '../../../src/shared/short-id.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'

const bench = useBench()

const olga = actor('operator')
const PROMPT_MS = 10 * 60_000
const expired = (sentence: RegExp) =>
  expect.objectContaining({ code: 'expired', message: expect.stringMatching(sentence), hint: 'Ask again.' })
const stateOf = async (id: string) => (await bench.store.changes.get(id))?.state

describe('a draft', () => {
  it('belongs to the person who began it', async () => {
    const { change } = await reviewed(bench)
    expect(await bench.changes.draft(change.id, olga)).toMatchObject({ id: change.id, values: RECORD })
    await expect(bench.changes.draft(change.id, actor('admin'))).rejects.toEqual(expired(/not known any more/))
    await expect(bench.changes.draft('0'.repeat(32), olga)).rejects.toEqual(expired(/not known any more/))
  })

  it('ends after ten minutes, to the moment', async () => {
    const { change } = await reviewed(bench)
    bench.clock.turn(PROMPT_MS - 1)
    expect(await bench.changes.draft(change.id, olga)).toMatchObject({ state: 'draft' })
    bench.clock.turn(1)
    await expect(bench.changes.draft(change.id, olga)).rejects.toEqual(expired(/more than 10 minutes/))
    await expect(bench.changes.submit(change.id, olga)).rejects.toEqual(expired(/more than 10 minutes/))
    expect(await bench.record()).toEqual([])
  })

  it('has ten minutes anew with each page that is entered, so that a review can be confirmed for as long as it says', async () => {
    const { change } = await reviewed(bench)
    bench.clock.turn(PROMPT_MS - 1)
    await bench.changes.review(change, RECORD, olga)
    bench.clock.turn(PROMPT_MS - 1)
    await bench.changes.submit(change.id, olga)
    expect(await stateOf(change.id)).toBe('approved')
  })

  it('is refused to somebody with twenty changes open', async () => {
    for (let open = 0; open < MAX_OPEN_CHANGES_PER_PERSON; open += 1) await bench.confirmed()
    await expect(reviewed(bench)).rejects.toMatchObject({
      code: 'busy',
      message: 'You have 20 changes open. Nothing was done.',
      hint: 'See /cdn changes list --mine, and let some of them end first.',
    })
  })

  it('cannot be saved any more once it is answered', async () => {
    const change = await bench.confirmed()
    await expect(bench.changes.save(change, {})).rejects.toEqual(expired(/answered already/))
    expect((await bench.store.changes.get(change.id))?.values).toEqual(RECORD)
    await expect(bench.changes.draft(change.id, olga)).rejects.toMatchObject({
      code: 'expired',
      message: 'This has been answered already: it is approved. Nothing more was done.',
      hint: `See /cdn changes show ${shortId(change.id)}.`,
    })
  })
})

describe('ending a change of which nothing was sent', () => {
  it('erases secret values, and says who did it and why', async () => {
    const { change } = await reviewed(bench)
    await bench.changes.close(change.id, olga.id)
    expect(await bench.store.changes.get(change.id)).toMatchObject({
      state: 'cancelled',
      values: { ...RECORD, variables: '••••' },
      outcome: 'closed without being sent',
    })
    expect(await bench.record()).toEqual(['cancelled: closed without being sent'])
  })

  it('lets a confirmed one go on when its view is closed', async () => {
    const change = await bench.confirmed()
    await bench.changes.close(change.id, olga.id)
    expect(await stateOf(change.id)).toBe('approved')
  })

  it('takes a confirmed one back, but not one that is being sent', async () => {
    const [first, second] = [await bench.confirmed(), await bench.confirmed()]
    await bench.changes.takeBack(first.id, olga.id, 'too slow')
    expect(await stateOf(first.id)).toBe('cancelled')
    let during: string | undefined
    bench.acts.write = async () => {
      await bench.changes.takeBack(second.id, olga.id, 'too slow')
      during = await stateOf(second.id)
      return 'stored'
    }
    expect((await bench.sender.send(second)).outcome).toBe('done')
    expect(during).toBe('sending')
  })

  it('is for its owner alone', async () => {
    const { change } = await reviewed(bench)
    await bench.changes.close(change.id, 'UOTHER')
    expect(await stateOf(change.id)).toBe('draft')
    expect(await bench.record()).toEqual([])
  })
})

const changed = expect.objectContaining({
  code: 'expired',
  message: 'What this would do, or the rules for it, have changed since it was reviewed. Nothing was sent.',
})

describe('submitting what one confirms alone', () => {
  it('is on record before anything is sent', async () => {
    const { change } = await reviewed(bench)
    const submitted = await bench.changes.submit(change.id, olga)
    expect(submitted).toMatchObject({
      kind: 'confirmed',
      change: { state: 'approved', requestedAt: bench.clock.now() },
    })
    expect(await bench.record()).toEqual(['requested'])
    const summary = 'Add 192.0.2.10 to zone 301'
    expect(await bench.store.audit.list({ limit: 1 })).toMatchObject([
      { actor: olga.id, team: 'T1', changeId: change.id, operation: 'record add', summary },
    ])
    expect(bench.written).toEqual([])
  })

  it('works once: each later click finds the state that is there', async () => {
    const { change } = await reviewed(bench)
    const clicks = await Promise.all([1, 2, 3].map(() => bench.changes.submit(change.id, olga)))
    expect(clicks.map(({ kind }) => kind).toSorted()).toEqual(['answered', 'answered', 'confirmed'])
    expect(await bench.changes.submit(change.id, olga)).toMatchObject({
      kind: 'answered',
      change: { state: 'approved' },
    })
    expect(await bench.record()).toEqual(['requested'])
  })

  it('takes a zone by its id where the review named it: what is done is the same', async () => {
    const { change } = await reviewed(bench)
    await bench.changes.save(change, { ...RECORD, zone: '301' })
    expect(await bench.changes.submit(change.id, olga)).toMatchObject({ kind: 'confirmed' })
  })
})

describe('submitting what is not what was reviewed', () => {
  it('refuses when a name means another zone than it did in the review', async () => {
    const { change } = await reviewed(bench)
    bench.rules.zones = [{ kind: 'dns', name: 'shop', zoneId: '666', managed: true }]
    await expect(bench.changes.submit(change.id, olga)).rejects.toEqual(changed)
    bench.rules.zones = []
    await expect(bench.changes.submit(change.id, olga)).rejects.toThrow('What was given is not valid any more.')
    expect(await stateOf(change.id)).toBe('draft')
  })

  it('refuses values that were changed behind the review, a draft without one, and what does not read', async () => {
    const { change } = await reviewed(bench)
    await expect(bench.changes.review(change, {}, olga)).rejects.toMatchObject({
      code: 'expired',
      message: 'What was given is not valid any more. Nothing was sent.',
    })
    await bench.changes.save(change, { ...RECORD, value: '203.0.113.9' })
    await expect(bench.changes.submit(change.id, olga)).rejects.toEqual(changed)
    const bare = await bench.changes.begin(bench.operation('record add'), RECORD, olga, 'C1')
    await expect(bench.changes.submit(bare.id, olga)).rejects.toEqual(changed)
  })

  it('refuses when another review of the same form comes in between its look and its step', async () => {
    const { change } = await reviewed(bench)
    const { changes } = bench.store
    const move = changes.move.bind(changes)
    changes.move = async (id, step) => {
      changes.move = move
      await bench.changes.review(change, { ...RECORD, value: '192.0.2.66' }, olga)
      return move(id, step)
    }
    await expect(bench.changes.submit(change.id, olga)).rejects.toEqual(changed)
    expect(await stateOf(change.id)).toBe('draft')
    expect(await bench.record()).toEqual([])
  })

  it('refuses when the policy is another than it was, which a new review mends', async () => {
    const { change } = await reviewed(bench)
    bench.rules.policy = { ...DEFAULT_POLICY, version: 'another' }
    await expect(bench.changes.submit(change.id, olga)).rejects.toEqual(changed)
    await bench.changes.review(change, RECORD, olga)
    expect(await bench.changes.submit(change.id, olga)).toMatchObject({ kind: 'confirmed' })
  })

  it('ends the change, on record, when the role was lost since the review', async () => {
    const { change } = await reviewed(bench)
    await expect(bench.changes.submit(change.id, actor('viewer', olga.id))).rejects.toMatchObject({
      code: 'not_permitted',
      message: 'Only operators and admins can use record add; you are a viewer. Nothing was done.',
      hint: 'Ask somebody who may.',
      access: 'record add',
    })
    expect(await bench.store.changes.get(change.id)).toMatchObject({
      state: 'denied',
      outcome: 'Only operators and admins can use record add; you are a viewer.',
      values: { ...RECORD, variables: '••••' },
    })
    expect(await bench.record()).toEqual(['denied: Only operators and admins can use record add; you are a viewer.'])
    expect(bench.counted).toEqual(['record add denied'])
  })

  it.each([{ barred: true }, { role: 'operator', writesBarred: 'Slack is silent.' }] as const)(
    'offers nobody to ask for access who cannot have it, or has it: %o',
    async (more) => {
      const { change } = await reviewed(bench)
      const lost = { ...actor('viewer', olga.id), ...more }
      await expect(bench.changes.submit(change.id, lost)).rejects.toMatchObject({ access: undefined })
    },
  )

  it.each([
    ['an admin who is only an operator now', 'admin', 'operator'],
    ['an operator who is an admin now, and was shown that others would be asked', 'operator', 'admin'],
  ] as const)('is refused for %s: their prompt would be another one', async (_who, before, now) => {
    const { change } = await reviewed(bench, BILLED, actor(before, 'U1'))
    await expect(bench.changes.submit(change.id, actor(now, 'U1'))).rejects.toMatchObject({ code: 'expired' })
    expect((await bench.store.changes.get(change.id))?.state).toBe('draft')
  })
})

it.each([
  ['confirms', RECORD, undefined],
  ['asks others', BILLED, undefined],
  ['goes alone', BILLED, 'The shop is down'],
])('writes nothing down that %s when it is too late', async (_, values, reason) => {
  bench.rules.policy = { ...DEFAULT_POLICY, breakGlassGroups: ['S1'] }
  const by = { ...olga, groups: ['S1'] }
  const { change } = await reviewed(bench, values, by)
  const tooLate = bench.clock.monotonicMs()
  await expect(bench.changes.submit(change.id, by, reason, tooLate)).rejects.toMatchObject({ code: 'busy' })
  expect(await stateOf(change.id)).toBe('draft')
  expect(await bench.record()).toEqual([])
})

describe('submitting what takes others', () => {
  it('makes it wait for them for as long as the policy says, on record', async () => {
    const { change, decision } = await reviewed(bench, BILLED)
    expect(decision.kind).toBe('approve')
    bench.clock.turn(PROMPT_MS - 1)
    const now = bench.clock.now().getTime()
    expect(await bench.changes.submit(change.id, olga)).toMatchObject({
      kind: 'waiting',
      change: { state: 'waiting', expiresAt: new Date(now + DEFAULT_POLICY.approvalMs), requestedAt: new Date(now) },
    })
    expect(await bench.record()).toEqual(['requested: waits for approval'])
    expect(await bench.changes.submit(change.id, olga)).toMatchObject({
      kind: 'answered',
      change: { state: 'waiting' },
    })
    expect(await bench.record()).toHaveLength(1)
  })

  it('is refused at its review, on record, where nobody else could approve it', async () => {
    for (const id of ['UOTHER', 'UADMIN', 'UADA', 'UOLGA', 'UOTTO']) bench.people.list(actor('viewer', id))
    await expect(reviewed(bench, BILLED)).rejects.toMatchObject({
      code: 'not_permitted',
      message:
        'Needs a second person because it costs money, but besides you there are not enough people who could give it: it takes one operator or admin. Nothing was done.',
      hint: 'Whoever runs CDN Ops can change who may approve, and where.',
      access: undefined,
    })
    expect(await bench.record()).toEqual([expect.stringMatching(/^denied: .*besides you /)])
    expect(await bench.store.changes.list({ states: ['denied'], limit: 9 })).toHaveLength(1)
  })

  it('is refused on the click, too, when those who could have left meanwhile', async () => {
    const { change } = await reviewed(bench, BILLED)
    for (const id of ['UOTHER', 'UADMIN', 'UADA', 'UOLGA', 'UOTTO']) bench.people.list(actor('none', id))
    await expect(bench.changes.submit(change.id, olga)).rejects.toMatchObject({ code: 'not_permitted' })
    expect(await stateOf(change.id)).toBe('denied')
  })

  it('leaves the draft as it is while Slack cannot say who could', async () => {
    const { change } = await reviewed(bench, BILLED)
    bench.people.unreachable = true
    await expect(bench.changes.submit(change.id, olga)).rejects.toMatchObject({
      message: expect.stringContaining('Slack'),
    })
    expect(await stateOf(change.id)).toBe('draft')
    bench.people.unreachable = false
    expect(await bench.changes.submit(change.id, olga)).toMatchObject({ kind: 'waiting' })
  })

  it('can be taken back by who asked, not by others', async () => {
    const change = await bench.waiting()
    await bench.changes.takeBack(change.id, 'UOTHER', 'a try')
    expect(await stateOf(change.id)).toBe('waiting')
    await bench.changes.takeBack(change.id, olga.id, 'too slow')
    expect(await stateOf(change.id)).toBe('cancelled')
  })
})

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
    await bench.changes.close(closed.change.id, 'UOPERATOR')
    const back = await bench.confirmed()
    await bench.changes.takeBack(back.id, 'UOPERATOR', 'changed my mind')
    const { change } = await reviewed(bench)
    const again = await bench.changes.review(change, RECORD, actor('operator'))
    expect(again.alike).toEqual([])
  })
})
