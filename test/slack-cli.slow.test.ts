import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { renderMessage } from '../src/playground/slack/render-text.ts'
import { NORA, OPS } from '../src/playground/slack/state/seed.ts'
import { type SlackEmulator, startSlackEmulator } from '../src/playground/slack/emulator.ts'

/** From the first hook on a fresh clone, installation and all. */
const FIRST_ANSWER_MS = 120_000
const Hooks = z.strictObject({
  hooks: z.strictObject({ 'get-manifest': z.string(), start: z.string(), doctor: z.string() }),
  config: z.strictObject({ 'sdk-managed-connection-enabled': z.literal(true) }),
})
const Doctor = z.strictObject({
  versions: z.array(z.strictObject({ name: z.string(), current: z.string(), message: z.string().optional() })).min(3),
})

/** That of somebody's shell, without what this checkout has added: its Node, its npm, its settings. */
const OWN = process.cwd()
const PATH = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.startsWith(OWN))
const ENVIRONMENT = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|CDN_|SLACK_)/.test(name))),
  PATH: PATH.join(delimiter),
}

let clone: string
let slack: SlackEmulator
const running: ChildProcess[] = []
beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), 'cdn-ops-clone-'))
  // What a clone has once all of this is committed.
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  for (const path of execFileSync('git', list, { encoding: 'utf8' }).split('\0'))
    if (path !== '' && existsSync(path)) cpSync(path, join(clone, path))
  slack = await startSlackEmulator()
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await slack.close()
  rmSync(clone, { recursive: true, force: true })
})

/** As the CLI runs it: by a shell in the folder of the project, without input. */
function runHook(name: keyof z.output<typeof Hooks>['hooks'], variables: Readonly<Record<string, string>> = {}) {
  const { hooks } = Hooks.parse(JSON.parse(readFileSync(join(clone, '.slack', 'hooks.json'), 'utf8')))
  const child = spawn('sh', ['-c', hooks[name]], {
    cwd: clone,
    env: { ...ENVIRONMENT, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, complaints] = [text(child.stdout), text(child.stderr)]
  return { child, ended, answer: async () => ({ code: await ended, out: await out, complaints: await complaints }) }
}

describe('the Slack CLI in a fresh clone', { timeout: 300_000 }, () => {
  it('gets the manifest, starts the bot, and the first command is answered within two minutes', async () => {
    expect(existsSync(join(clone, 'node_modules'))).toBe(false)
    const begunMs = Date.now()
    const manifest = await runHook('get-manifest').answer()
    expect(manifest).toMatchObject({ code: 0, complaints: expect.stringContaining('Installing the packages') })
    expect(JSON.parse(manifest.out)).toMatchObject({
      display_information: { name: 'CDN Ops' },
      settings: { org_deploy_enabled: true, socket_mode_enabled: true },
    })

    const bot = runHook('start', {
      SLACK_CLI_XAPP: slack.appToken,
      SLACK_CLI_XOXB: slack.botToken,
      SLACK_API_URL: slack.apiUrl,
    })
    const nora = slack.person(NORA)
    const shown = (): string => nora.messages(OPS).map(renderMessage).join('\n')
    await expect.poll(() => slack.calls.some(({ method }) => method === 'apps.connections.open'), LONG).toBe(true)
    await expect.poll(async () => (await nora.command(OPS, '/cdn')).ok, LONG).toBe(true)
    await expect.poll(shown, LONG).toMatch(/\/cdn status[\s\S]*Demonstration: this CDN is made up/)
    expect(Date.now() - begunMs).toBeLessThan(FIRST_ANSWER_MS)

    bot.child.kill('SIGTERM')
    const { complaints } = await bot.answer()
    expect(complaints).toBe('')
  })

  it('is told the versions, and nothing else, on standard output', async () => {
    const { code, out, complaints } = await runHook('doctor').answer()
    expect([code, complaints]).toEqual([0, ''])
    expect(Doctor.parse(JSON.parse(out)).versions.map(({ name }) => name)).toEqual(['CDN Ops', 'Node', '@slack/bolt'])
  })

  it('has a manifest alone on standard output, by npm as well', async () => {
    const run = spawn('npm', ['run', '--silent', 'manifest'], {
      cwd: clone,
      env: ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect([await text(run.stdout), await text(run.stderr)]).toEqual([readFileSync('manifest.yml', 'utf8'), ''])
  })

  it('says on standard error what is wrong, and fails', async () => {
    const { code, out, complaints } = await runHook('start', { SLACK_CLI_XAPP: 'xapp-1' }).answer()
    expect([code, out]).toEqual([78, ''])
    expect(complaints).toContain('SLACK_BOT_TOKEN is not set')
  })
})

const LONG = { timeout: 60_000, interval: 200 }
