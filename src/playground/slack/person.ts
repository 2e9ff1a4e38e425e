import { placedElement, sendAction, type Suggestions } from './actions.ts'
import { enteredValue, type Entry } from './entering.ts'
import { sendEvent } from './events.ts'
import { asksFirst, placedElements, withValue, type Placed } from './form-values.ts'
import { Offers } from './offers.ts'
import { DONE, refused, type PersonOutcome } from './outcome.ts'
import type { Parts } from './parts.ts'
import { shortcutPayload, type Place, commandPayload } from './payloads.ts'
import { type Channel, type Member, BOT_USER_ID } from './seed.ts'
import { shownMessage, shownView, type ShownFile, type ShownMessage, type ShownView, shownFile } from './shown.ts'
import { dismissView, submitView } from './submissions.ts'
import type { StoredView } from './views.ts'
import { TROUBLE_CONNECTING, commandFailed, notInThreads, unknownCommand } from './words.ts'
import type { Outcome } from './deliveries.ts'
import type { Origin } from './response-urls.ts'
import { SlackError } from './slack-error.ts'
import { escapedText } from './typed-text.ts'
import type { StoredMessage } from './messages.ts'

/** Where something is clicked. */
export type Target = { readonly message: ShownMessage } | { readonly view: ShownView }

/**
 * One person at their Slack client. What they do resolves once the app has acknowledged it or Slack gave up on it,
 * which is before whatever the app does afterwards: wait for that with `SlackEmulator.until`. A plain error is thrown
 * for what the person could not do at all, such as clicking a button that is not there.
 */
export class Person {
  readonly id: string
  readonly #parts: Parts
  readonly #offers: Offers

  constructor(id: string, parts: Parts) {
    this.id = id
    this.#parts = parts
    this.#offers = new Offers(id, parts)
  }

  /** Sends what was typed into the composer of a channel or thread: a slash command, or a message to the others. */
  async say(
    channelId: string,
    text: string,
    { threadTs }: { readonly threadTs?: string } = {},
  ): Promise<PersonOutcome> {
    if (text.startsWith('/')) return this.command(channelId, text, { inThread: threadTs !== undefined })
    const channel = this.#composable(channelId)
    await say(text, this.#self(), { channel, threadTs }, this.#parts)
    return DONE
  }

  /** Types a slash command into a channel, such as `/cdn keys list`. */
  async command(channelId: string, typed: string, { inThread = false } = {}): Promise<PersonOutcome> {
    return sendCommand(typed, this.#self(), this.#composable(channelId), inThread, this.#parts)
  }

  /**
   * Uses an element outside of inputs: presses a button, or chooses `entry` in a menu or a list. `blockId` may be
   * undefined where the app gave the block no id. A confirmation dialog is accepted; `confirm` says that there must be
   * one, and whether it is accepted.
   */
  async click(
    target: Target,
    blockId: string | undefined,
    actionId: string,
    entry?: Entry,
    { confirm }: { readonly confirm?: boolean } = {},
  ): Promise<PersonOutcome> {
    const place = this.#place(target)
    const placed = placedElement(place, blockId, actionId)
    if (confirm !== undefined && !asksFirst(placed)) throw new Error(`${actionId} has no confirmation dialog`)
    if (confirm === false) return DONE
    if (entry === undefined) return sendAction(place, placed, undefined, this.#self(), this.#parts)
    const value = enteredValue(placed.element, entry, await this.#offers.optionsFor(place, placed, entry))
    if ('view' in place) {
      this.#parts.views.change(place.view.id, {
        values: withValue(place.view.values, placed.blockId, placed.actionId, value),
      })
    }
    return sendAction(this.#place(target), placed, value, this.#self(), this.#parts)
  }

  /** Types into an input of the top modal. `enter` presses the enter key, which tells an app that asked to know. */
  async type(blockId: string, text: string, { enter = false } = {}): Promise<PersonOutcome> {
    return this.#enter(blockId, text, enter)
  }

  /** Chooses in an input of the top modal: a choice by its value or label; a list where many fit. */
  async choose(blockId: string, entry: Entry): Promise<PersonOutcome> {
    return this.#enter(blockId, entry, false)
  }

  /** Opens an external select and types into it. */
  async suggest(blockId: string | undefined, actionId: string, query = '', target?: Target): Promise<Suggestions> {
    const place = target === undefined ? { view: this.#top() } : this.#place(target)
    return this.#offers.ask(place, placedElement(place, blockId, actionId), query)
  }

  /**
   * One more letter typed into an external select. Resolves with what the menu shows then, or with undefined when
   * another letter followed before the app was asked or had answered.
   */
  async typeahead(
    blockId: string | undefined,
    actionId: string,
    query: string,
    target?: Target,
  ): Promise<Suggestions | undefined> {
    const place = target === undefined ? { view: this.#top() } : this.#place(target)
    return this.#offers.askAfterPause(place, placedElement(place, blockId, actionId), query)
  }

  /**
   * Fills in inputs of the top modal by block id and presses its submit button. An input whose choice makes the app
   * redraw the form must be chosen with `choose` first and the new form awaited.
   */
  async submit(entries: Readonly<Record<string, Entry>> = {}): Promise<PersonOutcome> {
    const { id, definition } = this.#top()
    if (definition.type !== 'modal' || definition.submit === undefined)
      throw new Error('The modal has no submit button')
    for (const [blockId, entry] of Object.entries(entries)) {
      const outcome = await this.#enter(blockId, entry, false)
      if (!outcome.ok) return outcome
    }
    const view = this.#parts.views.find({ viewId: id })
    return view === undefined ? refused(TROUBLE_CONNECTING) : submitView(view, this.#self(), this.#parts)
  }

  /** Closes the top modal without sending it. */
  async closeView(): Promise<PersonOutcome> {
    return dismissView(this.#top(), this.#self(), this.#parts)
  }

  /** Chooses a global shortcut of the app. */
  async shortcut(callbackId: string): Promise<PersonOutcome> {
    const { triggers, clock, deliveries, transport, app } = this.#parts
    if (app.shortcuts?.some((each) => each.callbackId === callbackId) === false) {
      throw new Error(`The app has no shortcut ${callbackId}`)
    }
    const payload = shortcutPayload(callbackId, this.#self(), triggers.issue(this.id), clock)
    const outcome = await deliveries.deliver(transport, 'interactive', payload)
    return outcome.kind === 'acked' ? DONE : refused(TROUBLE_CONNECTING)
  }

  /** Opens the app's Home tab. */
  async openHome(): Promise<PersonOutcome> {
    if (!this.#parts.app.homeTab) throw new Error('The app has no Home')
    const channel = this.#parts.workspace.directChannel(this.id).id
    const outcome = await sendEvent({ type: 'app_home_opened', user: this.id, channel, tab: 'home' }, this.#parts)
    return outcome === undefined || outcome.kind === 'acked' ? DONE : refused(TROUBLE_CONNECTING)
  }

  /** Loads the client again: ephemeral messages and open modals are gone. */
  reload(): void {
    const { messages, views } = this.#parts
    messages.forgetEphemerals(this.id)
    const top = views.stack(this.id).at(-1)
    if (top !== undefined) views.close(top, true)
  }

  /** The modal on top, if one is open. */
  view(): ShownView | undefined {
    const top = this.#parts.views.stack(this.id).at(-1)
    return top === undefined ? undefined : shownView(top)
  }

  home(): ShownView | undefined {
    const home = this.#parts.views.home(this.id)
    return home === undefined ? undefined : shownView(home)
  }

  /** What this person sees in a channel, oldest first, their ephemeral messages included. */
  messages(channelId: string): readonly ShownMessage[] {
    return this.#parts.messages.seenBy(this.id, this.#channel(channelId).id).map(shownMessage)
  }

  /** A message and the replies under it, oldest first; a reply may stand for the whole. */
  thread(channelId: string, ts: string): readonly ShownMessage[] {
    const all = this.messages(channelId)
    const root = all.find((message) => message.ts === ts)?.threadTs ?? ts
    return all.filter((message) => message.ts === root || message.threadTs === root)
  }

  /** The id of the direct conversation with the bot. */
  direct(): string {
    return this.#parts.workspace.directChannel(this.id).id
  }

  /** Files shared where this person can see them, oldest first. */
  files(): readonly ShownFile[] {
    return filesSeenBy(this.id, this.#parts)
  }

  async #enter(blockId: string, entry: Entry, enter: boolean): Promise<PersonOutcome> {
    const view = this.#top()
    const placed = placedElements(view.definition.blocks).find((each) => each.blockId === blockId)
    if (placed?.block.type !== 'input') {
      const shown = Object.keys(view.values).join(', ')
      throw new Error(`The modal shows no input ${blockId}, only: ${shown}`)
    }
    const value = enteredValue(placed.element, entry, await this.#offers.optionsFor({ view }, placed, entry))
    const { views } = this.#parts
    const current = views.find({ viewId: view.id })
    if (current === undefined) return refused(TROUBLE_CONNECTING)
    const before = current.values[blockId]?.[placed.actionId]
    const isSame = JSON.stringify(before) === JSON.stringify(value)
    const changed = views.change(view.id, { values: withValue(current.values, blockId, placed.actionId, value) })
    const tells = dispatches(placed, enter) && (enter || !isSame)
    if (!tells || changed === undefined) return DONE
    return sendAction({ view: changed }, placed, value, this.#self(), this.#parts)
  }

  /** Finds the clicked message or view as it is now: the app may have changed it since it was looked at. */
  #place(target: Target): Place {
    if ('view' in target) {
      const view = this.#parts.views.find({ viewId: target.view.id })
      if (view === undefined) throw new Error('The view is not open any more')
      return { view }
    }
    const { channel, ts } = target.message
    const message = this.#parts.messages.seenBy(this.id, channel).find((each) => each.ts === ts)
    if (message === undefined) throw new Error('The message is not there any more')
    return { message, channel: this.#channel(channel) }
  }

  #top(): StoredView {
    const top = this.#parts.views.stack(this.id).at(-1)
    if (top === undefined) throw new Error('No modal is open')
    return top
  }

  #self(): Member {
    return this.#parts.workspace.member(this.id)
  }

  /** A channel this person can write in. */
  #composable(channelId: string): Channel {
    const channel = this.#channel(channelId)
    if (channel.archived) throw new Error(`Nobody can write in ${channel.name}: it is archived`)
    if (channel.kind === 'im' && this.#parts.app.messagesTab !== 'on') throw new Error('Nobody can write to the app')
    return channel
  }

  #channel(channelId: string): Channel {
    const channel = this.#parts.workspace.channel(channelId)
    if (!channel.members.has(this.id)) throw new Error(`${this.#self().name} is not in ${channel.name}`)
    return channel
  }
}

/** Sends what a person typed, such as `/cdn keys list`, and waits for the acknowledgement and its answer. */
async function sendCommand(
  typed: string,
  by: Member,
  channel: Channel,
  inThread: boolean,
  parts: Parts,
): Promise<PersonOutcome> {
  const [, command = '', text = ''] = /^(\/\S*)\s*(.*)$/s.exec(typed.trim()) ?? []
  if (!parts.app.commands.some((each) => each.command === command))
    return refused(unknownCommand(command === '' ? typed : command))
  if (inThread) return refused(notInThreads(command))
  const origin: Origin = { userId: by.id, channelId: channel.id, message: undefined, typed: typed.trim() }
  const reply = {
    triggerId: parts.triggers.issue(by.id),
    responseUrl: `${parts.baseUrl()}${parts.responseUrls.issue(origin)}`,
  }
  const sent = parts.switches.escapeCommands ? escapedText(text, parts.workspace) : text
  const payload = commandPayload({ command, text: sent }, by, channel, reply)
  const outcome = await parts.deliveries.deliver(parts.transport, 'slash_commands', payload)
  return answered(command, origin, outcome, parts)
}

function answered(command: string, origin: Origin, outcome: Outcome, { responseUrls }: Parts): PersonOutcome {
  if (outcome.kind === 'timeout') return refused(commandFailed(command, 'operation_timeout'))
  if (outcome.kind === 'unreachable') return refused(commandFailed(command, 'dispatch_failed'))
  const { payload } = outcome
  if (payload === undefined || (payload['text'] === undefined && payload['blocks'] === undefined)) return DONE
  try {
    responseUrls.apply(origin, payload)
    return DONE
  } catch (error) {
    if (error instanceof SlackError) return refused(commandFailed(command, error.code))
    throw error
  }
}

/**
 * Whether an input tells the app what is entered before the form is sent: only one that was set up to. Text inputs do
 * so on the enter key, all others on every choice.
 */
function dispatches({ block, element }: Placed, enter: boolean): boolean {
  if (block.type !== 'input' || block.dispatch_action !== true) return false
  return enter || (element.type !== 'plain_text_input' && element.type !== 'number_input')
}

/** Where something is said. */
interface Spot {
  readonly channel: Channel
  /** The message under which it is said; undefined in the channel itself. */
  readonly threadTs: string | undefined
}

/**
 * Posts what a person wrote, and tells an app that is mentioned and wants to know. Throws a plain error for a thread
 * that nobody can write in.
 */
async function say(text: string, by: Member, { channel, threadTs }: Spot, parts: Parts): Promise<void> {
  const root = threadTs === undefined ? undefined : threadRoot(channel, threadTs, parts)
  const written = escapedText(text, parts.workspace)
  const message = parts.messages.post({
    channel: channel.id,
    author: by.id,
    text: written,
    blocks: [],
    ...(root === undefined ? {} : { threadTs: root }),
  })
  const hearsOfIt = channel.kind !== 'im' && channel.members.has(BOT_USER_ID) && written.includes(`<@${BOT_USER_ID}>`)
  if (hearsOfIt) await sendEvent(mention(message, by), parts)
}

/** Replies to a reply go into the thread it is in. What only one person sees has no thread. */
function threadRoot(channel: Channel, threadTs: string, { messages }: Parts): string {
  const message = messages.find(channel.id, threadTs)
  if (message === undefined || message.visibleTo !== undefined) throw new Error('There is no thread under this message')
  return message.threadTs ?? message.ts
}

function mention(message: StoredMessage, by: Member) {
  const { channel, ts, text, threadTs } = message
  return {
    type: 'app_mention',
    user: by.id,
    team: by.teamId,
    text,
    ts,
    channel,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
  }
}

/** Files shared where this person can see them, oldest first. */
function filesSeenBy(userId: string, { messages, workspace, files }: Parts): readonly ShownFile[] {
  return messages.all
    .filter((message) => workspace.findChannel(message.channel)?.members.has(userId) === true)
    .flatMap((message) =>
      message.files.flatMap((id) => {
        const file = files.find(id)
        return file === undefined ? [] : [shownFile(file, message.channel)]
      }),
    )
}
