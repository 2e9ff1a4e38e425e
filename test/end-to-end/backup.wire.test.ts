import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OPS, VERA } from '../../src/playground/slack/state/seed.ts'
import { createPostgresDatabase, whyNoPostgres } from '../store/postgres-harness.ts'
import type { BotStage } from '../support/bot.ts'
import { bytesOf } from '../support/store-file.ts'
import { useBotStage } from '../support/use-bot-stage.ts'

/** The commands of the page on operations, run as they stand there beside a bot that works. */
const page = readFileSync('.github/docs/operations.md', 'utf8')
const [, chapter = ''] = /^## Back up and restore\n([\s\S]*?)^## /m.exec(page) ?? []
const [backUp = '', restore = '', postgres = ''] = [...chapter.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(
  ([, text = '']) => text,
)

/** Does with a folder what Docker does with a container; that it is stopped and started, the test sees to. */
const DOCKER = `#!/bin/sh -e
command=$1
shift
case "$command" in
  exec) shift; cd "$APP"; exec "$@" ;;
  cp) cp "$APP/\${1#cdn-ops:/app/}" "$2" ;;
  run) while [ "$1" != sh ]; do shift; done; cd "$APP"; exec "$@" ;;
  stop | start) ;;
  *) exit 1 ;;
esac
`
const AUDIT_KEY = 'k'.repeat(32)

let stage: BotStage
useBotStage((made) => (stage = made))

const verify = async (storeUrl: string) => {
  const tool = stage.start({ STORE_URL: storeUrl, AUDIT_KEY }, { args: ['audit', 'verify'] })
  return { ...(await tool.ended), said: tool.output() + tool.errors() }
}
const exported = async (storeUrl: string): Promise<string> => {
  const tool = stage.start({ STORE_URL: storeUrl, AUDIT_KEY }, { args: ['audit', 'export'] })
  await tool.ended
  return tool.output()
}
/** Each refusal is an entry of the audit log, with the name that was asked for. */
const ask = async (name: string): Promise<void> => {
  await stage.slack.person(VERA).command(OPS, `/cdn zones add pull 301 ${name}`)
}

test('SQLite: a copy made while the bot works is sound, and takes the place of the store', async () => {
  const app = join(stage.folder, 'app')
  const store = join(app, '.data', 'cdn-ops.sqlite')
  mkdirSync(join(app, '.data'), { recursive: true, mode: 0o700 })
  writeFileSync(join(stage.folder, 'docker'), DOCKER)
  chmodSync(join(stage.folder, 'docker'), 0o700)
  const shell = (text: string): string =>
    execFileSync('sh', ['-e', '-c', text], {
      cwd: stage.folder,
      encoding: 'utf8',
      env: { ...process.env, APP: app, PATH: [stage.folder, process.env['PATH']].join(delimiter) },
    })
  const settings = { ...stage.settings, STORE_URL: store, AUDIT_KEY }
  const bot = await stage.startLinked(settings)
  const isNoted = async (name: string) => await expect.poll(() => bytesOf(store).includes(name)).toBe(true)
  await ask('before-it')
  await isNoted('before-it')
  const meanwhile = Promise.all(Array.from({ length: 10 }, (_, index) => ask(`meanwhile-${index}`)))
  await new Promise((resolve) => setImmediate(resolve))
  shell(backUp)
  await meanwhile
  await ask('after-it')
  await isNoted('after-it')
  // What it has not put into the file yet stays beside it, and must not get into the backup.
  bot.kill('SIGKILL')
  await bot.ended
  expect(statSync(join(stage.folder, 'backup.sqlite')).mode & 0o777).toBe(0o600)
  expect(await exported(store)).toMatch(/before-it[\s\S]*after-it/)

  shell(restore)
  expect(statSync(store).mode & 0o777).toBe(0o600)
  expect(await verify(store)).toMatchObject({ code: 0, said: expect.stringMatching(/^Audit log: \d+ entries intact/) })
  const again = await stage.startLinked(settings)
  await ask('anew')
  await isNoted('anew')
  again.kill('SIGTERM')
  expect(await again.ended).toMatchObject({ code: 0 })
  const record = await exported(store)
  expect(record).toMatch(/before-it[\s\S]*anew/)
  expect(record).not.toContain('after-it')
  expect(await verify(store)).toMatchObject({ code: 0 })
})

const why = await whyNoPostgres()
describe.skipIf(why !== undefined)('PostgreSQL', () => {
  test('a dump made while the bot works is sound, and takes the place of what was written since', async () => {
    const database = await createPostgresDatabase()
    try {
      const harness = await database.harness()
      const { url } = harness
      const isNoted = async (name: string) =>
        await expect
          .poll(() => harness.sql(`select 1 from audit_entries where summary like '%${name}'`))
          .toHaveLength(1)
      const settings = { ...stage.settings, STORE_URL: url, AUDIT_KEY }
      const [dump = '', load = ''] = postgres.trim().split('\n')
      const shell = (text: string): string =>
        execFileSync('sh', ['-e', '-c', text], {
          cwd: stage.folder,
          encoding: 'utf8',
          env: { ...process.env, STORE_URL: url },
        })
      const bot = await stage.startLinked(settings)
      await ask('before-it')
      await isNoted('before-it')
      shell(dump)
      await ask('after-it')
      await isNoted('after-it')
      bot.kill('SIGTERM')
      expect(await bot.ended).toMatchObject({ code: 0 })
      expect(await exported(url)).toMatch(/before-it[\s\S]*after-it/)

      shell(load)
      const record = await exported(url)
      expect(record).toContain('before-it')
      expect(record).not.toContain('after-it')
      const again = await stage.startLinked(settings)
      await ask('anew')
      await isNoted('anew')
      again.kill('SIGTERM')
      await again.ended
      expect(await verify(url)).toMatchObject({ code: 0 })
    } finally {
      await database.drop()
    }
  })
})
