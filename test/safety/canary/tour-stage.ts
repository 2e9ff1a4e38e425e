import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../../../src/app.ts'
import { readSettings, secretsOf } from '../../../src/config/settings.ts'
import { startCdnEmulator } from '../../../src/playground/cdn/emulator.ts'
import { startSlackEmulator } from '../../../src/playground/slack/emulator.ts'
import { OPS } from '../../../src/playground/slack/seed.ts'
import { PLAYGROUND_CONFIG, type Stage } from '../../../src/playground/stage.ts'
import type { Clock } from '../../../src/shared/clock.ts'
import { createLog } from '../../../src/shared/log.ts'
import { Scrubber } from '../../../src/shared/scrubber.ts'
import { closedPort } from '../../support/bot-process.ts'

/** What the planted keys are used for: all that a company would trust the bot and the platform with. */
export interface PlantedKeys {
  readonly botToken: string
  readonly appToken: string
  readonly accessKey: string
  readonly auditKey: string
  /** Parts of two addresses of the settings. */
  readonly webhook: string
  readonly heartbeat: string
  readonly apiKeys: readonly string[]
  readonly libraryKeys: readonly [string, string, string]
  readonly authorization: string
  readonly urlSecret: string
}

export interface TourStage extends Stage {
  /** Where everything of the bot's lies. */
  readonly folder: string
  readonly store: string
  readonly log: () => string
  /** What came to the webhook and the heartbeat, without the addresses themselves. */
  readonly told: () => string
  /** Address of the health pages. */
  readonly health: string
}

const CONFIG_FILE = 'cdn-ops.yaml'

/** The stage of the tour, with these keys in place of made-up ones and the log at its most talkative. */
export async function startTourStage(clock: Clock, keys: PlantedKeys): Promise<TourStage> {
  const { botToken, appToken, accessKey, apiKeys, libraryKeys, authorization, urlSecret } = keys
  const folder = await mkdtemp(join(tmpdir(), 'cdn-ops-canary-'))
  const store = join(folder, 'store.sqlite')
  const slack = await startSlackEmulator({ clock, botToken, appToken })
  const cdn = await startCdnEmulator({
    clock,
    credential: { accessKey },
    canaries: { apiKeys, libraryKeys, authorization, urlSecret },
  })
  const bodies: string[] = []
  const listener = await startListener(bodies)
  const port = await closedPort()
  let config = PLAYGROUND_CONFIG
  const readFile = (path: string): string => {
    if (path !== CONFIG_FILE) throw new Error('There is no other file')
    return config
  }
  const variables = {
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: appToken,
    SLACK_API_URL: slack.apiUrl,
    CDN_API_URL: cdn.managementUrl,
    CDN_LOGGING_URL: cdn.loggingUrl,
    CDN_API_KEY: accessKey,
    CDN_PANEL_URL: 'https://panel.example.com/{place}/{id}',
    AUDIT_KEY: keys.auditKey,
    ALERT_WEBHOOK_URL: `${listener.url}/${keys.webhook}`,
    HEARTBEAT_URL: `${listener.url}/${keys.heartbeat}`,
    STORE_URL: store,
    OPS_CHANNEL: OPS,
    CONFIG_FILE,
    HEALTH_PORT: String(port),
    LOG_LEVEL: 'debug',
  }
  const settings = readSettings({ variables, readFile })
  const scrubber = new Scrubber()
  for (const secret of secretsOf(settings)) scrubber.register(secret)
  const lines: string[] = []
  const log = createLog({ level: settings.LOG_LEVEL, scrubber, write: (line) => lines.push(line) })
  const bot = await startApp({ settings, clock, log, readFile, onRefused: (token, code) => lines.push(token + code) })
  await bot.linked
  return {
    slack,
    cdn,
    bot,
    clock,
    folder,
    store,
    log: () => lines.join(''),
    told: () => bodies.join('\n'),
    health: `http://127.0.0.1:${port}`,
    async configure(text) {
      config = text
      await bot.reload()
    },
    async close() {
      await bot.stop()
      listener.server.closeAllConnections()
      listener.server.close()
      await Promise.all([slack.close(), cdn.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Takes whatever it is sent, and keeps all but the address. */
async function startListener(bodies: string[]): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    bodies.push(JSON.stringify(request.headers))
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString())).on('end', () => response.end('ok'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has this form of address
  return { url: `http://127.0.0.1:${port}`, server }
}
