import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CdnEmulator, startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { type SlackEmulator, startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { SIGNING_SECRET, useHttp } from '../support/http-mode.ts'
import { signatureHeaders } from '../support/request-signature.ts'
import { OPS, VERA } from '../../src/playground/slack/seed.ts'
import { systemClock as clock } from '../../src/shared/clock.ts'
import { type BotProcess, closedPort, settingsFor, startBot } from '../support/bot-process.ts'

const MAX_MEMORY_MB = 256
const ACK_MS = 1_000
const HALF_OPEN = 100
const TRICKLING = 2_000
const ROUNDS = 8
/** Slow connections are ended after five seconds. */
const RECOVERY_MS = 10_000
const SIGNED = 20
const MAX_LEFT_MB = 50

let folder: string
let slack: SlackEmulator
let cdn: CdnEmulator
let bot: BotProcess
let port: number
const sockets: Socket[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cdn-ops-besieged-'))
  slack = await startSlackEmulator()
  cdn = await startCdnEmulator({ clock })
  port = await closedPort()
  const { SLACK_APP_TOKEN: _, ...settings } = settingsFor(slack, cdn, join(folder, 'store.sqlite'))
  const door = { SLACK_SIGNING_SECRET: SIGNING_SECRET, PORT: `127.0.0.1:${port}` }
  bot = startBot({ ...settings, ...door })
  await bot.says(/linked to Slack: ready/)
  await useHttp(slack, { requestUrl: `http://127.0.0.1:${port}/slack/events` })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  bot.kill('SIGKILL')
  await Promise.all([bot.ended, slack.close(), cdn.close()])
  await rm(folder, { recursive: true, force: true })
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

/** What the process needs to start is another matter: Linux counts its most memory anew from here. */
async function forgetPeak(): Promise<void> {
  await writeFile(`/proc/${bot.pid}/clear_refs`, '5')
}

/** Most memory that the process has had since, in megabytes, as the system counts it. */
async function peakMb(): Promise<number> {
  const [, kilobytes = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${bot.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

async function asks(): Promise<number> {
  const { ok } = await slack.person(VERA).command(OPS, '/cdn help')
  return (ok ? slack.deliveries.at(-1)?.ackMs : undefined) ?? Infinity
}

test(`${HALF_OPEN} unfinished posts and ${TRICKLING} trickling connections do not fill the memory, and a command is answered soon after them`, async () => {
  await asks()
  await forgetPeak()
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
  expect(await peakMb()).toBeLessThan(MAX_MEMORY_MB)
  bot.kill('SIGTERM')
  expect(await bot.ended).toEqual({ code: 0, signal: null })
})

test(`${SIGNED} signed megabytes of nothing but empty lists leave little behind in memory`, async () => {
  await asks()
  await forgetPeak()
  const before = await peakMb()
  for (let index = 0; index < SIGNED; index += 1) {
    const body = `{"type":"event_callback","event_id":"E${index}","w":[${'[],'.repeat(333_000)}0]}`
    const headers = signatureHeaders(body, SIGNING_SECRET, Math.floor(clock.now().getTime() / 1_000))
    const sending = { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } }
    const { status } = await fetch(`http://127.0.0.1:${port}/slack/events`, sending)
    expect(status).toBe(400)
  }
  expect(await asks()).toBeLessThan(ACK_MS)
  await forgetPeak()
  expect((await peakMb()) - before).toBeLessThan(MAX_LEFT_MB)
})
