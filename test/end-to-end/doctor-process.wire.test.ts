import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { OPS } from '../../src/playground/slack/state/seed.ts'
import { type BotStage, closedPort, type Variables } from '../support/bot.ts'
import { useBotStage } from '../support/use-bot-stage.ts'

const Report = z.object({
  checks: z.array(
    z.object({ check: z.string(), isUnknown: z.boolean(), findings: z.array(z.object({ cause: z.string() })) }),
  ),
})

describe('npm run doctor beside a running bot, a process each', () => {
  let stage: BotStage
  useBotStage((made) => (stage = made))
  const doctor = async (settings: Variables) => {
    const run = stage.start(settings, { args: ['doctor', '--json'] })
    const { code } = await run.ended
    const { checks } = Report.parse(JSON.parse(run.output()))
    const causes = checks.flatMap(({ findings }) => findings.map(({ cause }) => cause))
    return {
      code,
      errors: run.errors(),
      causes,
      unknown: checks.flatMap(({ check, isUnknown }) => (isUnknown ? [check] : [])),
    }
  }

  const watching = async (): Promise<Variables> => {
    const CONFIG_FILE = join(stage.folder, 'cdn-ops.yaml')
    await writeFile(CONFIG_FILE, `alerts: {rules: [{watch: 301, channel: ${OPS}}]}`)
    return { ...stage.settings, CONFIG_FILE }
  }

  test('asks it for what it alone can see, opens no link, and leaves its store alone', async () => {
    const settings = { ...(await watching()), HEALTH_PORT: `127.0.0.1:${await closedPort()}` }
    await stage.startLinked(settings)
    await stage.slack.until(() => stage.slack.linkCount === 2)
    stage.cdn.world.setLogging(301n, 'off')
    expect(await doctor(settings)).toEqual({ code: 1, errors: '', causes: ['logs:404:301'], unknown: [] })
    expect(stage.slack.linkCount).toBe(2)
    const unasked = await doctor({ ...settings, HEALTH_PORT: '' })
    expect(unasked).toEqual({ code: 0, errors: '', causes: [], unknown: ['mentioned by alerts', 'store', 'logs'] })
  })

  test('takes the first look at a log after a stop, for which nothing but the log limit makes it wait', async () => {
    const settings = await watching()
    const bot = await stage.startLinked(settings)
    bot.kill('SIGTERM')
    await bot.ended
    expect(await doctor(settings)).toEqual({ code: 0, errors: '', causes: [], unknown: [] })
  })
})
