import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Message } from '../../src/block-kit/message.ts'
import { CARD_ACTIONS, CARD_STATES, type CardFacts, cardOf } from '../../src/execution/change-card.ts'
import { type Change, CHANGE_STATES, type ChangeState } from '../../src/store/change.ts'
import { CONTROL, foreignText, markupOf } from '../block-kit/foreign-text.ts'
import { ledgerOperations, plainAnswer } from '../support/ledger-operations.ts'
import { checkContext, invocationOf, NOW } from '../support/operation-context.ts'
import { messageProblems } from '../support/slack-rules.ts'

const HOSTILE = '<!channel> <@U1> *bold* <https://evil.example|Deploy> `x` ```y``` &lt;'
const [recordAdd] = ledgerOperations({
  write: async () => '',
  show: plainAnswer,
  read: async () => plainAnswer(''),
})

const change = (state: ChangeState, more: Partial<Change> = {}): Change => ({
  id: 'a'.repeat(32),
  state,
  operation: 'record add',
  values: {},
  sentence: 'Add 192.0.2.10 to zone 301',
  requestedBy: 'UOLGA',
  team: 'T1',
  createdAt: NOW,
  updatedAt: NOW,
  requestedAt: NOW,
  expiresAt: NOW,
  revision: 1,
  shownRevision: 0,
  ...more,
})

function card(state: ChangeState, more: Partial<Change> = {}, facts: Partial<CardFacts> = {}): Message {
  const waiting = { quorums: [{ count: 1, roles: ['operator', 'admin'], groups: [] }] } as const
  return cardOf({
    change: change(state, more),
    approvals: [],
    invocation: undefined,
    quorums: [],
    candidates: [],
    command: '/cdn',
    ...(state === 'waiting' && waiting),
    ...facts,
  })
}

const actionsOf = ({ blocks }: Message) =>
  blocks.flatMap((block) => (block.type === 'actions' ? block.elements : [])).map(({ action_id: id }) => id)
const json = ({ blocks }: Message) => JSON.stringify(blocks)

describe('the card of a change', () => {
  test.each(CHANGE_STATES)('has a look of its own when it is %s, in words as well as in blocks', (state) => {
    const { headline } = CARD_STATES[state]
    const drawn = card(state, { outcome: 'So it went.' })
    expect(drawn.text).toMatch(new RegExp(`^${headline}\\. Add 192\\.0\\.2\\.10 to zone 301\\. So it went\\.`))
    expect(json(drawn)).toContain(`*${headline}*`)
    expect(json(drawn)).toMatch(/:[a-z_0-9]+: \*/)
    for (const words of ['So it went.', 'Add 192.0.2.10 to zone 301', 'Asked by <@UOLGA>', '/cdn changes show aaaa']) {
      expect(json(drawn)).toContain(words)
    }
    expect(messageProblems(drawn)).toEqual([])
  })

  it('calls no two states the same', () => {
    expect(new Set(CHANGE_STATES.map((state) => CARD_STATES[state].headline)).size).toBe(CHANGE_STATES.length)
  })

  it('says by whom it ended, unless it was the program', () => {
    expect(card('denied', { endedBy: 'UADA' }).text).toMatch(/^Declined: nothing was sent \(by @UADA\)\./)
    expect(json(card('denied', { endedBy: 'UADA' }))).toContain('(by <@UADA>)')
    expect(card('cancelled', { endedBy: 'cdn-ops' }).text).toMatch(/^Cancelled: nothing was sent\./)
  })

  it('names the operation where nothing was asked yet', () => {
    expect(card('cancelled', { sentence: undefined }).text).toContain('record add.')
  })

  it('shows the answer that was kept, until a person knows better', () => {
    const answer = plainAnswer('Stored as record 7.').message
    const kept = card('done', { answer })
    expect(kept.text).toBe('Stored as record 7.')
    expect(json(kept)).toContain('Asked by <@UOLGA>')
    expect(card('done', { answer, endedBy: 'UADA', outcome: 'A person looked.' }).text).toMatch(/^Done \(by @UADA\)/)
    for (const damaged of ['words', null, { text: 'no blocks' }, { text: 1, blocks: [] }]) {
      expect(card('done', { answer: damaged }).text).toMatch(/^Done\./)
    }
  })

  it('says beside what to look for that one presses what was found', () => {
    const answer = plainAnswer('Unknown. What to check: the record.').message
    expect(json(card('unknown', { answer }))).toMatch(/press what you found.*Asked by/)
    expect(json(card('done', { answer }))).not.toContain('press what you found')
  })

  it('says who approved, and why it went without', () => {
    const approvals = ['UADA', 'UBEN'].map((person) => ({ changeId: 'a', person, hash: 'h', at: NOW }))
    expect(json(card('done', {}, { approvals }))).toContain('Approved by <@UADA>, <@UBEN>"')
    const quorums = [{ count: 3, roles: ['admin'], groups: [] }] as const
    expect(json(card('waiting', {}, { approvals, quorums, open: [{ ...quorums[0], count: 1 }] }))).toContain(
      'Approved by <@UADA>, <@UBEN> (1 more needed)',
    )
    const open = [{ count: 2, roles: ['operator'], groups: [] }] as const
    expect(json(card('waiting', {}, { approvals, quorums: [...quorums, ...open], open }))).toContain(
      '(2 more needed: 2 operators)',
    )
    expect(json(card('done', { breakGlass: 'All is down' }))).toContain('Without approval, because: All is down')
  })
})

describe('while a change waits', () => {
  const invocation = invocationOf(recordAdd!, { zone: 'shop', value: '192.0.2.10', billed: 'on' }, checkContext())

  it('shows what exactly would be sent, whom it takes, and until when', () => {
    const drawn = card('waiting', {}, { invocation, candidates: ['UADA', 'UOLGA'] })
    expect(json(drawn)).toContain('What will be sent')
    expect(json(drawn)).toContain('This may be billed, or cannot be undone.')
    expect(json(drawn)).toMatch(/It takes [^"]*other than <@UOLGA>\.[^"]*<@UADA>/)
    expect(drawn.text).toMatch(/It takes .*other than @UOLGA\..*@UADA/)
    expect(json(drawn)).toMatch(/Until <!date/)
  })

  it.each([
    ['backticks', '``` `x` <!channel> *a*'],
    ['lines', 'one\n\n  two'],
    ['a long value', 'a b  c '.repeat(300).trim()],
  ])('shows %s as they are, in blocks that can be edited into those of its end', (_, value) => {
    const asked = invocationOf(recordAdd!, { zone: 'shop', value }, checkContext())
    const drawn = card('waiting', {}, { invocation: asked })
    expect(drawn.blocks).toContainEqual(
      expect.objectContaining({ text: { type: 'plain_text', text: value, emoji: false } }),
    )
    expect(drawn.blocks.map(({ type }) => type)).not.toContain('rich_text')
    expect(messageProblems(drawn)).toEqual([])
  })

  it('says how much of a value it leaves out, counted as it is shown', () => {
    const asked = invocationOf(recordAdd!, { zone: 'shop', value: '\u200B'.repeat(2_000) }, checkContext())
    const drawn = json(card('waiting', {}, { invocation: asked }))
    expect(drawn).toContain('13500 of 16000 characters are not shown here, but will be sent.')
  })

  it('names five people or groups at most, and never who asked', () => {
    const candidates = ['UOLGA', ...Array.from({ length: 9 }, (_, index) => `UP${index}`)]
    const quorums = [{ count: 1, roles: [], groups: ['SLAW'] }] as const
    const asked = json(card('waiting', {}, { candidates, quorums })).match(/<@UP\d>|<!subteam\^SLAW>/g)
    expect(json(card('waiting', {}, { quorums }))).toContain('one member of the user group <!subteam^SLAW>, other than')
    expect(card('waiting', {}, { quorums }).text).toContain('one member of the user group @SLAW, other than')
    expect(asked).toEqual(['<!subteam^SLAW>', '<@UP0>', '<@UP1>', '<@UP2>', '<@UP3>'])
  })

  it('shows no details once it waits no longer', () => {
    expect(json(card('approved', {}, { invocation }))).not.toContain('What will be sent')
  })
})

describe('buttons', () => {
  test.each(CHANGE_STATES)('of a card that is %s are those that do something then', (state) => {
    const { approve, decline, cancel, exists, absent } = CARD_ACTIONS
    const expected = { waiting: [approve, decline, cancel], unknown: [exists, absent] } as Readonly<
      Partial<Record<ChangeState, readonly string[]>>
    >
    expect(actionsOf(card(state))).toEqual(expected[state] ?? [])
  })

  it('carry the id of the change alone; those that act at once ask first', () => {
    for (const state of ['waiting', 'unknown'] as const) {
      const elements = card(state).blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
      for (const element of elements) {
        const opensAView = [CARD_ACTIONS.approve, CARD_ACTIONS.decline].some((id) => id === element.action_id)
        expect(element).toMatchObject({ value: 'a'.repeat(32) })
        expect('confirm' in element).toBe(!opensAView)
      }
    }
  })
})

describe('text from outside', () => {
  it('can neither mention nor link in any state, however nasty and long, and the card stays within limits', () => {
    const state = fc.constantFrom(...CHANGE_STATES)
    const texts = fc.record({ sentence: foreignText, outcome: foreignText, breakGlass: foreignText })
    const run = fc.property(state, texts, (at, more) => {
      const values = { zone: 'shop', value: more.sentence.slice(0, 2_999), billed: 'on' }
      const parsed = recordAdd!.parse(values, checkContext())
      const drawn = card(at, more, { invocation: parsed.ok ? parsed.invocation : undefined })
      const controls = [...markupOf(drawn), drawn.text].flatMap((text) => text.match(CONTROL) ?? [])
      expect(controls.filter((control) => control !== '<@UOLGA>' && !control.startsWith('<!date^'))).toEqual([])
      expect(messageProblems(drawn)).toEqual([])
    })
    fc.assert(run, { numRuns: 150 })
  })

  it('is shown as it is', () => {
    const drawn = card('expired', { sentence: HOSTILE })
    expect(drawn.text).toContain('&lt;!channel&gt; &lt;@U1&gt;')
    expect(markupOf(drawn).join(' ')).not.toContain('*bold*')
  })
})
