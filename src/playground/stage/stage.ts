import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../../app.ts'
import { readSettings } from '../../config/settings.ts'
import type { Clock } from '../../shared/clock.ts'
import { createLog } from '../../shared/log.ts'
import { Scrubber } from '../../shared/scrubber.ts'
import { startCdnEmulator } from '../cdn/emulator.ts'
import { startSlackEmulator } from '../slack/emulator.ts'
import { createControls } from './controls.ts'
import type { FastClock } from './fast-clock.ts'
import { ADA, ADMINS_GROUP, OPERATORS_GROUP, OPS, VERA } from '../slack/state/seed.ts'

const PANEL = 'https://panel.example.com/{place}/{id}'

export interface StageOptions {
  readonly clock: FastClock
  /** The bot's own clock, where it shall differ from that of the emulators. */
  readonly botClock?: Clock
  /** Settings of the bot beside or instead of those that wire it to the emulators; `STORE_URL` for instance. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Waits until the bot is linked. Its store is a new file that goes with the stage, unless the settings name one. */
export async function startStage({ clock, botClock = clock, settings: more = {} }: StageOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'cdn-ops-playground-'))
  const slack = await startSlackEmulator({ clock })
  const cdn = await startCdnEmulator({ clock })
  const readFile = (): string => PLAYGROUND_CONFIG
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
      CONFIG_FILE: 'cdn-ops.yaml',
      ...more,
    },
    readFile,
  })
  const bot = await startApp({
    settings,
    clock: botClock,
    log: createLog({ level: 'fatal', scrubber: new Scrubber(), write: () => undefined }),
    readFile,
    onRefused: () => undefined,
  })
  await bot.linked
  return {
    slack,
    cdn,
    bot,
    clock,
    controls: createControls({ cdn, slack, clock }),
    async close() {
      await bot.stop()
      await Promise.all([slack.close(), cdn.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Stage = Awaited<ReturnType<typeof startStage>>

/** The zones of the made-up account by the names that a team would give them. */
export const NAMED_ZONES = [
  { kind: 'pull', id: 301, name: 'shop' },
  { kind: 'storage', id: 101, name: 'shop' },
  { kind: 'dns', id: 201, name: 'shop' },
  { kind: 'pull', id: 302, name: 'media' },
  { kind: 'storage', id: 102, name: 'media' },
  { kind: 'dns', id: 202, name: 'media' },
] as const

/**
 * The configuration file of the playground: who is what, and one rule worth trying. Short waits, so that at the speed
 * the page offers an approval expires while one looks.
 */
const PLAYGROUND_CONFIG = `roles:
  admin:
    users: [${ADA}] # Ada, by name
  operator:
    groups: [${OPERATORS_GROUP}] # Olga and Otto
  viewer:
    users: [${VERA}] # Vera
zones: ${JSON.stringify(NAMED_ZONES)}
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
