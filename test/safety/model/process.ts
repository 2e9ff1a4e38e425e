import type { Notifier } from '../../../src/alerts/notifier.ts'
import type { Cdn } from '../../../src/cdn/cdn.ts'
import { ApprovalDesk } from '../../../src/execution/approval-desk.ts'
import { ChangeAnnouncer } from '../../../src/execution/change-announcer.ts'
import { ChangeDesk } from '../../../src/execution/change-desk.ts'
import { digestWith } from '../../../src/execution/change-hash.ts'
import { ChangeKeeper } from '../../../src/execution/change-keeper.ts'
import { ChangeSender } from '../../../src/execution/change-sender.ts'
import { Executor, type People } from '../../../src/execution/executor.ts'
import { InFlight } from '../../../src/execution/in-flight.ts'
import { NoticeCourier } from '../../../src/execution/notice-courier.ts'
import type { Policy } from '../../../src/execution/policy.ts'
import type { Operation } from '../../../src/operations/operation.ts'
import type { Clock } from '../../../src/shared/clock.ts'
import type { Store } from '../../../src/store/store.ts'
import { silentLog } from '../../store/harness.ts'
import { idleDesk, openChannels } from '../../support/alert-desk.ts'
import { ledgerOperations, plainAnswer } from '../../support/ledger-operations.ts'
import { checkContext } from '../../support/operation-context.ts'

/** Where approvals are asked for. */
const OPS = 'COPS'
const LEASE_MS = 60_000
/** What the mark of a change begins with, in the free field of the platform. */
const MARK = 'cdn-ops '

/** What a process stands on. A seeded bug replaces some of it. */
export interface Ground {
  readonly store: Store
  readonly clock: Clock
  readonly people: People
  readonly notifier: Notifier
  readonly policy: () => Policy
  /** Carries a creation out for the change with this id. */
  readonly create: (changeId: string) => Promise<string>
}

/** The execution floor of one process, as the program puts it together. */
export interface Process {
  readonly store: Store
  readonly desk: ChangeDesk
  readonly approvals: ApprovalDesk
  readonly announcer: ChangeAnnouncer
  readonly sender: ChangeSender
  readonly keeper: ChangeKeeper
  readonly courier: NoticeCourier
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
  const executor = new Executor({
    operations,
    cdn: {} as Cdn, // The operations do not call it.
    store,
    clock,
    log: silentLog,
    panel: checkContext().panel,
    command: '/cdn',
    people,
    alerts: idleDesk(),
    channels: openChannels,
    sharedChannels: () => [],
    policy,
    managedZones: () => [{ kind: 'dns', name: 'shop', zoneId: '301', managed: true }],
    markRecords: true,
    digest: digestWith(undefined),
    inFlight: new InFlight(clock),
    count: () => undefined,
  })
  const announcer = new ChangeAnnouncer(executor, notifier, OPS)
  const approvals = new ApprovalDesk(executor, announcer)
  executor.actOnChangesBy((by) => approvals.actions(by))
  const sender = new ChangeSender({ executor, announcer, holder, leaseMs: LEASE_MS })
  return {
    store,
    desk: new ChangeDesk(executor, OPS),
    approvals,
    announcer,
    sender,
    keeper: new ChangeKeeper({ executor, approvals, sender, announcer, holder }),
    courier: new NoticeCourier(executor, notifier),
    people,
    write: operations[0]!,
  }
}
