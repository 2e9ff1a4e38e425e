import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { messageProblems } from '../../../src/block-kit/validator.ts'
import { changesList } from '../../../src/operations/changes/changes-list.ts'
import { changesShow } from '../../../src/operations/changes/changes-show.ts'
import { STATE_WORDS } from '../../../src/operations/changes/change-words.ts'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { CatalogEntry, Operation, OperationContext } from '../../../src/operations/operation.ts'
import { CHANGE_STATES } from '../../../src/store/change.ts'
import type { Store } from '../../../src/store/store.ts'
import { invocationOf, operationContext, problemsOf } from '../../support/operation-context.ts'
import { changeIn, entry } from '../../store/harness.ts'
import { createSqliteHarness, type SqliteHarness } from '../../store/sqlite-harness.ts'

let harness: SqliteHarness
let store: Store
beforeEach(async () => {
  harness = createSqliteHarness()
  store = await harness.open()
})
afterEach(() => harness.close())

const catalog: readonly CatalogEntry[] = [{ operation: dnsAdd, decision: { kind: 'confirm', reason: 'The rule.' } }]

async function ask(operation: Operation, values: RawValues, changes: Partial<OperationContext> = {}) {
  const answer = await invocationOf(operation, values).run(operationContext({}, { store, catalog, ...changes }))
  expect(messageProblems(answer.message)).toEqual([])
  return { ...answer, text: answer.message.text, said: JSON.stringify(answer.message.blocks) }
}

type State = Parameters<typeof changeIn>[2]
async function have(state: State, more: Parameters<typeof changeIn>[3] = {}) {
  harness.clock.advance(1_000)
  return changeIn(store, harness.clock, state, { sentence: `A change that is ${state}`, ...more })
}

describe('listing changes', () => {
  it('says when there is none', async () => {
    expect((await ask(changesList, {})).text).toBe('Nothing has been asked for yet.')
    expect((await ask(changesList, { mine: 'true' })).text).toBe('No change fits.')
  })

  it('shows what was asked for, by whom and what became of it, the newest first, and no open forms', async () => {
    const done = await have('done', { requestedBy: 'U222' })
    const unknown = await have('unknown')
    await have('draft')
    const { text, said, buttons } = await ask(changesList, {})
    expect(text).toContain('2 changes, the newest first')
    expect(text.indexOf('unknown: A change that is unknown')).toBeLessThan(text.indexOf('done: A change that is done'))
    expect(text).not.toContain('draft')
    expect(said).toContain('<@U222>')
    for (const { id } of [done, unknown]) expect(text).toContain(id)
    expect(buttons).toEqual([{ kind: 'page', label: 'Only mine', values: { mine: 'true' } }])
  })

  it('leaves out forms that were given up before there was anything to confirm', async () => {
    const givenUp = await have('draft', { sentence: undefined })
    const withdrawn = await have('draft')
    for (const { id } of [givenUp, withdrawn]) {
      const now = harness.clock.now()
      await store.changes.move(id, { from: ['draft'], to: 'cancelled', now, audit: entry('cancelled') })
    }
    const { text } = await ask(changesList, {})
    expect(text).toContain('One change, the newest first')
    expect(text).toContain(withdrawn.id)
    expect(text).not.toContain(givenUp.id)
  })

  it('finds those of one person and those in some states', async () => {
    await have('done', { requestedBy: 'U222' })
    await have('waiting')
    expect((await ask(changesList, { mine: 'true' })).text).not.toContain('is done')
    const states = await ask(changesList, { state: ['done', 'rejected'] })
    expect(states.text).toContain('is done')
    expect(states.text).not.toContain('is waiting')
    expect(states.buttons).toContainEqual({
      kind: 'page',
      label: 'Only mine',
      values: { state: ['done', 'rejected'], mine: 'true' },
    })
    expect(problemsOf(changesList, { state: 'draft' })).toHaveLength(1)
    expect(problemsOf(changesList, { state: 'being sent, Done' })).toEqual([])
  })

  it('shows fifteen at once and the older ones behind a button', async () => {
    for (let index = 0; index < 17; index++) await have('done', { sentence: `Number ${index}.` })
    const first = await ask(changesList, { mine: 'true' })
    const older = first.buttons?.[0]
    if (older?.kind !== 'page') throw new Error('There is no button to older ones')
    expect(older).toMatchObject({ label: 'Older', values: { mine: 'true' } })
    expect(first.text).toContain('Number 2.')
    expect(first.text).not.toContain('Number 1.')
    const second = await ask(changesList, older.values)
    expect(second.text).toMatch(/2 changes[^]*Number 1\.[^]*Number 0\./)
    expect(second.buttons).toEqual([])
  })

  it('lets no sentence act in Slack or crowd out the others', async () => {
    for (let index = 0; index < 15; index++) await have('done', { sentence: `<!channel> *x* ${'y'.repeat(1_500)}` })
    const { said, message } = await ask(changesList, {})
    expect(said).not.toContain('<!channel>')
    expect(message.blocks.filter(({ type }) => type === 'section')).toHaveLength(16)
  })
})

describe('showing a change', () => {
  const id = '0123456789abcdef0123456789abcdef'

  it('tells its story', async () => {
    const change = await have('done', { requestedBy: 'U222' })
    const { text, said } = await ask(changesShow, { id: change.id.toUpperCase() })
    expect(text).toContain('done: A change that is done')
    expect(text).toContain('The platform confirmed it.')
    expect(said).toContain('<@U222>')
    for (const label of ['Operation', 'Asked at', 'Sent at', 'Ended at']) expect(text).toContain(`${label}: `)
    expect(text).not.toContain('Can be confirmed until')
    expect(said).not.toContain('What to look at')
  })

  it('prefers what happened to what a state means in general', async () => {
    const sending = await have('sending')
    const set = { outcome: 'The platform said: Value is not valid.' }
    await store.changes.move(sending.id, {
      from: ['sending'],
      to: 'rejected',
      set,
      now: harness.clock.now(),
      audit: entry('rejected'),
    })
    expect((await ask(changesShow, { id: sending.id })).text).toContain(
      'rejected: A change that is sending\nThe platform said: Value is not valid.',
    )
  })

  it('says what to look at when nobody knows whether it happened', async () => {
    const values = { zone: '4711', type: 'A', name: 'www', value: '192.0.2.10' }
    const { id: unknown } = await have('unknown', { values })
    const { text, said } = await ask(changesShow, { id: unknown })
    const expected = invocationOf(dnsAdd, values)
    expect(text).toContain('it may or may not have happened')
    expect(text).toContain(expected.lookFor)
    expect(said).toContain('<https://panel.example.com/dns-zone/4711|See it in the panel>')
  })

  it('falls back on the panel when the change makes no sense any more', async () => {
    const { id: unknown } = await have('unknown', { values: { nonsense: 'TOKEN=abc' } })
    const { text, said } = await ask(changesShow, { id: unknown })
    expect(text).toContain("Look in the platform's panel whether it happened before asking for dns add again.")
    expect(text).toContain('--nonsense: ••••')
    expect(said).not.toContain('abc')
  })

  it('shows what was asked for, but no secrets', async () => {
    const values = { zone: '4711', type: 'Script', environment: 'TOKEN=abc', value: '`x`' }
    const secretField = Object.entries(dnsAdd.fields).find(([, { secret }]) => secret)![0]
    const { id: done } = await have('done', { values: { ...values, [secretField]: 'TOKEN=abc' } })
    const { text, said } = await ask(changesShow, { id: done })
    expect(text).toContain(`${dnsAdd.fields['type']!.label}: Script`)
    expect(text).toContain(`${dnsAdd.fields[secretField]!.label}: ••••`)
    expect(text + said).not.toContain('abc')
  })

  it('shows an open form only to whose it is', async () => {
    const { id: draft } = await have('draft', { requestedBy: 'U222' })
    await expect(ask(changesShow, { id: draft })).rejects.toThrow('There is no change with this id.')
    const actor = { ...operationContext().actor, id: 'U222' }
    expect((await ask(changesShow, { id: draft }, { actor })).text).toContain('being filled in')
  })

  it('says when there is no such change, and what an id looks like', async () => {
    await expect(ask(changesShow, { id })).rejects.toMatchObject({
      code: 'invalid_input',
      hint: 'See what there is: /cdn changes list',
    })
    expect(problemsOf(changesShow, { id: 'x' })).toEqual([
      'id: A change id has 32 letters and digits, as answers and lists show it.',
    ])
  })
})

it('has words for every state', () => {
  expect(Object.keys(STATE_WORDS).toSorted()).toEqual([...CHANGE_STATES].toSorted())
  const labels = Object.values(STATE_WORDS).map(({ label }) => label)
  expect(new Set(labels).size).toBe(labels.length)
})
