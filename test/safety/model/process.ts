import { Dispatcher } from '../../../src/delivery/dispatcher.ts'
import type { Notifier } from '../../../src/delivery/notifier.ts'
import type { Cdn } from '../../../src/cdn/contract/cdn.ts'
import { digestWith } from '../../../src/execution/policy/change-hash.ts'
import type { People } from '../../../src/execution/policy/people.ts'
import { createServices } from '../../../src/execution/services.ts'
import { InFlight } from '../../../src/execution/requests/in-flight.ts'
import type { Policy } from '../../../src/execution/policy/policy.ts'
import type { Operation } from '../../../src/operations/declaration/operation.ts'
import type { Clock } from '../../../src/shared/clock.ts'
import type { Store } from '../../../src/store/store.ts'
import { silentLog } from '../../store/harness.ts'
import { idleDesk, noIncidents, openChannels, soundDoctor } from '../../support/alert-desk.ts'
import { ledgerOperations, plainAnswer } from '../../support/ledger-operations.ts'
import { checkContext } from '../../support/operation-context.ts'

/** Where approvals are asked for. */
const OPS = 'COPS'
const LEASE_MS = 60_000
/** What the mark of a change begins with, in the free field of the platform. */
const MARK = 'cdn-ops '

/** What a process stands on. */
export interface Ground {
  readonly store: Store
  readonly clock: Clock
  readonly people: People
  readonly notifier: Notifier
  readonly policy: () => Policy
  /** Carries a creation out for the change whose id begins like this. */
  readonly create: (mark: string) => Promise<string>
}

/** The execution floor of one process, as the program puts it together. */
export interface Process extends ReturnType<typeof createServices> {
  readonly store: Store
  readonly dispatcher: Dispatcher
  readonly people: People
  /** The write that everybody asks for. */
  readonly write: Operation
}

export function startProcess(ground: Ground, holder: string): Process {
  const { store, clock, people, notifier, policy } = ground
  const operations = ledgerOperations({
    write: ({ marker = '' }) => ground.create(marker.slice(MARK.length)),
    show: (stored) => plainAnswer(`It was ${stored}.`),
    read: async () => plainAnswer('Three lines.'),
  })
  const options = {
    operations,
    cdn: {} as Cdn, // The operations do not call it.
    store,
    clock,
    log: silentLog,
    panel: checkContext().panel,
    command: '/cdn',
    people,
    alerts: idleDesk(),
    doctor: soundDoctor,
    channels: openChannels,
    notifier,
    sharedChannels: () => [],
    policy,
    managedZones: () => [{ kind: 'dns', name: 'shop', zoneId: '301', managed: true }] as const,
    markRecords: true,
    opsChannel: OPS,
    digest: digestWith(undefined),
    inFlight: new InFlight(clock),
    holder,
    leaseMs: LEASE_MS,
    count: () => undefined,
  }
  const dispatcher = new Dispatcher({ ...options, outbox: store.outbox, incidents: noIncidents })
  return { ...createServices(options), store, dispatcher, people, write: operations[0]! }
}
