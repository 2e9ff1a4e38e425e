import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { IncidentDelivery } from '../../src/alerts/delivery/incident-delivery.ts'
import type { IncidentDoc } from '../../src/alerts/state/incident.ts'
import type { AlertService } from '../../src/alerts/watch/scheduler.ts'
import { Dispatcher } from '../../src/delivery/dispatcher.ts'
import type { NamedZone } from '../../src/operations/declaration/field.ts'
import { tellDigests } from '../../src/process/tell-digests.ts'
import type { NewDigest } from '../../src/store/alerts/digests.ts'
import { StoreError } from '../../src/store/schema/store-error.ts'
import { type AlertBench, alertBench } from '../alerts/alert-bench.ts'
import { deskWith, ordinaryMinute } from '../operations/alerts/alerts-bench.ts'
import { look } from '../store/alert-fixtures.ts'
import { entry, silentLog } from '../store/harness.ts'
import { idleDesk } from '../support/alert-desk.ts'
import { deliverDue } from '../support/delivery-bench.ts'
import { NoticeBoard } from '../support/notice-board.ts'
import { recordingLog } from '../support/recording-log.ts'
import { messageProblems } from '../support/slack-rules.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** A Monday, at nine in Berlin. */
const MONDAY = Date.parse('2026-11-23T08:00:00Z')
const CHANNEL = 'C0TEAM'
const ZONES: readonly NamedZone[] = [{ kind: 'pull', name: 'shop', zoneId: '301' }]

let bench: AlertBench
let board: NoticeBoard
beforeEach(async () => {
  bench = await alertBench(new Date(MONDAY - 7 * DAY_MS + HOUR_MS).toISOString())
  board = new NoticeBoard()
})
afterEach(() => bench[Symbol.asyncDispose]())

const turnTo = (ms: number): void => bench.clock.turn(ms - bench.clock.now().getTime())

async function set(more: Partial<NewDigest> = {}): Promise<void> {
  const now = bench.clock.now()
  const time = { cadence: 'weekly', minute: 540, weekday: 0, timeZone: 'Europe/Berlin' } as const
  const digest = { channelId: CHANNEL, ...time, nextAt: new Date(MONDAY), toldUntil: now, ...more }
  await bench.store.digests.set(digest, entry('digest_set'))
}

/** A round of maintenance, and what it brought to the channel. */
async function tell(alerts: AlertService = idleDesk(), log = silentLog): Promise<readonly string[]> {
  const { store, clock } = bench
  const context = async () => ({ store, alerts, zones: ZONES, command: '/cdn', now: clock.now() })
  await tellDigests({ store, clock, log, context })
  return deliver()
}

async function deliver(): Promise<readonly string[]> {
  const { store, clock } = bench
  const words = { zoneName: () => undefined, panel: () => undefined, runbook: () => undefined, command: '/cdn' }
  const options = { store, notifier: board, clock, log: silentLog }
  const incidents = new IncidentDelivery({ ...options, opsChannel: 'COPS', words: async () => words })
  const dispatcher = new Dispatcher({ ...options, outbox: store.outbox, incidents })
  while ((await deliverDue(dispatcher)) > 0) clock.turn(1_000)
  for (const { message } of board.posted) expect(messageProblems(message)).toEqual([])
  return board.in(CHANNEL)
}

interface Times {
  readonly from: number
  readonly minutes: number
  readonly acknowledged?: number
  readonly dismissed?: boolean
  readonly past?: IncidentDoc['past']
}
let incidents = 0
/** An incident of the first rule so many hours before Monday at nine. */
async function incident({ from, minutes, acknowledged, dismissed = false, past }: Times): Promise<void> {
  const [rule] = await bench.store.alertRules.list()
  const id = `i${(incidents += 1)}`.padEnd(32, '0')
  const openedMs = MONDAY - from * HOUR_MS
  const endedMs = openedMs + minutes * MINUTE_MS
  const alert = {
    ruleId: rule!.id,
    kind: rule!.kind,
    subject: 'pull/301',
    severity: 'warning',
    firedMs: openedMs,
    peak: 0.3,
    unit: 'share',
    facts: { sentence: '' },
  } as const
  const doc: IncidentDoc = { alerts: [alert], nature: 'incident', cycle: 1, past, samples: [], trend: [] }
  const write = { id, subject: 'pull/301', channelId: CHANNEL, openedAt: new Date(openedMs), doc }
  await look(bench.store, bench.clock, { incidents: [write] })
  if (acknowledged !== undefined)
    await bench.store.alerts.acknowledge(id, {
      person: 'U222',
      at: new Date(openedMs + acknowledged * MINUTE_MS),
      entry: entry('alert_acknowledged'),
    })
  if (dismissed)
    await bench.store.alerts.dismiss(id, { person: 'U222', at: new Date(endedMs), entry: entry('alert_dismissed') })
  else
    await look(bench.store, bench.clock, {
      incidents: [{ ...write, endedAt: new Date(endedMs), doc: { ...doc, alerts: [{ ...alert, endedMs }] } }],
    })
  for (const card of await bench.store.outbox.claim(9)) await bench.store.outbox.delivered(card)
}

/** Every seven hours something for 15 minutes, and once much. */
const noisy = deskWith((minute) => {
  const ago = MONDAY / MINUTE_MS - minute
  const bad = ago < 3 * 1_440 && ago % 420 >= 120 && ago % 420 < 135
  const share = bad ? (Math.floor(ago / 420) === 3 ? 300 : 30) : 0
  return ordinaryMinute(minute, { hit: 900 - share, miss: 100, stale: share, c2xx: 1_000 })
})

describe('a digest', () => {
  it('counts each time that an incident was open for the rules that fired then', async () => {
    await bench.watch('pull/301', 'cache-not-working', 'origin-failing')
    await set()
    const [, other] = await bench.store.alertRules.list()
    expect(other).toMatchObject({ kind: 'origin-failing' })
    // Of two zones under one rule, it is one time that it fired.
    const alerts = Array.from({ length: 2 }, () => ({ ruleId: other!.id, kind: other!.kind }))
    const began = (hours: number): number => MONDAY - hours * HOUR_MS
    const past = [20, 18, 16].map((hours) => ({ fromMs: began(hours), untilMs: began(hours - 1), alerts }))
    await incident({ from: 14, minutes: 5, past })
    turnTo(MONDAY + HOUR_MS)
    const [text] = await tell()
    expect(text?.split('\n').slice(1, -1)).toEqual([
      'Nobody acknowledged.',
      'Most often: Origin failing for pull zone shop (301), 3 times.',
    ])
  })

  it.each([
    [[4], 'Acknowledged after 4 min.'],
    [[4, 30, 8], 'Acknowledged after 8 min in the median of 3.'],
  ])('says of %j minutes how soon somebody had them', async (acknowledged, said) => {
    await bench.watch('pull/301', 'origin-failing')
    await set()
    for (const [index, minutes] of acknowledged.entries())
      await incident({ from: 50 - index, minutes: 40, acknowledged: minutes })
    turnTo(MONDAY)
    expect((await tell())[0]?.split('\n')[1]).toBe(said)
  })

  it('says in one line that nothing happened, once, and not before it is due', async () => {
    await bench.watch('pull/301', 'origin-failing')
    await set()
    turnTo(MONDAY - MINUTE_MS)
    await bench.watch('pull/301', 'traffic-gone')
    expect(await tell()).toEqual([])
    turnTo(MONDAY)
    expect(await tell()).toEqual(['🟢 Nothing happened here since 2026-11-16 09:00 UTC.'])
    expect(await tell()).toHaveLength(1)
    turnTo(MONDAY + 7 * DAY_MS)
    expect((await tell())[1]).toBe('🟢 Nothing happened here since 2026-11-23 08:00 UTC.')
  })

  it('comes when its time comes, though it was told last by a clock that has been put back since', async () => {
    await bench.watch('pull/301', 'origin-failing')
    await set({ nextAt: new Date(MONDAY + 371 * DAY_MS), toldUntil: new Date(MONDAY + 364 * DAY_MS) })
    expect(await tell()).toEqual([])
    turnTo(MONDAY)
    expect(await tell()).toEqual(['🟢 Nothing happened here since 2026-11-16 09:00 UTC.'])
  })

  it('says how many incidents there were, how long they lasted, and how soon somebody had them', async () => {
    await bench.watch('pull/301', 'origin-failing', 'traffic-gone')
    await set()
    await incident({ from: 50, minutes: 30, acknowledged: 4 })
    await incident({ from: 40, minutes: 10, acknowledged: 8 })
    await incident({ from: 30, minutes: 7 })
    // Of the week before, and of the one that comes.
    await incident({ from: 7 * 24, minutes: 30 })
    await incident({ from: -1, minutes: 30 })
    turnTo(MONDAY + HOUR_MS + MINUTE_MS)
    const [text = ''] = await tell()
    expect(text.split('\n')).toEqual([
      '3 incidents since 2026-11-16 09:00 UTC, 47 min in trouble; all are over.',
      'Acknowledged after 6 min in the median of 2; 1 not at all.',
      'Most often: Origin failing for pull zone shop (301), 3 times.',
      'All of it: /cdn history --since 169h. No more digests: /cdn alerts digest off',
    ])
  })

  it.each([
    ['nothing happened', [], '🟢 Nothing happened here since 2026-11-16 09:00 UTC. '],
    ['something happened', [30], '\nNobody acknowledged.\n'],
  ])('counts rules that never had a log to look at, where %s', async (_, happened, said) => {
    await bench.watch('pull/301', 'origin-failing', 'traffic-gone')
    await set()
    const [first, second] = await bench.store.alertRules.list()
    const quiet = { phase: 'inactive', sinceMs: 0, begins: [] }
    const last = { atMs: 0, reading: { level: 'clear', facts: {} } }
    const state = (ruleId: string, known: object) => ({ ruleId, subject: 'pull/301', state: known })
    await look(bench.store, bench.clock, { states: [state(first!.id, quiet), state(second!.id, { ...quiet, last })] })
    for (const from of happened) await incident({ from, minutes: 10 })
    turnTo(MONDAY)
    expect((await tell())[0]).toContain(`${said}1 of 2 rules never had a log to look at.`)
  })

  it('looks at every zone of a channel with many rules', async () => {
    for (let id = 301; id <= 331; id += 1) await bench.watch(`pull/${id}`, 'origin-failing', 'traffic-gone')
    await set()
    const last = (await bench.store.alertRules.list()).find(({ subject }) => subject === 'pull/331')
    const state = { ruleId: last!.id, subject: 'pull/331', state: { phase: 'inactive', sinceMs: 0, begins: [] } }
    await look(bench.store, bench.clock, { subject: 'pull/331', states: [state] })
    turnTo(MONDAY)
    expect((await tell())[0]).toContain('1 of 62 rules never had a log to look at')
  })

  it('says of a rule in the configuration file which limit would have told less, without a button', async () => {
    await bench.watch('pull/301', 'origin-failing')
    await set()
    const rules = (await bench.store.alertRules.list()).map((rule) => ({ ...rule, createdBy: 'configuration' }))
    bench.store.alertRules.list = async () => rules
    for (const from of [30, 20]) await incident({ from, minutes: 10 })
    turnTo(MONDAY)
    expect((await tell(noisy))[0]).toContain('would have fired once instead of')
    expect(board.posted[0]?.message.blocks.filter(({ type }) => type === 'actions')).toEqual([])
  })

  it('offers a limit that would have told less, to whoever may set it', async () => {
    await bench.watch('pull/301', 'origin-failing')
    await set()
    for (const from of [40, 30, 20]) await incident({ from, minutes: 10, dismissed: from < 40 })
    turnTo(MONDAY)
    const asked: bigint[] = []
    const minutes: typeof noisy.minutes = (zoneId, ...range) => {
      asked.push(zoneId)
      return noisy.minutes(zoneId, ...range)
    }
    const [text = ''] = await tell({ ...noisy, minutes })
    expect(new Set(asked)).toEqual(new Set([301n]))
    expect(text).toContain('\nNot a problem was the answer to 2 of 3: Origin failing for pull zone shop (301).\n')
    expect(text).toMatch(
      /\nOrigin failing for pull zone shop \(301\): [\d.]+ % would have fired once instead of \d+ times\./,
    )
    expect(text.split('\n').length).toBeLessThanOrEqual(12)
    const button = board.posted[0]!.message.blocks.flatMap((block) =>
      block.type === 'actions' ? block.elements : [],
    )[0]
    const [limit] = /[\d.]+ %/.exec(text) ?? []
    expect(button).toMatchObject({ type: 'button', action_id: 'answer:form:0', text: { text: `Use ${limit}` } })
    const id = button?.type === 'button' ? (button.value ?? '') : ''
    const inSixDays = new Date(MONDAY + 6 * DAY_MS)
    expect(await bench.store.answers.get(id, inSixDays)).toMatchObject({
      kind: 'form',
      operation: 'alerts add',
      actorId: 'cdn-ops',
      channelId: CHANNEL,
      values: { kind: 'origin-failing', pullZone: '301', warning: limit?.split(' ')[0] },
    })
  })
})

describe('a digest that was due while the bot was away', () => {
  it('is told once when it is back, however many there were', async () => {
    await bench.watch('pull/301', 'origin-failing')
    await set({ cadence: 'daily', nextAt: new Date(MONDAY - 6 * DAY_MS) })
    turnTo(MONDAY + 5 * HOUR_MS)
    expect(await tell()).toEqual(['🟢 Nothing happened here since 2026-11-16 09:00 UTC.'])
    expect(await tell()).toHaveLength(1)
    expect(await bench.store.digests.get(CHANNEL)).toMatchObject({
      toldUntil: new Date(MONDAY),
      nextAt: new Date(MONDAY + DAY_MS),
    })
  })

  it('is left to the next one when that was more than a day ago', async () => {
    await bench.watch('pull/301', 'origin-failing')
    await set()
    turnTo(MONDAY + 25 * HOUR_MS)
    expect(await tell()).toEqual([])
    turnTo(MONDAY + 7 * DAY_MS)
    expect(await tell()).toEqual(['🟢 Nothing happened here since 2026-11-16 09:00 UTC.'])
  })

  it('is told to no channel without alerts, nor where they are paused', async () => {
    await set()
    turnTo(MONDAY)
    expect(await tell()).toEqual([])
    expect(await bench.store.digests.get(CHANNEL)).toMatchObject({
      nextAt: new Date(MONDAY + 7 * DAY_MS),
      toldUntil: new Date(MONDAY),
    })
  })
})

it('is told again when Slack takes it again, and pauses the alerts of a channel that is lost', async () => {
  await bench.watch('pull/301', 'origin-failing')
  await set()
  board.refusing.set(CHANNEL, 'for a while')
  turnTo(MONDAY)
  expect(await tell()).toEqual([])
  board.refusing.clear()
  turnTo(MONDAY + 2 * HOUR_MS)
  expect(await deliver()).toHaveLength(1)
  board.refusing.set(CHANNEL, 'for good')
  turnTo(MONDAY + 7 * DAY_MS)
  await tell()
  expect(await bench.store.alertRules.list()).toMatchObject([{ pausedWhy: 'The channel is archived.' }])
  expect(board.in('COPS')[0]).toContain('cannot post alerts in')
  board.refusing.clear()
  turnTo(MONDAY + 14 * DAY_MS)
  expect(await tell()).toHaveLength(1)
})

it('that cannot be made is left out, and holds up no other; while the store does not answer it is due still', async () => {
  await bench.watch('pull/301', 'origin-failing')
  await set()
  await set({ channelId: 'C2' })
  turnTo(MONDAY)
  const { log, lines } = recordingLog()
  const { alertRules } = bench.store
  const list = alertRules.list.bind(alertRules)
  alertRules.list = async (channelId) => {
    if (channelId === CHANNEL) throw new TypeError('a fault')
    throw new StoreError('busy')
  }
  expect(await tell(undefined, log)).toEqual([])
  expect(lines).toMatchObject([{ level: 'error', fields: { channel: CHANNEL } }])
  await expect(tell(undefined, log)).rejects.toThrow(StoreError)
  alertRules.list = list
  expect(await bench.store.digests.firstDue()).toMatchObject({ digest: { channelId: 'C2' } })
  turnTo(MONDAY + DAY_MS)
  await tell()
  expect(await tell()).toHaveLength(1)
  expect(await bench.store.digests.get(CHANNEL)).toMatchObject({ nextAt: new Date(MONDAY + 7 * DAY_MS) })
})
