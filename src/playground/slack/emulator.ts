import { readAppManifest, type AppManifest } from './app-manifest.ts'
import type { Delivery } from './deliveries.ts'
import { tellOfChanges } from './events.ts'
import type { Fault } from './faults.ts'
import type { StoredMessage } from './messages.ts'
import { wiredParts, type Call, type Parts, type SlackEmulatorOptions, type Switches } from './parts.ts'
import { Person } from './person.ts'
import { startServer } from './server.ts'
import type { DisconnectReason } from './socket-mode.ts'
import type { Workspace } from './workspace.ts'

const UNTIL_TIMEOUT_MS = 5_000

/** A Slack workspace on loopback: what an app can call, and the people who use the app. */
export interface SlackEmulator {
  /** What an app takes for Slack's own address; ends with `/api/`. */
  readonly apiUrl: string
  readonly port: number
  readonly botToken: string
  readonly appToken: string
  /** What the app may do and offers: its commands and shortcuts, for a composer to complete. */
  readonly app: AppManifest
  readonly workspace: Workspace
  readonly switches: Switches
  readonly calls: readonly Call[]
  readonly deliveries: readonly Delivery[]
  readonly messages: readonly StoredMessage[]
  readonly linkCount: number
  /** The same object for the same person. Throws for an unknown id. */
  readonly person: (userId: string) => Person
  /** What it is made of, for tests of what an app refuses. */
  readonly parts: Parts
  /** Resolves with the first value of `look` that is neither undefined nor false, now or after a later change. */
  readonly until: <T>(look: () => T | undefined | false, timeoutMs?: number) => Promise<T>
  readonly subscribe: (listener: () => void) => () => void
  /** Lets the next calls of a method fail; `response_url` and `upload` count as methods. */
  readonly failNext: (method: string, fault: Fault) => void
  /** Tells the link that has been open longest to go, as Slack does every few hours. False when none is open. */
  readonly disconnectOldest: (reason: DisconnectReason) => boolean
  readonly dropAll: () => void
  readonly close: () => Promise<void>
}

/** Starts an emulated workspace with the app of `manifest.yml` on 127.0.0.1. Rejects when the port is taken. */
export async function startSlackEmulator(options: SlackEmulatorOptions = {}): Promise<SlackEmulator> {
  let port = 0
  const app = await readAppManifest()
  const parts = wiredParts(options, app, () => `http://127.0.0.1:${port}`)
  tellOfChanges(parts)
  const server = await startServer(parts, options.port ?? 0)
  port = server.port
  const people = new Map<string, Person>()
  const { feed, deliveries, socketMode, faults, switches, messages, workspace, tokens } = parts
  return {
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
    person(userId) {
      const known = people.get(userId) ?? new Person(workspace.member(userId).id, parts)
      people.set(userId, known)
      return known
    },
    parts,
    until: async (look, timeoutMs = UNTIL_TIMEOUT_MS) => feed.until(look, timeoutMs),
    subscribe: (listener) => feed.subscribe(listener),
    failNext: (method, fault) => faults.failNext(method, fault),
    disconnectOldest: (reason) => socketMode.disconnectOldest(reason),
    dropAll: () => socketMode.dropAll(),
    async close() {
      deliveries.close()
      await server.close()
    },
  }
}
