import type { OperationContext, ChangeActions } from '../../operations/declaration/operation.ts'
import type { Actor } from '../../operations/declaration/role.ts'
import type { Once } from '../../store/outbox/idempotency-keys.ts'
import { listCatalog } from '../policy/policy.ts'
import type { WithInputs } from './input-reader.ts'

/** How an operation runs: from which channel, for which change, and how it is stopped. */
interface Running extends Pick<OperationContext, 'signal' | 'progress'> {
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
  const { operations, cdn, store, clock, panel, command, people, alerts, doctor, channels, opsChannel, inputs } =
    options
  return async (actor, { channelId, once, changeId, signal, progress }) => {
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
      opsChannel,
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
