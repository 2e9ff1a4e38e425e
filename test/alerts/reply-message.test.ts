import { describe, expect, it } from 'vitest'
import { REPLY_KINDS, type ReplyKind, replyMessage } from '../../src/alerts/incident-reply.ts'
import { messageProblems } from '../support/slack-rules.ts'
import { BEGAN_MS, SAMPLE_WORDS, sampleAlert, sampleIncident } from '../support/sample-incident.ts'

const reply = (kind: ReplyKind, endedMs?: number, mention?: string) =>
  replyMessage({ kind, alert: sampleAlert({ endedMs }), mention, broadcast: false }, sampleIncident(), SAMPLE_WORDS)

describe('what is said in the thread of an incident', () => {
  it.each<[ReplyKind, string]>([
    ['begins again', '🔴 Critical: STALE share; this incident is open again · shop-web (301)'],
    ['worse', '🔴 Critical: STALE share has become worse · shop-web (301)'],
    ['joined', '🔴 Critical: STALE share fires as well · shop-web (301)'],
    ['reminder', '🔴 Critical: STALE share still fires · shop-web (301)'],
    ['nobody acknowledged', '🔴 Critical: nobody has acknowledged STALE share · shop-web (301)'],
    ['eased', '🔴 Critical: STALE share has become less grave · shop-web (301)'],
  ])('that it is: %s', (kind, said) => {
    expect(reply(kind).text.split('\n')[0]).toBe(said)
  })

  it('that it flaps, and is held for that', () => {
    expect(reply('flapping').text).toContain('begins and ends again and again; it is held for half an hour')
  })

  it('that one of several has ended, and how long it took', () => {
    const { text } = reply('ended one of several', BEGAN_MS + 60_000)
    expect(text).toMatch(/^✅ Resolved: STALE share; the incident goes on · shop-web \(301\)\nAt its end: STALE is/)
    expect(text).toContain('Lasted 1 min')
  })

  it('that what has lasted is taken for usual now', () => {
    expect(reply('new normal', BEGAN_MS + 60_000).text).toMatch(
      /^✅ Resolved: STALE share; what has lasted is taken for usual now · shop-web \(301\)\nAt its end: STALE is/,
    )
  })

  it.each(REPLY_KINDS)('has the numbers and the id, within the limits: %s', (kind) => {
    expect(reply(kind).text).toContain('STALE is 34.0% of 1,200 requests')
    expect(reply(kind).text).toContain('Incident abcdef01')
    expect(messageProblems(reply(kind))).toEqual([])
  })

  it('tells the group that is to be told, and no other', () => {
    expect(JSON.stringify(reply('worse', undefined, 'S0OPS').blocks)).toContain('<!subteam^S0OPS>')
    expect(JSON.stringify(reply('worse', undefined, '<!here>').blocks)).not.toContain('<!here>')
  })
})
