import { describe, expect, it } from 'vitest'
import { findWorst, listSpans } from '../../../src/alerts/state/incident.ts'
import { incidentMessage } from '../../../src/alerts/delivery/incident-message.ts'
import type { AlertsBody } from '../../../src/alerts/incidents/incident-reply.ts'
import { EvaluatedZone, NOON, rule } from '../evaluated-zone.ts'

const at = (minute: number): Date => new Date((NOON + minute) * 60_000)
const webhooks = (zone: EvaluatedZone) =>
  zone.posts.flatMap(({ minute, what, body }) => {
    // Written by the evaluation itself.
    const { status, alerts } = (what === 'webhook' ? body : { alerts: [] }) as AlertsBody
    return what === 'webhook' ? [[minute, status, ...alerts.map(({ severity }) => severity)].join(' ')] : []
  })
const silence = { id: 's', subject: 'pull/301', by: 'U2', from: at(0), until: at(60) }
const HOLE = { stale: 0.28 }
const ORIGIN = rule('origin-failing', { mention: 'S1' })

describe('an incident', () => {
  it('opens at once, goes on quietly and ends by an edit', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.look(5)
    expect(zone.told()).toEqual([])
    zone.look(12, { stale: 0.03 })
    const [{ doc, ...incident } = { doc: undefined }] = zone.incidents()
    expect(incident).toMatchObject({ subject: 'pull/301', channelId: 'C1', endedAt: undefined, openedAt: at(9) })
    expect(doc).toEqual({
      alerts: [
        {
          ruleId: 'origin-failing-C1',
          kind: 'origin-failing',
          subject: 'pull/301',
          severity: 'warning',
          firedMs: at(9).getTime(),
          facts: expect.objectContaining({
            value: 120 / 520,
            sample: 650,
            threshold: 0.08 * 1.3,
            baseline: 0,
            covered: 1,
          }),
          title: 'some visitors get old content',
          number: '23 % STALE of origin traffic',
          beside: 'in the last 5 min · usually 0 %',
          peak: 120 / 520,
          unit: 'share',
        },
      ],
      nature: 'incident',
      cycle: 1,
      begunMs: at(9).getTime(),
      asOfMs: at(14).getTime(),
      toldMs: at(9).getTime(),
      samples: ['/0', '/2'].map((path) => expect.objectContaining({ path, cacheStatus: 'STALE' })),
      // Of three minutes each, the last of which ends with the look.
      trend: Array.from({ length: 20 }, (_, index) => {
        const minute = 14 - 60 + index * 3
        return { atMs: at(minute).getTime(), value: minute < 5 ? 0 : 0.03 }
      }),
    })
    zone.look(60)
    const [ended, ...others] = zone.incidents()
    expect(others).toEqual([])
    expect(ended!.endedAt).toEqual(at(26))
    expect(ended!.doc.samples).toEqual(doc?.samples)
    const [alert] = ended!.doc.alerts
    expect(alert).toMatchObject({
      title: 'origin works again',
      number: 'no 5xx, no STALE',
      beside: 'in the last 3 min',
    })
    expect(zone.told()).toEqual(['9 card 0', '14 card 30', '19 card 30', '24 card 30', '26 card 0', '26 ended'])
    expect(zone.replies()).toMatchObject([{ kind: 'ended', broadcast: false, alert: { firedMs: at(9).getTime() } }])
  })

  it('that ends as the new normal is not drawn as back to what was', () => {
    const zone = new EvaluatedZone(rule('cache-not-working'))
    zone.look(280, { bypass: 0.4 })
    const [incident] = zone.incidents()
    const words = { zoneName: () => 'shop', panel: () => undefined, runbook: () => undefined, command: '/cdn' }
    const { text } = incidentMessage({ ...incident!, revision: 1 }, words, { changes: [], silence: undefined })
    expect(text.split('\n').slice(0, 2)).toEqual([
      '✅ shop: a lower hit ratio is usual now',
      'Still 40 % BYPASS after 4 h',
    ])
  })

  it('is looked at in each minute, of which each tenth is stored while nothing happens', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.look(40)
    expect(zone.stored).toEqual([1, 3, 13, 23, 33])
  })

  it('that begins again keeps from when to when it was open before, and how bad it was then', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    const spans: number[] = []
    for (const stale of [0.3, 0.5, 0.2]) {
      const before = zone.posts.length
      zone.look(20, { stale })
      zone.look(90)
      const minutes = zone.posts.slice(before).map(({ minute }) => minute)
      spans.push(minutes[0]!, minutes.at(-1)!)
    }
    const [incident, ...others] = zone.incidents()
    expect(others).toEqual([])
    const ms = spans.map((minute) => at(minute).getTime())
    const alerts = [{ ruleId: 'origin-failing-C1', kind: 'origin-failing' }]
    expect(listSpans(incident!, incident!.doc)).toMatchObject([
      { fromMs: ms[0], untilMs: ms[1], alerts },
      { fromMs: ms[2], untilMs: ms[3], alerts },
      { fromMs: ms[4], untilMs: ms[5], alerts },
    ])
    expect(incident!.openedAt.getTime()).toBe(ms[0])
    expect(findWorst(incident!.doc)).toMatchObject({ severity: 'critical', peak: 0.5 })
    expect(findWorst({ alerts: incident!.doc.alerts })?.peak).toBeLessThan(0.4)
  })

  it('shows no line from well before it fired', () => {
    const zone = new EvaluatedZone(ORIGIN)
    zone.look(40)
    zone.look(12, { stale: 0.3 })
    expect(zone.incidents()[0]!.doc.samples).toEqual([])
  })

  it('shows lines of the ten minutes before it fired', () => {
    const zone = new EvaluatedZone(ORIGIN)
    zone.look(8)
    zone.look(2, { stale: 0.3 })
    const [incident] = zone.incidents()
    expect(incident!.openedAt.getTime() - incident!.doc.samples[0]!.atMs).toBe(10 * 60_000)
    expect(incident!.doc.samples).toHaveLength(1)
  })

  it('is not edited while what it shows stays as it is', () => {
    const zone = new EvaluatedZone(ORIGIN)
    zone.look(2, { stale: 0.3 })
    // The same minute once more.
    zone.putBack(1)
    zone.look(69, { stale: 0.3 })
    expect(zone.told()).toEqual(['2 card 0', '17 card 30', '17 nobody acknowledged'])
  })

  it('is shown as what it was while it is held because it flaps', () => {
    const zone = new EvaluatedZone(ORIGIN)
    for (const [minutes, what] of [[15], [3, HOLE], [15], [3, HOLE], [15], [3, HOLE], [20]] as const)
      zone.look(minutes, what)
    const [held] = zone.incidents()[0]!.doc.alerts
    expect(held).toMatchObject({
      flapping: true,
      title: 'origin failing, visitors get old content',
      severity: 'critical',
    })
    expect(held).not.toHaveProperty('endedMs')
    zone.look(40)
    expect(zone.incidents()[0]!.doc.alerts[0]).not.toHaveProperty('flapping')
  })

  it('is one for each channel', () => {
    const zone = new EvaluatedZone(ORIGIN, rule('origin-failing', { channelId: 'C2' }))
    zone.look(5, HOLE)
    expect(zone.incidents().map(({ channelId }) => channelId)).toEqual(['C1', 'C2'])
  })

  it('goes to the configured address when it becomes worse, but for what is held back: of that the end alone', () => {
    const [loud, silent] = [false, true].map((isSilent) => {
      const zone = new EvaluatedZone(rule('origin-failing'))
      zone.webhook = true
      zone.look(20, { stale: 0.03 })
      zone.silences = isSilent ? [{ ...silence, until: at(400) }] : []
      zone.look(270, { stale: 0.2 })
      zone.look(60)
      return webhooks(zone)
    })
    expect(loud).toEqual(['4 firing warning', '21 firing critical', '299 resolved critical'])
    expect(silent).toEqual(['4 firing warning', '299 resolved critical'])
  })

  it('goes there anew when a silence is over, in which it became worse', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.webhook = true
    zone.look(20, { stale: 0.03 })
    zone.silences = [silence]
    zone.look(60, { stale: 0.2 })
    expect(webhooks(zone)).toEqual(['4 firing warning', '58 firing critical'])
  })

  it('goes there late as well', () => {
    const zone = new EvaluatedZone(ORIGIN)
    zone.webhook = true
    zone.look(5, HOLE, 7_200_000)
    expect(webhooks(zone)).toEqual(['2 firing critical'])
  })

  it('is said to be worse with the number before', () => {
    const zone = new EvaluatedZone(ORIGIN)
    zone.look(20, { c5xx: 0.03 })
    zone.look(5, { stale: 0.5 })
    const numbers = zone.replies().map(({ kind, was, alert }) => [kind, was, alert.number])
    expect(numbers).toEqual([['worse', '30 % 5xx of origin traffic', '70 % failing of origin traffic']])
  })

  it('calls the group of whichever of its critical alerts has one', () => {
    const zone = new EvaluatedZone(rule('origin-failing'), rule('origin-failing', { id: 'other', mention: 'S2' }))
    zone.look(3, HOLE)
    expect(zone.incidents()[0]!.doc.mention).toBe('S2')
  })

  it('calls a quarter of an hour after the clock was put back, and not hours later', () => {
    const zone = new EvaluatedZone(ORIGIN)
    zone.look(150)
    zone.look(10, HOLE)
    zone.putBack(120)
    zone.look(20, HOLE)
    expect(zone.replies().map(({ kind, minute }) => [kind, minute])).toEqual([['nobody acknowledged', 56]])
  })

  it.each([
    ['goes on as the one that is open', 0, 1],
    ['begins again as the one that ended last', 60, 2],
  ])('%s, where the clock was put back to when an earlier one counted', (_, over, cycle) => {
    const zone = new EvaluatedZone(ORIGIN)
    for (const [minutes, what] of [[5, HOLE], [420], [5, HOLE], [over]] as const) zone.look(minutes, what)
    zone.putBack(zone.minute - 350)
    zone.look(5, HOLE)
    expect(zone.incidents().map(({ endedAt, doc }) => [endedAt, doc.cycle])).toEqual([
      [at(17), 1],
      [undefined, cycle],
    ])
  })

  it('calls although the clock was put back to before its acknowledgement was taken back', () => {
    const zone = new EvaluatedZone(ORIGIN)
    zone.look(5, HOLE)
    zone.acknowledgedBy = 'U3'
    zone.look(100, HOLE)
    zone.release()
    zone.putBack(60)
    zone.look(20, HOLE)
    expect(zone.replies().map(({ kind, minute }) => [kind, minute])).toEqual([['nobody acknowledged', 46]])
  })

  it('was over so long after the first of its alerts began, whichever was the severest', () => {
    const zone = new EvaluatedZone(ORIGIN, rule('cache-not-working'))
    zone.look(20, { bypass: 0.4 })
    zone.look(20, { bypass: 0.4, stale: 0.3 })
    zone.look(90)
    const { alert } = zone.replies().find(({ kind }) => kind === 'ended')!
    expect([alert.kind, alert.firedMs]).toEqual(['origin-failing', at(3).getTime()])
  })

  it('lists twenty alerts, and lets go of what ended', () => {
    const rules = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => rule('origin-failing', { id: `${name}${index}` }))
    const [ended, going] = [rules('ended', 3), rules('going', 18)]
    const zone = new EvaluatedZone(...ended)
    zone.look(15, { stale: 0.2 })
    zone.rules = going
    zone.look(15, { stale: 0.2 })
    const listed = zone.incidents()[0]!.doc.alerts.map(({ ruleId }) => ruleId)
    expect(listed).toEqual([...going, ...ended.slice(0, 2)].map(({ id }) => id))
  })

  it('has the runbook of its rule, as that is now', () => {
    const zone = new EvaluatedZone(rule('origin-failing', { runbook: 'https://wiki.example/1' }))
    zone.look(5, HOLE)
    zone.rules = [rule('origin-failing', { runbook: 'https://wiki.example/2' })]
    zone.look(6, HOLE)
    expect(zone.incidents()[0]!.doc.alerts[0]!.runbook).toBe('https://wiki.example/2')
  })

  it('is not begun by what a mark explains, but by what goes on', () => {
    const mark = { id: 'm', pullZoneId: '301', at: at(10), text: 'deploy 1.42', by: 'U2' }
    const short = new EvaluatedZone(rule('cache-not-working'))
    const long = new EvaluatedZone(rule('cache-not-working'))
    for (const zone of [short, long]) zone.marks = [mark]
    for (const zone of [short, long]) zone.look(12)
    short.look(10, { miss: 0.6 })
    short.look(60)
    expect(short.posts).toEqual([])
    long.look(60, { miss: 0.6 })
    expect(long.posts[0]!.minute).toBeGreaterThanOrEqual(40)
  })
})
