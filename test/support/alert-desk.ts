import type { Doctor } from '../../src/operations/declaration/examination.ts'
import type { Channels } from '../../src/operations/declaration/operation.ts'
import type { AlertService } from '../../src/alerts/watch/scheduler.ts'
import type { PostDelivery } from '../../src/delivery/dispatcher.ts'

/** A part that looks at the platform, and has seen nothing: for tests that are about something else. */
export function idleDesk(changes: Partial<AlertService> = {}): AlertService {
  return {
    backfill: async () => ({ covered: 0, problems: [] }),
    minutes: async () => [],
    trust: async () => undefined,
    soon: () => undefined,
    ...changes,
  }
}

/** Nothing is wrong, as nothing is looked at. */
export const soundDoctor: Doctor = { examine: async () => [] }

/** Every channel is one of ours that the bot is in. */
export const openChannels: Channels = {
  info: async (id) => ({ id, name: 'ops', isMember: true, isArchived: false, isShared: false }),
}

/** Where no incident is told of. */
export const noIncidents: PostDelivery = {
  deliver: async () => ({ kind: 'not needed' }),
  loseChannel: async () => undefined,
}
