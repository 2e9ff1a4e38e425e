import { beforeEach, expect, test } from 'vitest'
import { ADA, OPS, VERA } from '../../src/playground/slack/state/seed.ts'
import { systemClock as clock } from '../../src/shared/clock.ts'
import { type BotProcess, type BotStage, forgetPeak, residentBytes } from '../support/bot.ts'
import { useBotStage } from '../support/use-bot-stage.ts'

const COMMANDS = 10_000
const SECONDS = 10
const TICKS = 100
const ACK_MS = 1_000
/** What one person may ask at once, and each second from then on. */
const BURST = 120
const A_SECOND = 2
const MAX_MORE_BYTES = 64 * 1_048_576
const FLOODED = '/cdn keys list'

let stage: BotStage
let bot: BotProcess
useBotStage((made) => (stage = made))
beforeEach(async () => void (bot = await stage.startLinked()))

/** Another person asks; notes how long that took to be acknowledged. */
async function asks(waits: number[]): Promise<void> {
  const askedMs = clock.monotonicMs()
  expect(await stage.slack.person(VERA).command(OPS, '/cdn whoami')).toEqual({ ok: true })
  waits.push(clock.monotonicMs() - askedMs)
}

test(`${COMMANDS} commands of one person in ${SECONDS} s neither fill the memory nor reach the platform nor delay another person`, async () => {
  const ada = stage.slack.person(ADA)
  await asks([])
  forgetPeak(bot.pid)
  const before = residentBytes(bot.pid, 'VmHWM')
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
  expect(stage.cdn.count('listApiKeys')).toBeLessThanOrEqual(BURST + Math.ceil(seconds) * A_SECOND)
  expect(residentBytes(bot.pid, 'VmHWM') - before).toBeLessThan(MAX_MORE_BYTES)
  const told = ada.messages(OPS).filter(({ text }) => text.includes('You ask faster'))
  expect(told).toHaveLength(1)
  bot.kill('SIGTERM')
  expect(await bot.ended).toEqual({ code: 0, signal: null })
})
