import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderMessage, renderView } from '../../src/playground/slack/render-text.ts'
import type { Person } from '../../src/playground/slack/person.ts'
import type { PersonOutcome } from '../../src/playground/slack/interactions.ts'
import { OPS } from '../../src/playground/slack/seed.ts'
import type { ShownMessage, ShownView } from '../../src/playground/slack/shown.ts'
import type { Stage } from '../../src/playground/stage.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { HurriedClock } from '../support/hurried-clock.ts'
import { StagedBot, type StagedOptions } from './staged-bot.ts'

/** A process that has just started may not ask for logs before this has passed. */
const LOG_WARM_UP_MS = 10_100
const SEEN_TIMEOUT_MS = 8_000

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

  /**
   * The bot has answered somebody else's question asked now: it lives, and what was under way has had its turn. Waits for
   * whatever a broken bot might still send.
   */
  async answersOthers(who: string): Promise<void> {
    await this.types(who, '/cdn whoami', { until: /Your role is|role/i })
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
