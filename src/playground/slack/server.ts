import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { WebSocketServer } from 'ws'
import { createServer } from '../../shared/node-http.ts'
import type { Parts } from './parts.ts'
import { slackRoutes } from './routes.ts'

const HOST = '127.0.0.1'
/** Far above any acknowledgement; Slack does not publish a limit. */
const MAX_FRAME_BYTES = 5_000_000

/** A server that listens. */
export interface SlackServer {
  readonly port: number
  /** Ends every connection at once and resolves when the port is free. */
  close(): Promise<void>
}

/** Listens on loopback for an app: HTTP for its calls, WebSocket links for Socket Mode. Rejects when it cannot. */
export async function startServer(parts: Parts, port: number): Promise<SlackServer> {
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
