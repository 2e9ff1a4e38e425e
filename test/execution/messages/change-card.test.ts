import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type Message, wordsMessage } from '../../../src/block-kit/message.ts'
import { md, mention } from '../../../src/block-kit/mrkdwn.ts'
import { type CardFacts, cardOf } from '../../../src/execution/messages/change-card.ts'
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

const buttonsOf = ({ blocks }: Message) => blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
const json = ({ blocks }: Message) => JSON.stringify(blocks)

describe('the card of a change', () => {
  it('has a look of its own in each state, with the buttons that do something then', () => {
    const looks = CHANGE_STATES.map((state) => {
      const [{ text } = {}] = card(state).blocks.flatMap((block) => (block.type === 'section' ? [block] : []))
      const labels = buttonsOf(card(state)).map((each) => ('text' in each ? `[${each.text.text}]` : ''))
      return [state, text?.text.replace('\nAdd 192.0.2.10 to zone 301', ''), ...labels].join(' ')
    })
    expect(looks.toSorted()).toEqual([
      'approved :arrow_forward: *Going to be sent*',
      'cancelled :no_entry: *Cancelled: nothing was sent* [Back to the form]',
      'denied :no_entry: *Declined: nothing was sent* [Back to the form]',
      'done :white_check_mark: *Done*',
      'draft :pencil2: *Being filled in*',
      'expired :hourglass: *Expired: nothing was sent* [Back to the form]',
      'not_done :x: *It did not happen* [Back to the form]',
      'not_sent :x: *Not sent: nothing was changed* [Back to the form]',
      'rejected :x: *Refused by the CDN: nothing was changed* [Back to the form]',
      'sending :arrow_forward: *Being sent*',
      'unknown :grey_question: *Unknown: it may or may not have happened* [It exists] [It does not exist]',
      'waiting :hourglass_flowing_sand: *Waiting for approval* [Approve …] [Decline …] [Cancel request]',
    ])
  })

  test.each(CHANGE_STATES)('says in words as well as in blocks what became of it: %s', (state) => {
    const drawn = card(state, { outcome: 'So it went.' })
    expect(drawn.text).toMatch(/^[^.]+\nAdd 192\.0\.2\.10 to zone 301\nSo it went\./)
    for (const words of ['So it went.', '<@UOLGA>', '/cdn changes show aaaaaaaa`']) expect(json(drawn)).toContain(words)
    expect(messageProblems(drawn)).toEqual([])
  })

  it('says by whom it ended, unless it was the program', () => {
    expect(card('denied', { endedBy: 'UADA' }).text).toMatch(/^Declined: nothing was sent \(by somebody\)\n/)
    expect(json(card('denied', { endedBy: 'UADA' }))).toContain('*Declined: nothing was sent* (by <@UADA>)\\nAdd')
    expect(json(card('cancelled', { endedBy: 'cdn-ops' }))).toContain('*Cancelled: nothing was sent*\\nAdd')
  })

  it('names the operation where nothing was asked yet', () => {
    expect(card('cancelled', { sentence: undefined }).text).toMatch(/\nrecord add\n|\nrecord add$/)
  })

  it('shows the answer that was kept, until a person knows better', () => {
    const answer = plainAnswer('Stored as record 7.').message
    const kept = card('done', { answer })
    expect(kept.text).toBe('Stored as record 7.')
    expect(json(kept)).toContain('Asked by <@UOLGA>')
    expect(card('done', { answer, endedBy: 'UADA', outcome: 'A person looked.' }).text).toMatch(/^Done /)
    for (const damaged of ['words', null, { text: 'no blocks' }, { text: 1, blocks: [] }, { text: 'x', blocks: {} }]) {
      expect(card('done', { answer: damaged }).text).toMatch(/^Done\n/)
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
    expect(json(card('waiting', {}, { approvals, quorums, open: [] }))).toContain('<@UBEN> (0 more needed)"')
    expect(json(card('done', { breakGlass: 'All is down' }))).toContain('Without approval, because: All is down')
  })
})

describe('while a change waits', () => {
  const invocation = invocationOf(recordAdd!, { zone: 'shop', value: '192.0.2.10', billed: 'on' }, checkContext())

  it('shows what it costs, whom it takes, and until when; all of it is read before it is approved', () => {
    const drawn = card('waiting', {}, { invocation, asked: { groups: [], people: ['UADA'] } })
    expect(json(drawn)).not.toContain('What will be sent')
    expect(json(drawn)).toContain('This may be billed, or cannot be undone.')
    expect(json(drawn)).toMatch(/"<@UADA>: <@UOLGA> needs one operator or admin by <!date[^"]*, or nothing is sent"/)
    expect(json(card('waiting'))).toMatch(/"<@UOLGA> needs one operator or admin by <!date/)
    expect(drawn.text).not.toMatch(/@U/)
  })

  it('mentions the user groups and people that are asked', () => {
    const asked = { groups: ['SOPS'], people: ['UADA'] }
    const quorums = [{ count: 1, roles: [], groups: ['SLAW'] }] as const
    expect(json(card('waiting', {}, { asked, quorums }))).toMatch(
      /<!subteam\^SOPS>, <@UADA>: [^"]* needs one member of the user group <!subteam\^SLAW> by <!date/,
    )
  })
})

describe('buttons', () => {
  it('carry the id of the change alone; those that settle it at once ask first', () => {
    const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })
    const made = (action_id: string, text: string, more: object = {}) => ({
      type: 'button',
      action_id,
      text: plain(text),
      value: 'a'.repeat(32),
      ...more,
    })
    const asks = (found: string) => ({
      accessibility_label: `${found}: Add 192.0.2.10 to zone 301`,
      confirm: {
        title: plain(`${found}?`),
        text: plain('You have checked: Add 192.0.2.10 to zone 301. This ends it.'),
        confirm: plain(found),
        deny: plain('Back'),
      },
    })
    expect((['waiting', 'unknown', 'expired'] as const).map((state) => buttonsOf(card(state)))).toEqual([
      [
        made('change:approve', 'Approve …', { style: 'primary' }),
        made('change:decline', 'Decline …'),
        made('change:cancel', 'Cancel request'),
      ],
      [
        made('change:exists', 'It exists', asks('It exists')),
        made('change:absent', 'It does not exist', asks('It does not exist')),
      ],
      [made('change:again', 'Back to the form')],
    ])
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
