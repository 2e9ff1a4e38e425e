import { describe, expect, it } from 'vitest'
import { type ReplyBody, type ReplyKind, replyMessage } from '../../../src/alerts/incidents/incident-reply.ts'
import type { IncidentRecord } from '../../../src/store/schema/alert-records.ts'
import { BEGAN_MS, SAMPLE_WORDS, sampleAlert, sampleIncident } from '../../support/sample-incident.ts'

const MINUTE_MS = 60_000
const over = sampleAlert({ endedMs: BEGAN_MS + 35 * MINUTE_MS, title: 'origin works again', number: '0.4 % STALE' })
const reply = (kind: ReplyKind, body: Partial<ReplyBody> = {}, record: Partial<IncidentRecord> = {}) =>
  replyMessage({ kind, alert: sampleAlert(), broadcast: false, ...body }, sampleIncident({}, record), SAMPLE_WORDS)

describe('what is said in the thread of an incident', () => {
  it.each<[ReplyKind, string, Partial<ReplyBody>?]>([
    ['begins again', '🔴 shop-web again: origin failing, visitors get old content, 34 % STALE.'],
    ['worse', '🔴 shop-web is worse: 34 % STALE, was 6.9 % STALE.', { was: '6.9 % STALE' }],
    ['worse', '🔴 shop-web is worse: 34 % STALE.', { was: '34 % STALE' }],
    ['joined', '🔴 shop-web as well: origin failing, visitors get old content, 34 % STALE.'],
    ['reminder', '🔴 shop-web, still: origin failing, 34 % STALE.'],
    ['nobody acknowledged', '🔴 Still not acknowledged after 15 min: shop-web, 34 % STALE.'],
    ['flapping', '🔁 shop-web is flapping. I’ll stay quiet about it for 30 min.'],
    ['de-escalated', '🔶 shop-web is improving: 34 % STALE.', { alert: sampleAlert({ severity: 'warning' }) }],
    ['silence over', '🔔 The silence is over, and shop-web is not: origin failing, 34 % STALE.'],
    ['ended one of several', '✅ shop-web: origin works again. The rest goes on.', { alert: over }],
    ['ended', '✅ Resolved after 35 min: back to 0.4 % STALE, worst 41 %.', { alert: over }],
    ['ended', '✅ Resolved after 35 min: back to 0.4 % STALE.', { alert: { ...over, peak: undefined } }],
    [
      'ended',
      '✅ Resolved after 35 min: back to 0.4 % STALE, worst 41 %. Still silenced until 2026-11-20 13:00 UTC.',
      { alert: over, silencedUntilMs: Date.parse('2026-11-20T13:00:00Z') },
    ],
    ['new normal', '✅ New normal after 35 min: origin works again, 0.4 % STALE.', { alert: over }],
  ])('is one sentence: %s', (kind, said, body) => {
    expect(reply(kind, body).text).toBe(said)
  })

  it('ends with the sentence where nobody is called', () => {
    const text = '🔴 shop-web, still: origin failing, *34 % STALE*.'
    expect(reply('reminder').blocks[0]).toMatchObject({ text: { text } })
  })

  it('says for how long nobody has acknowledged, and calls who is next before who was called', () => {
    const said = reply('nobody acknowledged', { escalate: 'UADA', mention: 'S0OPS', unansweredMs: 25 * MINUTE_MS })
    expect(said.text).toMatch(/^🔴 Still not acknowledged after 25 min: /)
    expect(JSON.stringify(said.blocks)).toContain('<@UADA> <!subteam^S0OPS>')
    expect(said.text).not.toContain('UADA')
  })

  it('does not call what is no longer watched resolved', () => {
    const alert = { ...over, unwatched: true } as const
    expect(reply('ended', { alert }).text).toBe('☑️ shop-web: no longer watched for origin failing.')
  })

  it('tells the group that is to be told, and no other', () => {
    expect(JSON.stringify(reply('worse', { mention: 'S0OPS' }).blocks)).toContain('<!subteam^S0OPS>')
    expect(JSON.stringify(reply('worse', { mention: '<!here>' }).blocks)).not.toContain('<!here>')
  })

  it('can be acknowledged where it stands in the channel, while nobody has', () => {
    const buttons = (...given: Parameters<typeof reply>) =>
      reply(...given).blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
    for (const kind of ['begins again', 'worse', 'reminder', 'nobody acknowledged'] as const)
      expect(buttons(kind, { broadcast: true })).toMatchObject([{ action_id: 'alert_ack', value: sampleIncident().id }])
    expect(buttons('worse', { mention: 'S0OPS' })).toEqual([])
    expect(buttons('worse', { broadcast: true }, { acknowledgedBy: 'UOLGA' })).toEqual([])
    expect(buttons('worse', { broadcast: true }, { endedAt: new Date(BEGAN_MS) })).toEqual([])
  })

  it('tells whoever acknowledged it of its end, and nobody of anything else', () => {
    const by = { acknowledgedBy: 'UOLGA' }
    expect(JSON.stringify(reply('ended', { alert: over, mention: 'S0OPS' }, by).blocks)).toMatch(
      /worst 41 %\. <@UOLGA>"/,
    )
    expect(JSON.stringify(reply('ended', { alert: over }).blocks)).not.toContain('<@')
    expect(JSON.stringify(reply('worse', {}, by).blocks)).not.toContain('<@')
  })
})
