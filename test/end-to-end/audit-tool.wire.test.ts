import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startCdnEmulator, type CdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { type SlackEmulator, startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { OPS, VERA } from '../../src/playground/slack/seed.ts'
import { systemClock as clock } from '../../src/shared/clock.ts'
import { type BotProcess, settingsFor, startBot, type Variables } from '../support/bot-process.ts'
import { auditIn } from '../support/store-file.ts'

/** The audit tool as its own process, beside the bot as its own. */

describe('beside a bot with a SQLite store', () => {
  let folder: string
  let path: string
  let slack: SlackEmulator
  let cdn: CdnEmulator
  let bot: BotProcess
  let variables: Variables
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cdn-ops-process-'))
    path = join(folder, 'data', 'store.sqlite')
    mkdirSync(join(folder, 'tmp'))
    variables = { STORE_URL: path, AUDIT_KEY: 'k'.repeat(32), TMPDIR: join(folder, 'tmp') }
    slack = await startSlackEmulator()
    cdn = await startCdnEmulator({ clock })
    bot = startBot({ ...settingsFor(slack, cdn, path), ...variables })
    await bot.says(/linked to Slack/)
    await slack.person(VERA).command(OPS, '/cdn dns add 201 A www 192.0.2.10')
  })
  afterEach(async () => {
    bot.kill('SIGKILL')
    await Promise.all([bot.ended, slack.close(), cdn.close()])
    rmSync(folder, { recursive: true, force: true })
  })
  const recorded = () => auditIn(path).map(({ event }) => event)
  const tool = async (...args: readonly string[]) => {
    const run = startBot(variables, 'audit', ...args)
    return { ...(await run.ended), output: run.output(), errors: run.errors() }
  }

  test('it waits for the bot to end, then finds its record sound and leaves everything as it was', async () => {
    await expect.poll(recorded).toContain('denied')
    expect(await tool('verify')).toMatchObject({
      code: 78,
      output: '',
      errors: expect.stringMatching(/The bot is using .* Stop it first, or take a copy/) as string,
    })
    bot.kill('SIGTERM')
    await bot.ended
    const before = files(folder)
    const { code, output, errors } = await tool('verify')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    const [, head = ''] = /^The record is sound[\s\S]*Head, to note elsewhere: (\d+:\w{64})\n$/.exec(output) ?? []
    expect(await tool('verify', '--expect', head)).toMatchObject({ code: 0 })
    const exported = await tool('export')
    expect(exported).toMatchObject({ code: 0 })
    expect(files(folder)).toEqual(before)
    expect(exported.output.split('\n').length - 1).toBe(auditIn(path).length)
  })

  test('it reads all that a killed bot had committed, and leaves no copy of it', async () => {
    await expect.poll(recorded).toContain('denied')
    // Maintenance, which begins with the bot, may have cut the log just now.
    const asked = async (): Promise<number> => {
      await slack.person(VERA).command(OPS, '/cdn dns add 201 A www 192.0.2.10')
      return statSync(`${path}-wal`).size
    }
    await expect.poll(asked).toBeGreaterThan(0)
    bot.kill('SIGKILL')
    await bot.ended
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
    const before = files(folder)
    const { code, output } = await tool('export', '--format', 'csv')
    expect(code).toBe(0)
    expect(output).toMatch(/,denied,/)
    expect(await tool('verify')).toMatchObject({ code: 0 })
    expect(files(folder)).toEqual(before)
  })
})

function files(folder: string): readonly (readonly [string, number, number])[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name))
      return [name, size, name === 'tmp' ? 0 : mtimeMs] as const
    })
}
