import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { App } from '@slack/bolt'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { Secret } from '../../src/shared/secret.ts'
import { Links } from '../../src/slack/links.ts'
import { HurriedClock } from '../support/hurried-clock.ts'
import { recordingLog } from '../support/recording-log.ts'

/** Two links that opened together are apart after that; one of them is opened anew. */
const APART_MS = 20 * 60_000
/** How long a link is waited for that does not greet. */
const OPEN_TIMEOUT_MS = 10_000
const LONGEST_PAUSE_MS = 15_000
/** Long enough for the bot to look many times whether a link can be opened anew. */
const MANY_LOOKS_MS = 10_000

let server: WebSocketServer
let links: Links
let clock: HurriedClock
/** How many links were open, each time that changed, as the bot says it. */
let counts: number[]
/** Every link that there was, oldest first. */
let sockets: WebSocket[]
/** The most that stood open at the same time, as Slack sees it. */
let most: number
/** Whether a new link is greeted at once. */
let greets: boolean
/** What asking for a link leads to. */
let asking: () => Promise<Response>
let handled: string[]
let handle: () => Promise<void>
let stray: unknown[]
const onStray = (reason: unknown): void => void stray.push(reason)

beforeEach(async () => {
  ;[counts, sockets, handled, stray] = [[], [], [], []]
  most = 0
  greets = true
  handle = async () => undefined
  process.on('unhandledRejection', onStray)
  clock = new HurriedClock()
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  server.on('connection', (socket) => {
    sockets.push(socket)
    most = Math.max(most, open().length)
    if (greets) greet(socket)
  })
  const { port } = server.address() as AddressInfo // a TCP server has this form of address
  asking = async () => Response.json({ ok: true, url: `ws://127.0.0.1:${port}` })
  links = new Links({
    appToken: new Secret('xapp-1'),
    apiUrl: new URL('http://127.0.0.1:9/api/'),
    fetch: () => asking(),
    clock,
    log: recordingLog().log,
    onLinks: (count) => counts.push(count),
    onRefused: () => undefined,
  })
  const app: Pick<App, 'processEvent'> = {
    processEvent: async ({ body, ack }) => {
      handled.push(String(body['text']))
      await handle()
      await ack('heard')
    },
  }
  links.init(app as App) // A receiver hands deliveries over and asks nothing else of an app.
  await links.start()
  await expect.poll(() => links.openLinks).toBe(2)
})
afterEach(async () => {
  await links.stop()
  for (const socket of sockets) socket.terminate()
  server.close()
  process.off('unhandledRejection', onStray)
  if (stray.length > 0) throw new AggregateError(stray, 'Errors that nothing handled')
})

const open = (): readonly WebSocket[] => sockets.filter(({ readyState }) => readyState === WebSocket.OPEN)
const greet = (socket: WebSocket | undefined): void => socket?.send(JSON.stringify({ type: 'hello' }))

/** The link that was greeted last: that one is opened anew, so that they do not end together. */
const [FIRST, SECOND] = [0, 1]

let envelopes = 0
/** Delivers over a link; resolves with the acknowledgement, or with undefined when the link ends without one. */
async function deliver(socket: WebSocket | undefined, text: string): Promise<unknown> {
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
}

/** Slack could not be asked for a link for a while, and now it can. */
async function backAfterPauses(): Promise<void> {
  await expect
    .poll(() => {
      if (links.openLinks < 2) clock.turn(LONGEST_PAUSE_MS)
      return links.openLinks
    })
    .toBe(2)
}

/** Both links are there, no third one was at any time, and what comes over either is answered once. */
async function expectTwoThatAnswer(): Promise<void> {
  await expect.poll(() => [links.openLinks, open().length]).toEqual([2, 2])
  expect(most).toBe(2)
  for (const socket of open()) {
    const text = `number ${envelopes}`
    expect(await deliver(socket, text)).toMatchObject({ payload: { text: 'heard' } })
    expect(handled.filter((each) => each === text)).toHaveLength(1)
  }
}

describe('two links that opened together', () => {
  it('are apart after twenty minutes, and never both gone', async () => {
    clock.turn(APART_MS)
    await expect.poll(() => counts).toEqual([1, 2, 1, 2])
    clock.turn(APART_MS * 2)
    await expectTwoThatAnswer()
    expect(sockets).toHaveLength(3)
  })

  it('wait for what is in hand', async () => {
    const over = Promise.withResolvers<void>()
    handle = () => over.promise
    const answers = [deliver(sockets[FIRST], 'one'), deliver(sockets[SECOND], 'two')]
    await expect.poll(() => handled.length).toBe(2)
    clock.turn(APART_MS)
    expect(counts).toEqual([1, 2])
    over.resolve()
    for (const answer of await Promise.all(answers)) expect(answer).toBeDefined()
    await expect.poll(() => counts).toEqual([1, 2, 1, 2])
    handle = async () => undefined
    await expectTwoThatAnswer()
  })

  it('leave alone what is in hand on the one that stays', async () => {
    const over = Promise.withResolvers<void>()
    handle = () => over.promise
    const answer = deliver(sockets[FIRST], 'in hand')
    await expect.poll(() => handled).toEqual(['in hand'])
    clock.turn(APART_MS)
    await expect.poll(() => counts).toEqual([1, 2, 1, 2])
    over.resolve()
    expect(await answer).toBeDefined()
    await expectTwoThatAnswer()
  })

  it('wait for what is in hand no longer than it is, though it ended in an error', async () => {
    handle = () => Promise.reject(new Error('odd'))
    void deliver(sockets[FIRST], 'one')
    void deliver(sockets[SECOND], 'two')
    await expect.poll(() => handled.length).toBe(2)
    handle = async () => undefined
    clock.turn(APART_MS)
    await expect.poll(() => counts).toEqual([1, 2, 1, 2])
    await expectTwoThatAnswer()
  })
})

describe('a link that dies while it is the other one’s turn', () => {
  it.each([FIRST, SECOND])(
    'is replaced at once, whichever it is (%i), and the other one answers meanwhile',
    async (dies) => {
      sockets[dies]?.terminate()
      await expect.poll(() => counts).toEqual([1, 2, 1, 2])
      await expectTwoThatAnswer()
      expect(sockets).toHaveLength(3)
    },
  )

  it.each([FIRST, SECOND])('keeps the one that is left open until it is back (%i)', async (dies) => {
    const whenAsked = asking
    asking = () => Promise.reject(new TypeError('fetch failed'))
    sockets[dies]?.terminate()
    await expect.poll(() => links.openLinks).toBe(1)
    clock.turn(APART_MS)
    clock.turn(MANY_LOOKS_MS)
    const [left] = open()
    expect(await deliver(left, 'while it is alone')).toMatchObject({ payload: { text: 'heard' } })
    expect([links.openLinks, open().length]).toEqual([1, 1])
    expect(counts).not.toContain(0)
    asking = whenAsked
    await backAfterPauses()
    clock.turn(MANY_LOOKS_MS)
    // The one that had to wait is opened anew now; the other one has been just before.
    await expect.poll(() => sockets.length).toBe(dies === FIRST ? 4 : 3)
    await expectTwoThatAnswer()
    expect(counts).not.toContain(0)
  })

  it('is replaced at once where the other one is just being opened anew, and both are back', async () => {
    greets = false
    clock.turn(APART_MS)
    await expect.poll(() => sockets.length).toBe(3)
    const [left] = open()
    left?.terminate()
    await expect.poll(() => sockets.length).toBe(4)
    greets = true
    for (const socket of sockets.slice(2)) greet(socket)
    await expectTwoThatAnswer()
    expect(sockets).toHaveLength(4)
  })

  it('and was to be opened anew itself is so by that: it is not closed a second time', async () => {
    clock.turn(APART_MS / 2)
    sockets[SECOND]?.terminate()
    await expect.poll(() => counts).toEqual([1, 2, 1, 2])
    clock.turn(APART_MS / 2)
    await expectTwoThatAnswer()
    expect(sockets).toHaveLength(3)
  })

  it('while it waits for what is in hand is replaced, and what replaced it is left alone', async () => {
    const over = Promise.withResolvers<void>()
    handle = () => over.promise
    const unheard = deliver(sockets[SECOND], 'in hand')
    await expect.poll(() => handled).toEqual(['in hand'])
    clock.turn(APART_MS)
    clock.turn(MANY_LOOKS_MS)
    sockets[SECOND]?.terminate()
    expect(await unheard).toBeUndefined()
    await expect.poll(() => counts).toEqual([1, 2, 1, 2])
    over.resolve()
    handle = async () => undefined
    for (let turn = 0; turn < 2; turn += 1) {
      clock.turn(MANY_LOOKS_MS)
      await expectTwoThatAnswer()
    }
    expect(sockets).toHaveLength(3)
    expect(handled.filter((text) => text === 'in hand')).toHaveLength(1)
  })
})

describe('a link that comes to nothing', () => {
  it.each(['closes', 'breaks'] as const)('because it %s with its greeting is replaced', async (how) => {
    greets = false
    sockets[FIRST]?.terminate()
    await expect.poll(() => sockets.length).toBe(3)
    greets = true
    greet(sockets[2])
    if (how === 'closes') sockets[2]?.close()
    else sockets[2]?.terminate()
    await expect.poll(() => sockets[2]?.readyState).toBe(WebSocket.CLOSED)
    await backAfterPauses()
    await expectTwoThatAnswer()
    expect(counts).not.toContain(0)
  })

  it('because it never greets is closed before another one is opened', async () => {
    greets = false
    sockets[FIRST]?.terminate()
    await expect.poll(() => sockets.length).toBe(3)
    greets = true
    clock.turn(OPEN_TIMEOUT_MS)
    await expect.poll(() => sockets[2]?.readyState).toBe(WebSocket.CLOSED)
    await backAfterPauses()
    await expectTwoThatAnswer()
    expect(sockets).toHaveLength(4)
    expect(counts).not.toContain(0)
  })
})
