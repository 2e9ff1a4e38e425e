import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { OPS, VERA } from '../../src/playground/slack/state/seed.ts'
import type { BotProcess, BotStage, Variables } from '../support/bot.ts'
import { auditIn } from '../support/store-file.ts'
import { useBotStage } from '../support/use-bot-stage.ts'

/** The audit tool as its own process, beside the bot as its own. */

describe('beside a bot with a SQLite store', () => {
  let stage: BotStage
  let bot: BotProcess
  let variables: Variables
  useBotStage((made) => (stage = made))
  beforeEach(async () => {
    mkdirSync(join(stage.folder, 'tmp'))
    variables = { STORE_URL: stage.store, AUDIT_KEY: 'k'.repeat(32), TMPDIR: join(stage.folder, 'tmp') }
    bot = await stage.startLinked({ ...stage.settings, ...variables })
    await stage.slack.person(VERA).command(OPS, '/cdn dns add 201 A www 192.0.2.10')
  })
  const recorded = () => auditIn(stage.store).map(({ event }) => event)
  const tool = async (...args: readonly string[]) => {
    const run = stage.start(variables, { args: ['audit', ...args] })
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
    const before = files(stage.folder)
    const { code, output, errors } = await tool('verify')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    const [, head = ''] =
      /^Audit log: \d+ entries intact[\s\S]*Head, to note elsewhere: (\d+:\w{64})\n$/.exec(output) ?? []
    expect(await tool('verify', '--expect', head)).toMatchObject({ code: 0 })
    const exported = await tool('export')
    expect(exported).toMatchObject({ code: 0 })
    expect(files(stage.folder)).toEqual(before)
    expect(exported.output.split('\n').length - 1).toBe(auditIn(stage.store).length)
  })

  test('it reads all that a killed bot had committed, and leaves no copy of it', async () => {
    await expect.poll(recorded).toContain('denied')
    // Maintenance, which begins with the bot, may have cut the log just now.
    const asked = async (): Promise<number> => {
      await stage.slack.person(VERA).command(OPS, '/cdn dns add 201 A www 192.0.2.10')
      return statSync(`${stage.store}-wal`).size
    }
    await expect.poll(asked).toBeGreaterThan(0)
    bot.kill('SIGKILL')
    await bot.ended
    expect(statSync(`${stage.store}-wal`).size).toBeGreaterThan(0)
    const before = files(stage.folder)
    const { code, output } = await tool('export', '--format', 'csv')
    expect(code).toBe(0)
    expect(output).toMatch(/,denied,/)
    expect(await tool('verify')).toMatchObject({ code: 0 })
    expect(files(stage.folder)).toEqual(before)
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
