import type { Block } from '../blocks/blocks.ts'
import { BoundedList } from './bounded-list.ts'
import type { Clock } from '../../../shared/clock.ts'
import type { ChangeFeed } from './change-feed.ts'
import { checkMessageBlocks, withIds, written } from '../blocks/message-rules.ts'
import { SlackError } from './slack-error.ts'

/** Longer texts are cut, not refused. */
const MAX_TEXT = 40_000
const MAX_MESSAGES = 5_000

export interface StoredMessage {
  readonly channel: string
  readonly ts: string
  readonly author: string
  readonly text: string
  readonly blocks: readonly Block[]
  readonly threadTs: string | undefined
  /** A reply that stands in the channel as well as in its thread. */
  readonly broadcast: boolean
  readonly visibleTo: string | undefined
  readonly files: readonly string[]
  readonly editedTs: string | undefined
}

/** A message on its way in: without its timestamp, ephemeral if `visibleTo` says for whom. */
export type MessageDraft = Pick<StoredMessage, 'channel' | 'author' | 'text' | 'blocks'> &
  Partial<Pick<StoredMessage, 'threadTs' | 'broadcast' | 'visibleTo' | 'files'>>

const MICROS_PER_MS = 1_000

/** Gives out Slack's message timestamps: seconds and microseconds, such as `1795198000.000100`, each once. */
export function timestampsOf(clock: Clock): () => string {
  let lastMicros = 0
  return () => {
    lastMicros = Math.max(clock.now().getTime() * MICROS_PER_MS, lastMicros + 1)
    const digits = String(lastMicros)
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`
  }
}

export class Messages {
  readonly #feed: ChangeFeed
  readonly #nextTs: () => string
  readonly #list = new BoundedList<StoredMessage>(MAX_MESSAGES)
  /** Told of each message that is posted or edited. */
  listener: (message: StoredMessage, before?: StoredMessage) => void = () => undefined

  constructor(feed: ChangeFeed, nextTs: () => string) {
    this.#feed = feed
    this.#nextTs = nextTs
  }

  get all(): readonly StoredMessage[] {
    return this.#list.entries
  }

  post(draft: MessageDraft): StoredMessage {
    const message = this.#list.add({
      threadTs: undefined,
      broadcast: false,
      visibleTo: undefined,
      files: [],
      ...draft,
      ts: this.#nextTs(),
      editedTs: undefined,
    })
    this.#feed.changed()
    this.listener(message)
    return message
  }

  find(channel: string, ts: string): StoredMessage | undefined {
    return this.#list.entries.find((message) => message.channel === channel && message.ts === ts)
  }

  /** Puts other words into a message. Whether it is ephemeral never changes. */
  edit(message: StoredMessage, change: Pick<StoredMessage, 'text' | 'blocks'>): StoredMessage {
    const edited = { ...message, text: change.text, blocks: change.blocks, editedTs: this.#nextTs() }
    this.#list.replace(message, edited)
    this.#feed.changed()
    this.listener(edited, message)
    return edited
  }

  delete(channel: string, ts: string): void {
    this.#list.remove((message) => message.channel === channel && message.ts === ts)
    this.#feed.changed()
  }

  /** A deleted file goes from its message; one that was nothing but the file goes with it. */
  dropFile(id: string): void {
    this.#list.remove(({ files, text }) => text === '' && files.length === 1 && files[0] === id)
    this.#feed.changed()
  }

  seenBy(userId: string, channel: string): readonly StoredMessage[] {
    return this.#list.entries.filter(
      (message) => message.channel === channel && (message.visibleTo === undefined || message.visibleTo === userId),
    )
  }

  /** Ephemeral messages live in the client only: they are gone once it is loaded again. */
  forgetEphemerals(userId: string): void {
    this.#list.remove((message) => message.visibleTo === userId)
    this.#feed.changed()
  }
}

/** Checks what a message shall show, as chat.postMessage and its relatives do. Throws SlackError. */
export function messageContent(
  given: { readonly text?: string | undefined; readonly blocks?: unknown },
  { switches, clock }: { readonly switches: { readonly refusedBlocks: readonly string[] }; readonly clock: Clock },
  budget = true,
): { readonly text: string; readonly blocks: readonly Block[] } {
  const text = (given.text ?? '').slice(0, MAX_TEXT)
  if (given.blocks === undefined) {
    if (text === '') throw new SlackError('no_text')
    return { text, blocks: [] }
  }
  if (!Array.isArray(given.blocks)) throw new SlackError('invalid_blocks_format')
  const checked = checkMessageBlocks(given.blocks, { refused: switches.refusedBlocks, budget })
  if (checked.ok) return { text, blocks: withIds(checked.blocks, clock) }
  if (checked.problems.length === 0) throw new SlackError(checked.error)
  const errors = checked.problems.map(written)
  throw new SlackError(checked.error, {
    errors,
    response_metadata: { messages: errors.map((error) => `[ERROR] ${error}`) },
  })
}

const MAX_FILES = 500
/** Slack takes 1 GB; an emulator that keeps files in memory takes less. */
export const MAX_FILE_BYTES = 50_000_000

export interface StoredFile {
  readonly id: string
  readonly name: string
  readonly title: string
  /** What was uploaded, or undefined while only an address was given out. */
  readonly content: Buffer | undefined
  readonly complete: boolean
}

export class Files {
  readonly #clock: Clock
  readonly #feed: ChangeFeed
  readonly #files = new Map<string, StoredFile>()

  constructor(clock: Clock, feed: ChangeFeed) {
    this.#clock = clock
    this.#feed = feed
  }

  find(id: string): StoredFile | undefined {
    return this.#files.get(id)
  }

  announce(name: string): StoredFile {
    const id = `F${this.#clock.newId().slice(0, 10).toUpperCase()}`
    const [oldest] = this.#files.keys()
    if (this.#files.size >= MAX_FILES && oldest !== undefined) this.#files.delete(oldest)
    return this.#put({ id, name, title: name, content: undefined, complete: false })
  }

  receive(id: string, content: Buffer): boolean {
    const file = this.#files.get(id)
    if (file === undefined || file.content !== undefined) return false
    this.#put({ ...file, content })
    return true
  }

  /** Ends an upload. Throws `file_not_found` when there are no bytes, `invalid_arguments` when it is done already. */
  complete(id: string, title: string | undefined): StoredFile {
    const file = this.#files.get(id)
    if (file?.content === undefined) throw new SlackError('file_not_found')
    if (file.complete) throw new SlackError('invalid_arguments')
    return this.#put({ ...file, title: title ?? file.name, complete: true })
  }

  delete(id: string): boolean {
    return this.#files.delete(id)
  }

  #put(file: StoredFile): StoredFile {
    this.#files.set(file.id, file)
    this.#feed.changed()
    return file
  }
}
