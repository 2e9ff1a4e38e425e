import type { IncidentAlert, IncidentDoc } from '../../src/alerts/state/incident.ts'
import { IncidentDelivery, type IncidentDeliveryOptions } from '../../src/alerts/delivery/incident-delivery.ts'
import { Dispatcher } from '../../src/delivery/dispatcher.ts'
import type { IncidentRecord, NewAlertPost } from '../../src/store/schema/alert-records.ts'
import type { Store } from '../../src/store/store.ts'
import { createSqliteHarness } from '../store/sqlite-harness.ts'
import { NoticeBoard } from './notice-board.ts'
import { type LogLine, recordingLog } from './recording-log.ts'
import { SAMPLE_WORDS, sampleAlert, sampleDoc } from './sample-incident.ts'
import { TurnedClock } from './turned-clock.ts'

/** Something about an incident that is written, and what has to be told of it: a card, if nothing else is said. */
export interface Happens extends Partial<Omit<NewAlertPost, 'channelId' | 'incidentId'>> {
  readonly id?: string
  readonly channelId?: string
  readonly sentence?: string
  readonly endedAt?: Date
  /** Those of the incident; one that says the sentence, if nothing else is said. */
  readonly alerts?: readonly IncidentAlert[]
  readonly nature?: IncidentDoc['nature']
  readonly unacknowledge?: boolean
}

/** A store with incidents, and a Slack of messages, for a dispatcher between them. */
export interface DeliveryBench {
  readonly clock: TurnedClock
  readonly store: Store
  readonly board: NoticeBoard
  dispatcherWith(changes?: Partial<IncidentDeliveryOptions>): {
    readonly dispatcher: Dispatcher
    readonly lines: readonly LogLine[]
  }
  happens(what?: Happens): Promise<void>
  incident(): Promise<IncidentRecord | undefined>
  /** Delivers until nothing is due any more, a second apart. */
  all(dispatcher: Dispatcher): Promise<void>
  close(): Promise<void>
}

/** Delivers what is due to targets that rest no more, one message each, and returns how many that were. */
export async function deliverDue(dispatcher: Dispatcher): Promise<number> {
  const started = await dispatcher.startDue()
  await Promise.all(started)
  return started.length
}

const SUBJECT = 'pull/301'
const MAX_ROUNDS = 20

export async function createDeliveryBench(): Promise<DeliveryBench> {
  const harness = createSqliteHarness()
  const clock = new TurnedClock()
  const store = await harness.open({ clock })
  const board = new NoticeBoard()
  let revision = 0
  return {
    clock,
    store,
    board,
    dispatcherWith(changes = {}) {
      const { log, lines } = recordingLog()
      const words = async () => SAMPLE_WORDS
      const options = { store, notifier: board, clock, opsChannel: 'COPS', words, ...changes }
      const incidents = new IncidentDelivery(options)
      return { dispatcher: new Dispatcher({ ...options, outbox: store.outbox, incidents, log }), lines }
    },
    async happens({
      id = 'i1',
      channelId = 'C1',
      sentence = 'first',
      endedAt,
      alerts,
      nature,
      unacknowledge,
      ...post
    } = {}) {
      const said = [sampleAlert({ facts: { sentence }, number: sentence })]
      const doc = sampleDoc({ alerts: alerts ?? said, ...(nature && { nature }) })
      const now = clock.now()
      const incidents = [
        {
          id,
          subject: SUBJECT,
          channelId,
          openedAt: now,
          endedAt,
          doc,
          ...(unacknowledge === true && { unacknowledge }),
        },
      ]
      const posts = [{ what: 'card', dueAt: now, ...post, incidentId: id, channelId } as const]
      const committed = await store.alerts.commit({ subject: SUBJECT, revision, watch: {}, incidents, posts })
      if (!committed) throw new Error('Somebody else committed first')
      revision += 1
    },
    incident: () => store.alerts.incident('i1'),
    async all(dispatcher) {
      for (let round = 0; round < MAX_ROUNDS && (await deliverDue(dispatcher)) > 0; round += 1) clock.turn(1_000)
    },
    close: () => harness.close(),
  }
}
