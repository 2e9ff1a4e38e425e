import type { TrafficKind } from '../../../src/alerts/alert-kind.ts'
import { DeliveryLane } from '../../../src/alerts/delivery-lane.ts'
import { evaluateTraffic } from '../../../src/alerts/evaluation.ts'
import { ALERT_KINDS } from '../../../src/alerts/kinds.ts'
import type { Notifier } from '../../../src/alerts/notifier.ts'
import type { AlertRule } from '../../../src/store/alert-records.ts'
import type { Store } from '../../../src/store/store.ts'
import { entry, silentLog } from '../../store/harness.ts'
import type { TurnedClock } from '../../support/turned-clock.ts'
import { GrowingMinutes } from './growing-series.ts'
import { LogReader, type Poll, READ_BACK_MINUTES } from './log-reader.ts'
import type { Scripted } from './script.ts'
import { type Site, subjectOf } from './sites.ts'

const MINUTE_MS = 60_000
const TURN_MS = 5_000
/** Room for what is played after the days that were read back. */
const MAX_PLAY_MINUTES = 1_440

export interface StoredPlayOptions {
  readonly seed: string
  readonly sites: readonly Site[]
  readonly script: readonly Scripted[]
  readonly store: Store
  readonly notifier: Notifier
  /** Stands at a whole minute. */
  readonly clock: TurnedClock
  readonly channelId: string
}

interface Zone {
  readonly site: Site
  readonly reader: LogReader
  readonly minutes: GrowingMinutes
  next: Poll
}

/** Simulated sites through the store that people use and the lane that posts, for hours and not for days. */
export class StoredPlay {
  readonly #options: StoredPlayOptions
  readonly #lane: DeliveryLane
  readonly #zones: Zone[]

  constructor(options: StoredPlayOptions) {
    this.#options = options
    const { seed, sites, script, store, notifier, clock } = options
    const first = clock.now().getTime() / MINUTE_MS
    this.#zones = sites.map((site) => {
      const reader = new LogReader(seed, site, script)
      const minutes = new GrowingMinutes(first - READ_BACK_MINUTES, READ_BACK_MINUTES + MAX_PLAY_MINUTES)
      minutes.put(reader.back(first))
      return { site, reader, minutes, next: reader.poll(first) }
    })
    this.#lane = new DeliveryLane({
      store,
      notifier,
      clock,
      log: silentLog,
      opsChannel: undefined,
      words: async () => ({
        zoneName: (subject) => sites.find((site) => subjectOf(site) === subject)?.name,
        kindTitle: (kind) => kind,
        panel: () => undefined,
        runbook: () => undefined,
        command: '/cdn',
      }),
    })
  }

  /** One rule for each kind that is on by itself, on each site. */
  async watch(): Promise<void> {
    const { sites, store, clock, channelId } = this.#options
    const kinds = ALERT_KINDS.filter((kind): kind is TrafficKind => kind.subject === 'pull')
    const rules = sites.flatMap((site) =>
      kinds
        .filter(({ name }) => name !== 'hit-ratio-floor')
        .map(({ name }): AlertRule => ({
          id: `${name}-${site.zoneId}`,
          kind: name,
          subject: subjectOf(site),
          channelId,
          parameters: {},
          createdBy: 'U0OPERATOR',
          createdAt: clock.now(),
        })),
    )
    await store.alertRules.add(rules, () => entry('alert_added', { at: clock.now() }))
  }

  /** Lets so much time pass. */
  async pass(minutes: number): Promise<void> {
    const { clock } = this.#options
    const untilMs = clock.now().getTime() + minutes * MINUTE_MS
    while (clock.now().getTime() < untilMs) {
      clock.turn(TURN_MS)
      for (const zone of this.#zones) if (zone.next.atMs <= clock.now().getTime()) await this.#look(zone)
      await this.#lane.deliverDue()
    }
  }

  async #look(zone: Zone): Promise<void> {
    const { store, clock } = this.#options
    const { site, reader, minutes, next: poll } = zone
    const subject = subjectOf(site)
    const now = clock.now()
    minutes.put(poll.minutes)
    const at = poll.minute + 1
    const view = await store.alerts.view(subject, now)
    const series = minutes.asSeries(at)
    const newId = (): string => clock.newId()
    const evaluated = evaluateTraffic({
      view,
      series,
      at,
      trust: poll.trust,
      samples: [],
      now,
      newId,
      webhook: false,
    })
    const revision = view.watch?.revision ?? 0
    const done = await store.alerts.commit({ subject, revision, watch: {}, minutes: poll.minutes, ...evaluated })
    if (!done) throw new Error('Somebody else looked at this zone')
    zone.next = reader.poll(poll.minute + 1)
  }
}
