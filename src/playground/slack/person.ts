import type { Block, Option } from './blocks/blocks.ts'
import type { Parts } from './wire/parts.ts'
import { sendDirectMessage, sendEvent } from './wire/events.ts'
import { enteredValue, placedElements, type Entry, type Placed } from './blocks/element-values.ts'
import {
  askOptions,
  dismissView,
  DONE,
  escapedText,
  placedElement,
  refused,
  sendAction,
  sendCommand,
  submitView,
  TROUBLE_CONNECTING,
  type PersonOutcome,
  type Suggestions,
} from './interactions.ts'
import { shortcutPayload, type Place } from './wire/payloads.ts'
import { BOT_USER_ID, type Channel, type Member } from './state/seed.ts'
import type { StoredMessage } from './state/messages.ts'
import type { StoredView } from './state/views.ts'

/** What is used, as it was seen or by no more than its ids. */
export type Target =
  | { readonly message: Pick<ShownMessage, 'channel' | 'ts'> }
  | { readonly view: Pick<ShownView, 'id'> }

/**
 * One person at their Slack client. What they do resolves once the app has acknowledged it or Slack gave up on it,
 * which is before whatever the app does afterwards: wait for that with `SlackEmulator.until`. A plain error is thrown
 * for what the person could not do at all, such as clicking a button that is not there.
 */
export class Person {
  readonly id: string
  readonly #parts: Parts

  constructor(id: string, parts: Parts) {
    this.id = id
    this.#parts = parts
  }

  /** Sends what was typed into the composer of a channel or thread: a slash command, or a message to the others. */
  async say(
    channelId: string,
    text: string,
    { threadTs }: { readonly threadTs?: string } = {},
  ): Promise<PersonOutcome> {
    if (text.startsWith('/')) return this.command(channelId, text, { inThread: threadTs !== undefined })
    const { messages, workspace } = this.#parts
    const channel = this.#composable(channelId)
    const written = escapedText(text, workspace)
    const root = threadTs === undefined ? undefined : this.#threadRoot(channel, threadTs)
    const message = messages.post({
      channel: channel.id,
      author: this.id,
      text: written,
      blocks: [],
      threadTs: root,
    })
    await sendDirectMessage(message, this.#parts)
    const hearsOfIt = channel.kind !== 'im' && channel.members.has(BOT_USER_ID) && written.includes(`<@${BOT_USER_ID}>`)
    if (hearsOfIt) {
      const where = { channel: channel.id, ...(root !== undefined && { thread_ts: root }) }
      const by = { user: this.id, team: this.#self().teamId }
      await sendEvent({ type: 'app_mention', ...by, text: written, ts: message.ts, ...where }, this.#parts)
    }
    return DONE
  }

  async command(channelId: string, typed: string, { inThread = false } = {}): Promise<PersonOutcome> {
    return sendCommand(typed, this.#self(), this.#composable(channelId), inThread, this.#parts)
  }

  /**
   * Uses an element outside of inputs: presses a button, or chooses `entry` in a menu. `blockId` may be undefined where the
   * app gave the block no id. A confirmation dialog is accepted.
   */
  async click(target: Target, blockId: string | undefined, actionId: string, entry?: Entry): Promise<PersonOutcome> {
    const place = this.#place(target)
    const placed = placedElement(place, blockId, actionId)
    const value = entry === undefined ? undefined : enteredValue(placed.element, entry, [])
    return sendAction(place, placed, value, this.#self(), this.#parts)
  }

  /**
   * Types or chooses in an input of the top modal: a choice by its value or label, a list where many fit. `enter` presses
   * the enter key, which tells an app that asked to know.
   */
  async choose(blockId: string, entry: Entry, { enter = false } = {}): Promise<PersonOutcome> {
    const view = this.#top()
    const placed = placedElements(view.definition.blocks).find((each) => each.blockId === blockId)
    if (placed?.block.type !== 'input') {
      const shown = Object.keys(view.values).join(', ')
      throw new Error(`The modal shows no input ${blockId}, only: ${shown}`)
    }
    const value = enteredValue(placed.element, entry, await this.#optionsFor(view, placed, entry))
    const { views } = this.#parts
    const current = views.find({ viewId: view.id })
    if (current === undefined) return refused(TROUBLE_CONNECTING)
    const before = current.values[blockId]?.[placed.actionId]
    const isSame = JSON.stringify(before) === JSON.stringify(value)
    const block = { ...current.values[blockId], [placed.actionId]: value }
    const changed = views.change(view.id, { values: { ...current.values, [blockId]: block } })
    // Text inputs tell the app on the enter key, all others on every choice; and only those that were set up to.
    const isText = placed.element.type === 'plain_text_input' || placed.element.type === 'number_input'
    const tells = placed.block.dispatch_action === true && (enter || (!isText && !isSame))
    if (!tells || changed === undefined) return DONE
    return sendAction({ view: changed }, placed, value, this.#self(), this.#parts)
  }

  async suggest(blockId: string, actionId: string, query = ''): Promise<Suggestions> {
    const view = this.#top()
    return askOptions(view, placedElement({ view }, blockId, actionId), query, this.#self(), this.#parts)
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
      const outcome = await this.choose(blockId, entry)
      if (!outcome.ok) return outcome
    }
    const view = this.#parts.views.find({ viewId: id })
    return view === undefined ? refused(TROUBLE_CONNECTING) : submitView(view, this.#self(), this.#parts)
  }

  async closeView(): Promise<PersonOutcome> {
    return dismissView(this.#top(), this.#self(), this.#parts)
  }

  async shortcut(id: string): Promise<PersonOutcome> {
    const { triggers, deliveries, app } = this.#parts
    if (!app.shortcuts.some(({ callback_id }) => callback_id === id)) {
      throw new Error(`The app has no shortcut ${id}`)
    }
    const payload = shortcutPayload(id, this.#self(), triggers.issue(this.id))
    const outcome = await deliveries.deliver('interactive', payload)
    return outcome.kind === 'acked' ? DONE : refused(TROUBLE_CONNECTING)
  }

  async openHome(): Promise<PersonOutcome> {
    const opened = { type: 'app_home_opened', user: this.id, channel: this.direct(), tab: 'home' }
    const outcome = await sendEvent(opened, this.#parts)
    return outcome === undefined || outcome.kind === 'acked' ? DONE : refused(TROUBLE_CONNECTING)
  }

  /** Loads the client again: ephemeral messages and open modals are gone. */
  reload(): void {
    const { messages, views } = this.#parts
    messages.forgetEphemerals(this.id)
    views.closeAll(this.id)
  }

  view(): ShownView | undefined {
    const top = this.#parts.views.stack(this.id).at(-1)
    return top === undefined ? undefined : shownView(top)
  }

  home(): ShownView | undefined {
    const home = this.#parts.views.home(this.id)
    return home === undefined ? undefined : shownView(home)
  }

  messages(channelId: string): readonly ShownMessage[] {
    return this.#parts.messages.seenBy(this.id, this.#channel(channelId).id).map(shownMessage)
  }

  direct(): string {
    return this.#parts.workspace.directChannel(this.id).id
  }

  /** The files this person sees, their content read as UTF-8. */
  files() {
    const { messages, workspace, files } = this.#parts
    return messages.all
      .filter(({ channel }) => workspace.channel(channel).members.has(this.id))
      .flatMap(({ channel, files: ids }) => {
        const known = ids.flatMap((id) => files.find(id) ?? [])
        return known.map(({ id, name, title, content = '' }) => {
          return { id, name, title, channel, content: content.toString() }
        })
      })
  }

  /** What an external select has to choose from: what stands in it, and what the app offers for the text and without one. */
  async #optionsFor(view: StoredView, placed: Placed, entry: Entry): Promise<readonly Option[]> {
    const { element } = placed
    if (element.type !== 'external_select' || entry.length === 0) return []
    const known = element.initial_option === undefined ? [] : [element.initial_option]
    for (const query of [String(entry), '']) {
      const asked = await askOptions(view, placed, query, this.#self(), this.#parts)
      if (asked.ok) known.push(...asked.options)
    }
    return known
  }

  /** Finds the clicked message or view as it is now: the app may have changed it since it was looked at. */
  #place(target: Target): Place {
    if ('view' in target) {
      const view = this.#parts.views.find({ viewId: target.view.id })
      if (view?.userId !== this.id) throw new Error('The view is not open any more')
      return { view }
    }
    const { channel, ts } = target.message
    const message = this.#parts.messages.seenBy(this.id, channel).find((each) => each.ts === ts)
    if (message === undefined) throw new Error('The message is not there any more')
    return { message, channel: this.#channel(channel) }
  }

  /** Replies to a reply go into the thread it is in. What only one person sees has no thread. */
  #threadRoot(channel: Channel, threadTs: string): string {
    const message = this.#parts.messages.find(channel.id, threadTs)
    if (message === undefined || message.visibleTo !== undefined) {
      throw new Error('There is no thread under this message')
    }
    return message.threadTs ?? message.ts
  }

  #top(): StoredView {
    const top = this.#parts.views.stack(this.id).at(-1)
    if (top === undefined) throw new Error('No modal is open')
    return top
  }

  #self(): Member {
    return this.#parts.workspace.member(this.id)
  }

  #composable(channelId: string): Channel {
    const channel = this.#channel(channelId)
    if (channel.archived) throw new Error(`Nobody can write in ${channel.name}: it is archived`)
    return channel
  }

  #channel(channelId: string): Channel {
    const channel = this.#parts.workspace.channel(channelId)
    if (!channel.members.has(this.id)) throw new Error(`${this.#self().name} is not in ${channel.name}`)
    return channel
  }
}

export type ShownMessage = ReturnType<typeof shownMessage>
export type ShownView = ReturnType<typeof shownView>
export type ShownFile = ReturnType<Person['files']>[number]

export function shownMessage({ visibleTo, editedTs, ...rest }: StoredMessage) {
  return {
    ...rest,
    edited: editedTs !== undefined,
    byBot: rest.author === BOT_USER_ID,
    /** Only this person sees it, until the client is loaded again. */
    ephemeral: visibleTo !== undefined,
  } as const
}

export function shownView({ id, definition, values, errors }: StoredView) {
  const blocks: readonly Block[] = definition.blocks
  const modal = definition.type === 'modal' ? definition : undefined
  return {
    id,
    callbackId: definition.callback_id ?? '',
    title: modal?.title.text ?? '',
    submit: modal?.submit?.text,
    close: modal?.close?.text,
    blocks,
    values,
    errors,
  } as const
}
