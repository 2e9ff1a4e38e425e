import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CdnEmulator, startCdnEmulator } from '../src/playground/cdn/emulator.ts'
import { renderMessage } from '../src/playground/slack/render/render-text.ts'
import { type SlackEmulator, startSlackEmulator } from '../src/playground/slack/emulator.ts'
import { OPS, VERA } from '../src/playground/slack/seed.ts'
import { systemClock as clock } from '../src/shared/clock.ts'
import { createPostgresDatabase, whyNoPostgres } from './store/postgres-harness.ts'
import { closedPort, settingsFor, startBot } from './support/bot-process.ts'

const LONG_MS = 10_000

let slack: SlackEmulator
let cdn: CdnEmulator
beforeEach(async () => {
  slack = await startSlackEmulator()
  cdn = await startCdnEmulator({ clock })
})
afterEach(async () => void (await Promise.all([slack.close(), cdn.close()])))

const missing = await whyNoPostgres()

/** Only a process of its own goes without what is never run. Other tests have one with links to Slack and a file as its store. */
describe.skipIf(missing !== undefined)(`on PostgreSQL${missing === undefined ? '' : `: ${missing}`}`, () => {
  test('a process to which Slack sends requests answers, tells its health, and ends, without what is never run', async () => {
    const database = await createPostgresDatabase()
    const { url } = await database.harness()
    const [port, health] = [await closedPort(), await closedPort()]
    const { SLACK_APP_TOKEN: _, ...settings } = settingsFor(slack, cdn, url)
    const door = { SLACK_SIGNING_SECRET: slack.signingSecret, PORT: `127.0.0.1:${port}` }
    const bot = startBot({ ...settings, ...door, HEALTH_PORT: `127.0.0.1:${health}`, LOG_LEVEL: 'debug' })
    try {
      await bot.says(/linked to Slack: ready/)
      await slack.useHttp({ requestUrl: `http://127.0.0.1:${port}/slack/events` })
      const vera = slack.person(VERA)
      const shown = (): string => vera.messages(OPS).map(renderMessage).join('\n')
      await vera.command(OPS, '/cdn storage stats 101')
      await slack.until(() => shown().includes('Number of files, by day'), LONG_MS)
      const metrics = await fetch(`http://127.0.0.1:${health}/metrics`)
      expect(await metrics.text()).toContain('cdn_ops_operations_total{operation="storage stats",outcome="answered"} 1')
      bot.kill('SIGTERM')
      expect(await bot.ended).toEqual({ code: 0, signal: null })
      expect(bot.errors()).toBe('')
    } finally {
      bot.kill('SIGKILL')
      await bot.ended
      await database.drop()
    }
  })
})
