import { describe, expect, it } from 'vitest'
import { findWorst, listSpans } from '../../../src/alerts/state/incident.ts'
import { EvaluatedZone, NOON, rule } from '../evaluated-zone.ts'

const at = (minute: number): Date => new Date((NOON + minute) * 60_000)
const silence = { id: 's', subject: 'pull/301', by: 'U2', from: at(0), until: at(60) }

describe('an incident', () => {
  it('opens at once, goes on quietly and ends by an edit', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.look(5)
    expect(zone.told()).toEqual([])
    zone.look(12, { stale: 0.03 })
    const opened = zone.posts[0]!.minute
    expect(zone.told()[0]).toBe(`${opened} card 0`)
    expect(zone.incidents()).toMatchObject([
      {
        endedAt: undefined,
        openedAt: at(opened),
        doc: { cycle: 1, alerts: [{ kind: 'origin-failing', severity: 'warning' }] },
      },
    ])
    expect(zone.incidents()[0]!.doc.samples.map(({ path }) => path)).toEqual(['/0', '/2'])
    expect(zone.incidents()[0]!.doc.trend).toHaveLength(20)
    zone.look(60)
    const [incident, ...others] = zone.incidents()
    expect(others).toEqual([])
    expect(incident!.endedAt).toEqual(at(zone.posts.at(-1)!.minute))
    expect(zone.told().slice(-2)).toEqual([expect.stringMatching(/ card 0$/), expect.stringMatching(/ ended$/)])
    expect(zone.replies()).toMatchObject([
      { kind: 'ended', broadcast: false, alert: { firedMs: at(opened).getTime() } },
    ])
    // One card for each five minutes at most.
    expect(zone.posts.length).toBeLessThan(14)
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
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.look(40)
    zone.look(12, { stale: 0.3 })
    expect(zone.incidents()[0]!.doc.samples).toEqual([])
  })

  it('keeps the limit that was crossed, and what was usual, when it has ended', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.look(12, { stale: 0.3 })
    const fired = zone.incidents()[0]!.doc.alerts[0]!.facts
    zone.look(60)
    const [{ facts, endedMs } = { facts: fired, endedMs: undefined }] = zone.incidents()[0]!.doc.alerts
    expect(endedMs).toBeDefined()
    expect(facts).toMatchObject({ value: 0, baseline: fired.baseline })
    expect(facts.threshold).toBeGreaterThan(0)
  })

  it('is not edited while what it shows stays as it is', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.look(10, { stale: 0.3 })
    const { doc } = zone.incidents()[0]!
    const posts = zone.posts.length
    zone.look(60, { stale: 0.3 })
    // But for the one word that nobody has acknowledged it.
    expect(zone.posts.slice(posts).map(({ minute, what }) => [minute, what])).toEqual([
      [17, 'card'],
      [17, 'reply'],
    ])
    expect(zone.incidents()[0]!.doc.alerts[0]!.number).toBe(doc.alerts[0]!.number)
  })

  it('opens with its second minute where it is critical, and mentions the group', () => {
    const zone = new EvaluatedZone(rule('origin-failing', { mention: 'S1' }))
    zone.look(2, { stale: 0.28 })
    expect(zone.told()).toEqual(['2 card 0'])
    expect(zone.incidents()[0]!.doc).toMatchObject({ mention: 'S1', criticalMs: at(2).getTime() })
  })

  it('is said to be worse at once, with a mention, and takes the acknowledgement back', () => {
    const zone = new EvaluatedZone(rule('origin-failing', { mention: 'S1' }))
    zone.look(20, { stale: 0.03 })
    zone.acknowledgedBy = 'U3'
    zone.look(30, { stale: 0.2 })
    const worse = zone.replies()[0]!
    expect(worse).toMatchObject({ kind: 'worse', mention: 'S1', broadcast: true, alert: { severity: 'critical' } })
    expect(zone.told()).toContain(`${worse.minute} card 0`)
    expect(zone.acknowledgedBy).toBeUndefined()
  })

  it('says that nobody has acknowledged it, and calls again every four hours', () => {
    const zone = new EvaluatedZone(rule('origin-failing', { mention: 'S1' }))
    zone.look(300, { stale: 0.28 })
    expect(zone.replies()).toMatchObject([
      { minute: 17, kind: 'nobody acknowledged', mention: 'S1', broadcast: true },
      { minute: 242, kind: 'reminder', mention: 'S1', broadcast: true },
    ])
    const answered = new EvaluatedZone(rule('origin-failing'))
    answered.look(10, { stale: 0.28 })
    answered.acknowledgedBy = 'U3'
    answered.look(290, { stale: 0.28 })
    expect(answered.replies()).toEqual([])
  })

  it('begins again within six hours under the same message, and later under another', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.look(5, { stale: 0.28 })
    zone.look(120)
    zone.look(5, { stale: 0.28 })
    expect(zone.incidents()).toMatchObject([
      { endedAt: undefined, doc: { cycle: 2, alerts: [{ kind: 'origin-failing' }] } },
    ])
    expect(zone.replies()).toMatchObject([
      { kind: 'ended', broadcast: false },
      { kind: 'begins again', broadcast: true },
    ])
    zone.look(420)
    zone.look(5, { stale: 0.28 })
    expect(zone.incidents().map(({ id, doc: { cycle } }) => [id, cycle])).toEqual([['incident2', 1]])
  })

  it('is joined by what fires beside it, and ends with the last of it', () => {
    const zone = new EvaluatedZone(rule('origin-failing'), rule('cache-not-working'))
    zone.look(30, { stale: 0.2 })
    zone.look(30, { stale: 0.2, bypass: 0.4 })
    zone.look(60, { stale: 0.2 })
    zone.look(60)
    expect(zone.incidents()).toHaveLength(1)
    const kinds = zone.told().filter((each) => /joined|ended/.test(each))
    expect(kinds.map((each) => each.replace(/^\d+ /, ''))).toEqual(['joined', 'ended one of several', 'ended'])
    expect(zone.incidents()[0]!.doc.alerts.every(({ endedMs }) => endedMs !== undefined)).toBe(true)
    expect(zone.incidents()[0]!.endedAt).toBeDefined()
  })

  it('says once in its thread what is usual now that it has lasted', () => {
    const zone = new EvaluatedZone(rule('cache-not-working'))
    zone.look(400, { bypass: 0.4 })
    const facts = { sentence: expect.stringMatching(/^New normal: /) }
    expect(zone.replies()).toMatchObject([{ kind: 'new normal', broadcast: false, alert: { facts } }])
    expect(zone.incidents()).toMatchObject([{ endedAt: expect.any(Date) }])
  })

  it('rings again when what joins is graver than all before, and takes the acknowledgement back', () => {
    const zone = new EvaluatedZone(rule('cache-not-working'), rule('origin-failing', { mention: 'S1' }))
    zone.look(20, { bypass: 0.4 })
    zone.acknowledgedBy = 'U3'
    zone.look(30, { bypass: 0.4, stale: 0.3 })
    expect(zone.replies()[0]).toMatchObject({ kind: 'joined', mention: 'S1', broadcast: true })
    expect(zone.acknowledgedBy).toBeUndefined()
  })

  it.each([
    [300, false],
    [370, true],
  ])('of which nothing was told for %i minutes is joined aloud: %s', (minutes, aloud) => {
    const zone = new EvaluatedZone(rule('origin-failing'), rule('cache-not-working'))
    zone.look(10, { stale: 0.03 })
    zone.acknowledgedBy = 'U3'
    zone.look(minutes, { stale: 0.03 })
    expect(zone.replies()).toEqual([])
    zone.look(20, { stale: 0.03, bypass: 0.4 })
    expect(zone.replies()).toMatchObject([{ kind: 'joined', broadcast: aloud, alert: { severity: 'warning' } }])
    expect(zone.acknowledgedBy).toBe(aloud ? undefined : 'U3')
  })

  it('of which nothing was told for hours stays acknowledged, and quiet, when a part of it ends', () => {
    const [going, ending] = [rule('origin-failing'), rule('origin-failing', { id: 'ending' })]
    const zone = new EvaluatedZone(going, ending)
    zone.look(10, { stale: 0.03 })
    zone.acknowledgedBy = 'U3'
    zone.look(370, { stale: 0.03 })
    zone.rules = [going]
    zone.look(1, { stale: 0.03 })
    expect(zone.replies()).toMatchObject([{ kind: 'ended one of several', broadcast: false }])
    expect(zone.acknowledgedBy).toBe('U3')
  })

  it('that begins again by flapping says so aloud', () => {
    const zone = new EvaluatedZone(rule('origin-failing', { mention: 'S1' }))
    for (let times = 0; times < 3; times += 1) {
      zone.look(15)
      zone.look(3, { stale: 0.28 })
    }
    expect(zone.replies().at(-1)).toMatchObject({ kind: 'flapping', mention: 'S1', broadcast: true })
  })

  it('is one for each channel', () => {
    const zone = new EvaluatedZone(rule('origin-failing'), rule('origin-failing', { channelId: 'C2' }))
    zone.look(5, { stale: 0.28 })
    expect(zone.incidents().map(({ channelId }) => channelId)).toEqual(['C1', 'C2'])
  })

  it('goes to the configured address as well, beginning and end', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.webhook = true
    zone.look(5, { stale: 0.28 })
    zone.look(120)
    const bodies = zone.posts.filter(({ what }) => what === 'webhook').map(({ body }) => body)
    expect(bodies).toMatchObject([{ status: 'firing' }, { status: 'resolved' }])
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
    zone.look(5, { stale: 0.28 })
    expect(zone.incidents()[0]!.doc.alerts[0]!.runbook).toBe('https://wiki.example/1')
    zone.rules = [rule('origin-failing', { runbook: 'https://wiki.example/2' })]
    zone.look(6, { stale: 0.28 })
    expect(zone.incidents()[0]!.doc.alerts[0]!.runbook).toBe('https://wiki.example/2')
  })

  it('ends when its rule is gone', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.look(5, { stale: 0.28 })
    zone.rules = []
    zone.look(1, { stale: 0.28 })
    expect(zone.incidents()[0]!.endedAt).toEqual(at(6))
  })
})

describe('what is held back', () => {
  it('by a silence is told when that is over and it still fires', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.silences = [{ ...silence, until: at(20) }]
    zone.look(17, { stale: 0.28 })
    expect(zone.posts).toEqual([])
    zone.look(3, { stale: 0.28 })
    expect(zone.incidents()[0]!.doc.alerts[0]).toMatchObject({ firedMs: at(2).getTime() })
  })

  it('by a silence is never told when it is on its way out by then', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.silences = [silence]
    zone.look(20, { stale: 0.28 })
    zone.look(34)
    zone.silences = []
    zone.look(60)
    expect(zone.posts).toEqual([])
  })

  it('by a silence in an incident is shown without a word', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.look(20, { stale: 0.03 })
    zone.silences = [silence]
    zone.look(30, { stale: 0.2 })
    expect(zone.replies()).toEqual([])
    expect(zone.incidents()[0]!.doc.alerts[0]!.severity).toBe('critical')
  })

  it('by a silence in an incident is told once, and with a mention, when that is over', () => {
    const zone = new EvaluatedZone(rule('origin-failing', { mention: 'S1' }))
    zone.look(10, { stale: 0.28 })
    zone.silences = [{ ...silence, until: at(40) }]
    zone.look(60, { stale: 0.28 })
    expect(zone.replies()).toMatchObject([{ minute: 38, kind: 'silence over', mention: 'S1', broadcast: true }])
  })

  it('by a silence of its kind ends without a word while another becomes worse', () => {
    const zone = new EvaluatedZone(rule('origin-failing'), rule('cache-not-working'))
    zone.look(60, { stale: 0.03, bypass: 0.4 })
    zone.silences = [{ ...silence, kind: 'cache-not-working', until: at(90) }]
    zone.look(8, { stale: 0.03 })
    zone.look(5, { stale: 0.2 })
    const ended = zone.incidents()[0]!.doc.alerts.map(({ endedMs }) => endedMs)
    expect(ended).toEqual([undefined, at(69).getTime()])
    expect(zone.replies().map(({ minute, kind }) => [minute, kind])).toEqual([
      [7, 'joined'],
      [69, 'worse'],
    ])
  })

  it('by a silence ends without a word', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.look(10, { stale: 0.28 })
    zone.silences = [silence]
    zone.look(45)
    expect(zone.incidents()[0]!.endedAt).toBeDefined()
    expect(zone.replies()).toEqual([])
  })

  it('by a pause stays as it is', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.look(5, { stale: 0.28 })
    const posts = zone.posts.length
    zone.rules = [rule('origin-failing', { pausedWhy: 'The channel is archived.' })]
    zone.look(60)
    expect(zone.posts).toHaveLength(posts)
    zone.rules = [rule('origin-failing')]
    zone.look(1)
    expect(zone.incidents()[0]!.endedAt).toEqual(at(66))
  })

  it('by a mark is what the minutes after it explain, and not what goes on', () => {
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

  it('for being old news gets no replies', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.look(5, { stale: 0.28 }, 7_200_000)
    zone.look(120, {}, 7_200_000)
    zone.look(50, { stale: 0.28 }, 7_200_000)
    expect(zone.replies()).toEqual([])
    expect(zone.incidents()[0]!.doc.cycle).toBe(2)
  })
})

describe('an incident that was answered with “not a problem”', () => {
  it('stays ended while the same goes on, and is told as another when that begins anew', () => {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.look(5, { stale: 0.28 })
    zone.dismiss()
    const posts = zone.posts.length
    zone.look(100, { stale: 0.28 })
    zone.look(60)
    expect(zone.posts).toHaveLength(posts)
    expect(zone.incidents()).toMatchObject([{ id: 'incident1', dismissedBy: 'U4' }])
    zone.look(5, { stale: 0.28 })
    const next = { id: 'incident2', endedAt: undefined, doc: { cycle: 1 } }
    expect(zone.incidents().find(({ id }) => id === 'incident2')).toMatchObject(next)
  })

  it('is told as another, with its mention, when the same becomes graver, and that goes on by itself', () => {
    const zone = new EvaluatedZone(rule('origin-failing', { mention: 'S1' }))
    zone.look(20, { stale: 0.03 })
    zone.dismiss()
    zone.look(10, { stale: 0.03 })
    expect(zone.incidents().filter(({ endedAt }) => endedAt === undefined)).toEqual([])
    zone.look(30, { stale: 0.2 })
    const graver = zone.incidents().find(({ id }) => id === 'incident2')
    expect(graver).toMatchObject({ endedAt: undefined, doc: { mention: 'S1', alerts: [{ severity: 'critical' }] } })
    zone.look(60)
    expect(zone.incidents().filter(({ endedAt }) => endedAt === undefined)).toEqual([])
    expect(zone.told().at(-1)).toMatch(/ended$/)
  })
})

it('resolves nothing when nothing is known any more', () => {
  const zone = new EvaluatedZone(rule('origin-failing'))
  zone.look(5, { stale: 0.28 })
  zone.look(240, { unread: true })
  expect(zone.incidents()[0]!.endedAt).toBeUndefined()
})
