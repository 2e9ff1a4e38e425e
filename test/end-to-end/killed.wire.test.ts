import { describe, expect, test } from 'vitest'
import type { EndpointName } from '../../src/cdn/contract/endpoints.ts'
import type { CdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { renderMessage } from '../../src/playground/slack/render-text.ts'
import { OLGA, OPS, VERA } from '../../src/playground/slack/state/seed.ts'
import type { BotProcess, BotStage } from '../support/bot.ts'
import { auditIn, bytesOf, changesIn } from '../support/store-file.ts'
import { useBotStage } from '../support/use-bot-stage.ts'

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
    lookFor: /Look for a video library named “demo”/,
    happened: ({ world }) => world.libraries.length === 1,
  },
]

let stage: BotStage
useBotStage((made) => (stage = made))

describe.each(WRITES)('$command', ({ endpoint, command, lookFor, happened }) => {
  test('the bot is killed while the platform carries it out: after a restart it is unknown, told once, sent never again', async () => {
    const first = await startedBot()
    await reviewed(command)
    stage.cdn.faults.set(endpoint, { kind: 'hang', carriedOut: true })
    await stage.slack.person(OLGA).submit()
    await expect.poll(() => happened(stage.cdn)).toBe(true)
    await killed(first)
    expect(changesIn(stage.store)).toMatchObject([{ state: 'sending' }])
    stage.cdn.faults.clear()

    const second = await startedBot()
    const [change] = changesIn(stage.store)
    const announced = await seen(VERA, lookFor)
    expect(announced).toMatch(
      /Unknown: it may or may not have happened[\s\S]*CDN Ops stopped while this was being sent/,
    )
    expect(changesIn(stage.store)).toMatchObject([{ state: 'unknown' }])
    expect(eventsOf(change?.id)).toEqual(['requested', 'sending', 'unknown'])
    expect(bytesOf(stage.store).includes(SECRET_VALUE)).toBe(false)
    await stage.slack.person(VERA).command(OPS, `/cdn changes show ${change?.id}`)
    expect(await seen(VERA, /What was asked for/)).toMatch(/only visible to you[\s\S]*\*unknown\*/)
    await killed(second)

    await startedBot()
    await stage.slack.person(VERA).command(OPS, '/cdn changes list')
    expect(await seen(VERA, /One change/)).toMatch(/\*unknown\*/)
    expect(announcements()).toHaveLength(1)
    expect(stage.cdn.count(endpoint)).toBe(1)
  })
})

test('a review that was open when the bot was killed can be confirmed after a restart, once', async () => {
  const first = await startedBot()
  await reviewed('dns add 201 A www 192.0.2.10')
  await killed(first)
  await startedBot()
  await stage.slack.person(OLGA).submit()
  expect(await seen(VERA, /added an? .* to DNS zone/)).toMatch(/@olga added/)
  expect(changesIn(stage.store)).toMatchObject([{ state: 'done' }])
  expect(stage.cdn.count('addDnsRecord')).toBe(1)
})

async function startedBot(): Promise<BotProcess> {
  const bot = await stage.startLinked()
  await stage.slack.until(() => stage.slack.linkCount === LINKS)
  return bot
}

async function killed(bot: BotProcess): Promise<void> {
  bot.kill('SIGKILL')
  await bot.ended
  await stage.slack.until(() => stage.slack.linkCount === 0)
}

async function reviewed(command: string): Promise<void> {
  await stage.slack.person(OLGA).command(OPS, `/cdn ${command}`)
  await stage.slack.until(() => stage.slack.person(OLGA).view()?.title === 'Review', LONG_MS)
}

/** What somebody sees in the channel once it matches. */
async function seen(who: string, pattern: RegExp): Promise<string> {
  const look = (): string => stage.slack.person(who).messages(OPS).map(renderMessage).join('\n')
  await stage.slack.until(() => pattern.test(look()), LONG_MS).catch(() => undefined)
  const text = look()
  expect(text).toMatch(pattern)
  return text
}

function announcements(): readonly string[] {
  return stage.slack
    .person(VERA)
    .messages(OPS)
    .filter(({ ephemeral }) => !ephemeral)
    .map(renderMessage)
    .filter((text) => text.includes('it may or may not have happened'))
}

function eventsOf(changeId: string | undefined): readonly string[] {
  return auditIn(stage.store)
    .filter((entry) => entry.changeId === changeId)
    .map(({ event }) => event)
}
