import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EndpointName } from '../../src/cdn/endpoints.ts'
import { type CdnEmulator, startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { renderMessage, renderView } from '../../src/playground/slack/render/render-text.ts'
import { type SlackEmulator, startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { OLGA, OPS, VERA } from '../../src/playground/slack/seed.ts'
import { systemClock as clock } from '../../src/shared/clock.ts'
import { type BotProcess, settingsFor, startBot } from '../support/bot-process.ts'
import { auditIn, bytesOf, changesIn } from '../support/store-file.ts'

/** How many links the bot keeps open. */
const LINKS = 2
const LONG_MS = 10_000
const SECRET_VALUE = 'planted-variable-value-77'

const WRITES: readonly {
  readonly endpoint: EndpointName
  readonly command: string
  readonly lookFor: RegExp
  readonly happened: (emulator: CdnEmulator) => boolean
}[] = [
  {
    endpoint: 'addDnsRecord',
    command: `dns add 201 Script edge 77 --variables TOKEN=${SECRET_VALUE}`,
    lookFor: /Look in DNS zone 201 for a Script record named edge/,
    happened: ({ world }) => world.dnsZone(201n)?.records.some(({ name }) => name === 'edge') === true,
  },
  {
    endpoint: 'createVideoLibrary',
    command: 'library create demo',
    lookFor: /Look in .* for a video library named “demo”/,
    happened: ({ world }) => world.libraries.length === 1,
  },
]

let folder: string
let store: string
let slack: SlackEmulator
let cdn: CdnEmulator
const bots: BotProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cdn-ops-killed-'))
  store = join(folder, 'store.sqlite')
  slack = await startSlackEmulator()
  cdn = await startCdnEmulator({ clock })
})

afterEach(async () => {
  for (const bot of bots.splice(0)) {
    bot.kill('SIGKILL')
    await bot.ended
  }
  await Promise.all([slack.close(), cdn.close()])
  await rm(folder, { recursive: true, force: true })
})

describe.each(WRITES)('$command', ({ endpoint, command, lookFor, happened }) => {
  test('the bot is killed while the platform carries it out: after a restart it is unknown, told once, sent never again', async () => {
    const first = await startedBot()
    await reviewed(command)
    cdn.faults.set(endpoint, { kind: 'hang', carriedOut: true })
    await slack.person(OLGA).submit()
    await expect.poll(() => happened(cdn)).toBe(true)
    await killed(first)
    expect(changesIn(store)).toMatchObject([{ state: 'sending' }])
    cdn.faults.clear()

    const second = await startedBot()
    const [change] = changesIn(store)
    const announced = await seen(VERA, lookFor)
    expect(announced).toMatch(
      /Unknown: it may or may not have happened[\s\S]*CDN Ops stopped while this was being sent/,
    )
    expect(changesIn(store)).toMatchObject([{ state: 'unknown' }])
    expect(eventsOf(change?.id)).toEqual(['requested', 'sending', 'unknown'])
    expect(bytesOf(store).includes(SECRET_VALUE)).toBe(false)
    await slack.person(VERA).command(OPS, `/cdn changes show ${change?.id}`)
    expect(await seen(VERA, /What was asked for/)).toMatch(/only visible to you[\s\S]*\*unknown\*/)
    await killed(second)

    await startedBot()
    await slack.person(VERA).command(OPS, '/cdn changes list')
    expect(await seen(VERA, /One change/)).toMatch(/\*unknown\*/)
    expect(announcements()).toHaveLength(1)
    expect(cdn.count(endpoint)).toBe(1)
  })

  test('the platform is killed while it carries it out: the person sees that it is unknown', async () => {
    await startedBot()
    await reviewed(command)
    cdn.faults.set(endpoint, { kind: 'hang', carriedOut: true })
    await slack.person(OLGA).submit()
    await expect.poll(() => happened(cdn)).toBe(true)
    const [port = 0, loggingPort = 0] = [cdn.managementUrl, cdn.loggingUrl].map((url) => Number(new URL(url).port))
    await cdn.close()
    await slack.until(() => slack.person(OLGA).view()?.title === 'Unknown', LONG_MS)
    expect(renderView(slack.person(OLGA).view()!)).toMatch(lookFor)
    expect(await seen(VERA, lookFor)).toMatch(/never sent again by itself/)
    const [change] = changesIn(store)
    expect(change).toMatchObject({ state: 'unknown' })
    expect(eventsOf(change?.id)).toEqual(['requested', 'sending', 'unknown'])

    cdn = await startCdnEmulator({ clock, port, loggingPort })
    await slack.person(VERA).command(OPS, '/cdn storage stats 101')
    expect(await seen(VERA, /Number of files, by day/)).toMatch(/Storage zone 101/)
    expect(cdn.count(endpoint)).toBe(0)
  })
})

test('a review that was open when the bot was killed can be confirmed after a restart, once', async () => {
  const first = await startedBot()
  await reviewed('dns add 201 A www 192.0.2.10')
  await killed(first)
  await startedBot()
  await slack.person(OLGA).submit()
  expect(await seen(VERA, /was added to DNS zone/)).toMatch(/Asked by @olga/)
  expect(changesIn(store)).toMatchObject([{ state: 'done' }])
  expect(cdn.count('addDnsRecord')).toBe(1)
})

async function startedBot(): Promise<BotProcess> {
  const bot = startBot(settingsFor(slack, cdn, store))
  bots.push(bot)
  await bot.says(/linked to Slack/)
  await slack.until(() => slack.linkCount === LINKS)
  return bot
}

async function killed(bot: BotProcess): Promise<void> {
  bot.kill('SIGKILL')
  await bot.ended
  await slack.until(() => slack.linkCount === 0)
}

async function reviewed(command: string): Promise<void> {
  await slack.person(OLGA).command(OPS, `/cdn ${command}`)
  await slack.until(() => slack.person(OLGA).view()?.title === 'Review', LONG_MS)
}

/** What somebody sees in the channel once it matches. */
async function seen(who: string, pattern: RegExp): Promise<string> {
  const look = (): string => slack.person(who).messages(OPS).map(renderMessage).join('\n')
  await slack.until(() => pattern.test(look()), LONG_MS).catch(() => undefined)
  const text = look()
  expect(text).toMatch(pattern)
  return text
}

function announcements(): readonly string[] {
  return slack
    .person(VERA)
    .messages(OPS)
    .filter(({ ephemeral }) => !ephemeral)
    .map(renderMessage)
    .filter((text) => text.includes('it may or may not have happened'))
}

function eventsOf(changeId: string | undefined): readonly string[] {
  return auditIn(store)
    .filter((entry) => entry.changeId === changeId)
    .map(({ event }) => event)
}
