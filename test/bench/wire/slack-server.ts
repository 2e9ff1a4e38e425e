import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

/**
 * A Slack of the bench that does as little as the wire allows, so that what is measured is not it: it answers the calls of
 * a start and opens links. It says its port when it listens, and ends with the process that started it.
 */

/** Slack asks now and then whether a link is alive. */
const PING_MS = 10_000
const ANSWERS: Readonly<Record<string, (origin: string) => object>> = {
  'auth.test': () => ({ url: 'https://example.slack.com/', team: 'Example', user: 'cdn', ...IDS }),
  'apps.connections.open': (origin) => ({ url: `ws://${origin}/link?ticket=1` }),
}
const IDS = { team_id: 'T0123456789', user_id: 'U0123456780', bot_id: 'B0123456789' }
const HELLO = {
  type: 'hello',
  num_connections: 1,
  debug_info: { host: 'applink', approximate_connection_time: 18_060 },
  connection_info: { app_id: 'A0123456789' },
}

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    const [path = ''] = (request.url ?? '').split('?')
    const answer = ANSWERS[path.slice(path.lastIndexOf('/') + 1)]?.(request.headers.host ?? '')
    const body = JSON.stringify(answer === undefined ? { ok: false, error: 'unknown_method' } : { ok: true, ...answer })
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body)
  })
})
const links = new WebSocketServer({ server, perMessageDeflate: false })
links.on('connection', (link) => {
  // Whoever is measured is killed, not closed.
  link.on('error', () => link.terminate())
  link.send(JSON.stringify(HELLO))
})
setInterval(() => {
  for (const link of links.clients) link.ping()
}, PING_MS).unref()
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.once('disconnect', () => process.exit(0))
