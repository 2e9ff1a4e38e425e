import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src/block-kit/message.ts'
import { messageProblems } from '../../support/slack-rules.ts'
import { type Background, incidentMessage } from '../../../src/alerts/delivery/incident-message.ts'
import { haveControlsOf } from '../../../src/alerts/incidents/incident-controls.ts'
import type { IncidentDoc } from '../../../src/alerts/state/incident.ts'
import type { IncidentRecord } from '../../../src/store/schema/alert-records.ts'
import { BEGAN_MS, SAMPLE_WORDS, sampleAlert, sampleIncident } from '../../support/sample-incident.ts'

const ENDED_MS = BEGAN_MS + 23 * 60_000
const NO_BACKGROUND: Background = { changes: [], silence: undefined }
const shown = (
  doc: Partial<IncidentDoc> = {},
  record: Partial<IncidentRecord> = {},
  background: Partial<Background> = {},
): Message => incidentMessage(sampleIncident(doc, record), SAMPLE_WORDS, { ...NO_BACKGROUND, ...background })
const whole = (message: Message): string => JSON.stringify(message.blocks)
/** What each block says, with times as a reader in UTC sees them; but for buttons; of a chart its values and axes. */
const drawn = ({ blocks }: Message): readonly string[] =>
  blocks.flatMap((block) => {
    if (block.type === 'actions') return []
    const chart = block.type === 'data_visualization' ? block.chart : undefined
    const [, text] = /"text":(".*?[^\\]")[,}]/.exec(JSON.stringify(block)) ?? []
    const axes = [chart?.series[0], chart?.axis_config.x_label, chart?.axis_config.y_label]
    const said = chart === undefined ? String(JSON.parse(text ?? '""')) : JSON.stringify(axes)
    return said.replaceAll(/<!date\^\d+\^[^|]*\|[\d-]+ ([\d:]+) UTC>/g, '$1').split('\n')
  })
const CHART =
  '[{"name":"Origin failing","data":[{"label":"−2 min","value":1},{"label":"−1 min","value":41.2},{"label":"newest","value":34}]},"Time before the newest value, each point 1 min","%"]'
const headline = ({ text }: Message): string => text.split('\n')[0] ?? ''
/** What each button says and asks for, and its value; then the choices of the menu. */
const buttons = ({ blocks }: Message): readonly string[] =>
  blocks
    .flatMap((block) => (block.type === 'actions' ? block.elements : []))
    .flatMap((each) =>
      each.type === 'overflow'
        ? each.options.map(({ text, value }) => `${each.action_id}: ${text.text} = ${value}`)
        : [`${each.style ?? ''} ${each.text.text} = ${each.action_id} ${each.value}`.trimStart()],
    )
    .map((said) => said.replace(` ${sampleIncident().id}`, ''))
const ended = { endedMs: ENDED_MS, title: 'origin works again', number: '0.4 % STALE' }
const resolved = { alerts: [sampleAlert(ended)] }
const before = [
  { atMs: BEGAN_MS - 12 * 60_000, what: 'deploy *1.42* <!channel>', subject: 'pull/301' },
  { atMs: BEGAN_MS - 20 * 60_000, what: 'purge', subject: 'pull/302' },
  { atMs: BEGAN_MS - 29.5 * 60_000, what: 'Add an A record' },
]
const END = { endedAt: new Date(ENDED_MS) }

describe('the message about an incident', () => {
  const silence = { id: 's1', subject: 'pull/301', from: new Date(BEGAN_MS), until: END.endedAt, by: 'UOLGA' }

  it('says where and what is wrong first, and that alone on a phone', () => {
    expect(headline(shown())).toBe('🔴 shop-web: origin failing, visitors get old content')
    const warning = sampleAlert({ severity: 'warning', title: 'some visitors get old content' })
    expect(headline(shown({ alerts: [warning] }))).toBe('🔶 shop-web: some visitors get old content')
    const words = { ...SAMPLE_WORDS, zoneName: () => 'a-shop-with-a-very-long-name' }
    const titles = ['traffic is back', 'x'.repeat(50)].map((title) =>
      headline(incidentMessage(sampleIncident({ alerts: [sampleAlert({ title })] }), words, NO_BACKGROUND)),
    )
    expect(titles).toEqual(['🔴 a-shop-with-a-very-long…: traffic is back', `🔴 a-shop-with-a-…: ${'x'.repeat(50)}`])
  })

  it('has all that is known of it, in this order', () => {
    const others = [
      sampleAlert({
        ruleId: 'r2',
        kind: 'cache-not-working',
        severity: 'warning',
        title: 'more requests miss the cache',
        number: 'hit ratio 60 %',
        runbook: 'https://wiki.example/cache',
      }),
      sampleAlert({
        ...ended,
        ruleId: 'r3',
        kind: 'traffic-gone',
        title: 'traffic is back',
        number: '60 requests a minute',
      }),
    ]
    const facts = { ...sampleAlert().facts, covered: 0.4 }
    const doc = { alerts: [sampleAlert({ facts, flapping: true }), ...others], cycle: 2, mention: 'S0OPS' }
    const incident = sampleIncident(doc, { acknowledgedBy: 'UADA', acknowledgedAt: new Date(BEGAN_MS + 60_000) })
    const words = {
      ...SAMPLE_WORDS,
      panel: () => new URL('https://panel.example/301'),
      runbook: () => 'https://wiki.example/shop',
    }
    const message = incidentMessage(incident, words, { silence, changes: before })
    expect(drawn(message)).toEqual([
      '🔴 shop-web: origin failing and 1 more',
      '*34 % STALE* in the last 5 min · usually 0.3 %',
      '<!subteam^S0OPS>',
      CHART,
      '🔶 *more requests miss the cache* · hit ratio 60 %',
      '✅ *traffic is back* · 60 requests a minute',
      'since 11:30 · worst 41 % · fires at 5 % · 1,200 requests · 60 % of the log could not be read · flapping, so kept quiet for half an hour · begun 2 times · shop-web (301) · `abcdef01` · <https://wiki.example/shop|Runbook: Origin failing> · <https://wiki.example/cache|Runbook: Cache not working> · <https://panel.example/301|Open in the panel>',
      '11:30 `STALE 502 WA shop.example/cart`',
      '*Changed shortly before*',
      '• 12 min before: deploy *1.42∗ &lt;!channel&gt;',
      '• 20 min before: purge, pull zone 302',
      '• 29 min before: Add an A record',
      '🔕 Silenced until 11:53 by <@UOLGA>',
      '👀 Looked after by <@UADA> since 11:31',
    ])
    expect(message.text.split('\n')).toEqual([
      '🔴 shop-web: origin failing and 1 more',
      '34 % STALE in the last 5 min · usually 0.3 %',
      'Went from 1 % (−2 min) over at most 41 % (−1 min) to 34 %.',
      '🔶 more requests miss the cache · hit ratio 60 %',
      '✅ traffic is back · 60 requests a minute',
      'worst 41 % · fires at 5 % · 1,200 requests · 60 % of the log could not be read · flapping, so kept quiet for half an hour · begun 2 times · shop-web (301) · abcdef01 · Runbook: Origin failing (https://wiki.example/shop) · Runbook: Cache not working (https://wiki.example/cache) · Open in the panel (https://panel.example/301)',
      'STALE 502 WA shop.example/cart',
      'Changed shortly before',
      '• 12 min before: deploy *1.42∗ &lt;!channel&gt;',
      '• 20 min before: purge, pull zone 302',
      '• 29 min before: Add an A record',
      '🔕 Silenced',
      'Looked after',
    ])
    expect(messageProblems(message)).toEqual([])
  })

  it('says of points with gaps how far apart they are where none is missing', () => {
    const trend = [0, 3, 4, 9].map((minutes) => ({ atMs: BEGAN_MS + minutes * 60_000, value: minutes }))
    expect(whole(shown({ trend }))).toContain('each point 1 min')
  })

  it('counts the alerts for which there is no room', () => {
    const alerts = Array.from({ length: 9 }, (_, index) => sampleAlert({ ruleId: `rule${index}` }))
    expect(shown({ alerts }).text).toContain('and 3 more\n')
  })

  it('says of the worst value when it was first', () => {
    const trend = [0.1, 0.4, 0.2, 0.4, 0.3].map((value, index) => ({ atMs: BEGAN_MS + index * 60_000, value }))
    expect(shown({ trend }).text).toContain('Went from 10 % (−4 min) over at most 40 % (−3 min) to 30 %.')
  })

  it('draws nothing of a single value', () => {
    const trend = [
      { atMs: BEGAN_MS, value: 0.01 },
      { atMs: BEGAN_MS + 120_000, value: 0.02 },
    ]
    const charts = [1, 2].map((points) =>
      whole(shown({ trend: trend.slice(0, points) })).includes('data_visualization'),
    )
    expect(charts).toEqual([false, true])
  })

  it('draws days in days, and bytes in gigabytes', () => {
    const trend = [1, 2, 3].map((day) => ({ atMs: BEGAN_MS + day * 86_400_000, value: day * 1.234e11 }))
    const alerts = [sampleAlert({ kind: 'storage-change', unit: 'bytes' })]
    expect(drawn(shown({ alerts, trend })).find((line) => line.startsWith('['))).toBe(
      '[{"name":"Storage growing or …","data":[{"label":"−2 d","value":123.4},{"label":"−1 d","value":246.8},{"label":"newest","value":370.2}]},"Time before the newest value, each point 1 d","GB"]',
    )
  })

  it('draws what its kind draws, also where its sentence counts something else', () => {
    const facts = { sentence: 'The log could not be read for 12 minutes.', unit: 'minutes', value: 12 } as const
    const message = shown({
      alerts: [sampleAlert({ kind: 'log-silence', facts, number: undefined, unit: 'minutes', peak: 12 })],
    })
    expect(whole(message)).toContain('lines a minute')
    expect(message.text).toContain('worst 12 min')
  })

  const RUNBOOK = 'https://wiki.example/stale'

  it('links the runbook of each rule once, else that of the zone', () => {
    const alerts = [sampleAlert({ runbook: RUNBOOK }), sampleAlert({ runbook: RUNBOOK, kind: 'traffic-gone' })]
    expect(shown({ alerts }).text).toContain(`abcdef01 · Runbook (${RUNBOOK})`)
    expect(whole(shown({ alerts })).match(/\|Runbook>/g)).toHaveLength(1)
    const words = { ...SAMPLE_WORDS, runbook: () => 'https://wiki.example/shop' }
    const mixed = sampleIncident({ alerts: [sampleAlert({ runbook: RUNBOOK }), sampleAlert({ kind: 'traffic-gone' })] })
    const { text } = incidentMessage(mixed, words, NO_BACKGROUND)
    expect(text).toContain(`Runbook: Origin failing (${RUNBOOK}) · Runbook: Traffic gone (https://wiki.example/shop)`)
    expect(shown().text).not.toContain('Runbook')
  })

  it('links no address that the bot would not take', () => {
    for (const runbook of ['javascript:alert(1)', 'http://wiki.example', 'https://a:b@wiki.example'])
      expect(shown({ alerts: [sampleAlert({ runbook })] }).text).not.toContain('Runbook')
  })

  it('shows lines as code in which nothing acts', () => {
    const bad = { atMs: BEGAN_MS, path: '/`<!channel> https://evil.example/*x*', host: 'shop.example' }
    const message = shown({ samples: [1, 2, 3].map((edge) => ({ ...bad, edgeLocation: `E${edge}` })) })
    expect(whole(message).match(/evil\.example/g)).toHaveLength(3)
    expect(whole(message)).toContain('> `E1 shop.example/ˋ&lt;!channel&gt; https://evil.example/*x*`')
    expect(whole(message)).not.toContain('"verbatim":false')
  })

  it('has no place for lines where none is known', () => {
    expect(drawn(shown({ samples: [] })).at(-1)).toMatch(/^since 11:30 · /)
  })

  it('tells the group of a critical one, and nobody of a warning', () => {
    expect(whole(shown({ mention: 'S0OPS' }))).toContain('<!subteam^S0OPS>')
    const warning = { mention: 'S0OPS', alerts: [sampleAlert({ severity: 'warning' })] }
    expect(whole(shown(warning))).not.toContain('subteam')
    expect(whole(shown({ mention: '<!channel>' }))).not.toContain('<!channel>')
  })

  const held = { acknowledgedBy: 'UOLGA', acknowledgedAt: new Date(BEGAN_MS) }
  const [LINES, WHY] = ['Show lines = alert_lines', 'Why this alert? = alert_why']
  const HOUR = 'alert_menu: Silence this zone for 1 hour = alert_silence:1h'
  const HOLDING = [
    'alert_menu: Take over = alert_take_over',
    'alert_menu: Hand over … = alert_hand_over',
    'alert_menu: Take the acknowledgement back = alert_release',
  ]
  const DISMISS = 'alert_menu: Not a problem = alert_dismiss'
  const END_IT = 'End the silence = alert_unsilence'

  it('is known by the id of its incident among its buttons', () => {
    const { blocks } = shown()
    const { id } = sampleIncident()
    expect([haveControlsOf(blocks, id), haveControlsOf(blocks, 'i2'), haveControlsOf([{}], id)]).toEqual([
      true,
      false,
      false,
    ])
  })

  it.each<[string, Partial<IncidentRecord>, Partial<Background>, readonly string[]]>([
    [
      'goes on',
      {},
      {},
      [
        'primary Acknowledge = alert_ack',
        LINES,
        HOUR,
        'alert_menu: Silence this zone for 8 hours = alert_silence:8h',
        'alert_menu: Silence this zone until 8 in the morning, your time = alert_silence:morning',
        `alert_menu: ${WHY}`,
        DISMISS,
      ],
    ],
    ['is looked after', held, {}, [WHY, LINES, ...HOLDING, HOUR, DISMISS]],
    [
      'is silenced',
      {},
      { silence },
      [END_IT, LINES, 'alert_menu: Acknowledge = alert_ack', `alert_menu: ${WHY}`, DISMISS],
    ],
    ['is both', held, { silence }, [END_IT, LINES, ...HOLDING, `alert_menu: ${WHY}`, DISMISS]],
    ['is over', { ...held, ...END }, { silence }, [LINES, WHY]],
    ['is about storage', { subject: 'storage/55', ...END }, {}, [WHY]],
  ])('that %s offers what can be asked for then', (_, record, background, asked) => {
    expect(buttons(shown({}, record, background))).toEqual(asked)
  })

  it('once it is over says how long it took and how far it went, and offers nothing to stop', () => {
    const message = shown(
      { ...resolved, mention: 'S0OPS' },
      { ...END, acknowledgedBy: 'UADA', acknowledgedAt: new Date(BEGAN_MS) },
    )
    expect(drawn(message)).toEqual([
      '✅ shop-web: origin works again',
      '*Back to 0.4 % STALE* after 23 min',
      CHART,
      '11:30 to 11:53 · worst 41 % · 1,200 requests · shop-web (301) · `abcdef01`',
      '👀 Looked after by <@UADA> from 11:30',
    ])
  })

  it('that a person said is no problem says who, and offers nothing to stop', () => {
    const gone = sampleAlert({ ...ended, kind: 'traffic-gone', title: 'traffic is back' })
    const message = shown({ mention: 'S0OPS', alerts: [sampleAlert(), gone] }, { ...END, dismissedBy: 'UOLGA' })
    expect(drawn(message)).toEqual([
      '☑️ shop-web: origin failing, not a problem',
      '*34 % STALE* in the last 5 min · usually 0.3 %',
      CHART,
      '✅ *traffic is back* · 0.4 % STALE',
      'since 11:30 · worst 41 % · fires at 5 % · 1,200 requests · shop-web (301) · `abcdef01`',
      'Not a problem, says <@UOLGA> 11:53. If it gets worse, or ends and comes back, you hear of it.',
    ])
    expect(messageProblems(message)).toEqual([])
  })

  it('that ended with its rule does not say that it is over', () => {
    expect(headline(shown({}, END))).toBe('☑️ shop-web: origin failing, no longer watched')
    const gone = shown({ alerts: [sampleAlert({ endedMs: ENDED_MS, unwatched: true })] }, END)
    expect(headline(gone)).toBe('☑️ shop-web: no longer watched for origin failing')
    expect(drawn(gone)[1]).toBe('*34 % STALE* in the last 5 min · usually 0.3 %')
    expect(whole(shown({}, END, { silence }))).not.toContain('Silenced until')
  })

  it('of an event says when it was seen, and never that it was resolved', () => {
    const keys = (ids: readonly number[]) =>
      ids.map((id) =>
        sampleAlert({
          kind: 'api-keys-changed',
          subject: 'account',
          endedMs: BEGAN_MS,
          title: `key ${id} is new`,
          facts: { sentence: `API key ${id} is new.` },
        }),
      )
    const event = { nature: 'event', mention: 'S0OPS', trend: [], samples: [] } as const
    const message = shown({ ...event, alerts: keys([7, 8]) }, { subject: 'account', ...END })
    expect(drawn(message)).toEqual([
      '🔴 API keys: 2 changes',
      'API key 7 is new.',
      'API key 8 is new.',
      '<!subteam^S0OPS>',
      '11:30 · not expected? Delete the key in the CDN’s panel · the account · `abcdef01`',
    ])
    expect(headline(shown({ ...event, alerts: keys([7]) }))).toBe('🔴 API keys: key 7 is new')
    expect(
      drawn(shown({ ...event, alerts: keys([7]).map((key) => ({ ...key, severity: 'warning' as const })) })),
    ).not.toContain('<!subteam^S0OPS>')
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
    expect(buttons(message)).toHaveLength(7)
  })

  it('cannot be made of what the evaluation did not write', () => {
    expect(() => incidentMessage({ ...sampleIncident(), doc: { alerts: 7 } }, SAMPLE_WORDS, NO_BACKGROUND)).toThrow(
      'expected array',
    )
    expect(() => shown({ alerts: [] })).toThrow('without alerts')
  })
})
