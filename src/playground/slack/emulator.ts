import { LOOPBACK } from '../../shared/server.ts'
import { tellOfChanges } from './wire/events.ts'
import { readAppManifest, wiredParts, type SlackEmulatorOptions } from './wire/parts.ts'
import { Person } from './person.ts'
import { startServer } from './wire/server.ts'

const UNTIL_TIMEOUT_MS = 5_000

/** A Slack workspace on loopback: what an app can call, and the people who use the app. */
export type SlackEmulator = Awaited<ReturnType<typeof startSlackEmulator>>

/** Starts an emulated workspace with the app of `manifest.yml` on 127.0.0.1. Rejects when the port is taken. */
export async function startSlackEmulator(options: SlackEmulatorOptions = {}) {
  let port = 0
  const app = await readAppManifest()
  const parts = wiredParts(options, app, () => `http://${LOOPBACK}:${port}`)
  tellOfChanges(parts)
  const server = await startServer(parts, options.port ?? 0)
  port = server.port
  const { feed, deliveries, socketMode, switches, messages, workspace, tokens } = parts
  return {
    /** What an app takes for Slack's own address. */
    apiUrl: `${parts.baseUrl()}/api/`,
    port,
    botToken: tokens.bot,
    appToken: tokens.app,
    app,
    workspace,
    switches,
    get calls() {
      return parts.calls()
    },
    get deliveries() {
      return deliveries.all
    },
    get messages() {
      return messages.all
    },
    get linkCount() {
      return socketMode.linkCount
    },
    person: (userId: string): Person => new Person(workspace.member(userId).id, parts),
    /** What it is made of, for tests of what an app refuses. */
    parts,
    /** Resolves with the first value of `look` that is neither undefined nor false, now or after a later change. */
    until: async <T>(look: () => T | undefined | false, timeoutMs = UNTIL_TIMEOUT_MS) => feed.until(look, timeoutMs),
    subscribe: (listener: () => void) => feed.subscribe(listener),
    disconnectOldest: () => socketMode.disconnectOldest(),
    dropAll: () => socketMode.dropAll(),
    close: async (): Promise<void> => {
      deliveries.close()
      await server.close()
    },
  }
}
