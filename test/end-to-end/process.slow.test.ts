import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { renderMessage } from '../../src/playground/slack/render-text.ts'
import { startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { OLGA, OPS } from '../../src/playground/slack/seed.ts'
import { systemClock as clock } from '../../src/shared/clock.ts'
import { closedPort, settingsFor, startBot } from '../support/bot-process.ts'
import { failNext } from '../support/failing-slack.ts'

test('a stop waits until the result of a write is told, also when Slack takes no post for ten seconds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cdn-ops-process-'))
  const slack = await startSlackEmulator()
  const cdn = await startCdnEmulator({ clock })
  const bot = startBot(settingsFor(slack, cdn, join(folder, 'store.sqlite')))
  onTestFinished(async () => {
    bot.kill('SIGKILL')
    await Promise.all([bot.ended, slack.close(), cdn.close()])
    await rm(folder, { recursive: true, force: true })
  })
  await bot.says(/linked to Slack/)
  const olga = slack.person(OLGA)
  await olga.command(OPS, '/cdn dns add 201 A www 192.0.2.10')
  await slack.until(() => olga.view()?.title === 'Review')
  failNext(slack, 'chat.postMessage', { hang: true })
  await olga.submit()
  await slack.until(() => olga.view()?.title === 'Done')
  bot.kill('SIGTERM')
  expect(await bot.ended).toEqual({ code: 0, signal: null })
  expect(olga.messages(OPS).map(renderMessage).join('\n')).toMatch(/The A record.*was added/)
})

test('a database server that is not there for a minute ends the process so that it is started again', async () => {
  const slack = await startSlackEmulator()
  const cdn = await startCdnEmulator({ clock })
  const bot = startBot(settingsFor(slack, cdn, `postgres://root:hidden-word@127.0.0.1:${await closedPort()}/test`))
  onTestFinished(async () => {
    bot.kill('SIGKILL')
    await Promise.all([bot.ended, slack.close(), cdn.close()])
  })
  expect(await bot.ended).toEqual({ code: 1, signal: null })
  expect(bot.errors()).toBe('The store could not be opened: The store does not answer (ECONNREFUSED)\n')
  expect(bot.output()).not.toContain('hidden-word')
})
