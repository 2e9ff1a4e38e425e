import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { type CdnEmulator, startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { type SlackEmulator, startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { renderMessage, renderView } from '../../src/playground/slack/render-text.ts'
import type { Person, ShownMessage, ShownView } from '../../src/playground/slack/person.ts'
import type { PersonOutcome } from '../../src/playground/slack/interactions.ts'
import { OLGA, OPS } from '../../src/playground/slack/state/seed.ts'
import type { Delivery } from '../../src/playground/slack/wire/deliveries.ts'
import type { Stage } from '../../src/playground/stage/stage.ts'
import { type Clock, systemClock } from '../../src/shared/clock.ts'
import { closedPort, type RunningApp, settingsFor, startBotHere, type Variables } from '../support/bot.ts'
import { SIGNING_SECRET, useHttp } from '../support/http-mode.ts'
import { HurriedClock } from '../support/hurried-clock.ts'
import { walked } from '../support/outgoing-walker.ts'

/** A process that has just started may not ask for logs before this has passed. */
const LOG_WARM_UP_MS = 10_100
/** A bot looks at how it is set up so long after its start. */
export const PREFLIGHT_MS = 30_000
const SEEN_TIMEOUT_MS = 8_000
/** Slack's own, for an acknowledgement. */
const PATIENCE_MS = 3_000
/** All of them are open before the clock is put forward: else opening them would seem to take too long. */
const LINKS = 2

/** What somebody sees after something they did: messages that are new or edited, and the modal that is open. */
export interface Seen {
  readonly messages: readonly ShownMessage[]
  readonly view: ShownView | undefined
  /** All of it as text, with what Slack itself said. */
  readonly text: string
}

export interface Doing {
  /** Where they look; the operations channel if not said. */
  readonly channel?: string
  /** What has to be seen for it to be over. */
  readonly until: RegExp
  /** How long that may take; 8 s if not said. */
  readonly timeoutMs?: number
}

/** What people act on: the two emulators, and whatever has to be ended with them. */
export type SceneStage = Pick<Stage, 'slack' | 'cdn' | 'close'>

export type SceneOptions = Pick<StagedOptions, 'settings' | 'config' | 'http'> & {
  /** Another store than a file of the scene's own. */
  readonly storeUrl?: string
  /** Done after everything has ended. */
  readonly atEnd?: () => Promise<void>
}

/** The stage with people on it. The emulators keep real time; the bot's clock can be put forward. */
export class Scene {
  readonly stage: SceneStage
  readonly clock: HurriedClock
  /** Where the bot's store is, a file as a rule; empty where the bot was started in another way. */
  readonly store: string
  /** Lines of the bot's log. */
  readonly log: readonly string[]

  readonly #staged: StagedBot | undefined

  private constructor(
    stage: SceneStage,
    clock: HurriedClock,
    store: string,
    log: readonly string[],
    staged?: StagedBot,
  ) {
    this.#staged = staged
    this.stage = stage
    this.clock = clock
    this.store = store
    this.log = log
  }

  static async start(options: SceneOptions = {}): Promise<Scene> {
    const clock = new HurriedClock()
    const lines: string[] = []
    const log = (line: string): void => void lines.push(line)
    const folder = await mkdtemp(join(tmpdir(), 'cdn-ops-scene-'))
    const store = options.storeUrl ?? join(folder, 'store.sqlite')
    const staged = await StagedBot.start({ ...options, clock, log, storeUrl: store }, systemClock)
    clock.turn(LOG_WARM_UP_MS)
    const close = async (): Promise<void> => {
      await staged.close()
      await rm(folder, { recursive: true, force: true })
      await options.atEnd?.()
    }
    return new Scene({ slack: staged.slack, cdn: staged.cdn, close }, clock, store, lines, staged)
  }

  /** People around a bot that was started in another way, whose clock is its own. */
  static around(stage: SceneStage): Scene {
    return new Scene(stage, new HurriedClock(), '', [])
  }

  async close(): Promise<void> {
    await this.stage.close()
  }

  /** The bot, which can be stopped, started and configured. */
  get bot(): StagedBot {
    if (this.#staged === undefined) throw new Error('The bot was started in another way')
    return this.#staged
  }

  person(id: string): Person {
    return this.stage.slack.person(id)
  }

  /** Types a command and waits for what it leads to. */
  async types(who: string, command: string, doing: Doing): Promise<Seen> {
    return this.does(who, (person) => person.command(doing.channel ?? OPS, command), doing)
  }

  /** Submits the open modal, with entries by block id. */
  async submits(who: string, entries: Parameters<Person['submit']>[0], doing: Doing): Promise<Seen> {
    return this.does(who, (person) => person.submit(entries), doing)
  }

  /**
   * The bot looks at how it is set up, as it does once after each start, and says what it finds: here that its clock, which was
   * put forward for that, is ahead.
   */
  async looksAtSetUp(): Promise<void> {
    const watch = this.watch(OLGA)
    this.clock.turn(PREFLIGHT_MS)
    await this.stage.slack.until(() => /clock is \d+ s ahead/.test(watch().text), SEEN_TIMEOUT_MS)
  }

  /** Presses the button with these words under the newest message that has it. */
  async presses(who: string, label: string, doing: Doing): Promise<Seen> {
    return this.does(who, (person) => press(person, label, doing.channel ?? OPS), doing)
  }

  /** Does something and waits until what was to be seen is there. Throws with what was seen instead. */
  async does(who: string, act: (person: Person) => Promise<PersonOutcome>, doing: Doing): Promise<Seen> {
    const person = this.person(who)
    const watch = this.watch(who, doing.channel)
    const outcome = await act(person)
    const said = outcome.ok ? '' : outcome.shown
    const look = (): Seen => {
      const { messages, view, text } = watch()
      return { messages, view, text: `${said}\n${text}` }
    }
    try {
      return await this.stage.slack.until(() => {
        const seen = look()
        return doing.until.test(seen.text) && seen
      }, doing.timeoutMs ?? SEEN_TIMEOUT_MS)
    } catch (error) {
      throw new Error(`${doing.until} was not seen, but:\n${look().text}\nLog:\n${this.log.slice(-5).join('')}`, {
        cause: error,
      })
    }
  }

  /** A look at what is new to somebody in a channel since now. */
  watch(who: string, channel = OPS): () => Seen {
    const person = this.person(who)
    const known = new Set(person.messages(channel).map(keyOf))
    return () => {
      const messages = person.messages(channel).filter((message) => !known.has(keyOf(message)))
      const view = person.view()
      const text = [...messages.map(renderMessage), view === undefined ? '' : renderView(view)].join('\n')
      return { messages, view, text }
    }
  }

  /** Deliveries that Slack saw acknowledged too late, or not at all. */
  late(): readonly Delivery[] {
    const { deliveries } = this.stage.slack
    return deliveries.filter(({ outcome, ackMs = PATIENCE_MS }) => outcome !== 'acked' || ackMs >= PATIENCE_MS)
  }

  /**
   * The bot has answered somebody else's question asked now: it lives, and what was under way has had its turn. Waits for
   * whatever a broken bot might still send.
   */
  async answersOthers(who: string): Promise<void> {
    await this.types(who, '/cdn whoami', { until: /You (are|have)/ })
  }
}

/** Presses the newest button with these words. */
async function press(person: Person, label: string, channel: string): Promise<PersonOutcome> {
  const found = person
    .messages(channel)
    .toReversed()
    .map((message) => ({ message, button: buttonIn(message, label) }))
  for (const { message, button } of found) {
    if (button !== undefined) return person.click({ message }, button.blockId, button.actionId)
  }
  throw new Error(`No message has a button “${label}”`)
}

function buttonIn(
  { blocks }: Pick<ShownMessage, 'blocks'>,
  label: string,
): { readonly blockId: string | undefined; readonly actionId: string } | undefined {
  for (const block of blocks) {
    if (block.type !== 'actions') continue
    const element = block.elements.find((each) => each.type === 'button' && each.text.text === label)
    if (element?.action_id !== undefined) return { blockId: block.block_id, actionId: element.action_id }
  }
  return undefined
}

/** The ids of the inputs a modal shows. */
export function inputsOf(view: ShownView | undefined): readonly string[] {
  return (view?.blocks ?? []).flatMap((block) =>
    block.type === 'input' && block.block_id !== undefined ? [block.block_id] : [],
  )
}

/** An edited message is new to see, so what it says is part of its key. */
function keyOf({ ts, text, blocks }: ShownMessage): string {
  return `${ts} ${JSON.stringify(blocks)} ${text}`
}

interface StagedOptions {
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

interface StartedBot extends Awaited<ReturnType<typeof startBotHere>> {
  readonly requestUrl: string
}

/** Two emulators, and the bot between them, which can be stopped and started while they go on. */
class StagedBot {
  readonly slack: SlackEmulator
  readonly cdn: CdnEmulator
  readonly #options: StagedOptions
  #config: string | undefined
  #running: StartedBot | undefined
  readonly #others: StartedBot[] = []

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
    return this.#running.app
  }

  /** Where Slack sends requests to, if it does. */
  get requestUrl(): string {
    return this.#running?.requestUrl ?? ''
  }

  /** Another bot on the same store, which ends with this one. Slack goes on sending requests to the first. */
  async startAnother(): Promise<StartedBot> {
    const other = await this.#launch()
    this.#others.push(other)
    return other
  }

  /** Has Slack send requests to this bot from now on. */
  async sendTo({ requestUrl }: Pick<StartedBot, 'requestUrl'>): Promise<void> {
    await useHttp(this.slack, { requestUrl })
  }

  /** Ends the bot as a signal would. */
  async stop(): Promise<void> {
    await this.#running?.app.stop()
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
    await this.#running?.configure(config)
  }

  async close(): Promise<void> {
    await Promise.all([this.stop(), ...this.#others.map(({ app }) => app.stop())])
    await Promise.all([this.slack.close(), this.cdn.close()])
  }

  async #start(): Promise<void> {
    this.#running = await this.#launch()
    if (this.#options.http === true) await this.sendTo(this.#running)
  }

  /** Resolves when it is linked to Slack, or takes requests. */
  async #launch(): Promise<StartedBot> {
    const { clock, storeUrl, log, settings: changed, http } = this.#options
    const { ADMINS, OPERATORS, VIEWERS, ...usual } = settingsFor(this.slack, this.cdn, storeUrl)
    const roles = this.#config === undefined && { ADMINS, OPERATORS, VIEWERS }
    const panel = { CDN_PANEL_URL: 'https://panel.example.com/{place}/{id}' }
    const port = http === true ? `127.0.0.1:${await closedPort()}` : undefined
    const requests = port !== undefined && { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: SIGNING_SECRET, PORT: port }
    const all = Object.entries({ ...usual, ...panel, ...roles, LOG_LEVEL: 'info', ...requests, ...changed })
    const variables = Object.fromEntries(all.filter(([, value]) => value !== ''))
    const started = await startBotHere({ variables, config: this.#config, clock, log })
    await started.app.linked
    if (port === undefined) await vi.waitUntil(async () => (await openLinks(started.app)) === LINKS)
    return { ...started, requestUrl: port === undefined ? '' : `http://${port}/slack/events` }
  }
}

/** Links that are open as the bot itself sees it. */
async function openLinks({ metrics }: RunningApp): Promise<number> {
  const [metric] = (await metrics.registry.getSingleMetric('cdn_ops_slack_links')?.get())?.values ?? []
  return metric?.value ?? 0
}
