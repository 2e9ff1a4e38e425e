import type { AppManifest } from './app-manifest.ts'
import type { Delivery } from './deliveries.ts'
import type { Fault } from './faults.ts'
import { Forger } from './forger.ts'
import type { RequestUrls } from './http-mode.ts'
import type { Call } from './ledger.ts'
import type { StoredMessage } from './messages.ts'
import type { Switches } from './parts.ts'
import { Person } from './person.ts'
import { startServer } from './server.ts'
import type { DisconnectReason } from './socket-mode.ts'
import { wiredParts, type SlackEmulatorOptions } from './wiring.ts'
import { tellOfChanges } from './workspace-events.ts'
import type { Workspace } from './workspace.ts'

const UNTIL_TIMEOUT_MS = 5_000

/** A Slack workspace on loopback: what an app can call, and the people who use the app. */
export interface SlackEmulator {
  /** What an app takes for Slack's own address; ends with `/api/`. */
  readonly apiUrl: string
  readonly port: number
  readonly botToken: string
  readonly appToken: string
  readonly signingSecret: string
  /** What the app may do and offers: its commands and shortcuts, for a composer to complete. */
  readonly app: AppManifest
  /** Who is there and which channels there are; can be changed while people play. */
  readonly workspace: Workspace
  /** May be turned at any time. */
  readonly switches: Switches
  /** Calls the app made, oldest first. */
  readonly calls: readonly Call[]
  /** Envelopes sent to the app and what became of them, oldest first. */
  readonly deliveries: readonly Delivery[]
  /** Every message of the workspace, oldest first. */
  readonly messages: readonly StoredMessage[]
  /** Open Socket Mode links that get envelopes. */
  readonly linkCount: number
  /** The same object for the same person. Throws for an unknown id. */
  readonly person: (userId: string) => Person
  /** The same person with a client that sends what it likes, for tests of what an app refuses. */
  readonly forger: (userId: string) => Forger
  /** The app acknowledges the next delivery, but nobody hears of it: the person is told to try again. */
  readonly loseNextAck: () => void
  /** Resolves with the first value of `look` that is neither undefined nor false, now or after a later change. */
  readonly until: <T>(look: () => T | undefined | false, timeoutMs?: number) => Promise<T>
  /** Calls `listener` after every change until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void
  /** Lets the next calls of a method fail; `response_url` and `upload` count as methods. */
  readonly failNext: (method: string, fault: Fault) => void
  /** Tells every link to go. */
  readonly disconnectAll: (reason: DisconnectReason) => void
  /** Tells the link that has been open longest to go, as Slack does every few hours. False when none is open. */
  readonly disconnectOldest: (reason: DisconnectReason) => boolean
  /** Drops every link without a word. */
  readonly dropAll: () => void
  readonly refuseConnections: (refuse: boolean) => void
  /**
   * Sends signed requests to an app's addresses instead of envelopes over its links. Rejects when the app does not
   * answer the challenge that Slack sends first.
   */
  readonly useHttp: (urls: RequestUrls) => Promise<void>
  readonly useSocketMode: () => void
  /** Ends every connection and every wait. */
  readonly close: () => Promise<void>
}

/** Starts an emulated workspace on 127.0.0.1. Rejects when the port is taken. */
export async function startSlackEmulator(options: SlackEmulatorOptions = {}): Promise<SlackEmulator> {
  let port = 0
  const parts = wiredParts(options, () => `http://127.0.0.1:${port}`)
  tellOfChanges(parts)
  const server = await startServer(parts, options.port ?? 0)
  port = server.port
  const people = new Map<string, Person>()
  const { feed, deliveries, socketMode, httpMode, faults, switches, ledger, messages, workspace, tokens } = parts

  return {
    apiUrl: `${parts.baseUrl()}/api/`,
    port,
    botToken: tokens.bot,
    appToken: tokens.app,
    app: parts.app,
    signingSecret: parts.tokens.signing,
    workspace,
    switches,
    get calls() {
      return ledger.calls
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
    forger: (userId) => new Forger(workspace.member(userId).id, parts),
    loseNextAck: () => deliveries.loseNextAck(),
    until: async (look, timeoutMs = UNTIL_TIMEOUT_MS) => feed.until(look, timeoutMs),
    subscribe: (listener) => feed.subscribe(listener),
    failNext: (method, fault) => faults.failNext(method, fault),
    disconnectAll: (reason) => socketMode.disconnectAll(reason),
    disconnectOldest: (reason) => socketMode.disconnectOldest(reason),
    dropAll: () => socketMode.dropAll(),
    refuseConnections(refuse) {
      switches.refuseConnections = refuse
    },
    useHttp: async (urls) => httpMode.switchOn(urls),
    useSocketMode: () => httpMode.switchOff(),
    async close() {
      httpMode.close()
      deliveries.close()
      await server.close()
    },
  }
}
