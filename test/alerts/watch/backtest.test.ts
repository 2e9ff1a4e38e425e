import { describe, expect, it } from 'vitest'
import { REPLY_KINDS, type ReplyKind } from '../../../src/alerts/incidents/incident-reply.ts'
import {
  backtest,
  type BacktestEvent,
  listEvents,
  type Past,
  type PastMinute,
} from '../../../src/alerts/watch/backtest.ts'
import { sampleAlert } from '../../support/sample-incident.ts'
import { countsOf, type Minute, NOON, rule } from '../evaluated-zone.ts'
import { trafficOf } from '../traffic-of-days.ts'

const MINUTE_MS = 60_000
const LAG_MS = 90_000
/** So much only says what is usual. */
const PAST_MINUTES = 2_000
const ORIGIN = rule('origin-failing')
const CACHE = rule('cache-not-working')

const within = (minute: number, from: number, length: number): boolean => minute >= from && minute < from + length

/** Minutes since noon, and how they are; those that are not read are not there. */
function minutesOf(until: number, during: (minute: number) => Minute): readonly PastMinute[] {
  return Array.from({ length: PAST_MINUTES + until }, (_, index) => index - PAST_MINUTES).flatMap((minute) => {
    const what = minute < 0 ? {} : during(minute)
    return what.unread === true ? [] : [countsOf(NOON + minute, what)]
  })
}

async function played(until: number, during: (minute: number) => Minute, more: Partial<Past> = {}) {
  const minutes = minutesOf(until, during)
  return backtest({ rules: [ORIGIN], minutes, from: NOON, until: NOON + until, lagMs: LAG_MS, marks: [], ...more })
}

/** When and what, in minutes since noon, and `!` where it is notify. */
const words = (events: readonly BacktestEvent[], lagMs = LAG_MS): readonly string[] =>
  events.map(
    ({ atMs, event, incidentId, alert, notify }) =>
      `${(atMs - lagMs) / MINUTE_MS - NOON} ${event}${notify ? '!' : ''} ${incidentId} ${alert.kind} ${alert.severity}`,
  )
const at = (minute: number): number => (NOON + minute) * MINUTE_MS

describe('what would have been told', () => {
  it('is the beginning and the end of an alert, when these would have been heard', async () => {
    const outage = (minute: number): Minute => (within(minute, 20, 30) ? { stale: 0.3 } : {})
    const { events, firings } = await played(120, outage)
    expect(words(events)).toEqual([
      '22 begin! 1 origin-failing critical',
      expect.stringMatching(/^37 reminder! 1 /),
      expect.stringMatching(/^5\d end 1 origin-failing critical$/),
    ])
    const end = events.at(-1)?.atMs ?? 0
    expect(firings).toMatchObject([
      { ruleId: ORIGIN.id, firedMs: at(22), endedMs: end - LAG_MS, severity: 'critical', peak: 0.3 },
    ])
    const late = await played(120, outage, { lagMs: 600_000 })
    expect(words(late.events, 600_000)[0]).toBe('22 begin! 1 origin-failing critical')
  })

  it('is that it became worse, and what joined, in one incident', async () => {
    const { events, firings } = await played(
      200,
      (minute) => ({
        ...(within(minute, 20, 100) ? { stale: minute < 40 ? 0.03 : 0.3 } : {}),
        ...(within(minute, 80, 40) ? { bypass: 0.4 } : {}),
      }),
      { rules: [ORIGIN, CACHE] },
    )
    expect(words(events).map((each) => each.replace(/^\d+ /, ''))).toEqual([
      'begin! 1 origin-failing warning',
      'worse! 1 origin-failing critical',
      'reminder! 1 origin-failing critical',
      'joined 1 cache-not-working warning',
      expect.stringMatching(/^end 1 /),
    ])
    expect(firings).toMatchObject([
      { ruleId: ORIGIN.id, severity: 'critical', peak: expect.closeTo(0.457, 3) },
      { ruleId: CACHE.id, severity: 'warning', peak: 0.4 },
    ])
  })

  it('is the same incident within six hours, and another one later', async () => {
    const { events } = await played(700, (minute) =>
      [20, 120, 600].some((from) => within(minute, from, 5)) ? { stale: 0.3 } : {},
    )
    const told = events.map(({ event, incidentId }) => `${event} ${incidentId}`)
    expect(told).toEqual(['begin 1', 'end 1', 'begin 1', 'end 1', 'begin 2', 'end 2'])
  })

  it('is nothing of what a mark explains', async () => {
    const mark = { id: 'm', pullZoneId: '301', at: new Date(at(19)), text: 'deploy 1.42', by: 'U2' }
    const deploy = (minute: number): Minute => (within(minute, 20, 12) ? { bypass: 0.4 } : {})
    const rules = [CACHE]
    expect((await played(90, deploy, { rules })).firings).toHaveLength(1)
    expect(await played(90, deploy, { rules, marks: [mark] })).toMatchObject({ events: [], firings: [] })
    // What goes on is told when that is over.
    const lasting = await played(90, (minute) => (minute >= 20 ? { bypass: 0.4 } : {}), { rules, marks: [mark] })
    expect(words(lasting.events)).toEqual([expect.stringMatching(/^(39|4\d) begin! 1 cache-not-working warning$/)])
  })

  it('leaves open what fires at the end', async () => {
    const { events, firings } = await played(30, (minute) => (minute >= 20 ? { stale: 0.3 } : {}))
    expect(words(events)).toEqual(['22 begin! 1 origin-failing critical'])
    expect(firings.map(({ firedMs, endedMs }) => [firedMs, endedMs])).toEqual([[at(22), undefined]])
    const rules = [ORIGIN, rule('origin-failing', { channelId: 'C2' })]
    const two = await played(30, (minute) => (minute >= 20 ? { stale: 0.3 } : {}), { rules })
    expect(words(two.events).map((each) => each.slice(0, 11))).toEqual(['22 begin! 1', '22 begin! 2'])
  })
})

it('is said of each reply what it is about, unless the card says it', () => {
  const [dueAt, now] = [new Date(at(1)), new Date(at(2))]
  const write = { id: 'i1', subject: 'pull/301', channelId: 'C1', openedAt: dueAt, doc: {} }
  const [first, alert] = [sampleAlert(), sampleAlert({ ruleId: 'other' })]
  const about = { channelId: 'C1', incidentId: 'i1', dueAt }
  const reply = (kind: ReplyKind, n: number) => {
    return { ...about, what: 'reply', body: { kind, alert, broadcast: n % 2 === 0 } } as const
  }
  const others = (['card', 'webhook'] as const).map((what) => ({ ...about, what }))
  const posts = [...others, ...REPLY_KINDS.map(reply), { ...about, incidentId: 'i2', what: 'card' } as const]
  const replies = ['begin!', 'worse', 'joined!', 'reminder', 'reminder!', 'joined', 'better!']
  const told = (events: readonly BacktestEvent[]) =>
    events.map((each) => [each.atMs, each.event + (each.notify ? '!' : ''), each.incidentId, each.alert])
  const replied = replies.map((event) => [at(1), event, 'i1', alert])
  expect(told(listEvents(true, write, [first], posts, now))).toEqual([[at(1), 'begin!', 'i1', first], ...replied])
  const ended = listEvents(false, { ...write, endedAt: dueAt }, [first, alert], posts, now)
  expect(told(ended)).toEqual([...replied, [at(2), 'end', 'i1', first]])
  expect(listEvents(true, write, [], posts, now)).toEqual([])
})

describe('what was read', () => {
  it('is said as a share of the time that is looked at', async () => {
    expect((await played(100, () => ({}))).covered).toBe(1)
    expect((await played(100, (minute) => (minute < 25 ? { unread: true } : {}))).covered).toBe(0.75)
    const again = [...minutesOf(100, () => ({})), countsOf(NOON + 90, {})]
    expect((await played(100, () => ({}), { minutes: again })).covered).toBe(1)
    expect(await played(0, () => ({}), { minutes: [] })).toEqual({ events: [], firings: [], covered: 0 })
  })

  it('late is known from then on', async () => {
    const minutes = minutesOf(60, (minute) => (minute >= 20 ? { stale: 0.3 } : {}))
    const late = minutes.map((each) =>
      each.minute >= NOON + 20 ? { ...each, seenAt: Math.max(each.minute + 1, NOON + 40) } : each,
    )
    expect((await played(60, () => ({}), { minutes })).firings[0]?.firedMs).toBe(at(22))
    expect((await played(60, () => ({}), { minutes: late })).firings[0]?.firedMs).toBe(at(40))
  })
})

it('is the same twice, and looks at nothing before its first minute', async () => {
  const minutes = trafficOf({ lines: 60, swing: 0.5 }, NOON - PAST_MINUTES, NOON + 300, (minute) =>
    within(minute, NOON - 500, 60) || within(minute, NOON + 50, 60) ? { c5xx: 0.3 } : {},
  )
  const rules = ['origin-failing', 'cache-not-working', 'traffic-gone', 'traffic-surge'].map((kind) => rule(kind))
  const once = await played(300, () => ({}), { minutes, rules })
  expect(await played(300, () => ({}), { minutes, rules })).toEqual(once)
  expect(once.firings.map(({ ruleId, firedMs }) => [ruleId, firedMs >= at(50)])).toEqual([[ORIGIN.id, true]])
})
