import type { AppManifest } from './app-manifest.ts'
import type { Delivery } from './deliveries.ts'
import type { Fault } from './faults.ts'
import type { RequestUrls } from './http-mode.ts'
import type { Call } from './ledger.ts'
import type { StoredMessage } from './messages.ts'
import type { Switches, Parts } from './parts.ts'
import { Person } from './person.ts'
import type { DisconnectReason } from './socket-mode.ts'
import { wiredParts, type SlackEmulatorOptions } from './wiring.ts'
import type { Workspace, WorkspaceChange } from './workspace.ts'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { WebSocketServer } from 'ws'
import { slackRoutes } from './routes.ts'
import { sendEvent } from './events.ts'
import { TEAM, type UserGroup } from './seed.ts'
import { epochSeconds } from './timestamps.ts'
import { userGroupPayload } from './user-group-payload.ts'
import { userPayload } from './user-payload.ts'

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
  /** What it is made of, for tests of what an app refuses. */
  readonly parts: Parts
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
    parts,
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

const HOST = '127.0.0.1'
/** Far above any acknowledgement; Slack does not publish a limit. */
const MAX_FRAME_BYTES = 5_000_000

/** A server that listens. */
interface SlackServer {
  readonly port: number
  /** Ends every connection at once and resolves when the port is free. */
  close(): Promise<void>
}

/** Listens on loopback for an app: HTTP for its calls, WebSocket links for Socket Mode. Rejects when it cannot. */
async function startServer(parts: Parts, port: number): Promise<SlackServer> {
  const closing = Promise.withResolvers<void>()
  const routes = slackRoutes(parts, closing.promise)
  const listener = getRequestListener(routes.fetch, { overrideGlobalObjects: false })
  const server = createServer((request, response) => {
    response.setHeader('date', parts.clock.now().toUTCString())
    void listener(request, response)
  })
  const links = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES })
  server.on('upgrade', (request, socket, head) => upgrade(request, socket, head, links, parts))
  await listening(server, port)
  return {
    // A listening TCP server always has an address of this kind.
    port: (server.address() as AddressInfo).port,
    async close() {
      closing.resolve()
      parts.socketMode.dropAll()
      links.close()
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      await closed.promise
    },
  }
}

/** Lets a link in that brings a fresh ticket. */
function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, links: WebSocketServer, parts: Parts): void {
  socket.on('error', () => socket.destroy())
  const address = URL.parse(request.url ?? '/', `http://${HOST}`)
  const isWelcome =
    address?.pathname.startsWith('/link') === true &&
    !parts.switches.refuseConnections &&
    parts.socketMode.redeem(address.searchParams.get('ticket'))
  if (!isWelcome) {
    socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    return
  }
  links.handleUpgrade(request, socket, head, (link) => parts.socketMode.accept(link))
}

async function listening(server: Server, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, HOST, () => resolve())
  await promise
}

/** From now on an app that asked for it is told what changes about people and user groups. */
export function tellOfChanges(parts: Parts): void {
  parts.workspace.listen((change) => {
    for (const event of eventsOf(change, parts)) void sendEvent(event, parts)
  })
}

function eventsOf(change: WorkspaceChange, parts: Parts) {
  if (change.kind === 'member') return [userChange(change, parts)]
  const { group, before } = change
  const updated = groupUpdated(group, parts)
  return group.users === before.users ? [updated] : [membersChanged(group, before, parts), updated]
}

function userChange({ member }: Extract<WorkspaceChange, { kind: 'member' }>, { clock }: Parts) {
  return { type: 'user_change', user: userPayload(member, clock), cache_ts: epochSeconds(clock) }
}

function groupUpdated(group: UserGroup, { clock }: Parts) {
  const { users } = group
  return {
    type: 'subteam_updated',
    subteam: { ...userGroupPayload(group), date_update: epochSeconds(clock), users, user_count: users.length },
  }
}

function membersChanged(group: UserGroup, before: UserGroup, { clock }: Parts) {
  const added = group.users.filter((id) => !before.users.includes(id))
  const removed = before.users.filter((id) => !group.users.includes(id))
  return {
    type: 'subteam_members_changed',
    subteam_id: group.id,
    team_id: TEAM.id,
    date_previous_update: 0,
    date_update: epochSeconds(clock),
    added_users: added,
    added_users_count: added.length,
    removed_users: removed,
    removed_users_count: removed.length,
  }
}
