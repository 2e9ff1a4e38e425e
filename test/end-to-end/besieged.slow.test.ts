import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OPS, VERA } from '../../src/playground/slack/state/seed.ts'
import { systemClock as clock } from '../../src/shared/clock.ts'
import { type BotProcess, type BotStage, closedPort, forgetPeak, residentBytes } from '../support/bot.ts'
import { SIGNING_SECRET, useHttp } from '../support/http-mode.ts'
import { signatureHeaders } from '../support/request-signature.ts'
import { useBotStage } from '../support/use-bot-stage.ts'

const MIB = 1_048_576
const MAX_MEMORY = 256 * MIB
const ACK_MS = 1_000
const HALF_OPEN = 100
const TRICKLING = 2_000
const ROUNDS = 8
/** Slow connections are ended after five seconds. */
const RECOVERY_MS = 10_000
const SIGNED = 20
const MAX_LEFT = 50 * MIB

let stage: BotStage
let bot: BotProcess
let port: number
const sockets: Socket[] = []
useBotStage((made) => (stage = made))

beforeEach(async () => {
  port = await closedPort()
  const { SLACK_APP_TOKEN: _, ...settings } = stage.settings
  bot = await stage.startLinked({ ...settings, SLACK_SIGNING_SECRET: SIGNING_SECRET, PORT: `127.0.0.1:${port}` })
  await useHttp(stage.slack, { requestUrl: `http://127.0.0.1:${port}/slack/events` })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** A connection that the bot may end at any time. */
function open(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', () => resolve(socket))
    socket.resume()
    sockets.push(socket)
  })
}

/** Headers such as Slack sends, with a signature that nobody made, and most of the body they announce. */
async function halfOpen(): Promise<void> {
  const socket = await open()
  const time = Math.floor(clock.now().getTime() / 1_000)
  const head = [
    'POST /slack/events HTTP/1.1',
    'host: bot.example.com',
    'content-type: application/json',
    'content-length: 1000000',
    `x-slack-request-timestamp: ${time}`,
    `x-slack-signature: v0=${'0'.repeat(64)}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(Buffer.alloc(999_000, 'a'))
}

async function asks(): Promise<number> {
  const { ok } = await stage.slack.person(VERA).command(OPS, '/cdn help')
  return (ok ? stage.slack.deliveries.at(-1)?.ackMs : undefined) ?? Infinity
}

test(`${HALF_OPEN} unfinished posts and ${TRICKLING} trickling connections do not fill the memory, and a command is answered soon after them`, async () => {
  await asks()
  forgetPeak(bot.pid)
  for (let round = 0; round < ROUNDS; round += 1) {
    const writing = sockets.filter(({ destroyed }) => !destroyed)
    for (const socket of writing) socket.write('x')
    const posts = Array.from({ length: Math.ceil(HALF_OPEN / ROUNDS) }, halfOpen)
    const crowd = Array.from({ length: TRICKLING / ROUNDS }, async () => {
      const socket = await open()
      socket.write('POST /slack/events HTTP/1.1\r\nx-a: ')
    })
    await Promise.all([...posts, ...crowd])
  }
  expect(sockets.length).toBeGreaterThanOrEqual(TRICKLING + HALF_OPEN)
  await expect.poll(asks, { timeout: RECOVERY_MS }).toBeLessThan(ACK_MS)
  expect(residentBytes(bot.pid, 'VmHWM')).toBeLessThan(MAX_MEMORY)
  bot.kill('SIGTERM')
  expect(await bot.ended).toEqual({ code: 0, signal: null })
})

test(`${SIGNED} signed megabytes of nothing but empty lists leave little behind in memory`, async () => {
  await asks()
  forgetPeak(bot.pid)
  const before = residentBytes(bot.pid, 'VmHWM')
  for (let index = 0; index < SIGNED; index += 1) {
    const body = `{"type":"event_callback","event_id":"E${index}","w":[${'[],'.repeat(333_000)}0]}`
    const headers = signatureHeaders(body, SIGNING_SECRET, Math.floor(clock.now().getTime() / 1_000))
    const sending = { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } }
    const { status } = await fetch(`http://127.0.0.1:${port}/slack/events`, sending)
    expect(status).toBe(400)
  }
  expect(await asks()).toBeLessThan(ACK_MS)
  forgetPeak(bot.pid)
  expect(residentBytes(bot.pid, 'VmHWM') - before).toBeLessThan(MAX_LEFT)
})
