import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openBotStage } from '../../support/bot.ts'
import type { Canary } from './spellings.ts'

/** Settings whose secrets are given in files, with the kind of key that each is made of. */
const IN_FILES = {
  SLACK_BOT_TOKEN: 'Slack bot',
  SLACK_APP_TOKEN: 'Slack app',
  CDN_API_KEY: 'content network',
  AUDIT_KEY: 'vault',
} as const

/** What can be seen of the bot's own process from outside, while it runs at its most talkative and after its end. */
export async function careful(planted: readonly Canary[]): Promise<Readonly<Record<string, string>>> {
  const valueOf = (kind: string): string => planted.find((each) => each.kind === kind)?.value ?? ''
  const stage = await openBotStage({
    slack: { botToken: valueOf('Slack bot'), appToken: valueOf('Slack app') },
    cdn: { accessKey: valueOf('content network') },
  })
  const { folder } = stage
  try {
    const files = join(folder, 'secrets')
    await mkdir(files)
    const variables: Record<string, string> = { ...stage.settings, LOG_LEVEL: 'trace' }
    for (const [name, kind] of Object.entries(IN_FILES)) {
      await writeFile(join(files, name), valueOf(kind))
      delete variables[name]
      variables[`${name}_FILE`] = join(files, name)
    }
    const bot = await stage.startLinked(variables)
    const shown = { 'arguments and environment of the process': await seenOf(bot.pid) }
    bot.kill('SIGABRT')
    await bot.ended
    await rm(files, { recursive: true })
    const left = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')))
    return {
      ...shown,
      'both streams of the process': bot.output() + bot.errors(),
      'what an abort leaves': left.join('\n'),
    }
  } finally {
    await stage.close()
  }
}

async function seenOf(pid: number): Promise<string> {
  const parts = await Promise.all(['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'latin1')))
  return parts.join('\n')
}
