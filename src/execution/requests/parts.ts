import type { Notifier } from '../../delivery/notifier.ts'
import type { Digest } from '../policy/change-hash.ts'
import type { People } from '../policy/people.ts'
import { listCatalog, type Policy } from '../policy/policy.ts'
import type { InFlight } from './in-flight.ts'
import type { NamedZone } from '../../operations/declaration/field.ts'
import { findOperation } from '../../operations/declaration/operation-names.ts'
import type {
  ChangeActions,
  Channels,
  CheckContext,
  Invocation,
  Operation,
  OperationContext,
} from '../../operations/declaration/operation.ts'
import { namesIn } from '../../operations/declaration/person-field.ts'
import type { Actor } from '../../operations/declaration/role.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import { shortId } from '../../shared/short-id.ts'
import type { Once } from '../../store/outbox/idempotency-keys.ts'
import type { Change } from '../../store/schema/change.ts'
import { StoreError } from '../../store/schema/store-error.ts'
import type { Store } from '../../store/store.ts'

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

export type WithInputs = Parts & { readonly inputs: InputReader }

type CheckedFor = Pick<Actor, 'timeZone'> & Partial<Pick<Actor, 'role'>> & { readonly changeId?: string }
type Asked = Pick<Invocation, 'operation' | 'values'>

/** Knows what input is checked against: the names of zones, the time, and the marker of a change. */
export class InputReader {
  readonly #options: Parts

  constructor(options: Parts) {
    this.#options = options
  }

  /** All zones with names, those of the configuration first; those alone while the store cannot be read. */
  async zones(): Promise<readonly NamedZone[]> {
    try {
      return await this.#allZones()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      this.#options.log.warn({ err: error }, 'the names of zones could not be read')
      return this.#options.managedZones()
    }
  }

  async #allZones(): Promise<readonly NamedZone[]> {
    const { store, managedZones } = this.#options
    return [...managedZones(), ...(await store.zones.list())]
  }

  /**
   * What input is checked against now. A change leaves its marker, where that is turned on, and has to read as it did when
   * it was reviewed: for it every name is needed. Throws StoreError for a change only. Of people those are looked up whom
   * `asked` names, for whoever has a role.
   */
  async check({ timeZone, changeId, role = 'none' }: CheckedFor, asked?: Asked): Promise<CheckContext> {
    const { clock, panel, people } = this.#options
    const names = asked === undefined || role === 'none' ? [] : namesIn(asked.values, asked.operation.fields)
    const [zones, ...found] = await Promise.all([
      changeId === undefined ? this.zones() : this.#allZones(),
      ...names.map(async (name) => [name, await people.named(name)] as const),
    ])
    return { now: clock.now(), zones, timeZone, panel, marker: this.marker(changeId), named: new Map(found) }
  }

  /** What a change would do as it reads now; undefined where it does not read any more. Throws StoreError. */
  async readChange(change: Change, timeZone: string): Promise<Invocation | undefined> {
    return this.readAgainst(await this.check({ timeZone, changeId: change.id }), change)
  }

  readAgainst(check: CheckContext, { operation, values }: Change): Invocation | undefined {
    const parsed = findOperation(this.#options.operations, operation)?.parse(values, check)
    return parsed?.ok === true ? parsed.invocation : undefined
  }

  /** What a write leaves in a free field of the platform, so that it can be found again. */
  marker(changeId: string | undefined): string | undefined {
    return changeId === undefined || !this.#options.markRecords ? undefined : `cdn-ops ${shortId(changeId)}`
  }
}

/** How an operation runs: from which channel, for which change, and how it is stopped. */
interface Running extends Partial<Pick<OperationContext, 'signal' | 'progress'>> {
  readonly channelId: string | undefined
  readonly once?: Once | undefined
  readonly changeId?: string
}

/** Makes what an operation may reach while it runs as this actor. */
export type CreateOperationContext = (actor: Actor, running: Running) => Promise<OperationContext>

export function createOperationContexts(
  options: WithInputs,
  changeActions: (actor: Actor) => ChangeActions,
): CreateOperationContext {
  const { operations, cdn, store, clock, panel, command, people, alerts, doctor, channels, inputs } = options
  return async (
    actor,
    { channelId, once, changeId, signal = new AbortController().signal, progress = () => undefined },
  ) => {
    const catalogFor = (whom: Actor) => listCatalog(operations, options.policy(), whom, channelId)
    return {
      cdn,
      store,
      actor,
      admins: people.admins(),
      once,
      now: clock.now(),
      zones: await inputs.zones(),
      panel,
      command,
      marker: inputs.marker(changeId),
      markerOf: (id) => inputs.marker(id),
      changes: changeActions(actor),
      alerts,
      doctor,
      channelId,
      sharedChannels: options.sharedChannels(),
      channelInfo: (id) => channels.info(id),
      newId: () => clock.newId(),
      get catalog() {
        return catalogFor(actor)
      },
      findNamed: (name) => people.named(name.toLowerCase()),
      lookUp: async (userId) => {
        const other = await people.actor(userId)
        return { actor: other, catalog: catalogFor(other) }
      },
      signal,
      progress,
    }
  }
}
