import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CdnEmulator, startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { type SlackEmulator, startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { ADA, OPS, VERA } from '../../src/playground/slack/seed.ts'
import { systemClock as clock } from '../../src/shared/clock.ts'
import { type BotProcess, settingsFor, startBot } from '../support/bot-process.ts'

const COMMANDS = 10_000
const SECONDS = 10
const TICKS = 100
const ACK_MS = 1_000
/** What one person may ask at once, and each second from then on. */
const BURST = 120
const A_SECOND = 2
const MAX_MORE_MB = 64
const FLOODED = '/cdn keys list'

let folder: string
let slack: SlackEmulator
let cdn: CdnEmulator
let bot: BotProcess

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cdn-ops-flooded-'))
  slack = await startSlackEmulator()
  cdn = await startCdnEmulator({ clock })
  bot = startBot(settingsFor(slack, cdn, join(folder, 'store.sqlite')))
  await bot.says(/linked to Slack: ready/)
})
afterEach(async () => {
  bot.kill('SIGKILL')
  await Promise.all([bot.ended, slack.close(), cdn.close()])
  await rm(folder, { recursive: true, force: true })
})

/** Most memory that the process has had since Linux was told to forget it, in megabytes. */
async function peakMb(): Promise<number> {
  const [, kilobytes = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${bot.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

/** Another person asks; notes how long that took to be acknowledged. */
async function asks(waits: number[]): Promise<void> {
  const askedMs = clock.monotonicMs()
  expect(await slack.person(VERA).command(OPS, '/cdn whoami')).toEqual({ ok: true })
  waits.push(clock.monotonicMs() - askedMs)
}

test(`${COMMANDS} commands of one person in ${SECONDS} s neither fill the memory nor reach the platform nor delay another person`, async () => {
  const ada = slack.person(ADA)
  await asks([])
  await writeFile(`/proc/${bot.pid}/clear_refs`, '5')
  const before = await peakMb()
  const startedMs = clock.monotonicMs()
  const waits: number[] = []
  const flood: Promise<unknown>[] = []
  for (let tick = 0; tick < TICKS; tick += 1) {
    for (let index = 0; index < COMMANDS / TICKS; index += 1) flood.push(ada.command(OPS, FLOODED))
    // Every other time, which is less than her own limit.
    if (tick % 2 === 0) flood.push(asks(waits))
    await clock.sleep(Math.max(0, startedMs + (tick + 1) * ((SECONDS * 1_000) / TICKS) - clock.monotonicMs()))
  }
  await Promise.all(flood)
  const seconds = (clock.monotonicMs() - startedMs) / 1_000
  expect(Math.max(...waits)).toBeLessThan(ACK_MS)
  expect(cdn.count('listApiKeys')).toBeLessThanOrEqual(BURST + Math.ceil(seconds) * A_SECOND)
  expect((await peakMb()) - before).toBeLessThan(MAX_MORE_MB)
  const told = ada.messages(OPS).filter(({ text }) => text.includes('You ask faster'))
  expect(told).toHaveLength(1)
  bot.kill('SIGTERM')
  expect(await bot.ended).toEqual({ code: 0, signal: null })
})
