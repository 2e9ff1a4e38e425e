import { describe, expect, it, test } from 'vitest'
import { breakGlassNotices, createEndNotice, unknownNotices } from '../../src/execution/changes/change-ending.ts'
import { type Change, CHANGE_STATES, isFinal } from '../../src/store/schema/change.ts'
import { drawn } from '../support/drawn.ts'
import { sampleChange } from '../support/sample-change.ts'
import { messageProblems } from '../support/slack-rules.ts'

const CHANGE: Change = sampleChange({ id: 'c'.repeat(32), state: 'denied', sentence: 'Add <!here> to zone 301' })
const SHOW = '`/cdn changes show cccccccc`'

describe('the notice to whoever waited for a change', () => {
  test.each([...CHANGE_STATES.filter(isFinal), 'unknown' as const])('is one that Slack takes: %s', (state) => {
    expect(messageProblems(createEndNotice('/cdn', CHANGE, state, { outcome: 'So it went.' }).message)).toEqual([])
  })

  it('says what became of it, what it was, who ended it, and where to see all of it', () => {
    const { id, recipient, message } = createEndNotice('/cdn', CHANGE, 'denied', { outcome: 'So.', endedBy: 'UADA' })
    expect([id, recipient, message.text, ...drawn(message)]).toEqual([
      `end-${CHANGE.id}-denied`,
      'UOLGA',
      'Declined: nothing was sent (by somebody)\nAdd &lt;!here&gt; to zone 301\nSo.\n/cdn changes show cccccccc',
      ':no_entry: *Declined: nothing was sent* (by <@UADA>)\nAdd &lt;!here&gt; to zone 301',
      'So.',
      `~ ${SHOW}`,
      '[Back to the form]',
    ])
  })

  it('names the operation where nothing was asked yet, not the program, and nothing twice', () => {
    const { message } = createEndNotice('/cdn', { ...CHANGE, sentence: undefined }, 'done', {
      outcome: 'record add',
      endedBy: 'cdn-ops',
    })
    expect(drawn(message)).toEqual([':white_check_mark: *Done*\nrecord add', `~ ${SHOW}`])
  })

  it('says what to look for where nobody knows', () => {
    const { message } = createEndNotice('/cdn', CHANGE, 'unknown', { lookFor: 'A record.' })
    expect(drawn(message).slice(1)).toEqual(['A record. Then press what you found under its message.', `~ ${SHOW}`])
  })
})

describe('the notices to admins', () => {
  it('go to each but who did it, each under an id of its own, and mention nobody else', () => {
    const change = { ...CHANGE, breakGlass: 'All is <https://evil.example|down>' }
    const notices = breakGlassNotices(change, ['UADA', 'UOLGA', 'UBEN'], '/cdn')
    expect(notices.map(({ id, recipient }) => `${id} ${recipient}`)).toEqual([
      `break-glass-${CHANGE.id}-UADA UADA`,
      `break-glass-${CHANGE.id}-UBEN UBEN`,
    ])
    expect(drawn(notices[0]!.message as Parameters<typeof drawn>[0])).toEqual([
      ':rotating_light: <@UOLGA> confirmed alone what takes an approval: Add &lt;!here&gt; to zone 301.',
      '*Reason given:* All is &lt;https://evil.example|down&gt;',
      `~ ${SHOW}`,
    ])
  })
})

describe('the notice that nobody knows whether a change happened', () => {
  const LOOK = { outcome: 'No answer <!here>.', lookFor: 'Look.' }
  const told = (change: Partial<Change>, opsChannel: string | undefined = 'COPS') =>
    unknownNotices({ command: '/cdn', opsChannel }, { ...CHANGE, ...change }, LOOK)

  it('says what to look for, how to say what was found, and who asked', () => {
    const { id, recipient, message } = told({})[0]!
    expect([id, recipient, message.text, ...drawn(message)]).toEqual([
      `unknown-${CHANGE.id}`,
      'COPS',
      expect.stringMatching(/^Unknown: it may or may not have happened\nAdd &lt;!here&gt; to zone 301\nNo answer/),
      ':grey_question: *Unknown: it may or may not have happened*\nAdd &lt;!here&gt; to zone 301',
      'No answer &lt;!here&gt;.',
      'Look. Then say what you found: `/cdn changes settle cccccccc happened` or `not-happened`.',
      '~ Asked by <@UOLGA>; its message stands where it was asked.',
      `~ ${SHOW}`,
    ])
    expect(messageProblems(message)).toEqual([])
  })

  it('goes to the operations channel where there is one, unless the message stands there, or will', () => {
    const places: readonly Partial<Change>[] = [
      { channelId: 'C1' },
      { channelId: 'COPS' },
      { channelId: 'C1', messageChannel: 'COPS' },
      { channelId: 'COPS', messageChannel: 'C1' },
    ]
    expect(places.map((place) => told(place).length)).toEqual([1, 0, 0, 1])
    expect(unknownNotices({ command: '/cdn', opsChannel: undefined }, CHANGE, LOOK)).toEqual([])
  })
})
