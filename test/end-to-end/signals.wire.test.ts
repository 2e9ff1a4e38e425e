import { execFile } from 'node:child_process'
import { open, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { OPS, VERA } from '../../src/playground/slack/state/seed.ts'
import { type BotStage, startBot } from '../support/bot.ts'
import { useBotStage } from '../support/use-bot-stage.ts'

let stage: BotStage
useBotStage((made) => (stage = made))

describe('of two signals to stop', () => {
  test.each([
    ['SIGINT', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
  ] as const)('%s and then %s, the second ends the process, whatever is under way', async (first, second) => {
    const started = await stage.startLinked()
    stage.cdn.faults.set('getStorageStatistics', { kind: 'slow', delayMs: 20_000 })
    await stage.slack.person(VERA).command(OPS, '/cdn storage stats 101')
    await expect.poll(() => stage.cdn.count('getStorageStatistics')).toBe(1)
    started.kill(first)
    await started.says(/stopping/)
    // One that comes at once may be the same wish.
    const isAlive = (): boolean => (started.kill(second), started.isAlive())
    await expect.poll(isAlive, { interval: 200 }).toBe(false)
    expect(await started.ended).toEqual({ code: 1, signal: null })
  })

  test('that come together, as npm passes on what a whole process group gets, the second does nothing', async () => {
    const started = await stage.startLinked()
    started.kill('SIGINT')
    started.kill('SIGTERM')
    await started.says(/"msg":"stopped"/)
    expect(await started.ended).toEqual({ code: 0, signal: null })
  })
})

describe('a signal to read the configuration file again', () => {
  test('that comes while it is read at the start has it read again, as it is then', async () => {
    const file = join(stage.folder, 'cdn-ops.yaml')
    await promisify(execFile)('mkfifo', [file])
    await writeFile(`${file}.new`, 'zones: [{ kind: dns, id: 201, name: shop }]')
    const started = stage.start({ ...stage.settings, CONFIG_FILE: file })
    const atStart = await open(file, 'w') // there is a reader then
    started.kill('SIGHUP')
    await rename(`${file}.new`, file)
    await atStart.writeFile('{}')
    await atStart.close()
    await started.says(/configuration file reloaded/)
    const told = () =>
      stage.slack
        .person(VERA)
        .messages(OPS)
        .map(({ text }) => text)
    await expect.poll(told).toContainEqual(expect.stringContaining('was read again, and is in force.'))
  })

  test('does not end what is not loaded yet', async () => {
    const signal = `url.endsWith('/process/start.ts') && process.kill(process.pid, 'SIGHUP')`
    const hook = `import { registerHooks } from 'node:module'; registerHooks({ load: (url, c, next) => (${signal}, next(url, c)) })`
    const bot = startBot({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` })
    expect(await bot.ended).toEqual({ code: 78, signal: null })
  })
})
