import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src/block-kit/message.ts'
import { type Background, incidentMessage } from '../../../src/alerts/delivery/incident-message.ts'
import { REPLY_KINDS, replyMessage } from '../../../src/alerts/incidents/incident-reply.ts'
import { summarizeReading } from '../../../src/alerts/kinds/current-rules.ts'
import { ALERT_KINDS } from '../../../src/alerts/kinds/kinds.ts'
import type { IncidentAlert, IncidentDoc } from '../../../src/alerts/state/incident.ts'
import type { Reading, Seen } from '../../../src/alerts/state/reading.ts'
import type { IncidentRecord } from '../../../src/store/schema/alert-records.ts'
import { BEGAN_MS, sampleAlert, sampleIncident } from '../../support/sample-incident.ts'
import { styleProblems } from '../../support/message-style.ts'
import { messageProblems } from '../../support/slack-rules.ts'

const MINUTE_MS = 60_000
const END = new Date(BEGAN_MS + 35 * MINUTE_MS)
/** Longer than any title has room for. */
const NAME = 'the-shop-of-a-customer-with-a-very-long-name'
const WORDS = {
  zoneName: () => NAME,
  panel: () => new URL('https://panel.example.com/pull-zones/301'),
  runbook: () => 'https://wiki.example.com/runbook',
  command: '/cdn',
}

/** What a kind may have seen: each decides about words of its own. */
const SEEN: Readonly<Record<string, readonly Seen[]>> = {
  'origin-failing': [{ place: 0, stale: 1 }, { place: 0, stale: 0 }, { place: 1, stale: 0.6 }, {}],
  'cache-not-working': [{ why: 'BYPASS' }, {}],
  'cannot-look': [{ cause: 'key refused or zone suspended', failing: 12 }, {}],
  'storage-change': [
    { by: 'growth', used: 0.87, left: 6 },
    { by: 'jump', grown: 0.6, usual: 0.01, lost: 0.4 },
  ],
}
const ORDINARY = 0.123_456
const VALUES = [0, ORDINARY, 123_456_789_012]
const LEVELS = ['info', 'warning', 'critical'] as const

const READINGS = ALERT_KINDS.flatMap((kind) =>
  (SEEN[kind.name] ?? [{}]).flatMap((seen) =>
    LEVELS.flatMap((level) => VALUES.map((value) => ({ kind, seen, level, value }))),
  ),
)

function alertOf({ kind, seen, level, value }: (typeof READINGS)[number], ended: boolean): IncidentAlert {
  const unit = 'unit' in kind ? kind.unit : undefined
  const window = { fromMs: BEGAN_MS - 5 * MINUTE_MS, untilMs: BEGAN_MS }
  const facts = { value, unit, sample: 12_345, threshold: 0.05, baseline: value / 100, window, covered: 0.4 }
  const read: Reading = { level: ended ? 'clear' : level, facts, seen }
  const sentence = kind.subject === 'pull' ? kind.sentence(read) : 'It changed.'
  const subject = { pull: 'pull/301', storage: 'storage/301', account: 'account' }[kind.subject]
  return sampleAlert({
    kind: kind.name,
    subject,
    severity: level,
    peak: value * 1.2,
    unit,
    facts: { ...facts, sentence },
    ...(summarizeReading({ kind: kind.name }, read) ?? {
      title: 'key 123456789012 has other roles',
      number: undefined,
    }),
    ...(ended && { endedMs: END.getTime() }),
  })
}

const by = { acknowledgedBy: 'UOLGA1234', acknowledgedAt: new Date(BEGAN_MS) }
const silence = { id: 's1', subject: 'pull/301', from: new Date(BEGAN_MS), until: END, by: 'UOLGA1234' }
const changes = [{ atMs: BEGAN_MS - 12 * MINUTE_MS, what: 'deploy 1.42', subject: 'pull/302' }]
type State = readonly [
  name: string,
  record: Partial<IncidentRecord>,
  doc?: Partial<IncidentDoc>,
  at?: Partial<Background>,
]
const FIRING: readonly State[] = [
  ['firing', {}, { mention: 'SONCALL123' }],
  ['begun again', {}, { cycle: 3 }],
  ['after a deploy', {}, {}, { changes }],
  ['acknowledged', by],
  ['silenced', {}, {}, { silence }],
  ['silenced and acknowledged', by, {}, { silence }],
  ['dismissed', { dismissedBy: 'UOLGA1234', endedAt: END }],
  ['without its rule', { endedAt: END }],
]
const TREND = Array.from({ length: 20 }, (_, index) => ({
  atMs: BEGAN_MS - (20 - index) * 3 * MINUTE_MS,
  value: index / 40,
}))

function messages(): readonly (readonly [name: string, message: Message])[] {
  return READINGS.flatMap((each) => {
    const nature = each.kind.subject === 'account' ? 'event' : 'incident'
    const [alert, over] = [alertOf(each, false), alertOf(each, true)]
    const others = [sampleAlert({ ruleId: 'r2', kind: 'traffic-gone', severity: 'info' }), { ...over, ruleId: 'r3' }]
    const build = (alerts: readonly IncidentAlert[], [name, record, doc = {}, at = {}]: State) => {
      const incident = sampleIncident({ nature, trend: TREND, ...doc, alerts }, { subject: alert.subject, ...record })
      const message = incidentMessage(incident, WORDS, { changes: [], silence: undefined, ...at })
      return [`${each.kind.name} ${each.level} ${each.value} ${alerts.length} ${name}`, message] as const
    }
    // How much it is decides about its numbers, not about what else is said of its state.
    const states = each.value === ORDINARY ? FIRING : FIRING.slice(0, 1)
    return [
      ...states.flatMap((state) => [build([alert], state), build([alert, ...others], state)]),
      build([{ ...alert, flapping: true }], ['flapping', {}]),
      build([over], ['resolved', { ...by, endedAt: END }]),
      build([{ ...alert, endedMs: END.getTime(), unwatched: true }], ['unwatched', { endedAt: END }]),
    ]
  })
}

function replies(): readonly (readonly [name: string, message: Message])[] {
  return READINGS.filter(({ value }) => value === ORDINARY).flatMap((each) =>
    REPLY_KINDS.map((kind) => {
      const alert = alertOf(each, ['ended', 'new normal', 'ended one of several'].includes(kind))
      const body = { kind, alert, was: '6.9 % STALE', mention: 'SONCALL123', broadcast: true }
      return [`${each.kind.name} ${each.level} ${kind}`, replyMessage(body, sampleIncident({}, by), WORDS)] as const
    }),
  )
}

const FORBIDDEN = /\b(told again|the record|interval|bound|look at this|cacheStatus|statusCode|undefined|NaN|UTC)\b/i

/** What every message of an alert is held to, beside the style of all messages. */
function problemsOf(message: Message): readonly string[] {
  const words = FORBIDDEN.exec(message.text) ?? []
  const sent = styleProblems([{ method: 'chat.postMessage', args: message }])
  return [...words, ...sent, ...messageProblems(message)]
}

describe('every state that an alert can be in', () => {
  it('is a message that one reads on a phone', () => {
    const all = messages()
    expect(all.length).toBeGreaterThan(1_000)
    const found = all.flatMap(([name, message]) =>
      problemsOf(message).map((problem) => `${name}: ${problem}: ${message.text}`),
    )
    expect(found.slice(0, 5)).toEqual([])
  }, 30_000)

  it('is told in its thread in one sentence, or two', () => {
    const found = replies().flatMap(([name, message]) => {
      const long = message.text.split(/[.!?](?=\s|$)/).length > 3 ? ['a speech'] : []
      return [...long, ...problemsOf(message)].map((problem) => `${name}: ${problem}: ${message.text}`)
    })
    expect(found.slice(0, 5)).toEqual([])
  })
})
