import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { App } from '@slack/bolt'
import { vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { Secret } from '../../src/shared/secret.ts'
import { Links } from '../../src/slack/gateway/socket-mode-links.ts'
import { HurriedClock } from './hurried-clock.ts'
import { recordingLog } from './recording-log.ts'

const LINKS = 2

/** The bot's links to a Slack of which a test holds the other ends. */
export interface LinkedBot {
  readonly links: Links
  readonly clock: HurriedClock
  /** How many links were open, each time that changed, as the bot says it. */
  readonly counts: readonly number[]
  /** Every link that there was, oldest first. */
  readonly sockets: readonly WebSocket[]
  /** The texts of what the bot was handed. */
  readonly handled: readonly string[]
  /** The most links that stood open at the same time, as Slack sees it. */
  most: number
  /** Whether a new link is greeted at once. */
  greets: boolean
  /** What asking for a link leads to. */
  asking: () => Promise<Response>
  /** What the bot does before it acknowledges. */
  handle: () => Promise<void>
  /** What it does after that. */
  afterwards: () => Promise<void>
  /** The links that stand open, as Slack sees it. */
  open(): readonly WebSocket[]
  greet(socket: WebSocket | undefined): void
  /** Delivers over a link; resolves with the acknowledgement, or with undefined when the link ends without one. */
  deliver(socket: WebSocket | undefined, text: string): Promise<unknown>
  close(): Promise<void>
}

/** Resolves when both links are open. */
export async function startLinkedBot(): Promise<LinkedBot> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server has this form of address
  const [counts, sockets, handled]: [number[], WebSocket[], string[]] = [[], [], []]
  const clock = new HurriedClock()
  const links = new Links({
    appToken: new Secret('xapp-1'),
    apiUrl: new URL('http://127.0.0.1:9/api/'),
    fetch: () => bot.asking(),
    clock,
    log: recordingLog().log,
    onLinks: (count) => counts.push(count),
    onRefused: () => undefined,
  })
  let envelopes = 0
  const bot: LinkedBot = {
    links,
    clock,
    counts,
    sockets,
    handled,
    most: 0,
    greets: true,
    asking: async () => Response.json({ ok: true, url: `ws://127.0.0.1:${port}` }),
    handle: async () => undefined,
    afterwards: async () => undefined,
    open: () => sockets.filter(({ readyState }) => readyState === WebSocket.OPEN),
    greet: (socket) => socket?.send(JSON.stringify({ type: 'hello' })),
    async deliver(socket, text) {
      if (socket === undefined) throw new Error('There is no such link')
      envelopes += 1
      const id = `e${envelopes}`
      const { promise, resolve } = Promise.withResolvers<unknown>()
      socket.on('message', (data: Buffer) => {
        const said: unknown = JSON.parse(String(data))
        if (typeof said === 'object' && said !== null && 'envelope_id' in said && said.envelope_id === id) resolve(said)
      })
      socket.once('close', () => resolve(undefined))
      const payload = { command: '/cdn', text }
      socket.send(JSON.stringify({ type: 'slash_commands', envelope_id: id, payload }))
      return promise
    },
    async close() {
      await links.stop()
      for (const socket of sockets) socket.terminate()
      server.close()
    },
  }
  server.on('connection', (socket) => {
    sockets.push(socket)
    bot.most = Math.max(bot.most, bot.open().length)
    if (bot.greets) bot.greet(socket)
  })
  const app: Pick<App, 'processEvent'> = {
    processEvent: async ({ body, ack }) => {
      handled.push(String(body['text']))
      await bot.handle()
      await ack('heard')
      await bot.afterwards()
    },
  }
  links.init(app as App) // A receiver hands deliveries over and asks nothing else of an app.
  await links.start()
  await vi.waitUntil(() => links.openLinks === LINKS)
  return bot
}
