import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { renderMessage, renderView } from '../../src/playground/slack/render-text.ts'
import { OLGA, OPERATORS_GROUP, OPS, OTHER_TEAM_ID, OTTO, TEAM, VERA } from '../../src/playground/slack/state/seed.ts'
import { systemClock as clock } from '../../src/shared/clock.ts'
import { type BotStage, closedPort } from '../support/bot.ts'
import { plantOrganisation } from '../support/planted-faults.ts'
import { useBotStage } from '../support/use-bot-stage.ts'

const LONG_MS = 10_000

let stage: BotStage
useBotStage((made) => (stage = made))

describe('with all settings set by hand', () => {
  test('the process answers a command and ends with 0 when asked to stop', async () => {
    const bot = await stage.startLinked()
    await stage.slack.person(VERA).command(OPS, '/cdn storage stats 101')
    expect(await shown(VERA, /Storage zone.*101[\s\S]*Number of files, by day/)).toMatch(
      /Storage zone.*101[\s\S]*Number of files, by day/,
    )
    bot.kill('SIGTERM')
    expect(await bot.ended).toEqual({ code: 0, signal: null })
    expect(bot.errors()).toBe('')
  })

  test('a write under way is finished and told before the process ends', async () => {
    const bot = await stage.startLinked()
    const olga = stage.slack.person(OLGA)
    await olga.command(OPS, '/cdn dns add 201 A www 192.0.2.10')
    await stage.slack.until(() => olga.view()?.title === 'Review', LONG_MS)
    stage.cdn.faults.set('addDnsRecord', { kind: 'slow', delayMs: 1_500 })
    await olga.submit()
    await expect.poll(() => stage.cdn.count('addDnsRecord')).toBe(1)
    bot.kill('SIGTERM')
    await bot.says(/stopping/)
    await olga.command(OPS, '/cdn storage stats 101')
    expect(await shown(OLGA, /being restarted. Nothing was done/)).toMatch(/being restarted. Nothing was done/)
    expect(await shown(OLGA, /added an A record/)).toMatch(/added an A record/)
    expect(await bot.ended).toEqual({ code: 0, signal: null })
    expect(stage.cdn.count('addDnsRecord')).toBe(1)
    expect(stage.cdn.count('getStorageStatistics')).toBe(0)
  })

  test('the process works on, and ends, when nobody reads its log any more', async () => {
    const bot = await stage.startLinked({ ...stage.settings, LOG_LEVEL: 'trace' })
    bot.stopReading()
    const vera = stage.slack.person(VERA)
    for (const zone of [101, 102]) await vera.command(OPS, `/cdn storage stats ${zone}`)
    expect(await shown(VERA, /Number of files, by day[\s\S]*Number of files, by day/)).toMatch(/101[\s\S]*102/)
    bot.kill('SIGTERM')
    expect(await bot.ended).toEqual({ code: 0, signal: null })
  })

  test('a bearer token serves as well as a key', async () => {
    const { CDN_API_KEY: _, ...rest } = stage.settings
    await stage.startLinked({ ...rest, CDN_BEARER_TOKEN: stage.cdn.bearerToken })
    await stage.slack.person(VERA).command(OPS, '/cdn storage stats 101')
    expect(await shown(VERA, /Number of files, by day/)).toMatch(/Number of files, by day/)
  })

  test('a second process on the same store says so and ends', async () => {
    await stage.startLinked()
    const second = stage.start()
    expect(await second.ended).toEqual({ code: 78, signal: null })
    expect(second.errors()).toMatch(/store .*(in use|another|process)/i)
    expect(second.errors()).not.toMatch(/^\s+at /m)
  })
})

describe('the key of the record', () => {
  test('cannot come later or be another one: the process says what to do, ends, and leaves the record as it was', async () => {
    const first = await stage.startLinked()
    await stage.slack.person(VERA).command(OPS, '/cdn keys list')
    expect(await shown(VERA, /Only operators and admins can use/)).toMatch(/Only operators and admins can use/)
    first.kill('SIGTERM')
    await first.ended
    const keyed = stage.start({ ...stage.settings, AUDIT_KEY: 'k'.repeat(32) })
    expect(await keyed.ended).toEqual({ code: 78, signal: null })
    expect(keyed.errors()).toMatch(/record was made without a key, and AUDIT_KEY is set[\s\S]*Take AUDIT_KEY away/)
    expect(keyed.errors()).not.toMatch(/^\s+at /m)
    await stage.startLinked()
  })
})

describe('health', () => {
  test('is alive at once, ready when linked, and counts what was done', async () => {
    stage.slack.switches.refuseConnections = true
    const port = await closedPort()
    const bot = stage.start({ ...stage.settings, HEALTH_PORT: `127.0.0.1:${port}` })
    await bot.says(/Slack cannot be reached/)
    expect(await page(port, '/healthz')).toEqual({ status: 200, body: 'alive\n' })
    expect(await page(port, '/readyz')).toEqual({ status: 503, body: 'not linked to Slack\n' })
    stage.slack.switches.refuseConnections = false
    await bot.says(/linked to Slack: ready/)
    expect(await page(port, '/readyz')).toEqual({ status: 200, body: 'ready\n' })
    await stage.slack.person(VERA).command(OPS, '/cdn storage stats 101')
    expect(await shown(VERA, /Number of files, by day/)).toMatch(/Number of files, by day/)
    const { body } = await page(port, '/metrics')
    expect(body).toMatch(/cdn_ops_operations_total\{operation="storage stats",outcome="answered"\} 1/)
    expect(body).toMatch(/cdn_ops_slack_ack_seconds_count\{kind="command"\} 1/)
    expect(body).toMatch(/cdn_ops_platform_call_seconds_count\{endpoint="getStorageStatistics",outcome="ok"\} 1/)
    expect(body).toMatch(/cdn_ops_slack_links [12]/)
    expect(body).not.toContain('replica=')
  })
})

describe('with a token', () => {
  test('of an organisation, it serves the workspace it is granted to, or the one that is named', async () => {
    plantOrganisation(stage.slack, [TEAM.id])
    const config = join(stage.folder, 'cdn-ops.yaml')
    await writeFile(config, `roles: {operator: {groups: [${OPERATORS_GROUP}]}}`)
    const bot = await stage.startLinked({ ...stage.settings, OPERATORS: '', CONFIG_FILE: config })
    await stage.slack.person(OTTO).command(OPS, '/cdn whoami')
    expect(await shown(OTTO, /You are/)).toMatch(/an operator\*, through @cdn-operators/)
    const asked = stage.slack.calls.find(({ method }) => method === 'usergroups.users.list')
    expect(asked?.args).toMatchObject({ team_id: TEAM.id })
    bot.kill('SIGTERM')
    await bot.ended
    plantOrganisation(stage.slack, [TEAM.id, OTHER_TEAM_ID])
    const unnamed = stage.start()
    expect(await unnamed.ended).toEqual({ code: 78, signal: null })
    expect(unnamed.errors()).toMatch(/SLACK_BOT_TOKEN is for .* Name in SLACK_TEAM_ID the one/)
    await stage.startLinked({ ...stage.settings, SLACK_TEAM_ID: TEAM.id })
  })
})

describe('pointed at nothing', () => {
  test('it says so, keeps trying, and works once Slack and the platform are there', async () => {
    const [port = 0, loggingPort = 0] = [stage.cdn.managementUrl, stage.cdn.loggingUrl].map((url) =>
      Number(new URL(url).port),
    )
    const slackPort = stage.slack.port
    await Promise.all([stage.slack.close(), stage.cdn.close()])
    const bot = stage.start()
    await bot.says(/Slack cannot be reached: trying again[\s\S]*Slack cannot be reached: trying again/)
    stage.slack = await startSlackEmulator({ port: slackPort })
    await bot.says(/linked to Slack: ready/)
    await stage.slack.person(VERA).command(OPS, '/cdn storage stats 101')
    expect(await shown(VERA, /Nothing listens at the address of the CDN/)).toMatch(
      /Nothing listens at the address of the CDN/,
    )
    stage.cdn = await startCdnEmulator({ clock, port, loggingPort })
    await stage.slack.person(VERA).command(OPS, '/cdn storage stats 101')
    expect(await shown(VERA, /Number of files, by day/)).toMatch(/Number of files, by day/)
  })

  test.each([
    { name: 'Slack', close: () => stage.slack.close() },
    { name: 'a link to Slack', close: async () => (stage.slack.switches.refuseConnections = true) },
  ])('it can be stopped while it tries to reach $name', async ({ close }) => {
    await close()
    const bot = stage.start()
    await bot.says(/Slack cannot be reached/)
    bot.kill('SIGTERM')
    expect(await bot.ended).toEqual({ code: 0, signal: null })
    expect(bot.output()).not.toMatch(/linked to Slack/)
  })
})

describe('a database server that is not there yet', () => {
  test('is waited for, and the process can be stopped meanwhile', async () => {
    const bot = stage.start({ ...stage.settings, STORE_URL: `postgres://root@127.0.0.1:${await closedPort()}/test` })
    await bot.says(/the store does not answer yet[\s\S]*the store does not answer yet/)
    bot.kill('SIGTERM')
    expect(await bot.ended).toEqual({ code: 0, signal: null })
    expect(bot.errors()).toBe('')
  })
})

describe('what cannot work', () => {
  test('wrong and missing settings are told all at once, without their values', async () => {
    const { CDN_API_URL: _, ...rest } = stage.settings
    const bot = stage.start({
      ...rest,
      SLACK_BOT_TOKEN: 'hidden-value',
      CDN_LOGGING_URL: 'http://example.com',
      ADMINS: 'ada',
    })
    expect(await bot.ended).toEqual({ code: 78, signal: null })
    expect(bot.output()).toBe('')
    for (const name of ['CDN_API_URL', 'SLACK_BOT_TOKEN', 'CDN_LOGGING_URL', 'ADMINS']) {
      expect(bot.errors()).toContain(`- ${name} `)
    }
    expect(bot.errors()).not.toMatch(/hidden-value|^\s+at /m)
    expect(bot.errors()).not.toContain('npm run playground')
  })

  test('nothing set at all also leads to the playground', async () => {
    const bot = stage.start({})
    expect(await bot.ended).toEqual({ code: 78, signal: null })
    expect(bot.errors()).toContain('npm run playground')
    expect(bot.errors()).not.toMatch(/^\s+at /m)
  })

  test.each(['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'])('a refused %s ends the process with a clear word', async (name) => {
    const bot = stage.start({ ...stage.settings, [name]: `${name === 'SLACK_BOT_TOKEN' ? 'xoxb' : 'xapp'}-revoked` })
    expect(await bot.ended).toEqual({ code: 78, signal: null })
    expect(bot.errors()).toMatch(new RegExp(`Slack does not accept ${name} \\(invalid_auth\\)`))
    expect(bot.errors()).not.toMatch(/^\s+at /m)
    expect(bot.output()).not.toMatch(/linked to Slack/)
  })
})

/** What somebody sees in the channel and the open modal, once it matches or nothing comes any more. */
async function shown(who: string, pattern: RegExp): Promise<string> {
  const person = stage.slack.person(who)
  const look = (): string => {
    const view = person.view()
    return [...person.messages(OPS).map(renderMessage), view === undefined ? '' : renderView(view)].join('\n')
  }
  await stage.slack.until(() => pattern.test(look()), LONG_MS).catch(() => undefined)
  return look()
}

async function page(port: number, path: string): Promise<{ status: number; body: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  return { status: response.status, body: await response.text() }
}
