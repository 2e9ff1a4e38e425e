import { WebSocket } from 'ws'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSlackEmulator, type SlackEmulator } from '../../../../src/playground/slack/emulator.ts'
import { OPS, VERA } from '../../../../src/playground/slack/state/seed.ts'
import { TurnedClock } from '../../../support/turned-clock.ts'

let slack: SlackEmulator
let clock: TurnedClock

beforeEach(async () => {
  clock = new TurnedClock()
  slack = await startSlackEmulator({ clock })
})

afterEach(async () => {
  await slack.close()
})

const newLink = async (): Promise<LinkClient> => openLink(await linkAddress(slack))

async function links(count: number): Promise<LinkClient[]> {
  const opened: LinkClient[] = []
  while (opened.length < count) opened.push(await newLink())
  return opened
}

describe('A Socket Mode link', () => {
  it('is greeted, with the number of links', async () => {
    const [first, second] = await links(2)
    expect(first!.frames[0]).toMatchObject({
      type: 'hello',
      num_connections: 1,
      connection_info: { app_id: 'A0CDNOPS01' },
      debug_info: { host: expect.any(String), approximate_connection_time: expect.any(Number) },
    })
    expect(second!.frames[0]).toMatchObject({ num_connections: 2 })
    expect(slack.linkCount).toBe(2)
  })

  it('is opened with a ticket, and each ticket opens one', async () => {
    const address = await linkAddress(slack)
    await openLink(address)
    await expect(openLink(address)).rejects.toThrow('403')
    await expect(openLink(address.replace(/ticket=.*/, 'ticket=guessed'))).rejects.toThrow('403')
  })

  it('is the only one that gets an envelope; links take turns', async () => {
    const opened = await links(3)
    const answers = [1, 2, 3].map(async () => slack.person(VERA).command(OPS, '/cdn'))
    await expect.poll(() => opened.map((link) => link.frames.length)).toEqual([2, 2, 2])
    for (const link of opened) link.acknowledge()
    expect(await Promise.all(answers)).toEqual([{ ok: true }, { ok: true }, { ok: true }])
    expect(opened[0]!.frames[1]).toMatchObject({
      type: 'slash_commands',
      envelope_id: expect.any(String),
      accepts_response_payload: true,
      payload: { command: '/cdn' },
    })
  })

  it('goes alone when only the oldest is told to, gets nothing more, and is cut off after ten seconds', async () => {
    const first = await openLink(await linkAddress(slack))
    const second = await openLink(await linkAddress(slack))
    slack.disconnectOldest()
    await expect.poll(() => first.frames.at(-1)).toMatchObject({ type: 'disconnect', reason: 'refresh_requested' })
    expect([slack.linkCount, second.frames.length]).toEqual([1, 1])
    clock.turn(10_000)
    expect(await first.closed).toBe(1006)
  })
})

type Frame = Readonly<Record<string, unknown>>

/** A Socket Mode client that does nothing by itself. */
interface LinkClient {
  readonly socket: WebSocket
  /** Everything the server wrote, in order. */
  readonly frames: readonly Frame[]
  /** Acknowledges the newest envelope. */
  readonly acknowledge: (payload?: Frame) => void
  /** The reason why the link ended, once it has. */
  readonly closed: Promise<number>
}

/** Asks for the address of a link with the app's token. */
async function linkAddress(slack: SlackEmulator): Promise<string> {
  const answer = await fetch(`${slack.apiUrl}apps.connections.open`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slack.appToken}` },
  })
  const { url } = (await answer.json()) as { url?: string }
  if (url === undefined) throw new Error('The emulator gave out no address')
  return url
}

/** Opens a link and resolves at its first frame; rejects when it is not let in. */
async function openLink(address: string): Promise<LinkClient> {
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
