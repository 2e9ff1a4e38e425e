import { expect, test } from 'vitest'
import { renderMessage } from '../../src/playground/slack/render-text.ts'
import { OLGA, OPS } from '../../src/playground/slack/state/seed.ts'
import { type BotStage, closedPort } from '../support/bot.ts'
import { failNext } from '../support/failing-slack.ts'
import { useBotStage } from '../support/use-bot-stage.ts'

let stage: BotStage
useBotStage((made) => (stage = made))

test('a stop waits until the result of a write is told, also when Slack takes no post for ten seconds', async () => {
  const { slack } = stage
  const bot = await stage.startLinked()
  const olga = slack.person(OLGA)
  await olga.command(OPS, '/cdn dns add 201 A www 192.0.2.10')
  await slack.until(() => olga.view()?.title === 'Review')
  failNext(slack, 'chat.postMessage', { hang: true })
  await olga.submit()
  await slack.until(() => olga.view()?.title === 'Done')
  bot.kill('SIGTERM')
  expect(await bot.ended).toEqual({ code: 0, signal: null })
  expect(olga.messages(OPS).map(renderMessage).join('\n')).toMatch(/added an A record/)
})

test('a database server that is not there for a minute ends the process so that it is started again', async () => {
  const STORE_URL = `postgres://root:hidden-word@127.0.0.1:${await closedPort()}/test`
  const bot = stage.start({ ...stage.settings, STORE_URL })
  expect(await bot.ended).toEqual({ code: 1, signal: null })
  expect(bot.errors()).toBe('The store could not be opened: The store does not answer (ECONNREFUSED)\n')
  expect(bot.output()).not.toContain('hidden-word')
})
