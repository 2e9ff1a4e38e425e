import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src/block-kit/message.ts'
import { messageProblems } from '../../support/slack-rules.ts'
import { type Background, incidentMessage } from '../../../src/alerts/incidents/incident-message.ts'
import type { IncidentDoc } from '../../../src/alerts/state/incident.ts'
import type { IncidentRecord } from '../../../src/store/schema/alert-records.ts'
import { BEGAN_MS, SAMPLE_WORDS, sampleAlert, sampleIncident } from '../../support/sample-incident.ts'

const ENDED_MS = BEGAN_MS + 23 * 60_000
const shown = (
  doc: Partial<IncidentDoc> = {},
  record: Partial<IncidentRecord> = {},
  background: Partial<Background> = {},
): Message =>
  incidentMessage(sampleIncident(doc, record), SAMPLE_WORDS, { changes: [], silence: undefined, ...background })
const whole = (message: Message): string => JSON.stringify(message.blocks)
const headline = ({ text }: Message): string => text.split('\n')[0] ?? ''
const buttons = ({ blocks }: Message): readonly string[] =>
  blocks
    .flatMap((block) => (block.type === 'actions' ? block.elements : []))
    .flatMap((each) => {
      if (each.type === 'overflow') return each.options.map(({ text }) => `⋯ ${text.text}`)
      return 'text' in each ? [each.text.text] : []
    })
const ended = { endedMs: ENDED_MS, title: 'origin works again', number: '0.4 % STALE' }
const resolved = { alerts: [sampleAlert(ended)] }
const END = { endedAt: new Date(ENDED_MS) }

describe('the message about an incident', () => {
  it('says where and what is wrong first, and that alone on a phone', () => {
    expect(headline(shown())).toBe('🔴 shop-web: origin failing, visitors get old content')
    const warning = sampleAlert({ severity: 'warning', title: 'some visitors get old content' })
    expect(headline(shown({ alerts: [warning] }))).toBe('🔶 shop-web: some visitors get old content')
  })

  it('has one number and what is usual, then since when, how far, the limit, and by what a repetition is known', () => {
    const { text } = shown()
    expect(text.split('\n')[1]).toBe('34 % STALE in the last 5 min · usually 0.3 %')
    expect(text).toContain('worst 41 % · fires at 5 % · 1,200 requests · shop-web (301) · abcdef01')
    expect(whole(shown())).toContain(`since <!date^${BEGAN_MS / 1_000}^`)
  })

  it('says how much was read, where that was not all', () => {
    const facts = { ...sampleAlert().facts, covered: 0.4 }
    expect(shown({ alerts: [sampleAlert({ facts })] }).text).toContain(
      '1,200 requests · 60 % of the log could not be read · ',
    )
    expect(shown().text).not.toContain('of the log')
  })

  it('has all alerts of the incident, those that fire before those that ended, the severest first', () => {
    const alerts = [
      sampleAlert(ended),
      sampleAlert({ kind: 'bypass-share', severity: 'warning', title: 'more requests bypass the cache' }),
      sampleAlert({ kind: 'traffic-gone', title: 'traffic gone, no requests arrive', number: 'no requests' }),
    ]
    const message = shown({ alerts })
    expect(headline(message)).toBe('🔴 shop-web: traffic gone and 1 more')
    expect(message.text).toContain(
      '🔶 more requests bypass the cache · 34 % STALE\n✅ origin works again · 0.4 % STALE',
    )
  })

  it('counts the alerts for which there is no room', () => {
    const alerts = Array.from({ length: 9 }, (_, index) => sampleAlert({ ruleId: `rule${index}` }))
    expect(shown({ alerts }).text).toContain('and 3 more\n')
  })

  it('draws how the value went, in percent, and says it in words', () => {
    const chart = shown().blocks.find((block) => block.type === 'data_visualization')
    expect(chart?.chart.series[0]?.data.map(({ label, value }) => [label, value])).toEqual([
      ['−2 min', 1],
      ['−1 min', 41.2],
      ['newest', 34],
    ])
    expect(shown().text).toContain('Went from 1 % (−2 min) over at most 41 % (−1 min) to 34 %.')
    expect(shown({ trend: [] }).blocks.some(({ type }) => type === 'data_visualization')).toBe(false)
  })

  it('draws what its kind draws, also where its sentence counts something else', () => {
    const facts = { sentence: 'The log could not be read for 12 minutes.', unit: 'minutes', value: 12 } as const
    const message = shown({
      alerts: [sampleAlert({ kind: 'log-silence', facts, number: undefined, unit: 'minutes', peak: 12 })],
    })
    expect(whole(message)).toContain('lines a minute')
    expect(message.text).toContain('worst 12 min')
  })

  const before = [
    { atMs: BEGAN_MS - 12 * 60_000, what: 'deploy *1.42* <!channel>', subject: 'pull/301' },
    { atMs: BEGAN_MS - 20 * 60_000, what: 'purge', subject: 'pull/302' },
    { atMs: BEGAN_MS - 29.5 * 60_000, what: 'Add an A record' },
  ]

  it('says what changed shortly before, how long before, and for which other zone', () => {
    const message = shown({}, {}, { changes: before })
    const { text } = message
    expect(text).toContain('Changed shortly before\n• 12 min before: deploy ')
    expect(text).toContain('• 20 min before: purge, pull zone 302\n• 29 min before: Add an A record')
    expect(whole(message)).toContain('&lt;!channel&gt;')
    expect(whole(message)).not.toContain('<!channel>')
    expect(messageProblems(message)).toEqual([])
    expect(shown().text).not.toContain('before:')
  })

  const RUNBOOK = 'https://wiki.example/stale'

  it('links the runbook of each rule once, else that of the zone', () => {
    const alerts = [sampleAlert({ runbook: RUNBOOK }), sampleAlert({ runbook: RUNBOOK, kind: 'traffic-gone' })]
    expect(shown({ alerts }).text).toContain(`abcdef01 · Runbook (${RUNBOOK})`)
    expect(whole(shown({ alerts })).match(/\|Runbook>/g)).toHaveLength(1)
    const words = { ...SAMPLE_WORDS, runbook: () => 'https://wiki.example/shop' }
    const mixed = sampleIncident({ alerts: [sampleAlert({ runbook: RUNBOOK }), sampleAlert({ kind: 'traffic-gone' })] })
    const { text } = incidentMessage(mixed, words)
    expect(text).toContain(`Runbook: Origin failing (${RUNBOOK}) · Runbook: Traffic gone (https://wiki.example/shop)`)
    expect(shown().text).not.toContain('Runbook')
  })

  it('links no address that the bot would not take', () => {
    for (const runbook of ['javascript:alert(1)', 'http://wiki.example', 'https://a:b@wiki.example'])
      expect(shown({ alerts: [sampleAlert({ runbook })] }).text).not.toContain('Runbook')
  })

  it('shows three lines at most, as code in which nothing acts', () => {
    const bad = { atMs: BEGAN_MS, path: '/`<!channel> https://evil.example/*x*', host: 'shop.example' }
    const message = shown({ samples: [1, 2, 3, 4].map((edge) => ({ ...bad, edgeLocation: `E${edge}` })) })
    expect(whole(message).match(/evil\.example/g)).toHaveLength(3)
    expect(whole(message)).toContain('> `E1 shop.example/ˋ&lt;!channel&gt; https://evil.example/*x*`')
    expect(whole(message)).not.toContain('"verbatim":false')
  })

  it('tells the group of a critical one, and nobody of a warning', () => {
    expect(whole(shown({ mention: 'S0OPS' }))).toContain('<!subteam^S0OPS>')
    const warning = { mention: 'S0OPS', alerts: [sampleAlert({ severity: 'warning' })] }
    expect(whole(shown(warning))).not.toContain('subteam')
    expect(whole(shown({ mention: '<!channel>' }))).not.toContain('<!channel>')
  })

  it('shows a line once, errors first, and then the newest', () => {
    const line = { atMs: BEGAN_MS, cacheStatus: 'STALE', statusCode: 200, path: '/a' }
    const later = { ...line, atMs: BEGAN_MS + 60_000 }
    const failed = { ...line, atMs: BEGAN_MS - 60_000, cacheStatus: 'MISS', statusCode: 502 }
    const { text } = shown({ samples: [line, later, { ...later, path: '/b' }, { ...line, path: '/c' }, failed] })
    expect(text.split('\n').filter((each) => / \/[abc]$/.test(each))).toEqual([
      'MISS 502 /a',
      'STALE 200 /a',
      'STALE 200 /b',
    ])
    expect(text).not.toContain('/c')
  })

  it('says who looks after it, and asks no one else then', () => {
    const by = { acknowledgedBy: 'UOLGA', acknowledgedAt: new Date(BEGAN_MS) }
    expect(whole(shown({}, by))).toContain('Looked after by <@UOLGA> since')
    expect(buttons(shown({}, by))).toEqual([
      'Why this alert?',
      'Show lines',
      '⋯ Take over',
      '⋯ Hand over …',
      '⋯ Take the acknowledgement back',
      '⋯ Silence this zone for 1 hour',
      '⋯ Not a problem',
    ])
  })

  it('offers two buttons and a menu while it goes on', () => {
    expect(buttons(shown())).toEqual([
      'Acknowledge',
      'Show lines',
      '⋯ Silence this zone for 1 hour',
      '⋯ Silence this zone for 8 hours',
      '⋯ Silence this zone until 8 in the morning, your time',
      '⋯ Why this alert?',
      '⋯ Not a problem',
    ])
    const storage = { alerts: [sampleAlert({ subject: 'storage/55' })] }
    expect(buttons(shown(storage, { subject: 'storage/55' }))).not.toContain('Show lines')
  })

  it('says that it is silenced, until when and by whom, and offers to end that in place of another silence', () => {
    const [from, until] = [new Date(BEGAN_MS), new Date(BEGAN_MS + 3_600_000)]
    const silence = { id: 's1', subject: 'pull/301', from, until, by: 'UOLGA' }
    const message = shown({}, {}, { silence })
    expect(whole(message)).toMatch(
      new RegExp(`🔕 Silenced until <!date\\^${until.getTime() / 1_000}\\^[^>]*> by <@UOLGA>`),
    )
    expect(buttons(message)).toEqual([
      'End the silence',
      'Show lines',
      '⋯ Acknowledge',
      '⋯ Why this alert?',
      '⋯ Not a problem',
    ])
    expect(buttons(shown({}, { acknowledgedBy: 'UOLGA' }, { silence }))).toEqual([
      'End the silence',
      'Show lines',
      '⋯ Take over',
      '⋯ Hand over …',
      '⋯ Take the acknowledgement back',
      '⋯ Why this alert?',
      '⋯ Not a problem',
    ])
    expect(buttons(shown(resolved, END, { silence }))).toEqual(['Show lines', 'Why this alert?'])
  })

  it('once it is over says how long it took and how far it went, and offers nothing to stop', () => {
    const message = shown(resolved, END)
    expect(headline(message)).toBe('✅ shop-web: origin works again')
    expect(message.text).toContain('Back to 0.4 % STALE after 23 min\n')
    expect(message.text).toContain('worst 41 % · 1,200 requests')
    expect(buttons(message)).toEqual(['Show lines', 'Why this alert?'])
    expect(whole(message)).not.toContain('/cart')
  })

  it('that a person said is no problem says who, and offers nothing to stop', () => {
    const gone = sampleAlert({ ...ended, kind: 'traffic-gone', title: 'traffic is back' })
    const message = shown({ mention: 'S0OPS', alerts: [sampleAlert(), gone] }, { ...END, dismissedBy: 'UOLGA' })
    expect(headline(message)).toBe('☑️ shop-web: origin failing, not a problem')
    expect(message.text).toContain('✅ traffic is back')
    expect(whole(message)).toContain('Not a problem, says <@UOLGA> ')
    expect(whole(message)).toContain('If it gets worse, or ends and comes back, you hear of it.')
    expect(whole(message)).not.toContain('S0OPS')
    expect(buttons(message)).toEqual(['Show lines', 'Why this alert?'])
    expect(messageProblems(message)).toEqual([])
  })

  it('that ended with its rule does not say that it is over', () => {
    expect(headline(shown({}, END))).toBe('☑️ shop-web: origin failing, no longer watched')
    const gone = shown({ alerts: [sampleAlert({ endedMs: ENDED_MS, unwatched: true })] }, END)
    expect(headline(gone)).toBe('☑️ shop-web: no longer watched for origin failing')
  })

  it('of an event says when it was seen, and never that it was resolved', () => {
    const alerts = [sampleAlert({ kind: 'api-keys-changed', subject: 'account', endedMs: BEGAN_MS })]
    const message = shown({ nature: 'event', alerts, samples: [] }, { subject: 'account', ...END })
    expect(headline(message)).toBe('🔴 API keys: origin failing, visitors get old content')
    expect(message.text).not.toContain('✅')
    expect(message.text).toContain('not expected? Delete the key in the CDN’s panel')
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
    const message = shown(doc, {}, { changes })
    for (const one of [message, shown(), shown(resolved, END)]) expect(messageProblems(one)).toEqual([])
    expect(buttons(message)).toContain('Acknowledge')
  })

  it('cannot be made of what the evaluation did not write', () => {
    expect(() => incidentMessage({ ...sampleIncident(), doc: { alerts: 7 } }, SAMPLE_WORDS)).toThrow('expected array')
    expect(() => shown({ alerts: [] })).toThrow('without alerts')
  })
})
