import { expect, test } from 'vitest'
import { OLGA, OPS } from '../../src/playground/slack/state/seed.ts'
import type { BotStage } from '../support/bot.ts'
import { changesIn } from '../support/store-file.ts'
import { useBotStage } from '../support/use-bot-stage.ts'

const PRELOAD = new URL('failing-sync.ts', import.meta.url).pathname

let stage: BotStage
useBotStage((made) => (stage = made))

test.each([
  ['kept', ['approved']],
  ['lost', ['draft']],
] as const)(
  'a disk that does not keep a commit ends the process with 1 before anything is sent; a new one starts on what is %s',
  async (kept, states) => {
    const { slack, cdn, store } = stage
    const bot = await stage.startLinked({ ...stage.settings, FAILING_SYNC: kept }, { preload: PRELOAD })
    const olga = slack.person(OLGA)
    await olga.command(OPS, '/cdn dns add 201 A mail 192.0.2.11')
    await slack.until(() => olga.view()?.title === 'Review')
    bot.kill('SIGUSR2')
    await bot.says(/no commit is kept/)
    void olga.submit().catch(() => undefined)
    expect(await bot.ended).toEqual({ code: 1, signal: null })
    expect(bot.output().trim().split('\n').at(-1)).toContain('failed to sync: exiting')
    expect(bot.output().match(/failed to sync/g)).toHaveLength(1)
    expect(cdn.count('addDnsRecord')).toBe(0)
    expect(changesIn(store).map(({ state }) => state)).toEqual(states)
    await stage.startLinked()
  },
)
