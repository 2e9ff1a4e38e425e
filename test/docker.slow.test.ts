import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closedPort } from './support/bot.ts'
import { buildImage, filesIn, type Image } from './support/image-build.ts'
import { productionPackages } from './support/production-packages.ts'

/** Long enough for a process to start on a busy machine. */
const START_MS = 20_000

let folder: string
let image: Image
let app: string
let nowhere: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cdn-ops-image-'))
  image = buildImage(folder)
  app = join(image.root, image.workdir)
  nowhere = `http://127.0.0.1:${await closedPort()}`
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('an installation as in the image', () => {
  it('holds the program without playground, and no package for development', () => {
    const files = filesIn(join(app, 'src'))
    expect(files).toContain('main.ts')
    expect(files.filter((path) => path.startsWith('playground/') || path.endsWith('.md'))).toEqual([])
    expect(readdirSync(app).toSorted()).toEqual(['node_modules', 'package.json', 'src'])
    const packages = readdirSync(join(app, 'node_modules'))
    expect(packages).toContain('undici')
    expect(packages.filter((name) => /^(vitest|typescript|ajv|knip|oxlint|node-linux-.*)$/.test(name))).toEqual([])
  })

  it('has the packages that the lockfile has for it, and nothing else', () => {
    const expected = productionPackages().map(({ path }) => path)
    const there = expected.filter((path) => existsSync(join(app, path, 'package.json')))
    // One is for another platform.
    expect(expected.length - there.length).toBeLessThan(5)
    const installed = filesIn(join(app, 'node_modules'))
      .filter((path) => /^((.*\/)?node_modules\/)?(@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(path))
      .map((path) => `node_modules/${path.slice(0, -'/package.json'.length)}`)
    expect(installed.filter((path) => !expected.includes(path))).toEqual([])
  })

  it('without settings says what is missing, and that trying again does not help', async () => {
    const { code, complaint } = await ended(start(image.command, {}))
    expect(code).toBe(78)
    for (const name of ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'CDN_API_URL', 'CDN_LOGGING_URL', 'CDN_API_KEY']) {
      expect(complaint).toContain(`- ${name} is not set`)
    }
    expect(complaint).toContain('npm run playground')
    expect(complaint).not.toContain('    at ')
  })

  it('says kindly that the playground is not part of it', async () => {
    for (const mode of ['playground', 'tour']) {
      const { code, complaint } = await ended(start([...image.command, mode], {}))
      expect([code, complaint]).toEqual([78, expect.stringContaining('is not part of this installation')])
    }
  })

  it('has no demonstration: the hook of the Slack CLI asks for settings', async () => {
    const { code, complaint } = await ended(start([...image.command, 'slack-cli', 'start'], {}))
    expect([code, complaint]).toEqual([78, expect.stringContaining('- CDN_API_URL is not set')])
    expect(complaint).not.toContain('    at ')
  })

  it('with nothing to reach stays up, is alive but not ready, and stops when asked', async () => {
    const port = await closedPort()
    const settings = {
      ...image.environment,
      HEALTH_PORT: String(port),
      SLACK_API_URL: nowhere,
      CDN_API_URL: nowhere,
      CDN_LOGGING_URL: nowhere,
      SLACK_BOT_TOKEN: 'xoxb-none',
      SLACK_APP_TOKEN: 'xapp-none',
      CDN_API_KEY: 'none',
    }
    const bot = start(image.command, settings)
    let said = ''
    bot.stdout?.on('data', (bytes: Buffer) => (said += bytes.toString()))
    const end = ended(bot)
    try {
      const status = async (page: string): Promise<number> =>
        fetch(`http://127.0.0.1:${port}${page}`).then(
          (answer) => answer.status,
          () => 0,
        )
      await expect.poll(() => status('/healthz'), { timeout: START_MS }).toBe(200)
      expect(await status('/readyz')).toBe(503)
      await expect.poll(() => said, { timeout: START_MS }).toContain('trying again')
      expect((await ended(start(image.healthcheck, settings))).code).toBe(0)
    } finally {
      bot.kill('SIGTERM')
    }
    const { code, complaint } = await end
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' })
    expect(readdirSync(join(app, '.data'))).toContain('cdn-ops.sqlite')
    expect((await ended(start(image.healthcheck, settings))).code).toBe(1)
  }, 60_000)
})

/** As the container would: in its folder, with its own environment and nothing of this one's but where Node is. */
function start([program = '', ...args]: readonly string[], environment: Record<string, string>): ChildProcess {
  return spawn(program, args, {
    cwd: app,
    env: { PATH: dirname(process.execPath), ...environment },
    timeout: START_MS * 2,
  })
}

async function ended(child: ChildProcess): Promise<{ code: number | null; complaint: string }> {
  const complaint = text(child.stderr!)
  const [code] = (await once(child, 'close')) as [number | null] // Node gives the exit code first.
  return { code, complaint: await complaint }
}
