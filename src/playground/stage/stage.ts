import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../../app.ts'
import { readSettings, listSecrets } from '../../config/settings.ts'
import type { Clock } from '../../shared/clock.ts'
import { createLog } from '../../shared/log.ts'
import { Scrubber } from '../../shared/scrubber.ts'
import { startCdnEmulator } from '../cdn/emulator.ts'
import type { Canaries } from '../cdn/world/world.ts'
import { startSlackEmulator } from '../slack/emulator.ts'
import { ADA, ADMINS_GROUP, OLGA, OPERATORS_GROUP, OPS, OTTO, VERA } from '../slack/state/seed.ts'

const PANEL = 'https://panel.example.com/{place}/{id}'
const CONFIG_FILE = 'cdn-ops.yaml'
const ROLES = { ADMINS: ADA, OPERATORS: `${OLGA},${OTTO}`, VIEWERS: VERA } as const

export interface StageOptions {
  readonly clock: Clock
  readonly log: (line: string) => void
  readonly slackPort?: number
  /** The bot's own clock, where it shall differ from that of the emulators. */
  readonly botClock?: Clock
  /** Settings of the bot beside or instead of those that wire it to the emulators; `STORE_URL` for instance. */
  readonly settings?: Readonly<Record<string, string>>
  /** The text of a configuration file. Roles then come from it, not from settings. */
  readonly config?: string
  readonly canaries?: Canaries
}

/**
 * Starts everything and waits until the bot is linked. The bot's store is a new file that goes with the stage, unless
 * the settings name one.
 */
export async function startStage(options: StageOptions) {
  let { config } = options
  const { clock, log, slackPort = 0, botClock = clock, canaries = {} } = options
  const folder = await mkdtemp(join(tmpdir(), 'cdn-ops-playground-'))
  const slack = await startSlackEmulator({ clock, port: slackPort })
  const cdn = await startCdnEmulator({ clock, canaries })
  const readFile = (path: string): string => {
    if (path !== CONFIG_FILE || config === undefined) throw new Error('The playground reads no files')
    return config
  }
  const settings = readSettings({
    variables: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      CDN_API_URL: cdn.managementUrl,
      CDN_LOGGING_URL: cdn.loggingUrl,
      CDN_API_KEY: cdn.accessKey,
      CDN_PANEL_URL: PANEL,
      STORE_URL: join(folder, 'store.sqlite'),
      OPS_CHANNEL: OPS,
      ...(config === undefined ? ROLES : { CONFIG_FILE }),
      LOG_LEVEL: 'info',
      ...options.settings,
    },
    readFile,
  })
  const scrubber = new Scrubber()
  for (const secret of listSecrets(settings)) scrubber.register(secret)
  const bot = await startApp({
    settings,
    clock: botClock,
    log: createLog({ level: settings.LOG_LEVEL, scrubber, write: log }),
    readFile,
    onRefused: (token, why) => log(`${token}: ${String(why)}`),
  })
  await bot.linked
  return {
    slack,
    cdn,
    bot,
    clock,
    async configure(text: string) {
      config = text
      await bot.reload()
    },
    async close() {
      await bot.stop()
      await Promise.all([slack.close(), cdn.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Stage = Awaited<ReturnType<typeof startStage>>

/**
 * The configuration file of the playground: who is what, and one rule worth trying. Short waits, so that at the speed
 * the page offers an approval expires while one looks.
 */
export const PLAYGROUND_CONFIG = `roles:
  admin:
    users: [${ADA}] # Ada, by name
  operator:
    groups: [${OPERATORS_GROUP}] # Olga and Otto
  viewer:
    users: [${VERA}] # Vera
zones:
  - kind: dns
    id: 202
    name: media
approvals:
  count: 1
  roles: [operator, admin]
  expireAfter: 30m
policies:
  - operations: [dns add]
    zones: [dns/202]
    decision: approve
    reason: Zone media needs a second person.
breakGlass:
  groups: [${ADMINS_GROUP}] # Ada
`

/** The zones of the made-up account by the names the team gave them before anybody looks: kind, id, name. */
export const NAMED_ZONES = [
  ['pull', 301, 'shop'],
  ['storage', 101, 'shop'],
  ['dns', 201, 'shop'],
  ['pull', 302, 'media'],
  ['storage', 102, 'media'],
] as const

/** Names the zones the way a team would, by commands of its admin, and leaves the channel as it was. */
export async function nameZones({ slack, bot }: Pick<Stage, 'slack' | 'bot'>): Promise<void> {
  const ada = slack.person(ADA)
  for (const [kind, id, name] of NAMED_ZONES) {
    const before = ada.messages(OPS).length
    const outcome = await ada.command(OPS, `/cdn zones add ${kind} ${id} ${name}`)
    if (!outcome.ok) throw new Error(`The zones could not be named: ${outcome.shown}`)
    await slack.until(() => ada.messages(OPS).length > before)
  }
  ada.reload()
  // What else the bot notes while it starts may lie between.
  const asked = await bot.record.list({ operation: 'zones add', limit: NAMED_ZONES.length })
  const named = asked.filter(({ event }) => event === 'zone_added')
  if (named.length < NAMED_ZONES.length) throw new Error('The zones could not be named')
}
