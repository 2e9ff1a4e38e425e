import { execFile } from 'node:child_process'
import { open, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { OPS, VERA } from '../../src/playground/slack/seed.ts'
import { type BotProcess, settingsFor, startBot, type Variables } from '../support/bot-process.ts'
import { type ProcessStage, useProcessStage } from '../support/process-stage.ts'

let stage: ProcessStage
let settings: Variables
useProcessStage((made) => {
  stage = made
  settings = settingsFor(made.slack, made.cdn, made.store)
})

describe('of two signals to stop', () => {
  test.each([
    ['SIGINT', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
  ] as const)('%s and then %s, the second ends the process at once, whatever is under way', async (first, second) => {
    const started = start(settings)
    await started.says(/linked to Slack/)
    stage.cdn.faults.set('getStorageStatistics', { kind: 'slow', delayMs: 20_000 })
    await stage.slack.person(VERA).command(OPS, '/cdn storage stats 101')
    await expect.poll(() => stage.cdn.count('getStorageStatistics')).toBe(1)
    started.kill(first)
    await started.says(/stopping/)
    started.kill(second)
    expect(await started.ended).toEqual({ code: 1, signal: null })
  })
})

describe('a signal to read the configuration file again', () => {
  test('that comes while it is read at the start has it read again, as it is then', async () => {
    const file = join(stage.folder, 'cdn-ops.yaml')
    await promisify(execFile)('mkfifo', [file])
    await writeFile(`${file}.new`, 'zones: [{ kind: dns, id: 201, name: shop }]')
    const started = start({ ...settings, CONFIG_FILE: file })
    const atStart = await open(file, 'w') // there is a reader then
    started.kill('SIGHUP')
    await rename(`${file}.new`, file)
    await atStart.writeFile('{}')
    await atStart.close()
    await started.says(/the configuration file was read again/)
    const told = () =>
      stage.slack
        .person(VERA)
        .messages(OPS)
        .map(({ text }) => text)
    await expect.poll(told).toContainEqual(expect.stringContaining('holds now: 0 rules, 1 name of a zone'))
  })

  test('does not end what is not loaded yet', async () => {
    const signal = `url.endsWith('/process/start.ts') && process.kill(process.pid, 'SIGHUP')`
    const hook = `import { registerHooks } from 'node:module'; registerHooks({ load: (url, c, next) => (${signal}, next(url, c)) })`
    const bot = start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` })
    expect(await bot.ended).toEqual({ code: 78, signal: null })
  })
})

function start(variables: Variables): BotProcess {
  const bot = startBot(variables)
  stage.bots.push(bot)
  return bot
}
