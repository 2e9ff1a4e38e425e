import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type Message, wordsMessage } from '../../../src/block-kit/message.ts'
import { md, mention } from '../../../src/block-kit/mrkdwn.ts'
import { CARD_ACTIONS, CARD_STATES, type CardFacts, cardOf } from '../../../src/execution/messages/change-card.ts'
import { type Change, CHANGE_STATES, type ChangeState } from '../../../src/store/schema/change.ts'
import { CONTROL, foreignText, markupOf } from '../../block-kit/foreign-text.ts'
import { ledgerOperations, plainAnswer } from '../../support/ledger-operations.ts'
import { checkContext, invocationOf, NOW } from '../../support/operation-context.ts'
import { messageProblems } from '../../support/slack-rules.ts'

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
    asked: { groups: [], people: [] },
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
    for (const words of ['So it went.', 'Add 192.0.2.10 to zone 301', '<@UOLGA>', '/cdn changes show aaaaaaaa`']) {
      expect(json(drawn)).toContain(words)
    }
    expect(messageProblems(drawn)).toEqual([])
  })

  it('calls no two states the same', () => {
    expect(new Set(CHANGE_STATES.map((state) => CARD_STATES[state].headline)).size).toBe(CHANGE_STATES.length)
  })

  it('says by whom it ended, unless it was the program', () => {
    expect(card('denied', { endedBy: 'UADA' }).text).toMatch(/^Declined: nothing was sent\./)
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
    expect(card('done', { answer, endedBy: 'UADA', outcome: 'A person looked.' }).text).toMatch(/^Done\./)
    for (const damaged of ['words', null, { text: 'no blocks' }, { text: 1, blocks: [] }]) {
      expect(card('done', { answer: damaged }).text).toMatch(/^Done\./)
    }
  })

  it('names who asked once', () => {
    const answer = wordsMessage([md`${mention('UOLGA')} added it.`])
    expect(json(card('done', { answer })).match(/UOLGA/g)).toHaveLength(1)
    expect(json(card('waiting')).match(/UOLGA/g)).toHaveLength(1)
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

  it('shows what it costs, whom it takes, and until when; all of it is read before it is approved', () => {
    const drawn = card('waiting', {}, { invocation, asked: { groups: [], people: ['UADA'] } })
    expect(json(drawn)).not.toContain('What will be sent')
    expect(json(drawn)).toContain('This may be billed, or cannot be undone.')
    expect(json(drawn)).toMatch(/<@UADA>: <@UOLGA> needs [^"]* by <!date[^"]*, or nothing is sent"/)
    expect(drawn.text).not.toMatch(/@U/)
  })

  it('mentions the user groups and people that are asked', () => {
    const asked = { groups: ['SOPS'], people: ['UADA'] }
    const quorums = [{ count: 1, roles: [], groups: ['SLAW'] }] as const
    expect(json(card('waiting', {}, { asked, quorums }))).toMatch(
      /<!subteam\^SOPS>, <@UADA>: [^"]* needs one member of the user group <!subteam\^SLAW> by <!date/,
    )
  })

  it('shows no costs once it waits no longer', () => {
    expect(json(card('approved', {}, { invocation }))).not.toContain('may be billed')
  })
})

describe('buttons', () => {
  test.each(CHANGE_STATES)('of a card that is %s are those that do something then', (state) => {
    const { approve, decline, cancel, exists, absent, again } = CARD_ACTIONS
    const nothing = ['rejected', 'not_sent', 'not_done', 'expired', 'denied', 'cancelled'] as const
    const cameToNothing = Object.fromEntries(nothing.map((each) => [each, [again]]))
    const expected = { waiting: [approve, decline, cancel], unknown: [exists, absent], ...cameToNothing } as Readonly<
      Partial<Record<ChangeState, readonly string[]>>
    >
    expect(actionsOf(card(state))).toEqual(expected[state] ?? [])
  })

  it('carry the id of the change alone; those that settle it at once ask first', () => {
    for (const state of ['waiting', 'unknown'] as const) {
      const elements = card(state).blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
      for (const element of elements) {
        const settles = [CARD_ACTIONS.exists, CARD_ACTIONS.absent].some((id) => id === element.action_id)
        expect(element).toMatchObject({ value: 'a'.repeat(32) })
        expect('confirm' in element).toBe(settles)
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
