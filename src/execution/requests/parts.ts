import type { Notifier } from '../../delivery/notifier.ts'
import type { NamedZone } from '../../operations/declaration/field.ts'
import type { Channels, Operation, OperationContext } from '../../operations/declaration/operation.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { Store } from '../../store/store.ts'
import type { Digest } from '../policy/change-hash.ts'
import type { People } from '../policy/people.ts'
import type { Policy } from '../policy/policy.ts'
import type { InFlight } from './in-flight.ts'

type Lent = Pick<OperationContext, 'cdn' | 'panel' | 'command' | 'alerts' | 'doctor'>

/** All that the services of this floor work with, but for one another. */
export interface Parts extends Lent {
  readonly operations: readonly Operation[]
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly people: People
  readonly channels: Channels
  readonly notifier: Notifier
  readonly inFlight: InFlight
  readonly policy: () => Policy
  readonly digest: Digest
  /** Where approvals are asked for, and told in public what nobody knows the end of; nowhere when undefined. */
  readonly opsChannel: string | undefined
  /** Zones that the configuration names, beside those that people named. */
  readonly managedZones: () => readonly NamedZone[]
  /** Channels shared with other organisations in which the configuration allows alerts. */
  readonly sharedChannels: () => OperationContext['sharedChannels']
  /** Whether a write leaves the id of its change in a free field of the platform. */
  readonly markRecords: boolean
  readonly count: (operation: string, outcome: string) => void
  /** Names this process in leases. */
  readonly holder: string
  /** Longer than the create deadline of the client (30 s) with all that surrounds it; shorter only to try it out. */
  readonly leaseMs: number
}
