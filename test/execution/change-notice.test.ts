import { describe, expect, it, test } from 'vitest'
import type { Message } from '../../src/block-kit/message.ts'
import { CARD_STATES } from '../../src/execution/messages/change-card.ts'
import { breakGlassNotices, createEndNotice, unknownNotices } from '../../src/execution/changes/change-ending.ts'
import { type Change, CHANGE_STATES, isFinal } from '../../src/store/schema/change.ts'
import { CONTROL, markupOf } from '../block-kit/foreign-text.ts'
import { NOW } from '../support/operation-context.ts'
import { messageProblems } from '../support/slack-rules.ts'
import { shortId } from '../../src/shared/short-id.ts'

const CHANGE: Change = {
  id: 'c'.repeat(32),
  state: 'denied',
  operation: 'dns add',
  values: {},
  sentence: 'Add <!here> to zone 301',
  requestedBy: 'UOLGA',
  team: 'T1',
  createdAt: NOW,
  updatedAt: NOW,
  expiresAt: NOW,
  revision: 3,
  shownRevision: 2,
}
const controls = (message: Message) => [...markupOf(message), message.text].flatMap((text) => text.match(CONTROL) ?? [])
const told = [...CHANGE_STATES.filter(isFinal), 'unknown' as const]

describe('the notice to whoever waited for a change', () => {
  test.each(told)('says that it is %s, what it was, and where to see all of it', (state) => {
    const { message: notice } = createEndNotice('/cdn', CHANGE, state, { outcome: 'So it went.' })
    expect(notice.text).toContain(`Your change: ${CARD_STATES[state].headline}`)
    for (const words of ['Add &lt;!here&gt; to zone 301', 'So it went.', `/cdn changes show ${shortId(CHANGE.id)}`]) {
      expect(notice.text).toContain(words)
      expect(markupOf(notice).join(' ')).toContain(words)
    }
    expect(controls(notice)).toEqual([])
    expect(messageProblems(notice)).toEqual([])
  })

  it('names who ended it, unless it was the program, and the operation where nothing was asked yet', () => {
    const by = (endedBy: string) => controls(createEndNotice('/cdn', CHANGE, 'denied', { endedBy }).message)
    expect(by('UADA')).toEqual(['<@UADA>'])
    expect(by('cdn-ops')).toEqual([])
    expect(createEndNotice('/cdn', { ...CHANGE, sentence: undefined }, 'denied', {}).message.text).toContain('dns add.')
  })
})

describe('the notices to admins', () => {
  const change = { ...CHANGE, breakGlass: 'All is <https://evil.example|down>' }
  const notices = breakGlassNotices(change, ['UADA', 'UOLGA', 'UBEN'], '/cdn')

  it('go to each but who did it, each under an id of its own, so that none is told twice', () => {
    expect(notices.map(({ id, recipient }) => `${id} ${recipient}`)).toEqual([
      `break-glass-${CHANGE.id}-UADA UADA`,
      `break-glass-${CHANGE.id}-UBEN UBEN`,
    ])
  })

  it('say who, what and why, and mention nobody else', () => {
    const message = notices[0]!.message as Message
    expect(controls(message)).toEqual(['<@UOLGA>'])
    expect(message.text).toContain('Reason given: All is &lt;https://evil.example|down&gt;')
    expect(messageProblems(message)).toEqual([])
  })
})

describe('the notice that nobody knows whether a change happened', () => {
  it('mentions none but who asked, and is within limits', () => {
    const found = { outcome: 'No answer <!here>.', lookFor: 'Look for <!channel>.' }
    const { message: notice } = unknownNotices({ command: '/cdn', opsChannel: 'COPS' }, CHANGE, found)[0]!
    expect(new Set(controls(notice))).toEqual(new Set(['<@UOLGA>']))
    expect(notice.text).toContain('Look for &lt;!channel&gt;.')
    expect(messageProblems(notice)).toEqual([])
  })
})
