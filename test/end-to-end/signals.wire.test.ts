import { execFile } from 'node:child_process'
import { mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CdnEmulator, startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { type SlackEmulator, startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { OPS, VERA } from '../../src/playground/slack/seed.ts'
import { systemClock as clock } from '../../src/shared/clock.ts'
import { type BotProcess, settingsFor, startBot, type Variables } from '../support/bot-process.ts'

let folder: string
let slack: SlackEmulator
let cdn: CdnEmulator
let settings: Variables
let bot: BotProcess | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cdn-ops-signals-'))
  slack = await startSlackEmulator()
  cdn = await startCdnEmulator({ clock })
  settings = settingsFor(slack, cdn, join(folder, 'store.sqlite'))
})

afterEach(async () => {
  bot?.kill('SIGKILL')
  await Promise.all([bot?.ended, slack.close(), cdn.close()])
  await rm(folder, { recursive: true, force: true })
})

describe('of two signals to stop', () => {
  test.each([
    ['SIGINT', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
  ] as const)('%s and then %s, the second ends the process at once, whatever is under way', async (first, second) => {
    const started = (bot = startBot(settings))
    await started.says(/linked to Slack/)
    cdn.faults.set('getStorageStatistics', { kind: 'slow', delayMs: 20_000 })
    await slack.person(VERA).command(OPS, '/cdn storage stats 101')
    await expect.poll(() => cdn.count('getStorageStatistics')).toBe(1)
    started.kill(first)
    await started.says(/stopping/)
    started.kill(second)
    expect(await started.ended).toEqual({ code: 1, signal: null })
  })
})

describe('a signal to read the configuration file again', () => {
  test('that comes while it is read at the start has it read again, as it is then', async () => {
    const file = join(folder, 'cdn-ops.yaml')
    await promisify(execFile)('mkfifo', [file])
    await writeFile(`${file}.new`, 'zones: [{ kind: dns, id: 201, name: shop }]')
    const started = (bot = startBot({ ...settings, CONFIG_FILE: file }))
    const atStart = await open(file, 'w') // there is a reader then
    started.kill('SIGHUP')
    await rename(`${file}.new`, file)
    await atStart.writeFile('{}')
    await atStart.close()
    await started.says(/the configuration file was read again/)
    const told = () =>
      slack
        .person(VERA)
        .messages(OPS)
        .map(({ text }) => text)
    await expect.poll(told).toContainEqual(expect.stringContaining('holds now: 0 rules, 1 name of a zone'))
  })

  test('does not end what is not loaded yet', async () => {
    const signal = `url.endsWith('/process.ts') && process.kill(process.pid, 'SIGHUP')`
    const hook = `import { registerHooks } from 'node:module'; registerHooks({ load: (url, c, next) => (${signal}, next(url, c)) })`
    bot = startBot({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` })
    expect(await bot.ended).toEqual({ code: 78, signal: null })
  })
})
