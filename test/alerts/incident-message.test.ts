import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/block-kit/message.ts'
import { messageProblems } from '../support/slack-rules.ts'
import { incidentMessage } from '../../src/alerts/incident-message.ts'
import type { IncidentDoc } from '../../src/alerts/incident.ts'
import type { IncidentRecord } from '../../src/store/alert-records.ts'
import { BEGAN_MS, SAMPLE_WORDS, sampleAlert, sampleIncident } from '../support/sample-incident.ts'

const ENDED_MS = BEGAN_MS + 23 * 60_000
const shown = (doc: Partial<IncidentDoc> = {}, record: Partial<IncidentRecord> = {}): Message =>
  incidentMessage(sampleIncident(doc, record), SAMPLE_WORDS)
const whole = (message: Message): string => JSON.stringify(message.blocks)
const headline = ({ text }: Message): string => text.split('\n')[0] ?? ''
const buttons = ({ blocks }: Message): readonly string[] =>
  blocks.flatMap((block) =>
    block.type === 'actions' ? block.elements.flatMap((each) => ('text' in each ? [each.text.text] : [])) : [],
  )
const resolved = { alerts: [sampleAlert({ endedMs: ENDED_MS })] }
const END = { endedAt: new Date(ENDED_MS) }

describe('the message about an incident', () => {
  it('says how grave, what and where first, by a word and not by a colour alone', () => {
    expect(headline(shown())).toBe('🔴 Critical: STALE share, shop-web (301)')
    expect(headline(shown({ alerts: [sampleAlert({ severity: 'warning' })] }))).toMatch(/^🔶 Warning: /)
  })

  it('has the numbers, since when, how far, and by what a repetition is known, in its text as well', () => {
    const { text } = shown()
    expect(text).toContain('STALE is 34.0% of 1,200 requests (31.4% to 36.7%) over 5 minutes.')
    expect(text).toContain('Since 2026-11-20 11:30 UTC · Worst: 41.2%')
    expect(text).toContain('Incident abcdef01')
    expect(whole(shown())).toContain(`<!date^${BEGAN_MS / 1_000}^`)
  })

  it('has all alerts of the incident, those that fire before those that ended, the gravest first', () => {
    const alerts = [
      sampleAlert({ endedMs: ENDED_MS }),
      sampleAlert({ kind: 'bypass-share', severity: 'warning' }),
      sampleAlert({ kind: 'error-share' }),
    ]
    const message = shown({ alerts })
    expect(headline(message)).toBe('🔴 Critical: 5xx share and 1 more, shop-web (301)')
    const order = ['Critical: 5xx share', 'Warning: bypass-share', 'Resolved: STALE share']
    const places = order.map((title) => whole(message).lastIndexOf(title))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('counts the alerts for which there is no room', () => {
    const alerts = Array.from({ length: 9 }, (_, index) => sampleAlert({ ruleId: `rule${index}` }))
    expect(shown({ alerts }).text).toContain('and 3 more alerts')
  })

  it('draws how the value went, in percent, and says it in words', () => {
    const chart = shown().blocks.find((block) => block.type === 'data_visualization')
    expect(chart?.chart.series[0]?.data.map(({ label, value }) => [label, value])).toEqual([
      ['11:28', 1],
      ['11:29', 41.2],
      ['11:30', 34],
    ])
    expect(shown().text).toContain('Went from 1.0% at 11:28 over at most 41.2% at 11:29 to 34.0% at 11:30 (UTC).')
    expect(shown({ trend: [] }).blocks.some(({ type }) => type === 'data_visualization')).toBe(false)
  })

  it('draws what its kind draws, also where its sentence counts something else', () => {
    const facts = { sentence: 'The log could not be read for 12 minutes.', unit: 'minutes', value: 12 } as const
    const message = shown({ alerts: [sampleAlert({ kind: 'log-silence', facts, unit: 'minutes', peak: 12 })] })
    expect(whole(message)).toContain('lines a minute')
    expect(message.text).toContain('Worst: 12 min')
  })

  const before = [
    { atMs: BEGAN_MS - 12 * 60_000, what: 'deploy *1.42* <!channel>', subject: 'pull/301' },
    { atMs: BEGAN_MS - 20 * 60_000, what: 'purge', subject: 'pull/302' },
    { atMs: BEGAN_MS - 29.5 * 60_000, what: 'Add an A record' },
  ]

  it('says what changed shortly before, how long before, and for which other zone', () => {
    const message = incidentMessage(sampleIncident(), SAMPLE_WORDS, before)
    const { text } = message
    expect(text).toContain('What changed in the 30 minutes before\n• 12 min before: deploy ')
    expect(text).toContain('• 20 min before: purge, pull zone 302\n• 29 min before: Add an A record\n')
    expect(whole(message)).toContain('&lt;!channel&gt;')
    expect(whole(message)).not.toContain('<!channel>')
    expect(messageProblems(message)).toEqual([])
    expect(shown().text).not.toContain('changed')
  })

  const RUNBOOK = 'https://wiki.example/stale'

  it('links the runbook of each rule once, else that of the zone', () => {
    const alerts = [sampleAlert({ runbook: RUNBOOK }), sampleAlert({ runbook: RUNBOOK, kind: 'error-share' })]
    expect(shown({ alerts }).text).toContain(`Runbook (${RUNBOOK}) · Incident`)
    expect(whole(shown({ alerts })).match(/\|Runbook>/g)).toHaveLength(1)
    const words = { ...SAMPLE_WORDS, runbook: () => 'https://wiki.example/shop' }
    const mixed = sampleIncident({ alerts: [sampleAlert({ runbook: RUNBOOK }), sampleAlert({ kind: 'error-share' })] })
    const { text } = incidentMessage(mixed, words)
    expect(text).toContain(
      `Runbook: STALE share (${RUNBOOK}) · Runbook: 5xx share (https://wiki.example/shop) · Incident`,
    )
    expect(shown().text).not.toContain('Runbook')
  })

  it('links no address that the bot would not take', () => {
    for (const runbook of ['javascript:alert(1)', 'http://wiki.example', 'https://a:b@wiki.example'])
      expect(shown({ alerts: [sampleAlert({ runbook })] }).text).not.toContain('Runbook')
  })

  it('shows three lines at most, as code in which nothing acts', () => {
    const bad = { atMs: BEGAN_MS, path: '/`<!channel> https://evil.example/*x*', host: 'shop.example' }
    const message = shown({ samples: [bad, bad, bad, bad] })
    expect(whole(message).match(/evil\.example/g)).toHaveLength(3)
    expect(whole(message)).toContain('`11:30:00 shop.example/ˋ&lt;!channel&gt; https://evil.example/*x*`')
    expect(whole(message)).not.toContain('"verbatim":false')
  })

  it('tells the group of a critical one, and nobody of a warning', () => {
    expect(whole(shown({ mention: 'S0OPS' }))).toContain('<!subteam^S0OPS>: please look at this.')
    const warning = { mention: 'S0OPS', alerts: [sampleAlert({ severity: 'warning' })] }
    expect(whole(shown(warning))).not.toContain('subteam')
    expect(whole(shown({ mention: '<!channel>' }))).not.toContain('<!channel>')
  })

  it('says who looks at it, and asks no one else then', () => {
    const by = { acknowledgedBy: 'UOLGA', acknowledgedAt: new Date(BEGAN_MS) }
    expect(whole(shown({}, by))).toContain('Acknowledged by <@UOLGA>')
    expect(buttons(shown({}, by))).not.toContain('Acknowledge')
  })

  it('offers to acknowledge, to silence and to see the lines while it goes on', () => {
    expect(buttons(shown())).toEqual([
      'Acknowledge',
      'Not a problem',
      'Silence 1 h',
      'Silence 8 h',
      'Silence until morning',
      'Show lines',
    ])
    const storage = { alerts: [sampleAlert({ subject: 'storage/55' })] }
    expect(buttons(shown(storage, { subject: 'storage/55' }))).not.toContain('Show lines')
  })

  it('once it is over says how long it took and how far it went, and offers nothing to stop', () => {
    const message = shown(resolved, END)
    expect(headline(message)).toBe('✅ Resolved: STALE share, shop-web (301)')
    expect(message.text).toContain('Lasted 23 min, from 2026-11-20 11:30 UTC to 2026-11-20 11:53 UTC · Worst: 41.2%')
    expect(buttons(message)).toEqual(['Show lines'])
    expect(whole(message)).not.toContain('/cart')
  })

  it('that was answered says who said so and what that means, and offers nothing to stop', () => {
    const ended = sampleAlert({ kind: 'error-share', endedMs: BEGAN_MS })
    const message = shown({ mention: 'S0OPS', alerts: [sampleAlert(), ended] }, { ...END, dismissedBy: 'UOLGA' })
    expect(headline(message)).toBe('☑️ Not a problem: STALE share and 1 more, shop-web (301)')
    expect(message.text).toContain('☑️ Not a problem: STALE share\nSTALE is 34.0%')
    expect(message.text).toContain('✅ Resolved: 5xx share')
    expect(whole(message)).toContain('<@UOLGA> answered that it is not a problem ')
    expect(message.text).toContain('It is told again if it becomes graver, or ends and begins anew.')
    expect(whole(message)).not.toContain('S0OPS')
    expect(buttons(message)).toEqual(['Show lines'])
    expect(messageProblems(message)).toEqual([])
  })

  it('of an event says when it was seen, and never that it was resolved', () => {
    const alerts = [sampleAlert({ kind: 'keys-changed', subject: 'account', endedMs: BEGAN_MS })]
    const message = shown({ nature: 'event', alerts, samples: [] }, { subject: 'account', ...END })
    expect(headline(message)).toBe('🔴 Critical: keys-changed, the account')
    expect(message.text).not.toContain('Resolved')
    expect(buttons(message)).toEqual([])
  })

  it('stays within what Slack takes, whatever it is made of', () => {
    const long = 'x<&>`*_~'.repeat(490)
    const runbook = (index: number) => `https://wiki.example/${index}`.padEnd(500, 'x')
    const alerts = Array.from({ length: 20 }, (_, index) =>
      sampleAlert({ kind: long, facts: { sentence: long }, runbook: runbook(index) }),
    )
    const trend = Array.from({ length: 60 }, (_, index) => ({ atMs: BEGAN_MS + index * 60_000, value: index / 60 }))
    const changes = Array.from({ length: 5 }, () => ({ atMs: BEGAN_MS, what: long, subject: long }))
    const samples = Array.from({ length: 5 }, () => ({ atMs: BEGAN_MS, host: long, path: long }))
    const doc = { alerts, trend, samples, mention: 'S0OPS' }
    const message = incidentMessage(sampleIncident(doc), SAMPLE_WORDS, changes)
    for (const one of [message, shown(), shown(resolved, END)]) expect(messageProblems(one)).toEqual([])
    expect(buttons(message)).toContain('Acknowledge')
  })

  it('cannot be made of what the evaluation did not write', () => {
    expect(() => incidentMessage({ ...sampleIncident(), doc: { alerts: 7 } }, SAMPLE_WORDS)).toThrow('expected array')
    expect(() => shown({ alerts: [] })).toThrow('without alerts')
  })
})
