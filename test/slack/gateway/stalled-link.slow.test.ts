import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { App } from '@slack/bolt'
import { expect, it } from 'vitest'
import { systemClock } from '../../../src/shared/clock.ts'
import { Secret } from '../../../src/shared/secret.ts'
import { Links } from '../../../src/slack/gateway/socket-mode-links.ts'
import { recordingLog } from '../../support/recording-log.ts'

/** What every server of web sockets puts behind a key: RFC 6455, 1.3. */
const ACCEPTING = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const TEXT_FRAME = 0x81
/** A link is given up after 5 s without a sign, and its socket soon after. */
const GIVEN_UP_MS = 60_000

/** A Slack that says hello over each link, takes whatever comes, and says nothing any more. */
async function stalledSlack(): Promise<{ readonly port: number; readonly sockets: Duplex[]; close(): void }> {
  const sockets: Duplex[] = []
  const server = createServer().on('upgrade', (request, socket) => {
    const accepted = createHash('sha1').update(`${request.headers['sec-websocket-key']}${ACCEPTING}`).digest('base64')
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
    socket.write([...head, `Sec-WebSocket-Accept: ${accepted}`, '', ''].join('\r\n'))
    const hello = Buffer.from(JSON.stringify({ type: 'hello' }))
    socket.write(Buffer.from([TEXT_FRAME, hello.length, ...hello]))
    socket
      .on('error', () => undefined)
      .on('end', () => socket.destroy())
      .resume()
    sockets.push(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server has this form of address
  const close = (): void => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port, sockets, close }
}

it('ends the socket of a link whose other side says nothing any more', async () => {
  const slack = await stalledSlack()
  const links = new Links({
    appToken: new Secret('xapp-1'),
    apiUrl: new URL('http://127.0.0.1:9/api/'),
    fetch: async () => Response.json({ ok: true, url: `ws://127.0.0.1:${slack.port}` }),
    clock: systemClock,
    log: recordingLog().log,
    onLinks: () => undefined,
    onRefused: () => undefined,
  })
  const app: Pick<App, 'processEvent'> = { processEvent: async () => undefined }
  links.init(app as App) // A receiver hands deliveries over and asks nothing else of an app.
  try {
    await links.start()
    const [first] = slack.sockets
    await expect.poll(() => first?.destroyed, { timeout: GIVEN_UP_MS, interval: 200 }).toBe(true)
  } finally {
    await links.stop()
    slack.close()
  }
})
