import { WebSocket } from 'ws'
import type { SlackEmulator } from '../../../src/playground/slack/emulator.ts'

type Frame = Readonly<Record<string, unknown>>

/** A Socket Mode client that does nothing by itself. */
export interface LinkClient {
  readonly socket: WebSocket
  /** Everything the server wrote, in order. */
  readonly frames: readonly Frame[]
  /** Acknowledges the newest envelope. */
  readonly acknowledge: (payload?: Frame) => void
  /** The reason why the link ended, once it has. */
  readonly closed: Promise<number>
}

/** Asks for the address of a link with the app's token. */
export async function linkAddress(slack: SlackEmulator): Promise<string> {
  const answer = await fetch(`${slack.apiUrl}apps.connections.open`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slack.appToken}` },
  })
  const { url } = (await answer.json()) as { url?: string }
  if (url === undefined) throw new Error('The emulator gave out no address')
  return url
}

/** Opens a link and resolves at its first frame; rejects when it is not let in. */
export async function openLink(address: string): Promise<LinkClient> {
  const socket = new WebSocket(address)
  const frames: Frame[] = []
  const first = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<number>()
  socket.on('message', (data: Buffer) => {
    frames.push(JSON.parse(data.toString()) as Frame)
    first.resolve()
  })
  socket.on('error', (error) => first.reject(error))
  socket.on('close', (code) => closed.resolve(code))
  await first.promise
  return {
    socket,
    frames,
    closed: closed.promise,
    acknowledge(payload = {}) {
      socket.send(JSON.stringify({ envelope_id: frames.at(-1)?.['envelope_id'], payload }))
    },
  }
}
