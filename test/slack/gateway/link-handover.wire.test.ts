import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type LinkedBot, startLinkedBot } from '../../support/linked-bot.ts'

/** Two links that opened together are apart after that; the one that opened last is opened anew. */
const APART_MS = 20 * 60_000
const [FIRST, SECOND] = [0, 1]
/** How long a link is waited for that does not greet. */
const OPEN_TIMEOUT_MS = 10_000
const LONGEST_PAUSE_MS = 15_000
/** Everything is acknowledged within this. */
const ACK_TIMEOUT_MS = 2_500
/** Long enough for the bot to look many times whether a link can be opened anew. */
const MANY_LOOKS_MS = 10_000

let bot: LinkedBot
let stray: unknown[]
const onStray = (reason: unknown): void => void stray.push(reason)

beforeEach(async () => {
  stray = []
  process.on('unhandledRejection', onStray)
  bot = await startLinkedBot()
})
afterEach(async () => {
  await bot.close()
  process.off('unhandledRejection', onStray)
  if (stray.length > 0) throw new AggregateError(stray, 'Errors that nothing handled')
})

/** Slack could not be asked for a link for a while, and now it can. Each look ends a pause, behind which the link has a while to be back. */
async function backAfterPauses(): Promise<void> {
  await expect
    .poll(
      () => {
        if (bot.links.openLinks < 2) bot.clock.turn(LONGEST_PAUSE_MS)
        return bot.links.openLinks
      },
      { interval: 200 },
    )
    .toBe(2)
}

let deliveries = 0
/** Both links are there, no third one was at any time, and what comes over either is answered once. */
async function expectTwoThatAnswer(): Promise<void> {
  await expect.poll(() => [bot.links.openLinks, bot.open().length]).toEqual([2, 2])
  expect(bot.most).toBe(2)
  for (const socket of bot.open()) {
    deliveries += 1
    const text = `number ${deliveries}`
    expect(await bot.deliver(socket, text)).toMatchObject({ payload: { text: 'heard' } })
    expect(bot.handled.filter((each) => each === text)).toHaveLength(1)
  }
}

describe('two links that opened together', () => {
  it('are apart after twenty minutes, and never both gone', async () => {
    bot.clock.turn(APART_MS)
    await expect.poll(() => bot.counts).toEqual([1, 2, 1, 2])
    bot.clock.turn(APART_MS * 2)
    await expectTwoThatAnswer()
    expect(bot.sockets).toHaveLength(3)
  })

  it('wait for what is in hand', async () => {
    const over = Promise.withResolvers<void>()
    bot.handle = () => over.promise
    const answers = [bot.deliver(bot.sockets[FIRST], 'one'), bot.deliver(bot.sockets[SECOND], 'two')]
    await expect.poll(() => bot.handled.length).toBe(2)
    bot.clock.turn(APART_MS)
    expect(bot.counts).toEqual([1, 2])
    over.resolve()
    for (const answer of await Promise.all(answers)) expect(answer).toBeDefined()
    await expect.poll(() => bot.counts).toEqual([1, 2, 1, 2])
    bot.handle = async () => undefined
    await expectTwoThatAnswer()
  })
})

describe('a link that dies while it is the other one’s turn', () => {
  it.each([FIRST, SECOND])(
    'is replaced at once, whichever it is (%i), and the other one answers meanwhile',
    async (dies) => {
      bot.sockets[dies]?.terminate()
      await expect.poll(() => bot.counts).toEqual([1, 2, 1, 2])
      await expectTwoThatAnswer()
      expect(bot.sockets).toHaveLength(3)
    },
  )

  it.each([FIRST, SECOND])('keeps the one that is left open until it is back (%i)', async (dies) => {
    const whenAsked = bot.asking
    bot.asking = () => Promise.reject(new TypeError('fetch failed'))
    bot.sockets[dies]?.terminate()
    await expect.poll(() => bot.links.openLinks).toBe(1)
    bot.clock.turn(APART_MS)
    bot.clock.turn(MANY_LOOKS_MS)
    const [left] = bot.open()
    expect(await bot.deliver(left, 'while it is alone')).toMatchObject({ payload: { text: 'heard' } })
    expect([bot.links.openLinks, bot.open().length]).toEqual([1, 1])
    expect(bot.counts).not.toContain(0)
    bot.asking = whenAsked
    await backAfterPauses()
    bot.clock.turn(MANY_LOOKS_MS)
    // The one that had to wait is opened anew now; the other one has been just before.
    await expect.poll(() => bot.sockets.length).toBe(dies === FIRST ? 4 : 3)
    await expectTwoThatAnswer()
    expect(bot.counts).not.toContain(0)
  })
})

describe('a link that comes to nothing', () => {
  it('because it never greets is closed before another one is opened', async () => {
    bot.greets = false
    bot.sockets[FIRST]?.terminate()
    await expect.poll(() => bot.sockets.length).toBe(3)
    bot.greets = true
    bot.clock.turn(OPEN_TIMEOUT_MS)
    await expect.poll(() => bot.sockets[2]?.readyState).toBe(WebSocket.CLOSED)
    await backAfterPauses()
    await expectTwoThatAnswer()
    expect(bot.sockets).toHaveLength(4)
    expect(bot.counts).not.toContain(0)
  })
})

describe('what comes over a link', () => {
  const event = (payload: unknown) => JSON.stringify({ type: 'events_api', envelope_id: 'e2', payload })

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
    bot.sockets[FIRST]?.send(frame)
    bot.sockets[FIRST]?.send(Buffer.from(frame))
    expect(await bot.deliver(bot.sockets[FIRST], 'next')).toMatchObject({ payload: { text: 'heard' } })
    expect(bot.links.openLinks).toBe(2)
    // The process logs what Slack's library fails on, and goes on.
    stray = []
  })
})

describe('links that are closed for good', () => {
  it('end once what came over them is acknowledged', async () => {
    const over = Promise.withResolvers<void>()
    bot.handle = () => over.promise
    const answered = bot.deliver(bot.sockets[FIRST], 'one')
    await expect.poll(() => bot.handled.length).toBe(1)
    const stopped = bot.links.stop()
    await expect.poll(() => bot.open().length).toBe(1)
    over.resolve()
    expect(await answered).toMatchObject({ payload: { text: 'heard' } })
    await stopped
    await expect.poll(() => bot.open().length).toBe(0)
  })

  it('wait for nothing else: its work may go on, and what is not acknowledged in time is lost', async () => {
    bot.afterwards = () => new Promise(() => undefined)
    expect(await bot.deliver(bot.sockets[FIRST], 'one')).toBeDefined()
    bot.handle = () => new Promise(() => undefined)
    const answered = bot.deliver(bot.sockets[SECOND], 'two')
    await expect.poll(() => bot.handled.length).toBe(2)
    const stopped = bot.links.stop()
    await expect.poll(() => bot.open().length).toBe(1)
    bot.clock.turn(ACK_TIMEOUT_MS)
    await stopped
    expect(await answered).toBeUndefined()
  })
})
