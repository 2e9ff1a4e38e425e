import { type RunningApp, startApp } from '../../src/app.ts'
import { readSettings } from '../../src/config/settings.ts'
import { type CdnEmulator, startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { type SlackEmulator, startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import type { Clock } from '../../src/shared/clock.ts'
import { createLog } from '../../src/shared/log.ts'
import { Scrubber } from '../../src/shared/scrubber.ts'
import { vi } from 'vitest'
import { SIGNING_SECRET, useHttp } from '../support/http-mode.ts'
import { closedPort, settingsFor, type Variables } from '../support/bot-process.ts'
import { walked } from '../support/outgoing-walker.ts'

const CONFIG_FILE = 'cdn-ops.yaml'
/** All of them are open before the clock is put forward: else opening them would seem to take too long. */
const LINKS = 2

export interface StagedOptions {
  /** The bot's own; the emulators keep real time. */
  readonly clock: Clock
  readonly storeUrl: string
  /** Where the bot's log goes, a line at a time. */
  readonly log: (line: string) => void
  /** Settings beside or instead of the usual ones; an empty one is as if it were not set. */
  readonly settings?: Variables
  /** Whether Slack sends requests to the bot, instead of the bot opening links to Slack. */
  readonly http?: boolean
  /** The text of a configuration file. Roles then come from it, not from settings. */
  readonly config?: string
}

/** Two emulators, and the bot between them, which can be stopped and started while they go on. */
export class StagedBot {
  readonly slack: SlackEmulator
  readonly cdn: CdnEmulator
  readonly #options: StagedOptions
  #config: string | undefined
  #running: RunningApp | undefined
  /** Where Slack sends requests to, if it does. */
  requestUrl = ''

  private constructor(slack: SlackEmulator, cdn: CdnEmulator, options: StagedOptions) {
    this.slack = slack
    this.cdn = cdn
    this.#options = options
    this.#config = options.config
  }

  /** Resolves when the bot is linked to Slack. */
  static async start(options: StagedOptions, emulatorClock: Clock): Promise<StagedBot> {
    const slack = walked(await startSlackEmulator({ clock: emulatorClock }))
    const staged = new StagedBot(slack, await startCdnEmulator({ clock: emulatorClock }), options)
    await staged.#start()
    return staged
  }

  /** The bot that runs now. */
  get bot(): RunningApp {
    if (this.#running === undefined) throw new Error('The bot does not run')
    return this.#running
  }

  /** Ends the bot as a signal would. */
  async stop(): Promise<void> {
    await this.#running?.stop()
    this.#running = undefined
  }

  /** A new bot on the same store. `between` is done while none runs. */
  async restart(between: () => Promise<void> = async () => undefined): Promise<void> {
    await this.stop()
    await between()
    await this.#start()
  }

  /** Puts another text into the configuration file, and has the bot read it. */
  async configure(config: string): Promise<void> {
    this.#config = config
    await this.bot.reload()
  }

  async close(): Promise<void> {
    await this.stop()
    await Promise.all([this.slack.close(), this.cdn.close()])
  }

  async #start(): Promise<void> {
    const { clock, storeUrl, log, settings: changed } = this.#options
    const { ADMINS, OPERATORS, VIEWERS, ...usual } = settingsFor(this.slack, this.cdn, storeUrl)
    const roles = this.#config === undefined ? { ADMINS, OPERATORS, VIEWERS } : { CONFIG_FILE }
    const panel = { CDN_PANEL_URL: 'https://panel.example.com/{place}/{id}' }
    const http = this.#options.http === true ? await this.#requests() : undefined
    const variables = Object.entries({ ...usual, ...panel, ...roles, LOG_LEVEL: 'info', ...http, ...changed })
    const readFile = (path: string): string => {
      if (path !== CONFIG_FILE || this.#config === undefined) throw new Error('There are no files here')
      return this.#config
    }
    const settings = readSettings({
      variables: Object.fromEntries(variables.filter(([, value]) => value !== '')),
      readFile,
    })
    const running = await startApp({
      settings,
      clock,
      log: createLog({ level: settings.LOG_LEVEL, scrubber: new Scrubber(), write: log }),
      readFile,
      onRefused: (token, code) => log(`${token}: ${code}`),
    })
    this.#running = running
    await running.linked
    if (http === undefined) await vi.waitUntil(async () => (await openLinks(running)) === LINKS)
    else {
      this.requestUrl = `http://${http.PORT}/slack/events`
      await useHttp(this.slack, { requestUrl: this.requestUrl })
    }
  }

  async #requests() {
    const secret = { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: SIGNING_SECRET }
    return { ...secret, PORT: `127.0.0.1:${await closedPort()}` }
  }
}

/** Links that are open as the bot itself sees it. */
async function openLinks({ metrics }: RunningApp): Promise<number> {
  const [metric] = (await metrics.registry.getSingleMetric('cdn_ops_slack_links')?.get())?.values ?? []
  return metric?.value ?? 0
}
