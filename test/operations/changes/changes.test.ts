import { describe, expect, it } from 'vitest'
import { CHANGE_BUTTONS, type ChangeButton, changeButton } from '../../../src/operations/changes/change-buttons.ts'
import { STATE_WORDS } from '../../../src/operations/changes/change-states.ts'
import { changesList, changesShow } from '../../../src/operations/changes/changes.ts'
import type { OperationContext } from '../../../src/operations/declaration/operation.ts'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { AuditEntry, AuditEvent } from '../../../src/store/schema/audit-entry.ts'
import { type Change, CHANGE_STATES, type ChangeState } from '../../../src/store/schema/change.ts'
import { drawn } from '../../support/drawn.ts'
import { sampleChange } from '../../support/sample-change.ts'
import { changeIn, entry } from '../../store/harness.ts'
import { buttonValues, storeForEachTest } from '../../support/ask.ts'
import { invocationOf, operationContext, problemsOf } from '../../support/operation-context.ts'
import type { Actor, Role } from '../../../src/operations/declaration/role.ts'
import { shortId } from '../../../src/shared/short-id.ts'
import { markupOf } from '../../block-kit/foreign-text.ts'

const { ask, store, harness } = storeForEachTest()
const list = (values: RawValues = {}) => ask(changesList, values)
const show = (id: string, context: Partial<OperationContext> = {}) => ask(changesShow, { id }, context)
const A_RECORD = { zone: '4711', type: 'A', name: 'www', value: '192.0.2.10' }

/** A change in a state, a second younger than the one before. */
async function have(state: Parameters<typeof changeIn>[2], more: Parameters<typeof changeIn>[3] = {}) {
  harness().clock.advance(1_000)
  return changeIn(store(), harness().clock, state, { sentence: `A change that is ${state}`, ...more })
}

async function move(
  id: string,
  [from, to]: readonly [ChangeState, Exclude<ChangeState, 'draft' | 'sending'>],
  set = {},
  audit: Partial<AuditEntry> & { readonly event?: AuditEvent } = {},
) {
  const now = audit.at ?? harness().clock.now()
  const event = to === 'waiting' ? 'requested' : to
  await store().changes.move(id, { from: [from], to, set, now, audit: entry(event, { changeId: id, ...audit }) })
}

/** Somebody's approval of a change that waits, a second after the one before. */
async function approve(id: string, person: string): Promise<void> {
  harness().clock.advance(1_000)
  const at = harness().clock.now()
  const approval = { changeId: id, person, hash: 'h', at }
  const audit = entry('approval', { at, actor: person, changeId: id })
  expect(await store().approvals.add(approval, audit)).toMatchObject({ kind: 'approved' })
}

/** What is drawn, with times left out, which are those of the system. */
const timeless = (message: Parameters<typeof drawn>[0]) =>
  drawn(message).map((line) => line.replaceAll(/<!date[^>]*>/g, '(time)'))

describe('listing changes', () => {
  it('says when there is none', async () => {
    expect((await list()).text).toBe('Nothing has been asked for yet.')
    expect((await list({ mine: 'true' })).text).toBe('No change fits.')
  })

  it('shows what was asked for, by whom and what became of it, the newest first, and no open forms', async () => {
    const done = await have('done', { requestedBy: 'U222' })
    const unknown = await have('unknown')
    await have('draft')
    const { text, message, buttons } = await list()
    expect(timeless(message)).toEqual([
      '*2 changes*, the newest first, as of (time)',
      `:grey_question: *unknown*: A change that is unknown\nasked by \`U1\` · (time) · \`${shortId(unknown.id)}\``,
      '[It exists] [It does not exist] [Open]',
      `:white_check_mark: *done*: A change that is done\nasked by <@U222> · (time) · \`${shortId(done.id)}\``,
    ])
    expect(text).toContain(`\ndone: A change that is done · ${shortId(done.id)}`)
    expect(buttons).toEqual([{ kind: 'page', label: 'Only mine', values: { mine: 'true' } }])
  })

  it('leaves out forms that were given up before there was anything to confirm', async () => {
    const givenUp = await have('draft', { sentence: undefined })
    const withdrawn = await have('draft')
    for (const { id } of [givenUp, withdrawn]) await move(id, ['draft', 'cancelled'])
    const { text } = await list()
    expect(text).toContain('One change, the newest first')
    expect(text).toContain(shortId(withdrawn.id))
  })

  it('finds those of one person and those in some states', async () => {
    await have('done', { requestedBy: 'U222' })
    await have('waiting')
    expect((await list({ mine: 'true' })).text).not.toContain('is done')
    const states = await list({ state: ['done', 'rejected'] })
    expect(states.text).toContain('is done')
    expect(states.text).not.toContain('is waiting')
    expect(buttonValues(states, 'Only mine')).toEqual({ state: ['done', 'rejected'], mine: 'true' })
    expect(problemsOf(changesList, { state: 'draft' })).toHaveLength(1)
    const { control } = changesList.fields['state']!
    const offered = control.kind === 'choices' ? control.choices.map(({ value }) => value) : []
    expect(offered).toEqual(CHANGE_STATES.filter((state) => state !== 'draft'))
    const { sentence } = invocationOf(changesList, { state: 'done,unknown', mine: 'true' })
    expect(sentence).toBe('List changes in state done, unknown of their own')
    expect(problemsOf(changesList, { state: 'being sent, Done' })).toEqual([])
  })

  it('shows eight at once and the older ones behind a button', async () => {
    for (let index = 0; index < 16; index++) await have('done', { sentence: `Number ${index}.` })
    const first = await list({ mine: 'true' })
    expect(first.text).toContain('Number 8.')
    expect(first.text).not.toContain('Number 7.')
    const second = await list(buttonValues(first, 'Older'))
    expect(second.text).toMatch(/8 changes[^]*Number 7\.[^]*Number 0\./)
    expect(second.buttons).toEqual([])
  })

  it('lets no sentence act in Slack or crowd out the others', async () => {
    for (let index = 0; index < 15; index++) await have('unknown', { sentence: `<!channel> *x* ${'y'.repeat(1_500)}` })
    const { message } = await list()
    expect(markupOf(message).join(' ')).not.toContain('<!channel>')
    // Each with its own buttons right below it.
    const types = message.blocks.slice(0, 17).map(({ type }) => type)
    expect(types).toEqual(['section', ...Array.from({ length: 8 }, () => ['section', 'actions'])].flat())
  })

  it('has a button for what somebody can do, and opens everything', async () => {
    const [waiting, unknown, done] = [await have('waiting'), await have('unknown'), await have('done')]
    const waitingFor = async (changes: readonly Change[]) => changes.filter(({ id }) => id === waiting.id)
    const buttonsFor = async (role: Role, more: Partial<Actor> = {}) => {
      const { actor, changes } = operationContext()
      const who = { ...actor, role, ...more }
      const { message } = await ask(changesList, {}, { actor: who, changes: { ...changes, waitingFor } })
      const found = message.blocks.flatMap((block) =>
        block.type === 'actions' ? block.elements : 'accessory' in block && block.accessory ? [block.accessory] : [],
      )
      return found.flatMap((each) => (each?.type === 'button' ? [`${each.action_id} ${each.value}`] : []))
    }
    const opened = [`home:open ${done.id}`, `home:open ${unknown.id}`, `home:open ${waiting.id}`]
    const settled = ['exists', 'absent'].map((kind) => `home:${kind} ${unknown.id}`)
    const approved = `home:approve ${waiting.id}`
    expect(await buttonsFor('operator')).toEqual([opened[0], ...settled, opened[1], approved, opened[2]])
    for (const rest of [buttonsFor('viewer'), buttonsFor('admin', { writesBarred: 'Slack is silent' })])
      expect(await rest).toEqual([opened[0], opened[1], approved, opened[2]])
  })

  it('says of what waits who has approved it so far, and until when it waits', async () => {
    const { id } = await have('waiting', { hash: 'h' })
    expect((await list()).said).toMatch(/waiting for approval\*: [^"]* · no approval so far · until <!date/)
    for (const person of ['U0ADA', 'U0OTTO']) await approve(id, person)
    const { said } = await list({ state: 'waiting' })
    expect(said).toContain(' · approved by <@U0ADA>, <@U0OTTO> · ')
    expect(said).not.toContain('no approval')
    await move(id, ['waiting', 'approved'])
    const approved = await list()
    expect(approved.said).not.toContain('until')
    await move(id, ['approved', 'cancelled'])
    for (const { said: later } of [approved, await list()]) expect(later).toContain('approved by <@U0ADA>, <@U0OTTO>')
  })
})

describe('showing a change', () => {
  it('tells its story, whatever the case of its id', async () => {
    const change = await have('done', { requestedBy: 'U222' })
    const { message } = await show(shortId(change.id).toUpperCase())
    expect(timeless(message)).toEqual([
      ':white_check_mark: *done*: A change that is done',
      '*Operation*\ndns add',
      '*Asked by*\n<@U222>',
      '*Asked at*\n(time)',
      '*Sent at*\n(time)',
      '*Ended at*\n(time)',
      '*What was asked for*',
      '*DNS zone*\n`9007199254740993`',
      '*Value*\n`a.example.net`',
      `~ Change \`${shortId(change.id)}\`, as of (time)`,
    ])
  })

  it('says what happened under what the state is', async () => {
    const { id } = await have('sending')
    expect((await show(id)).text).toContain('\nWhat to check:\n- Check in the CDN’s panel whether it happened')
    await move(id, ['sending', 'rejected'], { outcome: 'The CDN said: Value is not valid.' })
    expect((await show(id)).text).toContain('rejected: A change that is sending\nThe CDN said: Value is not valid.')
  })

  it('says what to look at when nobody knows whether it happened, and how that is settled', async () => {
    const { id } = await have('unknown', { values: A_RECORD })
    const { text, said } = await show(id)
    expect(text).toContain('unknown: A change that is unknown')
    expect(text).toContain(invocationOf(dnsAdd, A_RECORD).lookFor)
    expect(said).toContain('<https://panel.example.com/dns-zone/4711|See it in the panel>')
    expect(text).toContain(`/cdn changes settle ${shortId(id)} happened or not-happened`)
    const marked = await show(id, { markerOf: (changeId) => `mark of ${changeId}` })
    expect(marked.text).toContain(`(comment mark of ${id}).`)
  })

  it('falls back on the panel when the change makes no sense any more', async () => {
    const { id } = await have('unknown', { values: { nonsense: 'TOKEN=hush' } })
    const { text, said } = await show(id)
    expect(text).toContain('Check in the CDN’s panel whether it happened before asking for dns add again.')
    expect(text).toContain('--nonsense: ••••')
    expect(said).not.toContain('hush')
  })

  it('shows what was asked for, but no secrets', async () => {
    const { id } = await have('done', { values: { zone: '4711', type: 'Script', variables: 'TOKEN=hush' } })
    const { text, said } = await show(id)
    expect(text).toContain('Type: Script')
    expect(text).toContain('Environment variables: ••••')
    expect(text + said).not.toContain('hush')
    const long = await have('done', { values: { value: 'v'.repeat(201) } })
    expect((await show(long.id)).text).toContain(`Value: ${'v'.repeat(199)}…\n`)
  })

  it('asks for more of an id that several changes begin with', async () => {
    const id = 'abcdef01'
    for (const rest of ['a', 'b']) await have('done', { id: id.padEnd(32, rest) })
    await expect(show(id)).rejects.toMatchObject({
      message: 'Several changes begin with abcdef01. Nothing was done.',
      hint: 'Type more of the id.',
    })
    expect((await show(`${id}b`)).text).toContain('is done')
  })

  it('shows an open form only to whose it is', async () => {
    const { id } = await have('draft', { requestedBy: 'U222' })
    await expect(show(id)).rejects.toThrow('There is no change ')
    const actor = { ...operationContext().actor, id: 'U222' }
    expect((await show(id, { actor })).text).toContain('being filled in')
  })

  it('says when there is no such change, and what an id looks like', async () => {
    await expect(show('0123456789abcdef'.repeat(2))).rejects.toMatchObject({
      message: `There is no change ${'0123456789abcdef'.repeat(2)}.`,
      hint: 'See what there is: /cdn changes list',
    })
    expect(problemsOf(changesShow, { id: 'x' })).toEqual([
      'id: A change id has 8 letters and digits, as answers and lists show it.',
    ])
  })
})

describe('who did what to a change', () => {
  it('is told with every approval, and how long it waits', async () => {
    const { id } = await have('waiting', { hash: 'h', requestedBy: 'U0OLGA' })
    const before = await show(id)
    expect(before.text).toContain('Approved by: nobody so far')
    expect(before.text).toContain('Waits until: 20')
    expect(before.said).toContain(`<@U0OLGA> can withdraw it: \`/cdn changes cancel ${shortId(id)}`)
    for (const person of ['U0OTTO', 'U0ADA']) await approve(id, person)
    expect((await show(id)).said).toMatch(/\*Approved by\*\\n<@U0OTTO> <!date[^,]*, <@U0ADA> <!date/)
  })

  it.each([
    ['waiting', 'denied', 'Declined by'],
    ['waiting', 'cancelled', 'Cancelled by'],
    ['unknown', 'done', 'Settled by'],
    ['unknown', 'not_done', 'Settled by'],
  ] as const)('names who took it from %s to %s', async (from, to, label) => {
    const { id } = await have(from)
    await move(id, [from, to], { endedBy: 'U0OTTO' }, { actor: 'U0OTTO' })
    const { text, said } = await show(id)
    expect(said).toContain(`*${label}*\\n<@U0OTTO>`)
    expect(text).toMatch(/^Ended at: /m)
    expect(text).not.toContain('can withdraw it')
  })

  it('is told with the reason of who went without approval', async () => {
    const { id } = await have('draft')
    await move(id, ['draft', 'approved'], { breakGlass: 'The shop is <!channel> down' }, { event: 'break_glass' })
    const { text, said } = await show(id)
    expect(text).toContain('Without approval, because: The shop is')
    expect(text).toContain('Can be sent until: ')
    expect(said).not.toContain('<!channel>')
  })

  it('is told from the record, the oldest entry first, and of this change alone', async () => {
    const { id } = await have('draft')
    const { audit } = store()
    await audit.append(entry('requested', { changeId: id, actor: 'U0OLGA' }))
    await audit.append(entry('requested', { changeId: 'another', actor: 'U0SAM' }))
    await audit.append(entry('denied', { changeId: id, actor: 'U0OTTO', detail: 'secret detail' }))
    const { text, said } = await show(id)
    expect(text).toMatch(
      /- 2026-11-20 10:00 UTC asked for, somebody \(entry 1\)\n- .* tried what they may not, and was refused, somebody \(entry 3\)/,
    )
    expect(text + said).not.toMatch(/U0SAM|secret detail/)
  })

  it('tells who declined it from who was refused', async () => {
    const { id } = await have('waiting')
    await store().audit.append(entry('denied', { changeId: id, actor: 'U0VERA' }))
    harness().clock.advance(1_000)
    await move(id, ['waiting', 'denied'], { endedBy: 'U0OTTO' }, { actor: 'U0OTTO', at: harness().clock.now() })
    const { said } = await show(id)
    expect(said).toMatch(/tried what they may not, and was refused, <@U0VERA>.* declined, <@U0OTTO>/)
  })
})

it('has words for every state in a list', () => {
  expect(CHANGE_STATES.map((state) => STATE_WORDS[state].label)).toEqual([
    'being filled in',
    'waiting for approval',
    'approved',
    'being sent',
    'done',
    'rejected',
    'not sent',
    'unknown',
    'not done',
    'declined',
    'cancelled',
    'expired',
  ])
})

it('asks back before a button ends a change at once, and says aloud which change it is about', () => {
  const change = sampleChange({ sentence: `Add ${'x'.repeat(200)}` })
  const made = (Object.keys(CHANGE_BUTTONS) as ChangeButton[]).map((kind) => {
    const { action_id: id, text, value, accessibility_label: label = '', confirm } = changeButton(kind, change)
    return [id, text.text, value, label.length, ...(confirm ? Object.values(confirm).map((each) => each.text) : [])]
  })
  const checked = `You have checked: Add ${'x'.repeat(195)}…. This ends it.`
  expect(made).toEqual([
    ['home:approve', 'Approve …', 'c1', 75],
    ['home:exists', 'It exists', 'c1', 75, 'It exists?', checked, 'It exists', 'Back'],
    ['home:absent', 'It does not exist', 'c1', 75, 'It does not exist?', checked, 'It does not exist', 'Back'],
    ['home:open', 'Open', 'c1', 75],
  ])
  expect(changeButton('open', sampleChange()).accessibility_label).toBe('Open: Add a record')
})
