import type { TrafficKind } from '../../../src/alerts/alert-kind.ts'
import { evaluateTraffic } from '../../../src/alerts/evaluation.ts'
import { ALERT_KINDS } from '../../../src/alerts/kinds.ts'
import type { AlertRule, MarkRecord } from '../../../src/store/alert-records.ts'
import { AlertBook, type Told } from './alert-book.ts'
import { GrowingMinutes } from './growing-series.ts'
import { LogReader, type Poll, READ_BACK_MINUTES } from './log-reader.ts'
import { Oracle } from './oracle.ts'
import { type Rival, rivals } from './rivals.ts'
import { scriptOf, type Scripted } from './script.ts'
import { SITES, type Site, subjectOf } from './sites.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
/** After the day, so that what happened last can resolve. */
const EVENING_MINUTES = 90
export const TEAM_CHANNEL = 'C0TEAM'
const OPS_CHANNEL = 'C0OPS'
/** Its ticket goes by six hours, and would keep the message about an outage open for as long. */
const BUDGET_CHANNEL = 'C0BUDGET'
const CHANNELS: Readonly<Record<string, string>> = { 'poller-health': OPS_CHANNEL, 'error-budget': BUDGET_CHANNEL }
/** A Friday, at midnight UTC. */
const START_MS = Date.parse('2026-11-20T00:00:00Z')
/** Has to be asked for, since an API's hit ratio is low by nature. */
const NOT_BY_ITSELF = new Set(['hit-ratio-floor'])

/** When a definition held, by the oracle: the moment from which somebody could have been told. */
export interface Held {
  readonly subject: string
  readonly kind: string
  readonly channelId: string
  readonly atMs: number
}

/** When somebody else's rule spoke up. */
export interface RivalAlarm {
  readonly rival: string
  readonly subject: string
  readonly atMs: number
}

export interface Day {
  readonly seed: string
  readonly script: readonly Scripted[]
  readonly told: readonly Told[]
  /** The first minute of each stretch in which a definition held. */
  readonly held: readonly Held[]
  readonly rivalAlarms: readonly RivalAlarm[]
}

interface Zone {
  readonly site: Site
  readonly reader: LogReader
  readonly minutes: GrowingMinutes
  readonly oracles: readonly { readonly kind: TrafficKind; readonly oracle: Oracle }[]
  readonly rivals: readonly Rival[]
}

/** Plays 24 hours of six sites through kinds, life, incidents and delivery, on a clock that only jumps. */
export function playDay(seed: string): Day {
  const script = scriptOf(seed, START_MS)
  const book = new AlertBook(rules(), marks(script))
  const held: Held[] = []
  const rivalAlarms: RivalAlarm[] = []
  const first = START_MS / MINUTE_MS
  const zones = SITES.map((site) => zoneOf(seed, site, script, first))
  let ids = 0
  const newId = (): string => (ids += 1).toString(16).padStart(8, '0').padEnd(32, '0')
  for (let minute = first; minute < first + DAY_MINUTES + EVENING_MINUTES; minute += 1) {
    const polls = zones.map((zone) => ({ zone, poll: zone.reader.poll(minute) }))
    for (const { zone, poll } of polls.toSorted((one, other) => one.poll.atMs - other.poll.atMs)) {
      book.deliverUntil(poll.atMs)
      zone.minutes.put(poll.minutes)
      held.push(...heldAt(zone, poll))
      const subject = subjectOf(zone.site)
      for (const rival of zone.rivals)
        if (rival.begins(zone.minutes.asSeries(minute + 1), minute + 1))
          rivalAlarms.push({ rival: rival.name, subject, atMs: poll.atMs })
      book.commit(lookAt(book, zone, poll, newId))
      book.deliverUntil(poll.atMs)
    }
  }
  book.deliverUntil(Number.POSITIVE_INFINITY)
  return { seed, script, told: book.told, held, rivalAlarms }
}

function lookAt(book: AlertBook, { site, minutes }: Zone, poll: Poll, newId: () => string) {
  const at = poll.minute + 1
  const now = new Date(poll.atMs)
  const view = book.view(subjectOf(site), now)
  const series = minutes.asSeries(at)
  return evaluateTraffic({ view, series, at, trust: poll.trust, samples: [], now, newId, webhook: false })
}

function heldAt({ site, minutes, oracles }: Zone, { minute, trust }: Poll): readonly Held[] {
  const series = minutes.asSeries(minute + 1)
  return oracles
    .filter(({ oracle }) => oracle.holdsAt(series, minute + 1, trust))
    .map(({ kind: { name } }) => ({
      subject: subjectOf(site),
      kind: name,
      channelId: channelOf(name),
      atMs: (minute + 1) * MINUTE_MS + site.lagMs,
    }))
}

function zoneOf(seed: string, site: Site, script: readonly Scripted[], first: number): Zone {
  const reader = new LogReader(seed, site, script)
  const minutes = new GrowingMinutes(first - READ_BACK_MINUTES, READ_BACK_MINUTES + DAY_MINUTES + EVENING_MINUTES)
  minutes.put(reader.back(first))
  const oracles = trafficKinds().map((kind) => ({ kind, oracle: new Oracle(kind) }))
  return { site, reader, minutes, oracles, rivals: rivals() }
}

function trafficKinds(): readonly TrafficKind[] {
  return ALERT_KINDS.filter((kind) => kind.subject === 'pull').filter(({ name }) => !NOT_BY_ITSELF.has(name))
}

/** Every kind on every site. */
function rules(): readonly AlertRule[] {
  return SITES.flatMap((site) =>
    trafficKinds().map(({ name }) => ({
      id: `${name}-${site.zoneId}`,
      kind: name,
      subject: subjectOf(site),
      channelId: channelOf(name),
      parameters: {},
      createdBy: 'U0OPERATOR',
      createdAt: new Date(START_MS),
    })),
  )
}

function channelOf(kind: string): string {
  return CHANNELS[kind] ?? TEAM_CHANNEL
}

function marks(script: readonly Scripted[]): readonly MarkRecord[] {
  return script
    .filter(({ what }) => what === 'marked purge')
    .map(({ site, fromMs }, at) => ({
      id: `mark-${at}`,
      pullZoneId: site.zoneId,
      at: new Date(fromMs),
      text: 'purge of everything',
      by: 'U0OPERATOR',
    }))
}
