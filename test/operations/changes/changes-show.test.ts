import { describe, expect, it } from 'vitest'
import { changesShow } from '../../../src/operations/changes/changes-show.ts'
import { STATE_WORDS } from '../../../src/operations/changes/change-words.ts'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import { CHANGE_STATES } from '../../../src/store/change.ts'
import { invocationOf, operationContext, problemsOf } from '../../support/operation-context.ts'
import { entry } from '../../store/harness.ts'
import { ChangesBench } from './changes-bench.ts'

const bench = new ChangesBench()

describe('showing a change', () => {
  const id = '0123456789abcdef0123456789abcdef'

  it('tells its story', async () => {
    const change = await bench.have('done', { requestedBy: 'U222' })
    const { text, said } = await bench.ask(changesShow, { id: change.id.toUpperCase() })
    expect(text).toContain('done: A change that is done')
    expect(text).toContain('The platform confirmed it.')
    expect(said).toContain('<@U222>')
    for (const label of ['Operation', 'Asked at', 'Sent at', 'Ended at']) expect(text).toContain(`${label}: `)
    expect(text).not.toContain('Waits until')
    expect(said).not.toContain('What to look at')
  })

  it('prefers what happened to what a state means in general', async () => {
    const sending = await bench.have('sending')
    const set = { outcome: 'The platform said: Value is not valid.' }
    await bench.store.changes.move(sending.id, {
      from: ['sending'],
      to: 'rejected',
      set,
      now: bench.harness.clock.now(),
      audit: entry('rejected'),
    })
    expect((await bench.ask(changesShow, { id: sending.id })).text).toContain(
      'rejected: A change that is sending\nThe platform said: Value is not valid.',
    )
  })

  it('says what to look at when nobody knows whether it happened', async () => {
    const values = { zone: '4711', type: 'A', name: 'www', value: '192.0.2.10' }
    const { id: unknown } = await bench.have('unknown', { values })
    const { text, said } = await bench.ask(changesShow, { id: unknown })
    const expected = invocationOf(dnsAdd, values)
    expect(text).toContain('it may or may not have happened')
    expect(text).toContain(expected.lookFor)
    expect(said).toContain('<https://panel.example.com/dns-zone/4711|See it in the panel>')
  })

  it('names the mark that the change left, by which it can be found', async () => {
    const { id: unknown } = await bench.have('unknown', {
      values: { zone: '4711', type: 'A', name: 'www', value: '192.0.2.10' },
    })
    const { text } = await bench.ask(changesShow, { id: unknown }, { markerOf: (changeId) => `mark of ${changeId}` })
    expect(text).toContain(`whose comment is mark of ${unknown}.`)
  })

  it('falls back on the panel when the change makes no sense any more', async () => {
    const { id: unknown } = await bench.have('unknown', { values: { nonsense: 'TOKEN=hush' } })
    const { text, said } = await bench.ask(changesShow, { id: unknown })
    expect(text).toContain("Look in the platform's panel whether it happened before asking for dns add again.")
    expect(text).toContain('--nonsense: ••••')
    expect(said).not.toContain('hush')
  })

  it('shows what was asked for, but no secrets', async () => {
    const values = { zone: '4711', type: 'Script', environment: 'TOKEN=hush', value: '`x`' }
    const secretField = Object.entries(dnsAdd.fields).find(([, { secret }]) => secret)![0]
    const { id: done } = await bench.have('done', { values: { ...values, [secretField]: 'TOKEN=hush' } })
    const { text, said } = await bench.ask(changesShow, { id: done })
    expect(text).toContain(`${dnsAdd.fields['type']!.label}: Script`)
    expect(text).toContain(`${dnsAdd.fields[secretField]!.label}: ••••`)
    expect(text + said).not.toContain('hush')
  })

  it('shows an open form only to whose it is', async () => {
    const { id: draft } = await bench.have('draft', { requestedBy: 'U222' })
    await expect(bench.ask(changesShow, { id: draft })).rejects.toThrow('There is no change with this id.')
    const actor = { ...operationContext().actor, id: 'U222' }
    expect((await bench.ask(changesShow, { id: draft }, { actor })).text).toContain('being filled in')
  })

  it('says when there is no such change, and what an id looks like', async () => {
    await expect(bench.ask(changesShow, { id })).rejects.toMatchObject({
      code: 'invalid_input',
      hint: 'See what there is: /cdn changes list',
    })
    expect(problemsOf(changesShow, { id: 'x' })).toEqual([
      'id: A change id has 32 letters and digits, as answers and lists show it.',
    ])
  })
})

describe('who did what to a change', () => {
  it('is told with every approval, and how long it waits', async () => {
    const { id } = await bench.have('waiting', { hash: 'h', requestedBy: 'U0OLGA' })
    const before = await bench.ask(changesShow, { id })
    expect(before.text).toContain('Approved by: nobody so far')
    expect(before.text).toContain('Waits until: 20')
    expect(before.text).toContain(`@U0OLGA can withdraw it: /cdn changes cancel ${id}`)
    for (const person of ['U0OTTO', 'U0ADA']) await bench.approve(id, person)
    const { text } = await bench.ask(changesShow, { id })
    expect(text).toMatch(/Approved by: @U0OTTO 20.*, @U0ADA 20/)
  })

  it.each([
    ['waiting', 'denied', 'Declined by'],
    ['waiting', 'cancelled', 'Cancelled by'],
    ['unknown', 'done', 'Settled by'],
    ['unknown', 'not_done', 'Settled by'],
  ] as const)('names who took it from %s to %s', async (from, to, label) => {
    const { id } = await bench.have(from)
    const now = bench.harness.clock.now()
    const audit = entry(to, { changeId: id, actor: 'U0OTTO' })
    await bench.store.changes.move(id, { from: [from], to, set: { endedBy: 'U0OTTO' }, now, audit })
    const { text } = await bench.ask(changesShow, { id })
    expect(text).toContain(`${label}: @U0OTTO`)
    expect(text).toMatch(/^Ended at: /m)
    expect(text).not.toContain('can withdraw it')
  })

  it('names nobody where the platform answered', async () => {
    const { id } = await bench.have('done')
    expect((await bench.ask(changesShow, { id })).text).not.toContain('Settled by')
  })

  it('is told with the reason of who went without approval', async () => {
    const { id } = await bench.have('draft')
    const now = bench.harness.clock.now()
    const set = { breakGlass: 'The shop is <!channel> down' }
    await bench.store.changes.move(id, { from: ['draft'], to: 'approved', set, now, audit: entry('break_glass') })
    const { text, said } = await bench.ask(changesShow, { id })
    expect(text).toContain('Without approval, because: The shop is')
    expect(text).toContain('Can be sent until: ')
    expect(said).not.toContain('<!channel>')
  })

  it('is told from the record, the oldest entry first, and of this change alone', async () => {
    const { id } = await bench.have('draft')
    const { audit } = bench.store
    await audit.append(entry('requested', { changeId: id, actor: 'U0OLGA' }))
    await audit.append(entry('requested', { changeId: 'another', actor: 'U0SAM' }))
    await audit.append(entry('denied', { changeId: id, actor: 'U0OTTO', detail: 'secret detail' }))
    const { text, said } = await bench.ask(changesShow, { id })
    expect(text).toMatch(
      /- 2026-11-20 10:00 UTC asked for, @U0OLGA \(entry 1\)\n- .* tried what they may not, and was refused, @U0OTTO \(entry 3\)/,
    )
    expect(text).not.toContain('U0SAM')
    expect(said).not.toContain('secret detail')
  })

  it('tells who declined it from who was refused', async () => {
    const { id } = await bench.have('waiting')
    const { audit, changes } = bench.store
    await audit.append(entry('denied', { changeId: id, actor: 'U0VERA' }))
    bench.harness.clock.advance(1_000)
    const now = bench.harness.clock.now()
    const declined = entry('denied', { changeId: id, actor: 'U0OTTO', at: now })
    await changes.move(id, { from: ['waiting'], to: 'denied', set: { endedBy: 'U0OTTO' }, now, audit: declined })
    const { text } = await bench.ask(changesShow, { id })
    expect(text).toMatch(/tried what they may not, and was refused, @U0VERA[^\n]*\n- .* declined, @U0OTTO/)
  })

  it('says how an unknown one is settled', async () => {
    const { id } = await bench.have('unknown')
    expect((await bench.ask(changesShow, { id })).text).toContain(`/cdn changes settle ${id} happened or not-happened`)
  })
})

it('has words for every state', () => {
  expect(Object.keys(STATE_WORDS).toSorted()).toEqual([...CHANGE_STATES].toSorted())
  const labels = Object.values(STATE_WORDS).map(({ label }) => label)
  expect(new Set(labels).size).toBe(labels.length)
})
