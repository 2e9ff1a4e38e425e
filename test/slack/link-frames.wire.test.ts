import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { App } from '@slack/bolt'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { Secret } from '../../src/shared/secret.ts'
import { Links } from '../../src/slack/links.ts'
import { HurriedClock } from '../support/hurried-clock.ts'
import { recordingLog } from '../support/recording-log.ts'

let server: WebSocketServer
let links: Links
let clock: HurriedClock
let sockets: WebSocket[]
/** The process logs what Slack's library fails on, and goes on: see `catchStrays`. */
const onStray = (): void => undefined

beforeEach(async () => {
  process.on('unhandledRejection', onStray)
  sockets = []
  clock = new HurriedClock()
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.send(JSON.stringify({ type: 'hello' }))
  })
  const { port } = server.address() as AddressInfo // a TCP server has this form of address
  links = new Links({
    appToken: new Secret('xapp-1'),
    apiUrl: new URL('http://127.0.0.1:9/api/'),
    fetch: async () => Response.json({ ok: true, url: `ws://127.0.0.1:${port}` }),
    clock,
    log: recordingLog().log,
    onLinks: () => undefined,
    onRefused: () => undefined,
  })
  const app: Pick<App, 'processEvent'> = {
    // What Slack's library makes of a delivery without a payload is nothing that an app can read.
    processEvent: async ({ ack, body }) => void (body.command === '/cdn' && (await ack('heard'))),
  }
  links.init(app as App) // A receiver hands deliveries over and asks nothing else of an app.
  await links.start()
  await vi.waitUntil(() => links.openLinks === 2)
})
afterEach(async () => {
  await links.stop()
  server.close()
  process.off('unhandledRejection', onStray)
})

const ENVELOPE = { type: 'slash_commands', envelope_id: 'e1', payload: { command: '/cdn' } }
const event = (payload: unknown) => JSON.stringify({ type: 'events_api', envelope_id: 'e2', payload })

/** What comes back for a good envelope, after whatever was sent before. */
async function answerOf(socket: WebSocket | undefined): Promise<unknown> {
  if (socket === undefined) throw new Error('There is no link')
  const answered = once(socket, 'message')
  socket.send(JSON.stringify(ENVELOPE))
  const [data] = (await answered) as [Buffer]
  return JSON.parse(String(data))
}

describe('what comes over a link', () => {
  it.each([
    'null',
    '[]',
    '{',
    '{}',
    '{"type":"error"}',
    '{"type":"interactive","envelope_id":"e","payload":null}',
    event(null),
    event({ event: null }),
    event({ event: { type: 'error' } }),
  ])('and is odd leaves it open, and what comes next is answered: %s', async (frame) => {
    sockets[0]?.send(frame)
    sockets[0]?.send(Buffer.from(frame))
    expect(await answerOf(sockets[0])).toEqual({ envelope_id: 'e1', payload: { text: 'heard' } })
    expect(links.openLinks).toBe(2)
  })
})
