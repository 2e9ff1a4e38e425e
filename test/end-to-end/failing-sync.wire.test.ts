import { expect, test } from 'vitest'
import { OLGA, OPS } from '../../src/playground/slack/seed.ts'
import { type BotProcess, settingsFor, startBot, type Variables } from '../support/bot-process.ts'
import { type ProcessStage, useProcessStage } from '../support/process-stage.ts'
import { changesIn } from '../support/store-file.ts'

const PRELOAD = new URL('failing-sync.ts', import.meta.url).pathname

let stage: ProcessStage
useProcessStage((made) => (stage = made))

async function start(variables: Variables = {}): Promise<BotProcess> {
  const bot = startBot({ ...settingsFor(stage.slack, stage.cdn, stage.store), ...variables })
  stage.bots.push(bot)
  await bot.says(/linked to Slack/)
  return bot
}

test.each([
  ['kept', ['approved']],
  ['lost', ['draft']],
] as const)(
  'a disk that does not keep a commit ends the process with 1 before anything is sent; a new one starts on what is %s',
  async (kept, states) => {
    const { slack, cdn, store } = stage
    const bot = await start({ NODE_OPTIONS: `--import ${PRELOAD}`, FAILING_SYNC: kept })
    const olga = slack.person(OLGA)
    await olga.command(OPS, '/cdn dns add 201 A mail 192.0.2.11')
    await slack.until(() => olga.view()?.title === 'Review')
    bot.kill('SIGUSR2')
    await bot.says(/no commit is kept/)
    void olga.submit().catch(() => undefined)
    expect(await bot.ended).toEqual({ code: 1, signal: null })
    expect(bot.output().trim().split('\n').at(-1)).toContain('did not keep what was written: the process ends')
    expect(bot.output().match(/did not keep what was written/g)).toHaveLength(1)
    expect(cdn.count('addDnsRecord')).toBe(0)
    expect(changesIn(store).map(({ state }) => state)).toEqual(states)
    await start()
  },
)
