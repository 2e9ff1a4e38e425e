import type { AlertDesk } from '../../src/alerts/alert-watch.ts'
import type { Channels } from '../../src/operations/channel-info.ts'

/** A part that looks at the platform, and has seen nothing: for tests that are about something else. */
export function idleDesk(changes: Partial<AlertDesk> = {}): AlertDesk {
  return {
    readBack: async () => ({ span: undefined, lines: 0, covered: 0, problems: [] }),
    minutes: async () => [],
    trust: async () => undefined,
    soon: () => undefined,
    ...changes,
  }
}

/** Every channel is one of ours that the bot is in. */
export const openChannels: Channels = {
  info: async (id) => ({ id, name: 'ops', isMember: true, isArchived: false, isShared: false, isPrivate: false }),
}
