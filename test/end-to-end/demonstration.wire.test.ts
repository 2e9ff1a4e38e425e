import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { renderMessage, renderView } from '../../src/playground/slack/render-text.ts'
import { GUS, NORA, OPS } from '../../src/playground/slack/state/seed.ts'
import type { BotStage, Variables } from '../support/bot.ts'
import { useBotStage } from '../support/use-bot-stage.ts'

const FOOTER = /Demonstration: this CDN is made up, and every full member is an operator\./
const START = { args: ['slack-cli', 'start'] }

let stage: BotStage
useBotStage((made) => (stage = made))

/** What the Slack CLI gives. */
const given = (): Variables => ({
  SLACK_CLI_XOXB: stage.slack.botToken,
  SLACK_CLI_XAPP: stage.slack.appToken,
  SLACK_API_URL: stage.slack.apiUrl,
})

describe('the start hook of the Slack CLI', () => {
  test('without a CDN starts a demonstration, and the log, Home and every answer say so', async () => {
    const bot = await stage.startLinked(given(), START)
    expect(bot.output()).toMatch(FOOTER)
    const nora = stage.slack.person(NORA)
    const shown = () => nora.messages(OPS).map(renderMessage)
    await nora.command(OPS, '/cdn whoami')
    await stage.slack.until(() => shown().some((text) => /an operator.*in a demonstration/.test(text)))
    await nora.command(OPS, '/cdn storage stats shop')
    await stage.slack.until(() => shown().some((text) => /Number of files, by day/.test(text)))
    await nora.command(OPS, '/cdn dns add 201 A demo 192.0.2.10')
    await stage.slack.until(() => nora.view()?.title === 'Review')
    await nora.submit()
    await stage.slack.until(() => shown().some((text) => /added an A record/.test(text)))
    const answers = nora.messages(OPS).filter(({ byBot }) => byBot)
    expect(answers.length).toBeGreaterThan(2)
    for (const answer of answers) expect(renderMessage(answer)).toMatch(FOOTER)
    await nora.openHome()
    await stage.slack.until(() => nora.home() !== undefined)
    expect(renderView(nora.home()!)).toMatch(FOOTER)
    expect(stage.cdn.requests).toEqual([])
    bot.kill('SIGTERM')
    expect(await bot.ended).toEqual({ code: 0, signal: null })
  })

  test('gives nobody else a role', async () => {
    await stage.startLinked(given(), START)
    const gus = stage.slack.person(GUS)
    await gus.command(OPS, '/cdn storage stats shop')
    await stage.slack.until(() => gus.messages(OPS).some((answer) => /no role|guest/i.test(renderMessage(answer))))
    expect(gus.messages(OPS).map(renderMessage).join()).not.toMatch(/by day/)
  })

  test('with a CDN, here from a file of settings, starts the bot as it is', async () => {
    const others = Object.entries(stage.settings).filter(([name]) => !/^SLACK_(BOT|APP)_TOKEN$/.test(name))
    const file = join(stage.folder, 'cdn-ops.env')
    await writeFile(file, others.map(([name, value]) => `${name}=${value}`).join('\n'))
    const bot = await stage.startLinked({ ...given(), ENV_FILE: file }, START)
    await stage.slack.person(NORA).command(OPS, '/cdn storage stats 101')
    await stage.slack.until(() => /no role/.test(stage.slack.person(NORA).messages(OPS).map(renderMessage).join()))
    expect(bot.output() + stage.slack.person(NORA).messages(OPS).map(renderMessage).join()).not.toMatch(FOOTER)
  })

  test('with half a CDN starts nothing, and names the other half', async () => {
    const bot = stage.start({ ...given(), CDN_API_URL: stage.cdn.managementUrl }, START)
    expect(await bot.ended).toEqual({ code: 78, signal: null })
    expect(bot.errors()).toMatch(/CDN_LOGGING_URL is not set[\s\S]*CDN_API_KEY is not set/)
  })
})

test('npm start never makes a CDN up', async () => {
  const bot = stage.start({
    SLACK_BOT_TOKEN: stage.slack.botToken,
    SLACK_APP_TOKEN: stage.slack.appToken,
    SLACK_API_URL: stage.slack.apiUrl,
  })
  expect(await bot.ended).toEqual({ code: 78, signal: null })
  expect(bot.errors()).toMatch(/CDN_API_URL is not set/)
})
