import type { AlertService } from '../alerts/watch/scheduler.ts'
import type { Cdn } from '../cdn/contract/cdn.ts'
import type { Notifier } from '../delivery/notifier.ts'
import type { Doctor } from '../operations/declaration/examination.ts'
import type { NamedZone } from '../operations/declaration/field.ts'
import type { Operation, PanelLink, Channels } from '../operations/declaration/operation.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Store } from '../store/store.ts'
import { ApprovalService } from './changes/approvals.ts'
import { ChangeAnnouncer } from './changes/change-announcer.ts'
import { ChangeReconciler } from './changes/change-reconciler.ts'
import { ChangeSender } from './changes/change-sender.ts'
import { ChangeService } from './changes/change-service.ts'
import type { Digest } from './policy/change-hash.ts'
import type { People } from './policy/people.ts'
import type { Policy } from './policy/policy.ts'
import { RequestService } from './request-service.ts'
import type { InFlight } from './requests/in-flight.ts'
import { InputReader } from './requests/input-reader.ts'
import { createOperationContexts } from './requests/operation-context.ts'

export interface ServiceOptions {
  readonly operations: readonly Operation[]
  readonly cdn: Cdn
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly panel: PanelLink
  /** The slash command, with its slash. */
  readonly command: string
  readonly people: People
  readonly alerts: AlertService
  readonly doctor: Doctor
  readonly channels: Channels
  readonly notifier: Notifier
  /** As it stands now: the configuration may be read again at any time. */
  readonly policy: () => Policy
  /** Zones that the configuration names, beside those that people named. */
  readonly managedZones: () => readonly NamedZone[]
  /** Channels shared with other organisations in which the configuration allows alerts. */
  readonly sharedChannels: () => readonly string[]
  /** Whether a write leaves the id of its change in a free field of the platform. */
  readonly markRecords: boolean
  /** Where others are asked, and told what everybody has to see; nowhere when undefined. */
  readonly opsChannel: string | undefined
  /** What stands for values where they are not kept. */
  readonly digest: Digest
  readonly inFlight: InFlight
  /** Names this process in leases. */
  readonly holder: string
  readonly leaseMs: number
  readonly count: (operation: string, outcome: string) => void
}

/** Puts this floor together. */
export function createServices(options: ServiceOptions) {
  const inputs = new InputReader(options)
  const announcer = new ChangeAnnouncer({ ...options, inputs })
  const approvals = new ApprovalService({ ...options, inputs, announcer })
  const changeActions = approvals.actions.bind(approvals)
  const createContext = createOperationContexts({ ...options, inputs, changeActions })
  const changes = new ChangeService({ ...options, inputs })
  const sender = new ChangeSender({ ...options, inputs, announcer, createContext })
  return {
    inputs,
    createContext,
    announcer,
    approvals,
    changes,
    sender,
    requests: new RequestService({ ...options, inputs, changes, createContext }),
    reconciler: new ChangeReconciler({ ...options, inputs, approvals, sender, announcer }),
  }
}
